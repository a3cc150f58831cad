import type Joi from 'joi';
import type { WebhookBody } from '../../platform/http/openapi.ts';
import { dateTime, livemode, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { object } from '../../platform/http/typed.ts';
import { adjustmentAnswer } from '../adjustments/adjustments.schemas.ts';
import { listedAnswer as listedAnticipation } from '../anticipations/anticipations.schemas.ts';
import { sentCharge } from '../charges/charges.schemas.ts';
import { sentSession } from '../checkout/checkout.schemas.ts';
import { payoutRequestAnswer } from '../payouts/payouts.schemas.ts';
import { refundAnswer } from '../refunds/refunds.schemas.ts';
import { methodAnswer, SENT_METHOD_MEMBERS } from '../stored-methods/stored-methods.schemas.ts';
import { submerchantAnswer } from '../submerchants/submerchants.schemas.ts';
import { sentSubscription } from '../subscriptions/subscriptions.schemas.ts';
import { goesToPostback, SENT_NAMES, type SentName, UNNAMED_EVENTS } from './write/event-kinds.ts';

const payoutField = (name: string): Joi.Schema => payoutRequestAnswer.extract(name);

/** Public form of a payout request in an event. */
const sentPayout = object({
  ...Object.fromEntries(
    ['id', 'merchantId', 'amount', 'currency', 'status', 'payoutFee', 'netAmount', 'processedAt'].map(
      (name) => [name, payoutField(name)],
    ),
  ),
  rejectionReason: payoutField('rejectionReason').optional(),
  transferStatus: payoutField('transferStatus').optional(),
  transferReference: payoutField('transferReference').optional(),
  transferFailureReason: payoutField('transferFailureReason').optional(),
}).label('SentPayout');

/** A booked adjustment in an event. */
const sentAdjustment = object({
  ...Object.fromEntries(
    ['id', 'merchantId', 'livemode', 'amount', 'currency', 'reason', 'ledgerEntryId'].map((name) => [
      name,
      adjustmentAnswer.extract(name),
    ]),
  ),
  createdAt: dateTime().required().description('When it was booked.'),
}).label('SentAdjustment');

/** A stored payment method in an event. */
const sentMethod = object(
  Object.fromEntries(SENT_METHOD_MEMBERS.map((name) => [name, methodAnswer.extract(name)])),
).label('SentPaymentMethod');

const namesOf = (family: string): readonly SentName[] =>
  SENT_NAMES.filter((name) => name.startsWith(`${family}.`) && name !== 'account.status_changed');

const envelope = (family: string, label: string, data: Joi.Schema) =>
  object({
    id: resourceId('evt').required(),
    event: oneOf(namesOf(family)).description('Kind of the event.'),
    livemode: livemode().required(),
    data: data.required().description('The resource as it was then.'),
  }).label(label);

const payoutEvent = object({
  id: resourceId('po')
    .required()
    .description('Id of the payout request, which is unique only together with `event`.'),
  event: oneOf(namesOf('payout')).description('Kind of the event.'),
  data: sentPayout.required().description('The payout request as it was then; amounts in cents.'),
}).label('PayoutEvent');

const statusNotice = object({
  merchantId: resourceId('mer').required().description('The sub-merchant.'),
  status: submerchantAnswer.extract('status'),
  date: dateTime().required(),
}).label('AccountStatusNotice');

const BODIES: Readonly<Record<string, Joi.ObjectSchema>> = {
  charge: envelope('charge', 'ChargeEvent', sentCharge),
  refund: envelope('refund', 'RefundEvent', refundAnswer),
  payout: payoutEvent,
  anticipation: envelope('anticipation', 'AnticipationEvent', listedAnticipation),
  adjustment: envelope('adjustment', 'AdjustmentEvent', sentAdjustment),
  account: envelope('account', 'AccountEvent', submerchantAnswer),
  payment_method: envelope('payment_method', 'PaymentMethodEvent', sentMethod),
  checkout: envelope('checkout', 'CheckoutEvent', sentSession),
  subscription: envelope('subscription', 'SubscriptionEvent', sentSubscription),
};

/** When each kind of event is sent. */
const MEANINGS: Readonly<Record<SentName, string>> = {
  'charge.created': 'A charge is created.',
  'charge.pending': 'A charge waits for the payer.',
  'charge.paid': 'A charge is paid.',
  'charge.refunded': 'A charge is refunded in full.',
  'charge.refused': 'The provider refuses a charge.',
  'charge.failed': 'A charge fails, or its time to pay passes.',
  'charge.pre_chargeback': 'A chargeback alert is registered for a charge.',
  'charge.chargeback': 'The acquirer confirms the chargeback of a charge.',
  'charge.in_analysis': 'The provider analyses a charge before it decides.',
  'charge.authentication_required': 'A charge waits for the payer to authenticate.',
  'charge.settled': 'A part of a charge becomes available; `settlements` of the charge say which.',
  'refund.pending': 'The provider accepts a refund and completes it later.',
  'payout.requested': 'A payout is requested.',
  'anticipation.created': 'An anticipation makes parts of charges available before they are due.',
  'adjustment.created': 'An adjustment of the balance is booked.',
  'refund.refused': 'The provider refuses a refund.',
  'refund.failed': 'A refund fails.',
  'payout.approved': 'A payout request is approved.',
  'payout.rejected': 'A payout request is rejected.',
  'payout.sent': 'The bank transfer of a payout is sent.',
  'payout.failed': 'The bank transfer of a payout fails, and its amount returns to the balance.',
  'payment_method.active': 'A stored payment method can be charged.',
  'payment_method.failed': 'The provider does not store a card, or its holder is not authenticated.',
  'payment_method.revoked': 'A stored payment method is revoked, by the merchant, the holder or the network.',
  'checkout.opened': 'A checkout session is opened.',
  'checkout.completed': 'A checkout session is paid.',
  'checkout.expired': 'The time to pay a checkout session passes.',
  'subscription.created': 'A subscription is created; nothing has been paid yet.',
  'subscription.activated':
    'A subscription becomes active: its first charge is paid or planned, or its pause is over.',
  'subscription.renewed': 'A further cycle of a subscription is paid.',
  'subscription.payment_failed':
    'An attempt to collect a cycle fails; `nextAttemptAt` says when the next attempt is made, and is null if there is none.',
  'subscription.cancelled': 'A subscription is cancelled, by its merchant or because it was not paid.',
  'subscription.paused': 'A subscription is paused, by its merchant or because it was not paid.',
  'subscription.expired': 'A subscription ends: its last cycle is over, or it was never activated.',
  'account.approved': 'A sub-merchant becomes active.',
  'account.updated': 'A sub-merchant changes in another way.',
  'charge.updated': 'A charge gets a status for which postbacks have no name.',
  'account.status_changed': 'A sub-merchant gets another status.',
};

const destinationOf = (name: SentName): string => {
  if (name === 'charge.updated')
    return "The event is sent to the charge's `postbackUrl` only, in three attempts.";
  if (name === 'account.status_changed')
    return "The event is sent to the sub-merchant's `postbackUrl` only, in three attempts.";
  if (name === 'payout.requested')
    return 'The event is sent to endpoints that name it, in one attempt; `*` does not include it.';
  if (name.startsWith('payout.')) return 'The event is sent to endpoints that want it, in one attempt.';
  if (!isUnnamed(name)) return 'The event is sent to endpoints that name it; `*` does not include it.';
  return goesToPostback(name)
    ? "The event is sent to endpoints that want it, and to the resource's own `postbackUrl`."
    : 'The event is sent to endpoints that want it.';
};

const isUnnamed = (name: SentName): boolean => (UNNAMED_EVENTS as readonly string[]).includes(name);

const aboutOf = (name: SentName): string => `${MEANINGS[name]} ${destinationOf(name)}`;

/** Each kind of event with the body of its POST, as the OpenAPI document shows it. */
export const webhookBodies: readonly WebhookBody[] = SENT_NAMES.map((name) => {
  const [family = ''] = name.split('.');
  const body = name === 'account.status_changed' ? statusNotice : BODIES[family];
  if (!body) throw new Error(`no body for ${name}`);
  return { name, description: aboutOf(name), body };
});
