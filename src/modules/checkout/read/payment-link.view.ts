import { toDecimal } from '../../../kernel/money.ts';
import {
  date,
  from,
  integer,
  json,
  keyword,
  line,
  ofMerchant,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { PAYMENT_LINKS, type PaymentLink } from '../write/payment-link.ts';

const shownAmount = ({ amount, currency }: PaymentLink) =>
  amount === null ? null : toDecimal(amount, currency);

const shownRange = ({ amountRange, currency }: PaymentLink) =>
  amountRange && {
    min: toDecimal(amountRange.min, currency),
    max: toDecimal(amountRange.max, currency),
  };

export const PAYMENT_LINKS_VIEW = defineView({
  name: 'payment_links',
  version: 2,
  source: PAYMENT_LINKS,
  tenants: 'routed',
  shownKept: ['metadata'],
  fields: {
    id: keyword(),
    ...ofMerchant,
    status: keyword(),
    url: stored(),
    planId: from(keyword(), ({ planId }: PaymentLink) => planId ?? null),
    amount: from(stored(), shownAmount),
    amountRange: from(stored(), shownRange),
    currency: keyword(),
    description: stored(),
    methods: stored(),
    maxInstallments: stored(),
    maxPayments: stored(),
    payments: integer(),
    fields: stored(),
    ownFields: stored(),
    returnUrl: stored(),
    split: stored(),
    reference: line(),
    metadata: json(),
    expiresAt: date(),
    ...timestamps,
  },
});

/** A link as lists answer it. */
type ListedLink = ReturnType<typeof PAYMENT_LINKS_VIEW.present>;

/** A link of the write store as the API answers it; lists leave its items out. */
export const presentLink = (link: PaymentLink): ListedLink & Pick<PaymentLink, 'items'> => ({
  ...PAYMENT_LINKS_VIEW.present(PAYMENT_LINKS_VIEW.toDocument(link)),
  items: link.items,
});
