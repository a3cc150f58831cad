import { MAX_AMOUNT } from '../../kernel/money.ts';
import {
  count,
  currency,
  dateTime,
  day,
  httpUrl,
  instant,
  knownCurrency,
  livemode,
  metadata,
  money,
  nullable,
  oneOf,
  resourceId,
  text,
  textOrNone,
  timestamps,
  timeZone,
} from '../../platform/http/schemas.ts';
import { arrayOf, boolean, number, object, string } from '../../platform/http/typed.ts';
import { splitEntries } from '../charges/charges.schemas.ts';
import { CHARGE_STATUSES } from '../charges/write/charge.ts';
import { INTERVALS } from './write/calendar.ts';
import { ATTEMPT_OUTCOMES, CYCLE_STATUSES } from './write/cycle.ts';
import {
  COLLECTIONS,
  END_REASONS,
  ON_EXHAUSTED,
  PAYER_METHODS,
  SUBSCRIPTION_STATUSES,
} from './write/subscription.ts';
import { USUAL_TERMS } from './write/subscription-request.ts';

export const TAG = 'Subscriptions';
export const PLAN_TAG = 'Plans';

export const planParams = { id: 'Id of the plan, `plan_…`.' };
export const subscriptionParams = { id: 'Id of the subscription, `sub_…`.' };
export const cycleParams = { ...subscriptionParams, number: 'Number of the cycle, from 1 on.' };

const interval = () => oneOf(INTERVALS).description('How often a cycle comes.');
const intervalCount = () =>
  number().integer().min(1).max(12).description('Weeks, months or years from one cycle to the next.');

const requestedPrice = {
  amount: number()
    .greater(0)
    .max(MAX_AMOUNT)
    .required()
    .description('Price of a cycle: decimal, with at most the digits of the currency.'),
  currency: knownCurrency().required(),
  interval: interval(),
  intervalCount: intervalCount().default(1),
};

const trialDays = () => number().integer().min(0).max(365).description('Days before the first charge.');

const description = () => textOrNone(1_024).allow(null).description('For people.');

export const newPlan = object({
  name: text(255).required().description('For people.'),
  ...requestedPrice,
  trialDays: trialDays().default(0),
  description: description().default(null),
  metadata: metadata().allow(null).default(null).description('Free-form, at most 16 KiB as JSON.'),
})
  .example({ name: 'Monthly', amount: 49.9, currency: 'BRL', interval: 'month', trialDays: 7 })
  .label('NewPlan');

export const planChanges = object({
  name: text(255).description('For people.'),
  description: description(),
  active: boolean().description('Whether new subscriptions can be made to it; others go on.'),
})
  .min(1)
  .example({ active: false })
  .label('PlanChanges');

const price = {
  amount: money('Price of a cycle.').required(),
  currency: currency().required(),
  interval: interval(),
  intervalCount: intervalCount().required(),
};

export const planAnswer = object({
  id: resourceId('plan').required(),
  merchantId: resourceId('mer').required().description('The merchant that offers it.'),
  livemode: livemode().required(),
  name: string().required().description('For people.'),
  ...price,
  trialDays: trialDays().required(),
  description: nullable(string()).description('For people.'),
  metadata: nullable(metadata()).description('As sent.'),
  active: boolean().required().description('Whether new subscriptions can be made to it.'),
  ...timestamps,
}).label('Plan');

const priceRequest = () =>
  object(requestedPrice).label('PriceRequest').description('A price without a plan.');

const MAX_CYCLES = 1_000;

const maxCycles = () =>
  number()
    .integer()
    .min(1)
    .max(MAX_CYCLES)
    .description('Cycles after which it ends; those that a pause leaves out do not count.');
const endDate = () => day().description('No cycle begins on this day or later.');

const retryDays = arrayOf(number().integer().min(1).max(30))
  .max(8)
  .description(
    'Days from a failed attempt to the next; after the last one `onExhausted` counts. Absent: 1, 3, 5 and 7. Under a mandate of Pix Automático three at most, which sum to 7 at most; absent: 2, 2 and 2, or none where the mandate allows none.',
  );

