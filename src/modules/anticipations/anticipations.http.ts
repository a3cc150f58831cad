import Joi from 'joi';
import { invalidInput, notFound } from '../../kernel/errors.ts';
import { MAX_AMOUNT, toMinor } from '../../kernel/money.ts';
import { asMerchant, mayRead } from '../../kernel/principal.ts';
import { acceptsCsv, CSV, type CsvColumns, csvReply } from '../../platform/http/csv.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import {
  currency,
  dateTime,
  knownCurrency,
  livemode,
  money,
  pageOf,
  resourceId,
  text,
} from '../../platform/http/schemas.ts';
import type { ListQuery } from '../../platform/read-store/list.ts';
import { type ListedAnticipation, presentAnticipation, presentQuote } from './read/anticipation.view.ts';
import type { GetQuote } from './read/get-quote.ts';
import {
  ANTICIPATION_LIST,
  type ListAnticipations,
  type ScanAnticipations,
} from './read/list-anticipations.ts';
import type { Anticipate } from './write/anticipate.ts';
import { type Anticipation, type AnticipationRequest, MAX_CHARGES } from './write/anticipation.ts';

const TAG = 'Anticipations';

type Asked = { readonly chargeId?: string; readonly amount?: number; readonly currency?: string };

/** One of the two ways to ask; body and query are the same. */
const asked = () =>
  Joi.object({
    chargeId: text(64).description('All that this charge still has reserved for the caller, `chg_…`.'),
    amount: Joi.number()
      .greater(0)
      .max(MAX_AMOUNT)
      .description(
        'Decimal: at most so much, of what is due soonest. Instead of `chargeId`, with `currency`.',
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

/** 400 for an amount that the currency has no coins for. */
const requestOf = ({ chargeId, amount, currency }: Asked): AnticipationRequest => {
  if (chargeId !== undefined) return { chargeId };
  if (amount === undefined || currency === undefined) throw new Error('an amount has its currency');
  const minor = toMinor(amount, currency);
  const problem =
    minor === null
      ? 'has more decimals than its currency, or is too large'
      : minor > MAX_AMOUNT
        ? 'is too large'
        : null;
  if (minor === null || problem !== null)
    throw invalidInput([{ path: 'amount', message: `amount ${problem}` }]);
  return { amount: minor, currency };
};

const figures = {
  currency: currency().required(),
  amount: money('What leaves `reserved`.').required(),
  fee: money('What of it the gateway keeps.').required(),
  netAmount: money('What `available` grows by: amount less fee.').required(),
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

const quoteAnswer = Joi.object({ ...figures, charges }).label('AnticipationQuote');

const listed = {
  id: resourceId('ant').required(),
  merchantId: resourceId('mer').required().description('Whose parts they are.'),
  livemode: livemode().required(),
  chargeId: resourceId('chg')
    .allow(null)
    .required()
    .description('The charge that was asked for; null where an amount was.'),
  requestedAmount: money('What was asked for at most; null where a charge was.').allow(null).required(),
  ...figures,
  chargeCount: Joi.number().integer().required().description('Charges that parts were taken of.'),
  partCount: Joi.number().integer().required().description('Parts that were taken.'),
  createdAt: dateTime().required().description('When it was booked.'),
};
const listedAnswer = Joi.object(listed).label('ListedAnticipation');
const anticipationAnswer = Joi.object({ ...listed, charges }).label('Anticipation');

const COLUMNS: CsvColumns<ListedAnticipation> = {
  id: ({ id }) => id,
  merchantId: ({ merchantId }) => merchantId,
  chargeId: ({ chargeId }) => chargeId,
  requestedAmount: ({ requestedAmount }) => requestedAmount,
  currency: ({ currency }) => currency,
  amount: ({ amount }) => amount,
  fee: ({ fee }) => fee,
  netAmount: ({ netAmount }) => netAmount,
  feeDefinitionVersion: ({ feeDefinitionVersion }) => feeDefinitionVersion,
  chargeCount: ({ chargeCount }) => chargeCount,
  partCount: ({ partCount }) => partCount,
  createdAt: ({ createdAt }) => createdAt,
};

const RULES =
  "The fee is that of the caller's fee definition `anticipation` for the payment method, currency and brand of each " +
  'charge: `fixed` once for each charge, and for each part amount × percentages[n − 1] / 100 × days / (30 × n), ' +
  'rounded half up to the minor unit. `days` are the days until the part is due, each begun one counted; n is the ' +
  'period of 30 days that they end in: days / 30, rounded up, at least 1. So percentages[n − 1] is the price of a ' +
  'part that is due in n × 30 days, and less by the day. A part that is due later than the percentages reach cannot ' +
  'be anticipated yet. With `amount` whole parts are taken, those that are due soonest first; one that does not fit ' +
  `any more is passed over, so it never is more than asked for, and of ${MAX_CHARGES} charges at most. A charge ` +
  'whose fee would take all of it is left out. Only what the caller itself has of a charge is taken: ' +
  'participants of a split anticipate their own parts.';

const REFUSALS =
  'Checked in this order, all 422: `MERCHANT_NOT_ACTIVE`, `CHARGE_NOT_ANTICIPATABLE` (not paid, given back or being ' +
  'refunded), `ANTICIPATION_FEE_NOT_CONFIGURED`, `NOTHING_TO_ANTICIPATE`, `ANTICIPATION_AMOUNT_TOO_LOW` (nothing ' +
  'left after the fee). 404 for a charge that the caller neither sees nor has a share of.';

export const anticipationRoutes = (deps: {
  readonly anticipate: Anticipate;
  readonly getQuote: GetQuote;
  readonly findAnticipation: (id: string) => Promise<Anticipation | null>;
  readonly listAnticipations: ListAnticipations;
  readonly scanAnticipations: ScanAnticipations;
}): readonly Route[] => {
  const reading = { merchant: 'statement.read', operator: 'admin.charges.read' } as const;
  return [
    route<Asked>({
      method: 'post',
      path: '/v1/anticipations',
      tag: TAG,
      summary: 'Make reserved money available at once',
      description:
        `Moves parts that are settled later from \`reserved\` to \`available\`, against a fee. ${RULES} The fee is ` +
        'not given back where the charge is refunded later: that takes the anticipated parts from `available`. ' +
        REFUSALS,
      access: { merchant: 'anticipations.create' },
      body: asked().example({ amount: 1500, currency: 'BRL' }).label('AnticipationRequest'),
      responses: { 201: { description: 'The anticipation, booked.', schema: anticipationAnswer } },
      errors: [404, 422],
      async handle({ principal, body, context }) {
        const command = { principal: asMerchant(principal), request: requestOf(body) };
        return { status: 201, body: presentAnticipation(await deps.anticipate(command, context)) };
      },
    }),
    route<unknown, Asked>({
      method: 'get',
      path: '/v1/anticipations/quote',
      tag: TAG,
      summary: 'What an anticipation would cost',
      description:
        `Takes nothing. The same request made a moment later costs the same, unless a day has passed, the fee ` +
        `definitions have changed or something of it is gone. ${RULES} ${REFUSALS}`,
      access: { merchant: 'anticipations.create' },
      query: asked(),
      responses: { 200: { description: 'The quote.', schema: quoteAnswer } },
      errors: [404, 422],
      async handle({ principal, query }) {
        const command = { principal: asMerchant(principal), request: requestOf(query) };
        return { status: 200, body: presentQuote(await deps.getQuote(command)) };
      },
    }),
    route<unknown, ListQuery>({
      method: 'get',
      path: '/v1/anticipations',
      tag: TAG,
      summary: 'List anticipations',
      description:
        'Newest first unless `orderBy` says otherwise. A merchant sees its own and those of its sub-merchants, an ' +
        'operator all. With `Accept: text/csv` all that the filters leave, whatever `page` and `size`.',
      access: reading,
      query: ANTICIPATION_LIST.query,
      consistent: true,
      responses: {
        200: {
          description: 'A page of anticipations, without their parts.',
          schema: pageOf(listedAnswer).label('AnticipationList'),
          otherTypes: [CSV],
        },
      },
      async handle(request) {
        const { principal, query, headers } = request;
        const token = consistencyTokenOf(request);
        if (!acceptsCsv(headers))
          return { status: 200, body: await deps.listAnticipations(principal, query, token) };
        return csvReply('anticipations', COLUMNS, await deps.scanAnticipations(principal, query, token));
      },
    }),
    route({
      method: 'get',
      path: '/v1/anticipations/{id}',
      params: { id: 'Id of the anticipation, `ant_…`.' },
      tag: TAG,
      summary: 'Read an anticipation',
      description: 'Read from the write store: never behind.',
      access: reading,
      responses: { 200: { description: 'The anticipation.', schema: anticipationAnswer } },
      errors: [404],
      async handle({ principal, params }) {
        const anticipation = await deps.findAnticipation(params.id ?? '');
        if (!anticipation || !mayRead(principal, anticipation)) throw notFound('Anticipation');
        return { status: 200, body: presentAnticipation(anticipation) };
      },
    }),
  ];
};
