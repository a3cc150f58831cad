import type { MerchantId } from '../../kernel/ids.ts';
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
import { arrayOf, boolean, number, object, string } from '../../platform/http/typed.ts';
import { dateSchema } from '../../platform/read-store/list-query.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../ledger/write/journal.ts';

const movementType = oneOf(MOVEMENT_TYPES).description('Why the money moved.');

const about = {
  id: resourceId('led').required(),
  merchantId: resourceId('mer').required(),
  movement_type: movementType,
  referenceType: oneOf(REFERENCE_TYPES).description('Kind of record that the entry is about.'),
  referenceId: string()
    .required()
    .description('Id of the record that the entry is about; for a settlement that of its charge.'),
  chargeId: resourceId('chg')
    .allow(null)
    .required()
    .description('The charge behind the entry; null if there is none.'),
  amount: number().required().description('Signed and decimal; above zero if the merchant gets money.'),
  currency: currency().required(),
  bucket: string()
    .valid('reserved', 'available')
    .required()
    .description('`reserved`: paid and not settled yet; `available`: can be paid out.'),
  balanceAfter: number().required().description('Decimal: balance of that bucket after this entry.'),
  createdAt: dateTime().required(),
};

const { createdAt, ...others } = about;
export const statementLine = object({
  ...others,
  description: string().required().description('Description in words; for an adjustment its reason.'),
  createdAt,
}).label('StatementEntry');

/** The parameter that names the account. */
export const ofAccount = () =>
  characters<MerchantId>(64).description(
    'A sub-merchant of the caller, 403 for any other; the caller by default.',
  );

const ofAnyAccount = () =>
  characters<MerchantId>(64).description(
    'A sub-merchant of the caller, 403 for any other; the caller by default. An operator names any merchant, else 400.',
  );

const MAX_CHAIN = 500;

export const chainQuery = object({
  currency: knownCurrency().required(),
  merchantId: ofAnyAccount(),
  after: number().integer().min(0).default(0).description('Place after which the answer begins.'),
  size: number().integer().min(1).max(MAX_CHAIN).default(100).description('Maximum number of entries.'),
});

const place = () => number().integer().required();
const hash = () => string().length(64).hex().required();

export const chainAnswer = object({
  merchantId: resourceId('mer').required(),
  currency: currency().required(),
  end: object({
    place: place().description('Place of the last entry; 0 without any.'),
    available: money('Available balance after the last entry.').required(),
    reserved: money('Reserved balance after the last entry.').required(),
  })
    .required()
    .description('The end of the statement when it was read.'),
  data: arrayOf(
    object({
      place: place().description('Place of the entry, from 1 on, without gaps.'),
      id: resourceId('led').required(),
      content: string()
        .required()
        .description(
          'JSON array of the hash of the preceding entry and all members of this one; amounts are in minor units. The guide on finance names the members in their order.',
        ),
      hash: hash().description(
        'SHA-256 of `content` in UTF-8, in hexadecimal. The hash before the first entry is 64 zeros.',
      ),
    }),
  )
    .required()
    .description('Entries in the order of their places.'),
}).label('StatementChain');

export const summaryQuery = object({
  from: dateSchema.description(
    'Date or date-time from which the summary begins, itself included; the first entry by default.',
  ),
  to: dateSchema.description(
    'Date at which the summary ends, including the whole day, or date-time before which it ends; the last entry by default.',
  ),
  timeZone: timeZone.default('UTC').description('Time zone of dates without time.'),
  currency: knownCurrency(),
  merchantId: ofAnyAccount(),
});

const buckets = {
  available: number().required().description('Decimal: money that can be paid out.'),
  reserved: number().required().description('Decimal: money that is not settled yet.'),
  total: number().required().description('The sum of both buckets.'),
};
const balance = object(buckets).required();

export const summaryAnswer = object({
  merchantId: resourceId('mer').required(),
  from: string().allow(null).required().description('As asked for; null without it.'),
  to: string().allow(null).required().description('As asked for; null without it.'),
  data: arrayOf(
    object({
      currency: currency().required(),
      openingBalance: balance.description('Balance before the first entry of the range.'),
      movements: arrayOf(
        object({
          movement_type: movementType,
          count: number().integer().required().description('Entries.'),
          ...buckets,
        }),
      )
        .required()
        .description('The sums of the entries in the range, by movement type.'),
      closingBalance: balance.description('Sum of the opening balance and the movements.'),
    }),
  )
    .required()
    .description('One element for each currency; currencies are never added together.'),
}).label('StatementSummary');

