import { invalidInput } from '../../kernel/errors.ts';
import { amountProblem, toMinor } from '../../kernel/money.ts';
import { asMerchant } from '../../kernel/principal.ts';
import { type Routes, route } from '../../platform/http/route.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import { anticipationAnswer, asked, quoteAnswer, READERS, TAG } from './anticipations.schemas.ts';
import { presentAnticipation, presentQuote } from './read/anticipation.view.ts';
import type { GetQuote } from './read/get-quote.ts';
import type { Anticipate } from './write/anticipate.ts';
import { type Anticipation, type AnticipationRequest, MAX_CHARGES } from './write/anticipation.ts';
import {
  anticipationAmountTooLow,
  anticipationFeeNotConfigured,
  chargeNotAnticipatable,
  mayNotAnticipate,
  nothingToAnticipate,
} from './write/refusals.ts';

type Asked = { readonly chargeId?: string; readonly amount?: number; readonly currency?: string };

/** The request with its amount in minor units; 400 for an amount with more decimals than the currency has. */
const requestOf = ({ chargeId, amount, currency }: Asked): AnticipationRequest => {
  if (chargeId !== undefined) return { chargeId };
  if (amount === undefined || currency === undefined) throw new Error('an amount has its currency');
  const minor = toMinor(amount, currency);
  const problem = amountProblem(minor);
  if (minor === null || problem !== null)
    throw invalidInput([{ path: 'amount', message: `amount ${problem}` }]);
  return { amount: minor, currency };
};

const RULES = [
  'The fee definition of type `anticipation` for the method, currency and brand of each charge sets the fee.',
  'Each charge costs `fixed` once, and each part amount × percentages[n − 1] / 100 × days / (30 × n).',
  'The result is rounded half up to the minor unit.',
  '`days` counts the days until the part is due, including the present day.',
  'The period n is days / 30, rounded up, and at least 1.',
  'Therefore percentages[n − 1] is the price of a part that is due in n × 30 days.',
  'A part that is due later than the percentages reach cannot be anticipated yet.',
  'With `amount`, whole parts are taken in the order in which they are due.',
  `A part that does not fit into the amount is skipped, and at most ${MAX_CHARGES} charges are taken.`,
  'A charge whose fee would consume its parts is left out.',
  'Participants of a split anticipate their own parts.',
  'A charge that the caller may not see and has no share in is answered with 404.',
].join(' ');

const REFUSALS = [
  mayNotAnticipate,
  chargeNotAnticipatable,
  anticipationFeeNotConfigured,
  nothingToAnticipate,
  anticipationAmountTooLow,
];

export const anticipationRoutes: Routes<{
  anticipate: Anticipate;
  getQuote: GetQuote;
  findAnticipation: FindById<Anticipation>;
}> = (deps) => {
  return [
    route({
      method: 'post',
      operationId: 'createAnticipation',
      path: '/v1/anticipations',
      tag: TAG,
      summary: 'Make reserved money available at once',
      description: `Moves parts that are due later from \`reserved\` to \`available\`, less a fee. A later refund of the charge takes the anticipated parts from \`available\` and does not return the fee. ${RULES}`,
      access: { merchant: 'anticipations.create' },
      body: asked().example({ amount: 1500, currency: 'BRL' }).label('AnticipationRequest'),
      responses: { 201: { description: 'The booked anticipation.', schema: anticipationAnswer } },
      refusals: REFUSALS,
      errors: [404],
      async handle({ principal, body, context }) {
        const command = { principal: asMerchant(principal), request: requestOf(body) };
        return { status: 201, body: presentAnticipation(await deps.anticipate(command, context)) };
      },
    }),
    route({
      method: 'get',
      operationId: 'quoteAnticipation',
      path: '/v1/anticipations/quote',
      tag: TAG,
      summary: 'Quote an anticipation',
      description: `Computes the fee and books nothing. The price is valid until the day ends, or until fees or parts change. ${RULES}`,
      access: { merchant: 'anticipations.create' },
      query: asked(),
      responses: { 200: { description: 'The quote.', schema: quoteAnswer } },
      refusals: REFUSALS,
      errors: [404],
      async handle({ principal, query }) {
        const command = { principal: asMerchant(principal), request: requestOf(query) };
        return { status: 200, body: presentQuote(await deps.getQuote(command)) };
      },
    }),
    route({
      method: 'get',
      operationId: 'getAnticipation',
      path: '/v1/anticipations/{id}',
      params: { id: 'Id of the anticipation, `ant_…`.' },
      tag: TAG,
      summary: 'Read an anticipation',
      description: 'Reads the write store, so the answer is never behind.',
      access: READERS,
      responses: { 200: { description: 'The anticipation.', schema: anticipationAnswer } },
      errors: [404],
      async handle({ principal, params }) {
        const anticipation = await findVisible(deps.findAnticipation, principal, params.id, 'Anticipation');
        return { status: 200, body: presentAnticipation(anticipation) };
      },
    }),
  ];
};
