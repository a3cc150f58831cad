import Joi from 'joi';
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

export const TAG = 'Anticipations';
export const READERS = { merchant: 'statement.read', operator: 'admin.charges.read' } as const;

/** One of the two ways to ask; body and query are the same. */
export const asked = () =>
  Joi.object({
    chargeId: text(64).description('All that this charge still has reserved for the caller, `chg_…`.'),
    amount: Joi.number()
      .greater(0)
      .max(MAX_AMOUNT)
      .description(
        'Decimal: highest amount to make available, from the parts due soonest. Instead of `chargeId`, with `currency`.',
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
  fee: money('Share of the amount that the gateway keeps.').required(),
  netAmount: money('Amount less fee, added to `available`.').required(),
  feeDefinitionVersion: Joi.number()
    .integer()
    .required()
    .description('Version of the fee definitions that the fee was computed by.'),
};

const charges = Joi.array()
  .items(
    Joi.object({
      chargeId: resourceId('chg').required(),
      amount: money('Of its parts together.').required(),
      fixedFee: money('`fixed` of the fee definition, once for each charge.').required(),
      fee: money('`fixedFee` and the fees of the parts.').required(),
      parts: Joi.array()
        .items(
          Joi.object({
            part: Joi.number().integer().required().description('Number of the part, from 1.'),
            of: Joi.number().integer().required().description('Parts that the charge is settled in.'),
            dueAt: dateTime().required().description('When it would have been settled.'),
            days: Joi.number()
              .integer()
              .required()
              .description('Days that were left until then, each begun one counted.'),
            percentage: Joi.number()
              .required()
              .description('Of the fee definition, by the period of 30 days that `dueAt` lies in.'),
            amount: money('The part.').required(),
            fee: money('Its fee, without the fixed one.').required(),
          }),
        )
        .required()
        .description('The parts that are taken; they follow one another.'),
    }),
  )
  .required()
  .description('Each charge that parts are taken of, in the order of the due dates.');

export const quoteAnswer = Joi.object({ ...figures, charges }).label('AnticipationQuote');

const listed = {
  id: resourceId('ant').required(),
  merchantId: resourceId('mer').required().description('Merchant that the parts belong to.'),
  livemode: livemode().required(),
  chargeId: resourceId('chg')
    .allow(null)
    .required()
    .description('The charge that was asked for; null where an amount was.'),
  requestedAmount: money('Upper limit of the request; null where it named a charge.').allow(null).required(),
  ...figures,
  chargeCount: Joi.number().integer().required().description('Number of charges that parts were taken from.'),
  partCount: Joi.number().integer().required().description('Number of parts taken.'),
  createdAt: dateTime().required().description('When it was booked.'),
};
export const listedAnswer = Joi.object(listed).label('ListedAnticipation');
export const anticipationAnswer = Joi.object({ ...listed, charges }).label('Anticipation');
