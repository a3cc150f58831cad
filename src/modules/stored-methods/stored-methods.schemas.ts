import Joi from 'joi';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import {
  dateTime,
  day,
  httpUrl,
  instant,
  livemode,
  money,
  nullable,
  oneOf,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';
import { number, object, string, typed, type ValueOf } from '../../platform/http/typed.ts';
import { cvvMember } from '../providers/card.schemas.ts';
import { DAYS_TO_START, JOURNEYS, RETRY_POLICIES } from '../providers/pix/mandate-terms.ts';
import { PAYS } from '../providers/simulator/mandate-record.ts';
import { METHOD_STATUSES, METHOD_TYPES } from './write/stored-method.ts';

export const TAG = 'Stored payment methods';

/** The parameter of a path below a customer. */
export const customerParams = { id: 'Id of the customer, `cus_…`.' };
export const methodParams = { ...customerParams, methodId: 'Id of the payment method, `pm_…`.' };

const CARD_EXAMPLE = { token: `tok_${'0'.repeat(32)}`, consentAt: '2026-01-31T12:00:00Z' };

const newCard = object({
  type: string().valid('credit_card').description('A card, which is meant where this is absent.'),
  token: resourceId('tok').required().description('A card token of `POST /v1/card-tokens`. It works once.'),
  consentAt: instant().description(
    'When the holder agreed that the card is stored for later payments. Without this time the card is not stored.',
  ),
  returnUrl: httpUrl()
    .allow(null)
    .description(
      'Address to which the payer returns from a page of the bank; by default a page of this gateway.',
    ),
})
  .example(CARD_EXAMPLE)
  .label('NewStoredCard');

const MANDATE_INTERVALS = ['week', 'month', 'year'] as const;
const MAX_WORDS = 35;

const interval = () => oneOf(MANDATE_INTERVALS).description('How often a charge comes.');
const reais = () => number().greater(0).max(MAX_AMOUNT);

const MANDATE_EXAMPLE = {
  type: 'pix_automatic',
  journey: 'qr',
  interval: 'month',
  amount: 49.9,
  startDate: '2035-02-01',
  retries: 'three_in_seven_days',
  contract: 'contract-1001',
  description: 'Gym membership',
} as const;

const newMandate = object({
  type: string().valid('pix_automatic').required().description('A mandate of Pix Automático.'),
  journey: oneOf(JOURNEYS).description(
    'How the payer approves in the app of the bank. `qr`: by a QR code. `qr_with_payment`: by one that also holds the Pix of `chargeId`, which the payer pays along with it.',
  ),
  chargeId: resourceId('chg').description(
    'For `qr_with_payment` only: a Pix of the customer that waits and is to be paid at once. It is a payment of its own, and no cycle of a subscription.',
  ),
  interval: interval(),
  intervalCount: number()
    .integer()
    .min(1)
    .max(12)
    .default(1)
    .description(
      'Weeks, months or years from one charge to the next: one week, 1, 3, 6 or 12 months, one year.',
    ),
  amount: reais()
    .allow(null)
    .required()
    .description('Amount of every charge, in reais. Null where each charge has an amount of its own.'),
  minimumAmount: reais().description(
    'Without an `amount`: the least that a charge can have, below which the payer can set no limit.',
  ),
  startDate: day()
    .required()
    .description(
      `Day of the first charge, at least ${DAYS_TO_START} days ahead. The payer can approve until the third day before.`,
    ),
  endDate: day().description('Last day on which a charge can be due; without an end where absent.'),
  retries: oneOf(RETRY_POLICIES).description(
    'Whether a charge that fails may be tried again: never, or on three days within seven.',
  ),
  contract: text(MAX_WORDS)
    .required()
    .description('Number of the contract, which the payer sees. It must not hold personal data.'),
  description: text(MAX_WORDS)
    .required()
    .description('Subject of the contract, which the payer sees. It must not hold personal data.'),
})
  .example(MANDATE_EXAMPLE)
  .label('NewMandate');

/** Each type has fields of its own. */
export const newMethod = typed<ValueOf<typeof newCard> | ValueOf<typeof newMandate>, Joi.AlternativesSchema>(
  Joi.alternatives()
    .conditional('.type', { is: 'pix_automatic', then: newMandate, otherwise: newCard })
    .example(CARD_EXAMPLE)
    .example(MANDATE_EXAMPLE)
    .meta({ title: 'NewPaymentMethod' }),
);

export const approveRequest = object({
  pays: string()
    .valid(...PAYS)
    .default('always')
    .description(
      'Which charges the bank pays from then on: `always`, `on_retry` (each first attempt fails), or `never`.',
    ),
})
  .optional()
  .example({ pays: 'on_retry' })
  .label('ApproveMandateRequest');

const MAX_PROOF = 200;

export const newCvvToken = object({
  paymentMethodId: resourceId('pm').required().description('The stored card to which the code belongs.'),
  cvv: cvvMember(),
  proof: string().max(MAX_PROOF).description('The solution of the challenge in a 429 answer.'),
})
  .example({ paymentMethodId: `pm_${'0'.repeat(32)}`, cvv: '123' })
  .label('NewCvvToken');

export const cvvTokenAnswer = object({
  id: resourceId('tok').required(),
  livemode: livemode().required(),
  paymentMethodId: resourceId('pm').required().description('The only card with which the token can be used.'),
  expiresAt: dateTime()
    .required()
    .description('Until when the token can be used, 15 minutes after its creation.'),
}).label('CvvToken');

export const methodAnswer = object({
  id: resourceId('pm').required(),
  livemode: livemode().required(),
  merchantId: resourceId('mer').required().description('The merchant that stored it.'),
  customerId: resourceId('cus').required().description('The customer who pays with it.'),
  type: oneOf(METHOD_TYPES).description('Kind of payment.'),
  status: oneOf(METHOD_STATUSES).description(
    'An `active` method can be charged. A `pending` one waits for the provider, for the holder to authenticate at `authenticationUrl`, or for the payer to approve the mandate behind `copyPaste`. Methods with any other status have ended.',
  ),
  brand: nullable(string()).description('`visa`, `mastercard`, `elo`, …; null for a mandate.'),
  firstSix: nullable(string()).description('First digits of the card; null for a mandate.'),
  lastFour: nullable(string()).description(
    'Last digits of the card; they change when the card network reports a new card. Null for a mandate.',
  ),
  expirationMonth: nullable(string()).description('Two digits; null for a mandate.'),
  expirationYear: nullable(string()).description('Four digits; null for a mandate.'),
  holderName: nullable(string()).description(
    'Name as it is written on the card; null once the customer is deleted, and for a mandate.',
  ),
  mandate: nullable(
    object({
      journey: oneOf(JOURNEYS).description('How the payer approves.'),
      interval: interval(),
      intervalCount: number()
        .integer()
        .required()
        .description('Weeks, months or years from one charge to the next.'),
      amount: nullable(money('Amount of every charge.')).description(
        'Amount of every charge, in reais; null where each has its own.',
      ),
      minimumAmount: nullable(money('Least amount of a charge.')).description(
        'The least that a charge can have; null without a least amount.',
      ),
      startDate: day().required().description('First day on which a charge can be due.'),
      endDate: nullable(day()).description('Last day on which a charge can be due; null without an end.'),
      retries: oneOf(RETRY_POLICIES).description('Whether a charge that fails may be tried again.'),
      contract: string().required().description('As sent.'),
      description: string().required().description('As sent.'),
      firstChargeId: nullable(resourceId('chg')).description(
        'The charge that the payer pays along with approving; null without one.',
      ),
    }).label('Mandate'),
  ).description('Terms of Pix Automático; null for a card.'),
  copyPaste: nullable(string()).description(
    'Code by which the payer approves the mandate; null once that is decided, and for a card.',
  ),
  qrCode: string()
    .allow(null)
    .description(
      '`copyPaste` as the data URL of a PNG image, in the answers to a creation and to a read of one method; null without a code.',
    ),
  provider: string().required().description('The account at the provider that keeps the method.'),
  networkTransactionId: nullable(string()).description(
    "The card network's id of the transaction in which the card was stored; null if the provider does not report it.",
  ),
  consentAt: nullable(dateTime()).description(
    'When the holder agreed; null for a mandate that is not approved.',
  ),
  authenticationUrl: nullable(string()).description(
    'Where to send the payer for authentication (3-D Secure); only while the method waits for it.',
  ),
  failureReason: nullable(string()).description(
    'Why the method failed, or why a mandate was revoked, in snake_case; null otherwise.',
  ),
  ...timestamps,
}).label('StoredPaymentMethod');

/**
 * Members that a method has in an event: all of the answer but the holder's name, because erasure reaches only the
 * record and not sent events, and the code, by which anybody can approve.
 */
export const SENT_METHOD_MEMBERS = Object.keys(methodAnswer.describe().keys).filter(
  (name) => name !== 'holderName' && name !== 'qrCode' && name !== 'copyPaste',
);
