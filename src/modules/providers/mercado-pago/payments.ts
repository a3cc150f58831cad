import type { Clock } from '../../../kernel/clock.ts';
import {
  type Asking,
  type AuthorizeRequest,
  NotShownYet,
  type PaymentOrder,
  type PaymentState,
  type Tokenized,
  type TokenizeRequest,
} from '../provider.ts';
import { type Payment, paymentStateOf, readPayment, readSearch, readToken } from './answers.ts';
import type { CallMercadoPago } from './mercado-pago-client.ts';
import {
  ageOf,
  CARD_NOT_SUPPORTED,
  type CardToken,
  cardBody,
  keyOf,
  methodOf,
  neverMade,
  PLACEHOLDER,
  parseToken,
  paymentBody,
  placeholderBody,
  unsupported,
  writeToken,
} from './requests.ts';

export type PaymentDeps = { readonly call: CallMercadoPago; readonly clock: Clock };

/**
 * How long Mercado Pago remembers a key it does not say: a younger one is relied on, for an older one it is searched.
 */
export const KEY_LIFE_MS = 23 * 3_600_000;

type Made = { readonly payment: Payment } | { readonly refusal: string };

/** Null where Mercado Pago has no such payment. */
export const readById = async ({ call }: PaymentDeps, id: string | number): Promise<Payment | null> => {
  const answer = await call('GET', `/v1/payments/${id}`);
  if (answer.status === 'not_found') return null;
  if (answer.status !== 'done') throw new Error(`Mercado Pago does not read a payment: ${answer.status}`);
  return readPayment(answer.body);
};

/** The payment of this reference, null where a search finds none. */
export const findPayment = async (deps: PaymentDeps, reference: string): Promise<Payment | null> => {
  const query = { external_reference: reference, sort: 'date_created', criteria: 'asc' };
  const answer = await deps.call('GET', '/v1/payments/search', { query });
  if (answer.status !== 'done') throw new Error(`Mercado Pago does not search: ${answer.status}`);
  const found = readSearch(answer.body).filter(({ external_reference: of }) => of === reference);
  const living = found.find(({ status }) => status !== 'cancelled' && status !== 'rejected') ?? found[0];
  return living ? readById(deps, living.id) : null;
};

/**
 * The payment under the key of this reference, made with this body where there is none yet. A search may lag behind,
 * the key does not.
 */
const makePayment = async (
  deps: PaymentDeps,
  reference: string,
  body: object,
  isFirst: boolean,
): Promise<Made> => {
  const answer = await deps.call('POST', '/v1/payments', { body, key: keyOf(reference) });
  if (answer.status === 'done') {
    const made = readPayment(answer.body);
    if (made.external_reference !== reference) throw new Error('Mercado Pago answers with another payment');
    // A key that was used before is answered with the payment as it was then.
    return { payment: isFirst ? made : ((await readById(deps, made.id)) ?? made) };
  }
  const known = isFirst ? null : await findPayment(deps, reference);
  if (known) return { payment: known };
  return { refusal: answer.status === 'refused' ? answer.reason : 'not_permitted' };
};

const isKeyed = ({ clock }: PaymentDeps, reference: string): boolean =>
  ageOf(reference, clock()) < KEY_LIFE_MS;

export const isPlaceholder = ({ metadata }: Payment): boolean => metadata[PLACEHOLDER] === true;

const isWaiting = ({ status }: Payment): boolean => status === 'pending' || status === 'in_process';

/** Ends a payment for good; one that was paid meanwhile stays paid. */
const endPayment = async (deps: PaymentDeps, payment: Payment): Promise<PaymentState> => {
  if (!isWaiting(payment)) return paymentStateOf(payment);
  await deps.call('PUT', `/v1/payments/${payment.id}`, { body: { status: 'cancelled' } });
  // A refusal says that it has ended already: what Mercado Pago shows then counts.
  const ended = await readById(deps, payment.id);
  if (!ended || isWaiting(ended)) throw new Error('Mercado Pago does not cancel a payment');
  return paymentStateOf(ended);
};

