import Joi from 'joi';
import {
  characters,
  currency,
  dateTime,
  knownCurrency,
  money,
  oneOf,
  resourceId,
  timeZone,
} from '../../platform/http/schemas.ts';
import { dateSchema } from '../../platform/read-store/list-query.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../ledger/write/journal.ts';

const movementType = oneOf(MOVEMENT_TYPES).description('Why the money moved.');

const about = {
  id: resourceId('led').required(),
  merchantId: resourceId('mer').required(),
  movement_type: movementType,
  referenceType: oneOf(REFERENCE_TYPES).description('Kind of record that the entry belongs to.'),
  referenceId: Joi.string().required().description('A settlement refers to its charge.'),
  chargeId: resourceId('chg')
    .allow(null)
    .required()
    .description('The charge that the money comes from or goes back to; null where none is behind it.'),
  amount: Joi.number().required().description('Signed, decimal: above zero where the merchant gets money.'),
  currency: currency().required(),
  bucket: Joi.string()
    .valid('reserved', 'available')
    .required()
    .description('`reserved`: paid and not settled yet; `available`: can be paid out.'),
  balanceAfter: Joi.number().required().description('Decimal: balance of that bucket after this entry.'),
  createdAt: dateTime().required(),
};

const { createdAt, ...others } = about;
export const statementLine = Joi.object({
  ...others,
  description: Joi.string().required().description('In words; of an adjustment its reason.'),
  createdAt,
}).label('StatementEntry');

/** Whose account is asked for. */
export const ofAccount = (): Joi.StringSchema =>
  characters(64).description('A sub-merchant of the caller, 403 for any other; the caller by default.');

const ofAnyAccount = (): Joi.StringSchema =>
  characters(64).description(
    'A sub-merchant of the caller, 403 for any other; the caller by default. An operator names any merchant, else 400.',
  );

const MAX_CHAIN = 500;

export const chainQuery = Joi.object({
  currency: knownCurrency().required(),
  merchantId: ofAnyAccount(),
  after: Joi.number().integer().min(0).default(0).description('Place after which the answer begins.'),
  size: Joi.number().integer().min(1).max(MAX_CHAIN).default(100).description('Entries at most.'),
});

const place = (): Joi.NumberSchema => Joi.number().integer().required();
const hash = (): Joi.StringSchema => Joi.string().length(64).hex().required();

export const chainAnswer = Joi.object({
  merchantId: resourceId('mer').required(),
  currency: currency().required(),
  end: Joi.object({
    place: place().description('Place of the last entry; 0 without any.'),
    available: money('Available balance after it.').required(),
    reserved: money('Reserved balance after it.').required(),
  })
    .required()
    .description('Where the statement ended when it was read.'),
  data: Joi.array()
    .items(
      Joi.object({
        place: place().description('From 1 on, without gaps.'),
        id: resourceId('led').required(),
        content: Joi.string()
          .required()
          .description(
            'JSON array of the hash before it and all members of the entry; amounts are minor units. The guide on finance names the members in their order.',
          ),
        hash: hash().description(
          'SHA-256 of `content` in UTF-8, hexadecimal. Before the first entry 64 zeros.',
        ),
      }),
    )
    .required()
    .description('Entries in the order of their places.'),
}).label('StatementChain');

export const summaryQuery = Joi.object({
  from: dateSchema.description(
    'From this date or date-time on, itself included; from the first entry by default.',
  ),
  to: dateSchema.description(
    'To this date, its whole day included, or to this date-time, itself not included; to the last entry by default.',
  ),
  timeZone: timeZone.default('UTC').description('The zone whose days dates without time are.'),
  currency: knownCurrency(),
  merchantId: ofAnyAccount(),
});

const buckets = {
  available: Joi.number().required().description('Decimal: what can be paid out.'),
  reserved: Joi.number().required().description('Decimal: what is not settled yet.'),
  total: Joi.number().required().description('Of both buckets.'),
};
const balance = Joi.object(buckets).required();

export const summaryAnswer = Joi.object({
  merchantId: resourceId('mer').required(),
  from: Joi.string().allow(null).required().description('As asked for; null without it.'),
  to: Joi.string().allow(null).required().description('As asked for; null without it.'),
  data: Joi.array()
    .items(
      Joi.object({
        currency: currency().required(),
        openingBalance: balance.description('Before the first entry of the range.'),
        movements: Joi.array()
          .items(
            Joi.object({
              movement_type: movementType,
              count: Joi.number().integer().required().description('Entries.'),
              ...buckets,
            }),
          )
          .required()
          .description('The sums of the entries in the range, by movement type.'),
        closingBalance: balance.description('Opening balance and movements together.'),
      }),
    )
    .required()
    .description('One element for each currency; nothing is added across currencies.'),
}).label('StatementSummary');

