import Joi from 'joi';
import {
  dateTime,
  httpUrl,
  instant,
  livemode,
  nullable,
  oneOf,
  resourceId,
  timestamps,
} from '../../platform/http/schemas.ts';
import { cvvMember } from '../providers/card.schemas.ts';
import { METHOD_STATUSES, METHOD_TYPES } from './write/stored-method.ts';

export const TAG = 'Stored payment methods';

/** The parameter of a path below a customer. */
export const customerParams = { id: 'Id of the customer, `cus_…`.' };
export const methodParams = { ...customerParams, methodId: 'Id of the payment method, `pm_…`.' };

export const newMethod = Joi.object({
  token: resourceId('tok').required().description('A card token of `POST /v1/card-tokens`. It works once.'),
  consentAt: instant().description(
    'When the holder agreed that the card is kept for later payments. Without it the card is not stored.',
  ),
  returnUrl: httpUrl()
    .allow(null)
    .description(
      'Where the payer comes back to from a page of the bank; without it, a page of this gateway.',
    ),
})
  .example({ token: `tok_${'0'.repeat(32)}`, consentAt: '2026-01-31T12:00:00Z' })
  .label('NewPaymentMethod');

const MAX_PROOF = 200;

export const newCvvToken = Joi.object({
  paymentMethodId: resourceId('pm').required().description('The stored card that the code is of.'),
  cvv: cvvMember(),
  proof: Joi.string()
    .max(MAX_PROOF)
    .description('The solution of a challenge; only after a 429 that asks for it.'),
})
  .example({ paymentMethodId: `pm_${'0'.repeat(32)}`, cvv: '123' })
  .label('NewCvvToken');

export const cvvTokenAnswer = Joi.object({
  id: resourceId('tok').required(),
  livemode: livemode().required(),
  paymentMethodId: resourceId('pm').required().description('The only card that it can be used with.'),
  expiresAt: dateTime().required().description('Until when it can be used, 15 minutes from its creation.'),
}).label('CvvToken');

export const methodAnswer = Joi.object({
  id: resourceId('pm').required(),
  livemode: livemode().required(),
  merchantId: resourceId('mer').required().description('The merchant that stored it.'),
  customerId: resourceId('cus').required().description('The customer who pays with it.'),
  type: oneOf(METHOD_TYPES).description('Kind of payment.'),
  status: oneOf(METHOD_STATUSES).description(
    '`active` can be charged. `pending` waits for the provider or for the holder, who proves himself at `authenticationUrl`. All others have ended.',
  ),
  brand: Joi.string().required().description('`visa`, `mastercard`, `elo`, …'),
  firstSix: Joi.string().required().description('First digits of the card.'),
  lastFour: Joi.string()
    .required()
    .description('Last digits of the card; others after its network has replaced it.'),
  expirationMonth: Joi.string().required().description('Two digits.'),
  expirationYear: Joi.string().required().description('Four digits.'),
  holderName: nullable(Joi.string()).description('As on the card; null once the customer is deleted.'),
  provider: Joi.string().required().description('The account at the provider that keeps the card.'),
  networkTransactionId: nullable(Joi.string()).description(
    "The card network's identifier of the check by which the holder agreed; null where the provider does not tell it.",
  ),
  consentAt: dateTime().required().description('When the holder agreed.'),
  authenticationUrl: nullable(Joi.string()).description(
    "Where to send the payer, to prove to be the card's holder (3-D Secure); only while it waits for that.",
  ),
  failureReason: nullable(Joi.string()).description('Why it failed, in snake_case; null otherwise.'),
  ...timestamps,
}).label('StoredPaymentMethod');

/** Members of a method in an event: those of the answer without the name of its holder, which can be erased there only. */
export const SENT_METHOD_MEMBERS = Object.keys(methodAnswer.describe().keys).filter(
  (name) => name !== 'holderName',
);