/** Joi would name the schema of a price and not its member. */
const EITHER_OR = {
  'object.xor': '{{#label}} must have either planId or price, and not both',
  'object.missing': '{{#label}} must have either planId or price',
  'object.oxor': '{{#label}} must have only one of planId and price, and of maxCycles and endDate',
};

const CARD_ONLY =
  'With `collection` `automatic`: a stored payment method of the customer, which is a card or a mandate of Pix Automático.';

export const newSubscription = object({
  customerId: resourceId('cus').required().description('The customer who pays.'),
  planId: resourceId('plan').description('The plan; either this or `price`.'),
  price: priceRequest(),
  collection: oneOf(COLLECTIONS).description(
    '`automatic` charges a stored card, or has the bank of the payer pay by a mandate. `payer` makes a charge that the customer pays, and tells it by its events.',
  ),
  paymentMethodId: resourceId('pm').description(CARD_ONLY),
  payerMethod: string()
    .valid(...PAYER_METHODS)
    .description(
      'With `collection` `payer`: how the customer pays; `pix` by default. `checkout` opens a page of the gateway for each cycle, on which the customer chooses among all methods of the merchant.',
    ),
  payerDays: number()
    .integer()
    .min(1)
    .max(60)
    .default(USUAL_TERMS.payerDays)
    .description('With `collection` `payer`: days that there are to pay a cycle.'),
  startDate: day().description(
    "Day of the merchant's time zone on which the trial or the first cycle begins; at once where absent, and under a mandate on its first day.",
  ),
  anchorDay: number()
    .integer()
    .min(1)
    .max(31)
    .description(
      'Day of the month on which cycles begin, the last one in a shorter month. Nothing is charged before the first such day.',
    ),
  trialDays: trialDays().description('Days before the first charge; those of the plan where absent.'),
  maxCycles: maxCycles(),
  endDate: endDate(),
  retryDays,
  onExhausted: string()
    .valid(...ON_EXHAUSTED)
    .default(USUAL_TERMS.onExhausted)
    .description('Consequence once every attempt has failed.'),
  split: splitEntries
    .allow(null)
    .description("Instead of the merchant's default split; a participant who cannot receive is left out."),
  description: description(),
  metadata: metadata().allow(null).description('Free-form, at most 16 KiB as JSON.'),
  reference: text(64).allow(null).description("The merchant's own reference; need not be unique."),
  postbackUrl: httpUrl().allow(null).description('Receives the events of this subscription.'),
})
  .xor('planId', 'price')
  .oxor('maxCycles', 'endDate')
  .messages(EITHER_OR)
  .example({
    customerId: `cus_${'0'.repeat(32)}`,
    planId: `plan_${'0'.repeat(32)}`,
    collection: 'automatic',
    paymentMethodId: `pm_${'0'.repeat(32)}`,
    reference: 'contract-1001',
  })
  .label('NewSubscription');

const version = number()
  .integer()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .description('The `version` that was read; changed since: 409 `VERSION_CHANGED`.');

export const subscriptionChanges = object({
  version,
  paymentMethodId: resourceId('pm').description(
    'Counts at once, and what is open is attempted with it once.',
  ),
  planId: resourceId('plan').description('Counts from the next cycle on.'),
  price: priceRequest(),
  split: splitEntries.allow(null).description('Counts from the next attempt on.'),
  description: description(),
  metadata: metadata().allow(null).description('Free-form, at most 16 KiB as JSON.'),
  maxCycles: maxCycles().allow(null),
  endDate: endDate().allow(null),
})
  .oxor('planId', 'price')
  .messages(EITHER_OR)
  .min(1)
  .example({ price: { amount: 59.9, currency: 'BRL', interval: 'month', intervalCount: 1 } })
  .label('SubscriptionChanges');

export const pauseRequest = object({
  version,
  resumeAt: instant().allow(null).default(null).description('When it goes on by itself; never where absent.'),
})
  .optional()
  .example({ resumeAt: '2035-03-01T12:00:00Z' })
  .label('PauseRequest');