const splitPart = Joi.object({
  merchantId: resourceId('mer').required(),
  percentage: Joi.number().required().description('Per cent of the net amount.'),
  amount: money('The part.').required(),
  oddCent: Joi.boolean()
    .required()
    .description('Whether it got one of the minor units left over when all parts were rounded down.'),
}).label('SplitPart');

export const explanationAnswer = Joi.object({
  ...about,
  journalId: resourceId('jrn').required(),
  place: Joi.number().integer().required().description('Place in the statement of this currency, from 1.'),
  hash: Joi.string().required().description('SHA-256 of this entry and, through it, of all before it.'),
  previousHash: Joi.string().required().description('`hash` of the entry before it; zeros for the first.'),
  charge: Joi.object({
    id: resourceId('chg').required(),
    gross: money('Amount that the payer paid.').allow(null).required(),
    spread: money('Amount that the gateway kept.').allow(null).required(),
    net: money('Gross less spread.').required(),
    paymentMethod: Joi.string().required().description('The `type` of the payment method.'),
    installments: Joi.number().integer().required().description('Monthly payments.'),
  })
    .label('ExplainedCharge')
    .allow(null)
    .required()
    .description('Gross and spread only for one who may see the charge.'),
  fee: Joi.object({
    definitionVersion: Joi.number()
      .integer()
      .required()
      .description('Version of the fee definitions; 0 where there were none.'),
    fixed: money('Fixed fee of a charge.').required(),
    percentage: Joi.number().required().description('Per cent of the gross amount.'),
    rounding: Joi.string().valid('half_up').required().description('Done once, to whole minor units.'),
  })
    .label('ExplainedFee')
    .allow(null)
    .required()
    .description('How the spread came about; null where it plays no part or the charge is not in sight.'),
  split: Joi.object({
    rule: Joi.string()
      .valid('largest_remainder')
      .required()
      .description('Parts are rounded down; what is left goes to the largest remainders, one unit each.'),
    net: money('Amount that is divided.').required(),
    parts: Joi.array()
      .items(splitPart)
      .required()
      .description(
        'In the order of the request; its own part only for a participant without sight of the charge.',
      ),
    originator: splitPart
      .allow(null)
      .required()
      .description("The part that stays with the charge's merchant; null without sight of the charge."),
  })
    .label('ExplainedSplit')
    .allow(null)
    .required()
    .description('How the net amount was shared out; null without a split.'),
  passedTo: resourceId('mer')
    .allow(null)
    .required()
    .description('The participant whose share this entry passes on.'),
  share: Joi.object({
    role: Joi.string()
      .valid('originator', 'participant')
      .required()
      .description("`originator`: the charge's merchant."),
    amount: money('The share.').required(),
  })
    .label('ExplainedShare')
    .allow(null)
    .required()
    .description("The merchant's share of the net amount."),
  installments: Joi.object({
    parts: Joi.number().integer().required().description('Parts that the share is settled in.'),
    settled: Joi.number().integer().required().description('Parts settled before this entry.'),
    first: Joi.number().required().description('Decimal: the first part of the share, with the odd cents.'),
    each: Joi.number().required().description('Decimal: every other part.'),
    delayDays: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description('Days from payment to the first part.'),
    firstDueAt: dateTime()
      .allow(null)
      .required()
      .description('When the first part is settled; null before payment.'),
    daysBetween: Joi.number().integer().required().description('Days from one part to the next.'),
  })
    .label('ExplainedInstallments')
    .allow(null)
    .required()
    .description('How the share is settled; null where no figure depends on it.'),
  reversed: Joi.object({ id: resourceId('led').required(), amount: money('Its amount.').required() })
    .label('ReversedEntry')
    .allow(null)
    .required()
    .description('The entry that this one takes back.'),
  given: Joi.object({
    from: Joi.string().required().description('Source of the figure in words, such as a payout request.'),
    amount: money('The figure.').required(),
    currency: currency().required(),
  })
    .label('GivenFigure')
    .allow(null)
    .required()
    .description('A figure that was not computed: a configured fee, an adjustment, a payout.'),
  calculation: Joi.string().required().description('The computation in words and figures.'),
}).label('StatementExplanation');
