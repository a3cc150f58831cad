import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { timeOfId } from '../../../kernel/ids.ts';
import {
  NotShownYet,
  type PaymentOrder,
  type PaymentState,
  type ProviderNotification,
  type RefundRequest,
  type RefundState,
  type Unconfirmed,
} from '../provider.ts';
import {
  type Cob,
  endOf,
  instantOf,
  MAX_REAIS,
  notificationsOf,
  type Pix,
  paymentStateOf,
  readCob,
  readDevolucao,
  readPage,
  readPix,
  reais,
  refundStateOf,
} from './answers.ts';
import type { Pairs } from './institutions.ts';
import type { CallPix } from './pix-client.ts';
import { chargeIdOf, devolucaoIdOf, isEndToEndId, txidOf } from './references.ts';

/** Looks at what an institution has: charges, Pix and devolucoes of the API Pix. */

export type PixDeps = {
  readonly call: CallPix;
  readonly clock: Clock;
  readonly pausesMs?: readonly number[];
  /** Counts what the institution said and nobody can read. */
  readonly noteUnreadable: () => void;
};

/** Pauses before what an institution took is looked for again: what it reads may lag behind what it has written. */
const PAUSES_MS = [500, 2_000];
/** Beyond this age an institution shows what it has: its refusal then is its word. */
export const SHOWN_AFTER_MS = DAY_MS;
/** An institution's clock may be so far off. */
const CLOCK_MARGIN_MS = 60_000;

/** No account receives so many pages of Pix in the periods that are asked for: a list that goes on does not end. */
const MAX_PAGES = 500;

/** Without milliseconds, which some institutions refuse. */
const inSeconds = (at: Date): string => at.toISOString().replace(/\.\d+/, '');

export const nowOf = ({ clock }: Pick<PixDeps, 'clock'>): number => clock().getTime();

/** Kinds of charges: `cobv` has a due date. A receiver's txid is of one of them. */
type CobKind = 'cob' | 'cobv';

export const kindOf = ({ hasDueDate }: Pick<PaymentOrder, 'hasDueDate'>): CobKind =>
  hasDueDate ? 'cobv' : 'cob';

/** A charge of whatever kind. */
const findAnyCob = async (deps: PixDeps, txid: string): Promise<Cob | null> =>
  (await findCob(deps, txid)) ?? (await findCob(deps, txid, 'cobv'));

const findCob = async (deps: PixDeps, txid: string, kind: CobKind = 'cob'): Promise<Cob | null> => {
  const answer = await deps.call('GET', [kind, txid]);
  if (answer.status === 'refused') throw new Error(`the institution does not read a cob: ${answer.problem}`);
  if (answer.status === 'not_found') return null;
  const cob = readCob(answer.body);
  if (cob.txid !== txid) throw new Error('the institution answers with another cob');
  if (cob.pix?.some(({ unreadable = 0 }) => unreadable > 0)) deps.noteUnreadable();
  return cob.status === 'CONCLUIDA' && !cob.pix?.length ? withPix(deps, cob) : cob;
};

/** Some institutions say that a charge is paid before they say by which Pix, or never say it of the charge. */
const withPix = async (deps: PixDeps, cob: Cob): Promise<Cob> => {
  const { criacao } = cob.calendario ?? {};
  const from = criacao ? Date.parse(instantOf(criacao)) : nowOf(deps) - SHOWN_AFTER_MS;
  const ofCob = await receivedFor(deps, cob.txid, from);
  return ofCob.length > 0 ? { ...cob, pix: ofCob } : cob;
};

const receivedFor = async (deps: PixDeps, txid: string, from: number): Promise<readonly Pix[]> => {
  const pixes = await receivedPix(deps, new Date(from - CLOCK_MARGIN_MS), { txid });
  return pixes.filter((pix) => pix.txid?.toLowerCase() === txid);
};

/** All Pix that were received since then. */
export const receivedPix = async (
  deps: PixDeps,
  since: Date,
  filter: Pairs = {},
): Promise<readonly Pix[]> => {
  const period = { inicio: inSeconds(since), fim: inSeconds(new Date(nowOf(deps) + CLOCK_MARGIN_MS)) };
  const pixes: Pix[] = [];
  for (let page = 0, pages = 1; page < pages; page += 1) {
    // A part of the list would pass for all of it.
    if (page === MAX_PAGES) throw new Error(`the institution lists more than ${MAX_PAGES} pages of Pix`);
    const paging = page === 0 ? {} : { 'paginacao.paginaAtual': String(page) };
    const answer = await deps.call('GET', ['pix'], undefined, { ...period, ...filter, ...paging });
    if (answer.status === 'not_found') break;
    if (answer.status === 'refused') throw new Error(`the institution does not list Pix: ${answer.problem}`);
    const read = readPage(answer.body);
    pixes.push(...read.pixes);
    if (read.unreadable > 0) deps.noteUnreadable();
    ({ pages } = read);
  }
  return pixes;
};

