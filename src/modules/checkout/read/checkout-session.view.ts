import {
  date,
  emailAddress,
  from,
  hidden,
  json,
  keyword,
  line,
  money,
  ofMerchant,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { CHECKOUT_SESSIONS, type CheckoutSession } from '../write/checkout-session.ts';

export const CHECKOUT_SESSIONS_VIEW = defineView({
  name: 'checkout_sessions',
  version: 3,
  source: CHECKOUT_SESSIONS,
  tenants: 'routed',
  shownKept: ['metadata'],
  fields: {
    id: keyword(),
    ...ofMerchant,
    status: keyword(),
    url: stored(),
    paymentLinkId: keyword(),
    mode: from(keyword(), ({ mode }: CheckoutSession) => mode ?? 'payment'),
    amount: money(),
    currency: keyword(),
    description: stored(),
    customerId: keyword(),
    customer: stored(),
    methods: stored(),
    maxInstallments: stored(),
    saveMethod: stored(),
    showSaved: from(stored(), ({ showSaved }: CheckoutSession) => showSaved ?? false),
    locale: stored(),
    returnUrl: stored(),
    cancelUrl: stored(),
    postbackUrl: stored(),
    split: stored(),
    reference: line(),
    metadata: json(),
    chargeId: keyword(),
    chargeIds: stored(),
    paymentMethodId: from(keyword(), ({ paymentMethodId }: CheckoutSession) => paymentMethodId ?? null),
    planId: from(keyword(), ({ planId }: CheckoutSession) => planId ?? null),
    subscriptionId: from(
      keyword(),
      ({ subscriptionId, cycle }: CheckoutSession) => subscriptionId ?? cycle?.subscriptionId ?? null,
    ),
    cycleNumber: from(stored(), ({ cycle }: CheckoutSession) => cycle?.number ?? null),
    consent: from(stored(), ({ consent }: CheckoutSession) => consent ?? null),
    refusals: stored(),
    cancelReason: stored(),
    completedAt: date(),
    expiresAt: date(),
    ...timestamps,
    /** The payer as the merchant named it. An operator erases a payer by these members. */
    email: hidden(from(emailAddress(), ({ customer }: CheckoutSession) => customer?.email ?? null)),
    document: hidden(from(line(), ({ customer }: CheckoutSession) => customer?.document?.id ?? null)),
  },
});

/** A session as lists answer it. */
type ListedSession = ReturnType<typeof CHECKOUT_SESSIONS_VIEW.present>;

/** A session of the write store as the API answers it; lists leave its items out. */
export const presentSession = (session: CheckoutSession): ListedSession & Pick<CheckoutSession, 'items'> => ({
  ...CHECKOUT_SESSIONS_VIEW.present(CHECKOUT_SESSIONS_VIEW.toDocument(session)),
  items: session.items,
});

/**
 * A session in an event. It leaves the payer out, so that no event that was sent contains personal data, and the items.
 */
export const presentSentSession = (session: CheckoutSession): object => {
  const { items: _items, customer: _customer, ...sent } = presentSession(session);
  return sent;
};
