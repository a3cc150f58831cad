import { dayOf } from '../../../kernel/business-days.ts';
import { isCutOff } from '../pix/mandate-terms.ts';
import {
  type AuthorizeRequest,
  NotShownYet,
  type PaymentOrder,
  type PaymentState,
  type PlannedOrder,
  type PlannedPix,
  type ProviderNotification,
  type Unconfirmed,
} from '../provider.ts';
import { MAX_REAIS, newsOf, type Pix, readPix, reais } from './answers.ts';
import { endedState, findAgain, findPayment, putPlaceholder, removeCob, removedBefore } from './lookups.ts';
import {
  type Cobr,
  countedBy,
  type Part,
  paidBy,
  paidState,
  readCobr,
  unpaidState,
} from './mandate-answers.ts';
import type { MandateDeps } from './mandates.ts';
import { chargeIdOf, txidOf } from './references.ts';

/**
 * Charges under mandates (`cobr`) of the API Pix. A retry is no charge of its own there: it is a further attempt of the
 * first charge of its cycle, known by its day.
 */

/** The account that receives what planned charges bring. */
export type ReceivingAccount = {
  readonly agencia?: string;
  readonly conta: string;
  readonly tipoConta: string;
};

type Planned = PaymentOrder & { readonly planned: PlannedPix };
type CobrDeps = MandateDeps & {
  readonly account: ReceivingAccount | null;
  readonly key: string;
};

/** Name of the `cobr` that holds a charge. */
const txidOfPart = ({ reference, retryOf }: Part): string => txidOf(retryOf ?? reference);
const partOf = ({ reference, planned: { on, retryOf } }: Planned): Part => ({ reference, on, retryOf });

export const authorizePlanned = async (
  deps: CobrDeps,
  request: AuthorizeRequest,
  planned: PlannedOrder,
  isFirst: boolean,
): Promise<PaymentState> => {
  const { reference, amount, currency } = request;
  if (currency !== 'BRL') throw new Error('Pix Automático is in BRL only');
  if (amount > MAX_REAIS) return refusedState(request, 'amount_too_large');
  const part = { reference, on: planned.on, retryOf: planned.retryOf };
  const txid = txidOfPart(part);
  if (planned.retryOf !== null) {
    const name = await deps.names.openRetry({ reference, txid, on: planned.on });
    if (name.isWithdrawn) return endedState(request, 'cancelled');
  }
  const answer =
    planned.retryOf === null
      ? await deps.call('PUT', ['cobr', txid], cobrOf(request, planned, deps.account))
      : await postRetry(deps, part);
  const state =
    answer.status === 'done'
      ? await stateIn(deps, readCobr(answer.body), part)
      : await findAgain(deps, () => findPlanned(deps, part), isFirst);
  if (state) return state;
  if (answer.status === 'done') throw new Error('the institution does not show a retry that it takes');
  if (!isFirst) throw new NotShownYet('a planned charge');
  return refusedState(request, answer.status === 'refused' ? answer.problem : 'not_found');
};

const postRetry = ({ call }: MandateDeps, part: Part) =>
  call('POST', ['cobr', txidOfPart(part), 'retentativa', part.on]);

/** The body of `PUT /cobr/{txid}`. */
const cobrOf = (
  { amount }: AuthorizeRequest,
  { mandate, dueDate }: PlannedOrder,
  recebedor: ReceivingAccount | null,
) => {
  if (!recebedor) throw new Error('the account for planned charges is not set: PIX_API_ACCOUNT');
  return {
    idRec: mandate,
    calendario: { dataDeVencimento: dueDate },
    valor: { original: reais(amount) },
    ajusteDiaUtil: true,
    recebedor,
  };
};

const refusedState = (order: PaymentOrder, reason: string): PaymentState => ({
  ...endedState(order, reason),
  status: 'refused',
});

