import { setTimeout as sleep } from 'node:timers/promises';
import Joi from 'joi';
import type { Clock } from '../../../kernel/clock.ts';
import { compactId, idProblem } from '../../../kernel/national-id.ts';
import { equalInConstantTime } from '../../../platform/secrets.ts';
import {
  type Asking,
  type AuthorizeRequest,
  NotShownYet,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentState,
  type ProviderNotification,
  type RefundRequest,
  type RefundState,
  type Unconfirmed,
} from '../provider.ts';
import {
  type Cob,
  endOf,
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

/** A charge that stands for one that must not arrive any more ends by itself after so many seconds. */
const PLACEHOLDER_SECONDS = 60;
/** Pauses before what an institution took is looked for again: what it reads may lag behind what it has written. */
const PAUSES_MS = [500, 2_000];
/** Beyond this age an institution shows what it has: its refusal then is its word. */
const SHOWN_AFTER_MS = 86_400_000;
/** An institution's clock may be so far off. */
const CLOCK_MARGIN_MS = 60_000;

const named = Joi.array().items(
  Joi.object({
    endToEndId: Joi.string()
      .pattern(/^[a-zA-Z0-9]{32}$/)
      .required(),
  }).unknown(),
);

/** As the API has it, or the list alone. An institution that tries the address sends an event without any Pix. */
const callbackBody = Joi.alternatives(
  Joi.object({ pix: named.required() }).unknown(),
  named,
  Joi.object({ evento: Joi.string().required(), pix: Joi.forbidden() }).unknown(),
).required();

/** Payments by Pix through any institution that offers the central bank's API Pix (2.9.0). */
export const createPixApi = (deps: {
  readonly call: CallPix;
  readonly clock: Clock;
  /** The receiver's key (`chave`). */
  readonly key: string;
  /** The part of the callback's address that only the institution knows; several while it is replaced. */
  readonly callbackSecrets: readonly string[];
  readonly pausesMs?: readonly number[];
  /** Counts what the institution said and nobody can read. */
  readonly noteUnreadable: () => void;
}): PaymentProvider => {
  const { call, pausesMs = PAUSES_MS } = deps;
  const now = (): number => deps.clock().getTime();

  const findCob = async (txid: string): Promise<Cob | null> => {
    const answer = await call('GET', ['cob', txid]);
    if (answer.status === 'refused')
      throw new Error(`the institution does not read a cob: ${answer.problem}`);
    if (answer.status === 'not_found') return null;
    const cob = readCob(answer.body);
    if (cob.txid !== txid) throw new Error('the institution answers with another cob');
    return cob.status === 'CONCLUIDA' && !cob.pix?.length ? withPix(cob) : cob;
  };

  /** Some institutions say that a charge is paid before they say by which Pix, or never say it of the charge. */
  const withPix = async (cob: Cob): Promise<Cob> => {
    const from = Date.parse(cob.calendario?.criacao ?? '') || now() - SHOWN_AFTER_MS;
    const pixes = await received(new Date(from - CLOCK_MARGIN_MS), { txid: cob.txid });
    const ofCob = pixes.filter(({ txid }) => txid?.toLowerCase() === cob.txid);
    return ofCob.length > 0 ? { ...cob, pix: ofCob } : cob;
  };

  /** All Pix that were received since then. */
  const received = async (since: Date, filter: Pairs = {}): Promise<readonly Pix[]> => {
    const period = { inicio: inSeconds(since), fim: inSeconds(new Date(now() + CLOCK_MARGIN_MS)) };
    const pixes: Pix[] = [];
    for (let page = 0, pages = 1; page < Math.min(pages, MAX_PAGES); page += 1) {
      const paging = page === 0 ? {} : { 'paginacao.paginaAtual': String(page) };
      const answer = await call('GET', ['pix'], undefined, { ...period, ...filter, ...paging });
      if (answer.status === 'not_found') break;
      if (answer.status === 'refused')
        throw new Error(`the institution does not list Pix: ${answer.problem}`);
      const read = readPage(answer.body);
      pixes.push(...read.pixes);
      if (read.unreadable > 0) deps.noteUnreadable();
      ({ pages } = read);
    }
    return pixes;
  };

  const find = async (reference: string): Promise<PaymentState | null> => {
    const cob = await findCob(txidOf(reference));
    return cob && paymentStateOf(cob);
  };

  /** Null where the institution has no such charge. */
  const remove = async (order: PaymentOrder): Promise<PaymentState | null> => {
    const txid = txidOf(order.reference);
    const answer = await call('PATCH', ['cob', txid], { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    if (answer.status === 'not_found') return null;
    // Where it is refused it was paid, removed before, or is over.
    const cob = await findCob(txid);
    if (!cob && answer.status === 'done') return endedState(order, 'cancelled');
    if (!cob) throw new NotShownYet('to remove a cob');
    const state = paymentStateOf(cob);
    if (state.status !== 'pending') return state;
    const end = endOf(cob);
    if (end && end.getTime() + CLOCK_MARGIN_MS < now())
      return { ...state, status: 'failed', failureReason: 'expired' };
    throw new Error('the institution does not remove a cob');
  };

  /** Looks for what was refused because it may have been taken before, until the institution shows it. */
  const findAgain = async <T>(look: () => Promise<T | null>, isFirst: boolean): Promise<T | null> => {
    for (const pause of isFirst ? [0] : [0, ...pausesMs]) {
      await sleep(pause);
      const found = await look();
      if (found) return found;
    }
    return null;
  };

  /** The Pix by which a payment was made, null where there is none. */
  const endToEndIdOf = async ({
    paymentPspRefId,
    paymentReference,
  }: RefundRequest): Promise<string | null> => {
    if (isEndToEndId(paymentPspRefId)) return paymentPspRefId;
    const state = await find(paymentReference);
    return state?.status === 'paid' ? state.pspRefId : null;
  };

  const findRefund = async (endToEndId: string, request: RefundRequest): Promise<RefundState | null> => {
    const answer = await call('GET', pathOfRefund(endToEndId, request));
    if (answer.status === 'refused')
      throw new Error(`the institution does not read a devolucao: ${answer.problem}`);
    return answer.status === 'not_found' ? null : refundStateOf(readDevolucao(answer.body), request);
  };

  const askBack = async (endToEndId: string): Promise<readonly (ProviderNotification | Unconfirmed)[]> => {
    const answer = await call('GET', ['pix', endToEndId]);
    if (answer.status !== 'done') return [{ kind: 'unconfirmed', id: endToEndId }];
    const pix = readPix(answer.body);
    if (pix.unreadable) deps.noteUnreadable();
    if (pix.endToEndId !== endToEndId) throw new Error('the institution answers with another Pix');
    const isOurs = pix.txid !== undefined && chargeIdOf(pix.txid) !== null;
    return notificationsOf(pix, isOurs && pix.txid ? await findCob(pix.txid) : null);
  };

  return {
    name: 'pix-api',
    methods: ['pix'],
    cards: { maxInstallments: 1, wallets: false },

    async authorize(request, { isFirst } = ASKED_BEFORE) {
      if (request.amount > MAX_REAIS) return endedState(request, 'amount_too_large');
      const answer = await call('PUT', ['cob', txidOf(request.reference)], cobOf(request, deps));
      if (answer.status === 'done') return paymentStateOf(readCob(answer.body));
      // The institution refuses a txid that exists, which is this charge asked for before.
      const found = await findAgain(() => find(request.reference), isFirst);
      if (found) return found;
      if (!isFirst) throw new NotShownYet('a charge');
      return endedState(request, answer.status === 'refused' ? answer.problem : 'not_found');
    },

    describePayment: ({ reference }) => find(reference),

    async cancel(order) {
      const removed = await remove(order);
      if (removed) return removed;
      // Its own charge may still be on the way: what stands in its place keeps it from arriving.
      await call('PUT', ['cob', txidOf(order.reference)], {
        calendario: { expiracao: PLACEHOLDER_SECONDS },
        valor: { original: reais(Math.min(order.amount, MAX_REAIS)) },
        chave: deps.key,
      });
      const state = await remove(order);
      if (!state) throw new Error('the institution neither has a cob nor takes one');
      return state;
    },

    async refund(request, { isFirst } = ASKED_BEFORE) {
      const endToEndId = await endToEndIdOf(request);
      if (endToEndId === null) return refusedRefund('payment_not_paid');
      const valor = reais(request.amount);
      const answer = await call('PUT', pathOfRefund(endToEndId, request), { valor });
      if (answer.status === 'done') return refundStateOf(readDevolucao(answer.body), request);
      const found = await findAgain(() => findRefund(endToEndId, request), isFirst);
      if (found) return found;
      // An address that is not found may be the fault of what stands before the institution.
      const isItsWord = isFirst && answer.status === 'refused';
      if (!isItsWord && now() - Date.parse(request.openedAt) < SHOWN_AFTER_MS)
        throw new NotShownYet('a devolucao');
      return refusedRefund(answer.status === 'refused' ? answer.problem : 'not_found');
    },

    async describeRefund(request) {
      const endToEndId = await endToEndIdOf(request);
      return endToEndId === null ? null : findRefund(endToEndId, request);
    },

    verify: async ({ secret }) =>
      secret !== null && deps.callbackSecrets.some((known) => equalInConstantTime(known, secret)),

    /** Only about charges that have a name of this gateway: the key may receive other Pix. */
    async newsSince(since) {
      const pixes = await received(since);
      for (const { unreadable } of pixes) if (unreadable) deps.noteUnreadable();
      return pixes
        .filter(({ txid }) => txid !== undefined && chargeIdOf(txid) !== null)
        .flatMap((pix) => notificationsOf(pix, null));
    },

    async notificationsIn({ body }) {
      const endToEndIds = endToEndIdsIn(body);
      if (!endToEndIds) return null;
      const told: (ProviderNotification | Unconfirmed)[] = [];
      for (const id of endToEndIds) told.push(...(await askBack(id)));
      return told;
    },
  };
};

const pathOfRefund = (endToEndId: string, { reference }: RefundRequest): readonly string[] => [
  'pix',
  endToEndId,
  'devolucao',
  devolucaoIdOf(reference),
];

/** The body of `PUT /cob/{txid}`. */
const cobOf = (
  { instrument, amount, currency, payer }: AuthorizeRequest,
  { clock, key }: { readonly clock: Clock; readonly key: string },
) => {
  if (instrument.type !== 'pix' || currency !== 'BRL') throw new Error('the API Pix takes Pix in BRL only');
  const seconds = Math.ceil((Date.parse(instrument.expiresAt) - clock().getTime()) / 1_000);
  const devedor = payer && devedorOf(payer);
  return {
    calendario: { expiracao: Math.max(seconds, 1) },
    ...(devedor ? { devedor } : {}),
    valor: { original: reais(amount) },
    chave: key,
  };
};

const MAX_NAME = 200;

const devedorOf = ({ name, document }: NonNullable<AuthorizeRequest['payer']>) => {
  const nome = cut(name);
  const { type, id } = document;
  if (type !== 'cpf' && type !== 'cnpj') return null;
  // The institution checks the digits and would refuse the whole charge.
  return idProblem(type, id) === null ? { [type]: compactId(id), nome } : null;
};

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** As many whole characters as the institution takes; none is cut in the middle. */
const cut = (name: string): string => {
  let taken = '';
  for (const { segment } of graphemes.segment(name)) {
    if (taken.length + segment.length > MAX_NAME) break;
    taken += segment;
  }
  return taken;
};

const ASKED_BEFORE: Asking = { isFirst: false };

/** Most pages of received Pix that are read at once. */
const MAX_PAGES = 50;

/** Without milliseconds, which some institutions refuse. */
const inSeconds = (at: Date): string => at.toISOString().replace(/\.\d+/, '');

/** A charge that the institution has none of any more. */
const endedState = ({ reference, amount, currency }: PaymentOrder, reason: string): PaymentState => ({
  status: 'failed',
  pspRefId: txidOf(reference),
  failureReason: reason,
  paidAt: null,
  instructions: null,
  echo: { amount, currency },
});

const refusedRefund = (reason: string): RefundState => ({ status: 'refused', reason, pspRefundRefId: null });

type Named = readonly { readonly endToEndId: string }[];

/** Each once, in the order of the delivery; null for what is no callback. Nothing else in it is believed. */
const endToEndIdsIn = (body: Buffer): readonly string[] | null => {
  const told = parse(body);
  const { error, value } = callbackBody.validate(told, { convert: false });
  if (error) return null;
  const pixes: Named = Array.isArray(value) ? value : (value.pix ?? []);
  return [...new Set(pixes.map(({ endToEndId }) => endToEndId))];
};

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};