export const cancelRequest = object({
  version,
  when: string()
    .valid('now', 'period_end')
    .required()
    .description('`now`, without giving money back, or once the period is over that is paid for.'),
  reason: text(255).allow(null).default(null).description('For people, shown as `cancelReason`.'),
})
  .example({ when: 'period_end', reason: 'too expensive' })
  .label('CancelSubscriptionRequest');

export const advanceRequest = object({
  until: instant()
    .required()
    .description('Instant to which the clock of the subscription is put; at most five years ahead.'),
})
  .example({ until: '2035-03-01T12:00:00Z' })
  .label('AdvanceRequest');

const at = (what: string) => nullable(dateTime()).description(what);

export const subscriptionAnswer = object({
  id: resourceId('sub').required(),
  merchantId: resourceId('mer').required().description('The merchant that is paid.'),
  livemode: livemode().required(),
  status: oneOf(SUBSCRIPTION_STATUSES).description(
    '`incomplete` has never been paid, `trialing` waits for its first charge, `past_due` has an unpaid cycle; `cancelled` and `expired` are its ends.',
  ),
  pastDueReason: nullable(string()).description(
    'Why it is past due, in snake_case, such as `mandate_cancelled`; null where it is not.',
  ),
  customerId: resourceId('cus').required().description('The customer who pays.'),
  planId: nullable(resourceId('plan')).description('Null without a plan.'),
  price: object(price).required().label('Price').description('Price of the present cycle.'),
  nextPrice: nullable(
    object({
      planId: nullable(resourceId('plan')).description('Null without a plan.'),
      price: object(price).required().label('Price').description('Price from then on.'),
    }).label('NextPrice'),
  ).description('Counts from the next cycle on; null where nothing changes.'),
  collection: oneOf(COLLECTIONS).description(
    'Whether a stored payment method is charged, or the customer pays.',
  ),
  paymentMethodId: nullable(resourceId('pm')).description(
    'The stored payment method; null where the customer pays.',
  ),
  payerMethod: nullable(string().valid(...PAYER_METHODS)).description(
    'How the customer pays; null for a stored payment method.',
  ),
  payerDays: count('Days that the customer has to pay a cycle.'),
  timeZone: timeZone.required().description('Time zone of its days: the merchant’s when it was made.'),
  maxCycles: nullable(number().integer()).description(
    'Cycles after which it ends; null without such an end.',
  ),
  endDate: nullable(string().meta({ format: 'date' })).description(
    'Day from which on no cycle begins; null without such an end.',
  ),
  retryDays: arrayOf(number().integer()).required().description('Days from a failed attempt to the next.'),
  onExhausted: oneOf(ON_EXHAUSTED).description('Consequence once every attempt has failed.'),
  split: nullable(
    arrayOf(
      object({
        merchantId: string().required().description('The participant.'),
        percentage: number().required().description('Per cent of the net amount.'),
      }).label('SubscriptionSplit'),
    ),
  ).description('As sent; null for the default split.'),
  description: nullable(string()).description('For people.'),
  metadata: nullable(metadata()).description('As sent.'),
  reference: nullable(string()).description('As sent.'),
  postbackUrl: nullable(string()).description('As sent.'),
  cycle: count('Number of the latest cycle; 0 before the first.'),
  currentPeriodStart: at(
    'Begin of the latest cycle; null before the first. Under a mandate a cycle is open some days before it, as its charge is handed in ahead.',
  ),
  currentPeriodEnd: at('End of the latest cycle; null before the first.'),
  nextChargeAt: at('When the next charge is made; null where none is planned.'),
  trialEnd: at('End of the trial; null without one.'),
  cancelAt: at('When the planned cancellation takes effect; null without one.'),
  cancelReason: nullable(string()).description('As sent with the cancellation.'),
  resumeAt: at('When a paused one goes on by itself.'),
  pausedAt: at('Since when it is paused.'),
  endedAt: at('When it ended.'),
  endReason: nullable(string().valid(...END_REASONS)).description('Why it ended; null while it has not.'),
  latestChargeId: nullable(resourceId('chg')).description(
    'The latest charge of a cycle; null before the first.',
  ),
  latePayments: arrayOf(
    object({
      cycleNumber: count('The cycle that was paid.'),
      chargeId: resourceId('chg').required(),
    }).label('LatePayment'),
  )
    .required()
    .description(
      'Payments that came after its end, or for a cycle that was paid already: to be given back or kept.',
    ),
  version: count('Grows with each change.'),
  ...timestamps,
}).label('Subscription');