const findCobr = async ({ call }: MandateDeps, txid: string): Promise<Cobr | null> => {
  const answer = await call('GET', ['cobr', txid]);
  if (answer.status === 'refused') throw new Error(`the institution does not read a cobr: ${answer.problem}`);
  if (answer.status === 'not_found') return null;
  const cobr = readCobr(answer.body);
  if (cobr.txid !== txid) throw new Error('the institution answers with another cobr');
  return cobr;
};

const stateIn = async (deps: MandateDeps, given: Cobr, part: Part): Promise<PaymentState | null> => {
  const cobr = countedBy(daysIn(await partsOf(deps, given.txid)), given);
  const pix = await pixOf(deps, cobr, part);
  return pix ? paidState(pix) : unpaidState(cobr, part, deps.clock());
};

/** The Pix that has paid a charge, null where none has. */
const pixOf = async ({ call }: MandateDeps, cobr: Cobr, part: Part): Promise<Pix | null> => {
  const paid = paidBy(cobr, part);
  if (typeof paid !== 'string') return paid;
  // Some institutions say by which Pix a charge is paid before they say what the Pix is.
  const answer = await call('GET', ['pix', paid]);
  if (answer.status !== 'done') throw new Error('the institution does not show a Pix that it has');
  const pix = readPix(answer.body);
  if (pix.endToEndId !== paid || (pix.txid ?? cobr.txid).toLowerCase() !== cobr.txid)
    throw new Error('the institution answers with another Pix');
  return pix;
};

const findPlanned = async (deps: MandateDeps, part: Part): Promise<PaymentState | null> => {
  const cobr = await findCobr(deps, txidOfPart(part));
  return cobr && stateIn(deps, cobr, part);
};

/**
 * The payment of a planned charge, null where the institution does not have it. A retry that was to be asked for is
 * asked for again then: its request may never have arrived, and nobody else would repeat it. It is not where it was to be
 * withdrawn meanwhile.
 */
export const describePlanned = async (deps: CobrDeps, order: Planned): Promise<PaymentState | null> => {
  const part = partOf(order);
  if (part.retryOf === null)
    // A charge that stands for a planned one, so that this cannot arrive any more, is of another kind.
    return (await findPlanned(deps, part)) ?? findPayment(deps, { reference: order.reference });
  const names = await deps.names.retriesOf([txidOfPart(part)]);
  const name = names.find(({ reference }) => reference === part.reference);
  if (name?.isWithdrawn) return endedState(order, 'cancelled');
  const found = await findPlanned(deps, part);
  return found || !name || name.isUnwanted ? found : askAgain(deps, part);
};

/** Repeats the request of a retry. It makes no second one, because an institution takes one attempt a day. */
const askAgain = async (deps: CobrDeps, part: Part): Promise<PaymentState | null> => {
  if (isCutOff(dayOf(part.on), deps.clock())) return null;
  const answer = await postRetry(deps, part);
  // Where it is refused, the earlier request may have been faster.
  return answer.status === 'done' ? stateIn(deps, readCobr(answer.body), part) : findPlanned(deps, part);
};

/** Withdraws a planned charge. Where it is too late for that, the charge stays `pending`, and its outcome is told later. */
export const cancelPlanned = async (deps: CobrDeps, order: Planned): Promise<PaymentState> => {
  const part = partOf(order);
  if (part.retryOf !== null) return cancelRetry(deps, order, part);
  const removed = await removeCobr(deps, part);
  if (removed) return removed;
  await putPlaceholder(deps, order);
  const state = (await removeCob(deps, order, 'cob')) ?? (await removeCobr(deps, part));
  return state ?? removedBefore(deps, order);
};

