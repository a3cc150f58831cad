import { MAX_AMOUNT } from '../../kernel/money.ts';
import {
  currency,
  dateTime,
  knownCurrency,
  livemode,
  money,
  resourceId,
  text,
} from '../../platform/http/schemas.ts';
import { arrayOf, number, object } from '../../platform/http/typed.ts';

export const TAG = 'Anticipations';
export const READERS = { merchant: 'statement.read', operator: 'admin.charges.read' } as const;

/** The request of an anticipation, in one of two ways; the body and the query have the same members. */
export const asked = () =>
  object({
    chargeId: text(64).description(
      'Id of the charge, `chg_…`, of which everything is taken that is still reserved for the caller.',
    ),
    amount: number()
      .greater(0)
      .max(MAX_AMOUNT)
      .description(
        'Decimal: the highest amount to make available, from the parts that are due first. To be given with `currency`, instead of `chargeId`.',
      ),
    currency: knownCurrency(),
  })
    .xor('chargeId', 'amount')
    .and('amount', 'currency')
    .messages({
      'object.missing': 'either chargeId or amount is required',
      'object.xor': 'chargeId and amount must not be given together',
      'object.and': 'amount and currency must be given together',
    });

const figures = {
  currency: currency().required(),
  amount: money('Amount taken from `reserved`.').required(),
  fee: money('Part of the amount that the gateway keeps.').required(),
  netAmount: money('Amount less fee, added to `available`.').required(),
  feeDefinitionVersion: number()
    .integer()
    .required()
    .description('Version of the fee definitions with which the fee was computed.'),
};

const charges = arrayOf(
  object({
    chargeId: resourceId('chg').required(),
    amount: money('The sum of the parts of this charge.').required(),
    fixedFee: money('`fixed` of the fee definition, once for each charge.').required(),
    fee: money('`fixedFee` and the fees of the parts.').required(),
    parts: arrayOf(
      object({
        part: number().integer().required().description('Number of the part, from 1.'),
        of: number().integer().required().description('Number of parts in which the charge is settled.'),
        dueAt: dateTime().required().description('When the part would have been settled.'),
        days: number()
          .integer()
          .required()
          .description('Days that were left until then; a day that has begun counts as a whole.'),
        percentage: number()
          .required()
          .description(
            'The percentage of the fee definition for the period of 30 days in which `dueAt` lies.',
          ),
        amount: money('The part.').required(),
        fee: money('Fee of the part, without the fixed fee.').required(),
      }),
    )
      .required()
      .description('The parts that are taken, in unbroken order.'),
  }),
)
  .required()
  .description('Each charge from which parts are taken, in the order of the due dates.');

export const quoteAnswer = object({ ...figures, charges }).label('AnticipationQuote');

const listed = {
  id: resourceId('ant').required(),
  merchantId: resourceId('mer').required().description('Merchant to which the parts belong.'),
  livemode: livemode().required(),
  chargeId: resourceId('chg')
    .allow(null)
    .required()
    .description('The charge that the request named; null if it named an amount.'),
  requestedAmount: money('The amount that the request named as the limit; null if it named a charge.')
    .allow(null)
    .required(),
  ...figures,
  chargeCount: number().integer().required().description('Number of charges from which parts were taken.'),
  partCount: number().integer().required().description('Number of parts taken.'),
  createdAt: dateTime().required().description('When it was booked.'),
};
export const listedAnswer = object(listed).label('ListedAnticipation');
export const anticipationAnswer = object({ ...listed, charges }).label('Anticipation');