/** A subscription in an event. */
export const sentSubscription = subscriptionAnswer
  .append({
    cycleNumber: nullable(number().integer()).description('The cycle of the latest attempt.'),
    chargeId: nullable(resourceId('chg')).description('Its charge; null where there was nothing to charge.'),
    attempt: nullable(number().integer()).description('Number of the attempt within its cycle.'),
    checkoutUrl: nullable(string()).description(
      'The page on which the customer can pay the cycle, with `payerMethod` `checkout`; null where there is none.',
    ),
    nextAttemptAt: at('When the cycle is attempted again; null where it is not.'),
  })
  .label('SentSubscription');

const attempt = object({
  chargeId: nullable(resourceId('chg')).description(
    'Null where there was nothing to charge, and until somebody has paid on a page.',
  ),
  checkoutSessionId: nullable(resourceId('chk')).description(
    'The checkout session on which the customer pays, with `payerMethod` `checkout`; null otherwise.',
  ),
  plannedOn: nullable(day()).description(
    'Day on which the bank of the payer pays by a mandate; null for any other attempt.',
  ),
  at: dateTime().required().description('When the attempt was made.'),
  outcome: oneOf(ATTEMPT_OUTCOMES).description(
    '`not_counted` is a fault of the gateway or its provider, after which the cycle is attempted again.',
  ),
  reason: nullable(string()).description('Why it failed, in snake_case; null otherwise.'),
  leftOut: arrayOf(resourceId('mer'))
    .required()
    .description('Participants of the split who could not receive; their parts stayed with the merchant.'),
  chargeStatus: nullable(string().valid(...CHARGE_STATUSES)).description(
    'Status of the charge now, such as `refunded`, which changes nothing of the cycle; null without a charge.',
  ),
}).label('CycleAttempt');

export const cycleAnswer = object({
  number: count('Cycles count from 1.'),
  periodStart: dateTime().required().description('Begin of what is paid for.'),
  periodEnd: dateTime().required().description('End of what is paid for.'),
  dueAt: dateTime().required().description('When it is to be charged.'),
  amount: money('Price of the cycle.').required(),
  currency: currency().required(),
  status: oneOf(CYCLE_STATUSES).description(
    '`void` was left out by a pause, `uncollectible` was given up, `scheduled` is the next one.',
  ),
  attempts: arrayOf(attempt).required().description('Oldest first.'),
  checkoutUrl: nullable(string()).description(
    'The page on which the customer can pay it now, with `payerMethod` `checkout`; null where there is none.',
  ),
  nextAttemptAt: at('When it is attempted next; null where it is not.'),
  waitsFor: nullable(string()).description(
    'Why it is not charged although it is due: the code of a refusal, such as `PROVIDER_NOT_CONFIGURED`, or `CARD_ATTEMPTED_TOO_OFTEN`.',
  ),
}).label('Cycle');

export const advanceAnswer = object({
  subscription: subscriptionAnswer.required().description('As it stands then.'),
  happened: arrayOf(
    object({
      event: string().required().description('Name of the event; those without a webhook are internal.'),
      at: dateTime().required().description('The time that the clock of the subscription showed.'),
      status: oneOf(SUBSCRIPTION_STATUSES).description('Status from then on.'),
      cycleNumber: nullable(number().integer()).description('The cycle that it was about.'),
      chargeId: nullable(resourceId('chg')).description('The charge that it was about.'),
    }).label('Happening'),
  )
    .required()
    .description('Oldest first.'),
}).label('Advance');