export const findPayment = async (
  deps: PixDeps,
  order: Pick<PaymentOrder, 'reference' | 'hasDueDate'>,
): Promise<PaymentState | null> => {
  const txid = txidOf(order.reference);
  // A charge that stands for one with a due date, so that this cannot arrive any more, has none itself.
  const cob =
    (await findCob(deps, txid, kindOf(order))) ?? (order.hasDueDate ? await findCob(deps, txid) : null);
  return cob && paymentStateOf(cob);
};

/** Null where the institution has no such charge. */
export const removeCob = async (
  deps: PixDeps,
  order: PaymentOrder,
  kind: CobKind = kindOf(order),
): Promise<PaymentState | null> => {
  const txid = txidOf(order.reference);
  const answer = await deps.call('PATCH', [kind, txid], { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  if (answer.status === 'not_found') return null;
  // Where it is refused it was paid, removed before, or is over.
  const cob = await findCob(deps, txid, kind);
  if (!cob && answer.status === 'done') return endedState(order, 'cancelled');
  if (!cob) throw new NotShownYet('to remove a cob');
  const state = paymentStateOf(cob);
  if (state.status !== 'pending') return state;
  const end = endOf(cob);
  if (end && end.getTime() + CLOCK_MARGIN_MS < nowOf(deps))
    return { ...state, status: 'failed', failureReason: 'expired' };
  throw new Error('the institution does not remove a cob');
};

/** A charge that stands for one that must not arrive any more ends by itself after so many seconds. */
const PLACEHOLDER_SECONDS = 60;

/** Stands in a charge's place, so that it cannot arrive any more: a txid is taken once, whatever kind of charge has it. */
export const putPlaceholder = async (
  { call, key }: PixDeps & { readonly key: string },
  order: PaymentOrder,
): Promise<void> => {
  await call('PUT', ['cob', txidOf(order.reference)], {
    calendario: { expiracao: PLACEHOLDER_SECONDS },
    valor: { original: reais(Math.min(order.amount, MAX_REAIS)) },
    chave: key,
  });
};

/**
 * The end of a charge that the institution does not find, though it takes no other one in its place. It was removed by a
 * request whose answer got lost. A charge that is not yet a day old may still be shown, and paid.
 */
export const removedBefore = async (deps: PixDeps, order: PaymentOrder): Promise<PaymentState> => {
  const madeAt = timeOfId(order.reference).getTime();
  if (nowOf(deps) - madeAt < SHOWN_AFTER_MS) throw new NotShownYet('a cob that it has');
  const pixes = await receivedFor(deps, txidOf(order.reference), madeAt);
  if (pixes.length > 0) throw new Error('the institution has a Pix of a cob that it does not have');
  return endedState(order, 'cancelled');
};

/** Looks for what was refused because it may have been taken before, until the institution shows it. */
export const findAgain = async <T>(
  { pausesMs = PAUSES_MS }: PixDeps,
  look: () => Promise<T | null>,
  isFirst: boolean,
): Promise<T | null> => {
  for (const pause of isFirst ? [0] : [0, ...pausesMs]) {
    await sleep(pause);
    const found = await look();
    if (found) return found;
  }
  return null;
};

/** The Pix by which a payment was made, null where there is none. */
export const endToEndIdOf = async (
  deps: PixDeps,
  { paymentPspRefId, paymentReference }: RefundRequest,
): Promise<string | null> => {
  if (isEndToEndId(paymentPspRefId)) return paymentPspRefId;
  const cob = await findAnyCob(deps, txidOf(paymentReference));
  const state = cob && paymentStateOf(cob);
  return state?.status === 'paid' ? state.pspRefId : null;
};

export const findRefund = async (
  deps: PixDeps,
  endToEndId: string,
  request: RefundRequest,
): Promise<RefundState | null> => {
  const answer = await deps.call('GET', pathOfRefund(endToEndId, request));
  if (answer.status === 'refused')
    throw new Error(`the institution does not read a devolucao: ${answer.problem}`);
  return answer.status === 'not_found' ? null : refundStateOf(readDevolucao(answer.body), request);
};

export const askBack = async (
  deps: PixDeps,
  endToEndId: string,
): Promise<readonly (ProviderNotification | Unconfirmed)[]> => {
  const answer = await deps.call('GET', ['pix', endToEndId]);
  if (answer.status !== 'done') return [{ kind: 'unconfirmed', id: endToEndId }];
  const pix = readPix(answer.body);
  if (pix.unreadable) deps.noteUnreadable();
  if (pix.endToEndId !== endToEndId) throw new Error('the institution answers with another Pix');
  const isOurs = pix.txid !== undefined && chargeIdOf(pix.txid) !== null;
  // Only the way to pay is read from the charge: what is received counts without it, too.
  const cob = isOurs && pix.txid ? await findAnyCob(deps, pix.txid).catch(() => null) : null;
  return notificationsOf(pix, cob);
};

export const pathOfRefund = (endToEndId: string, { reference }: RefundRequest): readonly string[] => [
  'pix',
  endToEndId,
  'devolucao',
  devolucaoIdOf(reference),
];

/** A charge that the institution has none of any more. */
export const endedState = ({ reference, amount, currency }: PaymentOrder, reason: string): PaymentState => ({
  status: 'failed',
  pspRefId: txidOf(reference),
  failureReason: reason,
  paidAt: null,
  instructions: null,
  echo: { amount, currency },
});