const splitPart = object({
  merchantId: resourceId('mer').required(),
  percentage: number().required().description('Per cent of the net amount.'),
  amount: money('The part.').required(),
  oddCent: boolean()
    .required()
    .description(
      'Whether the part got one of the minor units that were left when all parts had been rounded down.',
    ),
}).label('SplitPart');

export const explanationAnswer = object({
  ...about,
  journalId: resourceId('jrn').required(),
  place: number()
    .integer()
    .required()
    .description('Place of the entry in the statement of this currency, from 1 on.'),
  hash: string()
    .required()
    .description('SHA-256 of this entry and, through the chain, of all entries before it.'),
  previousHash: string()
    .required()
    .description('`hash` of the entry before this one; zeros for the first entry.'),
  charge: object({
    id: resourceId('chg').required(),
    gross: money('Amount that the payer paid.').allow(null).required(),
    spread: money('Amount that the gateway kept.').allow(null).required(),
    net: money('Gross amount less spread.').required(),
    paymentMethod: string().required().description('The `type` of the payment method.'),
    installments: number().integer().required().description('Monthly payments.'),
  })
    .label('ExplainedCharge')
    .allow(null)
    .required()
    .description(
      'Amounts of the charge. Only a caller that may see the charge gets gross amount and spread.',
    ),
  fee: object({
    definitionVersion: number()
      .integer()
      .required()
      .description('Version of the fee definitions; 0 if there were none.'),
    fixed: money('Fixed fee of a charge.').required(),
    percentage: number().required().description('Per cent of the gross amount.'),
    rounding: string()
      .valid('half_up')
      .required()
      .description('Rounding, which is done once, to whole minor units.'),
  })
    .label('ExplainedFee')
    .allow(null)
    .required()
    .description(
      'How the spread was computed; null if it does not matter for the entry, or if the caller may not see the charge.',
    ),
  split: object({
    rule: string()
      .valid('largest_remainder')
      .required()
      .description(
        'Parts are rounded down, and the units that are left go to the largest remainders, one to each.',
      ),
    net: money('Amount that is divided.').required(),
    parts: arrayOf(splitPart)
      .required()
      .description(
        'Parts in the order of the request; a participant that may not see the charge gets its own part only.',
      ),
    originator: splitPart
      .allow(null)
      .required()
      .description(
        "The part that stays with the charge's merchant; null if the caller may not see the charge.",
      ),
  })
    .label('ExplainedSplit')
    .allow(null)
    .required()
    .description('How the net amount was divided; null without a split.'),
  passedTo: resourceId('mer')
    .allow(null)
    .required()
    .description('The participant to whom this entry passes a share.'),
  share: object({
    role: string()
      .valid('originator', 'participant')
      .required()
      .description("`originator`: the charge's merchant."),
    amount: money('The share.').required(),
  })
    .label('ExplainedShare')
    .allow(null)
    .required()
    .description("The merchant's share of the net amount."),
  installments: object({
    parts: number().integer().required().description('Number of parts in which the share is settled.'),
    settled: number()
      .integer()
      .required()
      .description('Number of parts that were settled before this entry.'),
    first: number().required().description('Decimal: the first part of the share, with the odd cents.'),
    each: number().required().description('Decimal: every other part.'),
    delayDays: number().integer().allow(null).required().description('Days from payment to the first part.'),
    firstDueAt: dateTime()
      .allow(null)
      .required()
      .description('When the first part is settled; null before payment.'),
    daysBetween: number().integer().required().description('Days from one part to the next.'),
  })
    .label('ExplainedInstallments')
    .allow(null)
    .required()
    .description('How the share is settled; null if no figure depends on it.'),
  reversed: object({ id: resourceId('led').required(), amount: money('Its amount.').required() })
    .label('ReversedEntry')
    .allow(null)
    .required()
    .description('The entry that this entry reverses.'),
  given: object({
    from: string().required().description('Source of the amount in words, such as a payout request.'),
    amount: money('The figure.').required(),
    currency: currency().required(),
  })
    .label('GivenFigure')
    .allow(null)
    .required()
    .description(
      'An amount that was not computed from the charge: a configured fee, an adjustment, a payout.',
    ),
  calculation: string().required().description('The computation in words and numbers.'),
}).label('StatementExplanation');
