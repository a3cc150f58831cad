import Joi from 'joi';
import type { WebhookBody } from '../../platform/http/openapi.ts';
import { dateTime, livemode, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { sentCharge } from '../charges/charges.schemas.ts';
import { payoutRequestAnswer } from '../payouts/payouts.schemas.ts';
import { refundAnswer } from '../refunds/refunds.schemas.ts';
import { submerchantAnswer } from '../submerchants/submerchants.schemas.ts';
import { SENT_NAMES, type SentName } from './write/event-kinds.ts';

const payoutField = (name: string): Joi.Schema => payoutRequestAnswer.extract(name);

/** Public form of a payout request in an event. */
const sentPayout = Joi.object({
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

const namesOf = (family: string): readonly SentName[] =>
  SENT_NAMES.filter((name) => name.startsWith(`${family}.`) && name !== 'account.status_changed');

const envelope = (family: string, label: string, data: Joi.Schema): Joi.ObjectSchema =>
  Joi.object({
    id: resourceId('evt').required(),
    event: oneOf(namesOf(family)).description('Kind of the event.'),
    livemode: livemode().required(),
    data: data.required().description('The resource as it was then.'),
  }).label(label);

const payoutEvent = Joi.object({
  id: resourceId('po')
    .required()
    .description('Id of the payout request, which is unique only together with `event`.'),
  event: oneOf(namesOf('payout')).description('Kind of the event.'),
  data: sentPayout.required().description('The payout request as it was then; amounts in cents.'),
}).label('PayoutEvent');

const statusNotice = Joi.object({
  merchantId: resourceId('mer').required().description('The sub-merchant.'),
  status: submerchantAnswer.extract('status'),
  date: dateTime().required(),
}).label('AccountStatusNotice');

const BODIES: Readonly<Record<string, Joi.ObjectSchema>> = {
  charge: envelope('charge', 'ChargeEvent', sentCharge),
  refund: envelope('refund', 'RefundEvent', refundAnswer),
  payout: payoutEvent,
  account: envelope('account', 'AccountEvent', submerchantAnswer),
  subscription: envelope('subscription', 'SubscriptionEvent', Joi.object().unknown()),
};

const ONLY_TO: Partial<Record<SentName, string>> = {
  'charge.updated': "Goes to the charge's `postbackUrl` only.",
  'account.status_changed': "Goes to the sub-merchant's `postbackUrl` only.",
};

/** Each kind of event with the body of its POST, for the OpenAPI document. */
export const webhookBodies: readonly WebhookBody[] = SENT_NAMES.map((name) => {
  const [family = ''] = name.split('.');
  const body = name === 'account.status_changed' ? statusNotice : BODIES[family];
  if (!body) throw new Error(`no body for ${name}`);
  const subscription = family === 'subscription' ? 'This product produces none.' : undefined;
  return { name, description: ONLY_TO[name] ?? subscription ?? 'Goes to the endpoints that want it.', body };
});
