import { toDecimal } from '../../../kernel/money.ts';
import {
  date,
  from,
  hidden,
  integer,
  json,
  keyword,
  line,
  ofMerchant,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import type { Price } from '../write/plan.ts';
import { SUBSCRIPTIONS, type Subscription } from '../write/subscription.ts';
import { monthlyAmount } from './monthly.ts';

/** A price as the API answers it. */
const shownPrice = ({ amount, currency, interval, intervalCount }: Price) => ({
  amount: toDecimal(amount, currency),
  currency,
  interval,
  intervalCount,
});

const shownNext = ({ nextPrice }: Subscription) =>
  nextPrice && { planId: nextPrice.planId, price: shownPrice(nextPrice.price) };

/** When the payer's bank pays the charge that waits for its outcome; null where no mandate pays one. */
const plannedAt = ({ chargesAhead, collecting }: Subscription) =>
  (chargesAhead && collecting?.chargeId && collecting.settlesAt) || null;

export const SUBSCRIPTIONS_VIEW = defineView({
  name: 'subscriptions',
  version: 3,
  source: SUBSCRIPTIONS,
  tenants: 'routed',
  shownKept: ['metadata'],
  fields: {
    id: keyword(),
    ...ofMerchant,
    status: keyword(),
    pastDueReason: from(stored(), ({ pastDueReason }: Subscription) => pastDueReason ?? null),
    customerId: keyword(),
    planId: keyword(),
    price: from(stored(), ({ price }: Subscription) => shownPrice(price)),
    nextPrice: from(stored(), shownNext),
    collection: keyword(),
    paymentMethodId: keyword(),
    payerMethod: stored(),
    payerDays: stored(),
    timeZone: from(stored(), ({ calendar }: Subscription) => calendar.timeZone),
    maxCycles: stored(),
    endDate: stored(),
    retryDays: stored(),
    onExhausted: stored(),
    split: stored(),
    description: stored(),
    metadata: json(),
    reference: line(),
    postbackUrl: stored(),
    cycle: stored(),
    currentPeriodStart: stored(),
    currentPeriodEnd: stored(),
    nextChargeAt: date(),
    trialEnd: stored(),
    cancelAt: stored(),
    cancelReason: stored(),
    resumeAt: stored(),
    pausedAt: stored(),
    endedAt: date(),
    endReason: stored(),
    latestChargeId: stored(),
    latePayments: stored(),
    version: stored(),
    ...timestamps,
    currency: hidden(from(keyword(), ({ price }: Subscription) => price.currency)),
    activatedAt: hidden(date()),
    plannedAt: hidden(from(date(), plannedAt)),
    /** Minor units of the currency. */
    monthly: hidden(from(integer(), ({ price }: Subscription) => monthlyAmount(price))),
  },
});

/** A subscription of the write store as the API answers it. */
export const presentSubscription = (subscription: Subscription) =>
  SUBSCRIPTIONS_VIEW.present(SUBSCRIPTIONS_VIEW.toDocument(subscription));

/** A subscription in an event, which also tells which attempt it is about. */
export const presentSent = (subscription: Subscription) => {
  const { latestAttempt, collecting } = subscription;
  return {
    ...presentSubscription(subscription),
    cycleNumber: latestAttempt?.cycleNumber ?? null,
    chargeId: latestAttempt?.chargeId ?? null,
    attempt: latestAttempt?.attempt ?? null,
    checkoutUrl: collecting?.pageId ? (latestAttempt?.checkoutUrl ?? null) : null,
    nextAttemptAt: latestAttempt?.nextAttemptAt ?? null,
  };
};