/** Null where the institution has no such charge. */
const removeCobr = async (deps: MandateDeps, part: Part): Promise<PaymentState | null> => {
  const answer = await deps.call('PATCH', ['cobr', txidOfPart(part)], { status: 'CANCELADA' });
  if (answer.status === 'not_found') return null;
  // Where it is refused it was paid, ended before, it is too late, or the institution has trouble for a while.
  const state = await findPlanned(deps, part);
  if (!state) throw new NotShownYet('to remove a cobr');
  if (state.status === 'pending' && !isCutOff(dayOf(part.on), deps.clock()))
    throw new Error('the institution does not remove a cobr');
  // Not every institution says who has ended a charge.
  return answer.status === 'done' && state.status === 'failed'
    ? { ...state, failureReason: 'cancelled' }
    : state;
};

/**
 * Withdraws a retry. The API has no way for that once it is taken: what the bank pays then is kept. A retry that was
 * not asked for is asked for no more.
 */
const cancelRetry = async (deps: CobrDeps, order: Planned, part: Part): Promise<PaymentState> => {
  const txid = txidOfPart(part);
  const name = await deps.names.withdrawRetry({ reference: part.reference, txid, on: part.on });
  if (name.isWithdrawn) return endedState(order, 'cancelled');
  const state = await findPlanned(deps, part);
  if (state) return state;
  // Its request may still be on the way, until no institution takes it any more.
  if (isCutOff(dayOf(part.on), deps.clock())) return endedState(order, 'cancelled');
  throw new NotShownYet('to withdraw a retry');
};

/** The charges of the gateway within a `cobr`. */
const partsOf = async ({ names }: MandateDeps, txid: string): Promise<readonly Part[]> => {
  const first = chargeIdOf(txid);
  if (first === null) return [];
  const retries = await names.retriesOf([txid]);
  // Two retries have the same day where the earlier one was withdrawn. The later one counts then.
  const byDay = new Map([...retries].sort(withdrawnFirst).map((retry) => [retry.on, retry]));
  return [
    { reference: first, on: '', retryOf: null },
    ...[...byDay.values()].map(({ reference, on }) => ({ reference, on, retryOf: first })),
  ];
};

const daysIn = (parts: readonly Part[]): readonly string[] => parts.map(({ on }) => on);

type MaybeWithdrawn = { readonly isWithdrawn: boolean };
const withdrawnFirst = (one: MaybeWithdrawn, other: MaybeWithdrawn): number =>
  Number(other.isWithdrawn) - Number(one.isWithdrawn);

/** The news of a planned charge that a callback names: it is asked back, and nothing else in the callback is believed. */
export const newsOfCobr = async (
  deps: MandateDeps,
  given: string,
): Promise<readonly (ProviderNotification | Unconfirmed)[]> => {
  if (chargeIdOf(given) === null)
    return [{ kind: 'other', id: `cobr/${given}`, livemode: true, type: 'cobr' }];
  const txid = given.toLowerCase();
  const found = await findCobr(deps, txid);
  if (!found) return [{ kind: 'unconfirmed', id: given }];
  // A retry is noted here before it is asked for, so that each that the institution shows is known by now.
  const parts = await partsOf(deps, txid);
  const cobr = countedBy(daysIn(parts), found);
  const told: ProviderNotification[] = [];
  for (const part of parts) told.push(...(await newsOfPart(deps, cobr, part)));
  return told;
};

const newsOfPart = async (
  deps: MandateDeps,
  cobr: Cobr,
  part: Part,
): Promise<readonly ProviderNotification[]> => {
  const pix = await pixOf(deps, cobr, part);
  if (pix) return newsOf(pix, part.reference, paidState(pix));
  const state = unpaidState(cobr, part, deps.clock());
  if (!state?.echo || state.status === 'pending') return [];
  const id = `cobr/${part.reference}/${state.status}/${state.failureReason}`;
  return [{ ...state.echo, id, livemode: true, kind: 'payment', reference: part.reference, state }];
};

/** The first charges with retries among these, of which a Pix alone does not say by which attempt it came. */
export const withRetries = async (
  { names }: MandateDeps,
  txids: readonly string[],
): Promise<ReadonlySet<string>> => new Set((await names.retriesOf(txids)).map(({ txid }) => txid));