/** The state of a payment that was asked for; one that stands for it in its place is ended. */
const stateOf = (deps: PaymentDeps, payment: Payment): Promise<PaymentState> | PaymentState =>
  isPlaceholder(payment) ? endPayment(deps, payment) : paymentStateOf(payment);

/** Keeps a card for one payment. */
export const tokenize = async (
  call: CallMercadoPago,
  { card }: Pick<TokenizeRequest, 'card'>,
  payer: AuthorizeRequest['payer'] | null = null,
): Promise<Tokenized> => {
  const method = methodOf(card);
  if (method === null) return { status: 'refused', reason: CARD_NOT_SUPPORTED };
  const answer = await call('POST', '/v1/card_tokens', { body: cardBody(card, payer) });
  if (answer.status === 'refused') return { status: 'refused', reason: answer.reason };
  // This account may not send card numbers.
  if (answer.status !== 'done') return { status: 'not_supported' };
  return { status: 'tokenized', providerToken: writeToken({ method, token: readToken(answer.body) }) };
};

/** The token that a card pays with, null for another method; or why the card has none. */
const cardOf = async (
  { call }: PaymentDeps,
  { instrument, payer }: AuthorizeRequest,
): Promise<{ readonly card: CardToken | null } | { readonly refusal: PaymentRefusal }> => {
  if (instrument.type !== 'credit_card') return { card: null };
  const { card } = instrument;
  if ('providerToken' in card) return { card: parseToken(card.providerToken) };
  if (!('cvv' in card)) throw new Error('Mercado Pago takes typed and tokenized cards only');
  const kept = await tokenize(call, { card }, payer);
  if (kept.status === 'tokenized') return { card: parseToken(kept.providerToken) };
  return {
    refusal:
      kept.status === 'refused'
        ? { status: 'refused', reason: kept.reason }
        : { status: 'failed', reason: 'card_numbers_not_allowed' },
  };
};

type PaymentRefusal = { readonly status: 'failed' | 'refused'; readonly reason: string };

export const authorize = async (
  deps: PaymentDeps,
  request: AuthorizeRequest,
  { isFirst }: Asking,
): Promise<PaymentState> => {
  const { reference } = request;
  const reason = unsupported(request);
  if (reason !== null) return neverMade(request, { status: 'failed', reason });
  if (!isKeyed(deps, reference)) return cancel(deps, request);
  const paid = await cardOf(deps, request);
  if ('card' in paid) {
    const made = await makePayment(deps, reference, paymentBody(request, paid.card, deps.clock()), isFirst);
    if ('payment' in made) return stateOf(deps, made.payment);
    if (isFirst) return neverMade(request, { status: 'failed', reason: made.refusal });
  } else if (isFirst) return neverMade(request, paid.refusal);
  const known = await findPayment(deps, reference);
  // The request that was made before may be taken still.
  if (!known) throw new NotShownYet('a payment');
  return stateOf(deps, known);
};

/** Null for a payment that stands for one that never arrived: it is to be cancelled, as one that is not there. */
export const describePayment = async (
  deps: PaymentDeps,
  { reference }: PaymentOrder,
): Promise<PaymentState | null> => {
  const payment = await findPayment(deps, reference);
  if (!payment || (isPlaceholder(payment) && isWaiting(payment))) return null;
  return paymentStateOf(payment);
};

/**
 * Ends a payment. Its own call may still be on the way: what is made under its key in its place keeps it from arriving.
 */
export const cancel = async (deps: PaymentDeps, order: PaymentOrder): Promise<PaymentState> => {
  if (!isKeyed(deps, order.reference)) {
    const known = await findPayment(deps, order.reference);
    return known ? endPayment(deps, known) : neverMade(order, { status: 'failed', reason: 'cancelled' });
  }
  const made = await makePayment(deps, order.reference, placeholderBody(order), false);
  if ('refusal' in made)
    throw new Error(`Mercado Pago neither has a payment nor takes one in its place: ${made.refusal}`);
  return endPayment(deps, made.payment);
};
