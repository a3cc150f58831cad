import Joi from 'joi';
import type { Clock } from '../../../kernel/clock.ts';
import { equalInConstantTime } from '../../../platform/secrets.ts';
import {
  type Asking,
  type AuthorizeRequest,
  NotShownYet,
  type PaymentProvider,
  type ProviderNotification,
  type RefundState,
  type Unconfirmed,
} from '../provider.ts';
import {
  MAX_REAIS,
  notificationsOf,
  paymentStateOf,
  readCob,
  readDevolucao,
  reais,
  refundStateOf,
} from './answers.ts';
import { cobvOf, devedorOf } from './cobv.ts';
import {
  askBack,
  endedState,
  endToEndIdOf,
  findAgain,
  findPayment,
  findRefund,
  kindOf,
  nowOf,
  type PixDeps,
  pathOfRefund,
  receivedPix,
  removeCob,
  removedBefore,
  SHOWN_AFTER_MS,
} from './lookups.ts';
import { chargeIdOf, txidOf } from './references.ts';

/** A charge that stands for one that must not arrive any more ends by itself after so many seconds. */
const PLACEHOLDER_SECONDS = 60;
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
export const createPixApi = (
  deps: PixDeps & {
    /** The receiver's key (`chave`). */
    readonly key: string;
    /** The part of the callback's address that only the institution knows; several while it is replaced. */
    readonly callbackSecrets: readonly string[];
  },
): PaymentProvider => {
  const { call } = deps;

  return {
    name: 'pix-api',
    methods: ['pix'],
    cards: { maxInstallments: 1, wallets: false },
    dueDates: true,

    async authorize(request, { isFirst } = ASKED_BEFORE) {
      if (request.amount > MAX_REAIS) return endedState(request, 'amount_too_large');
      const body = request.hasDueDate ? cobvOf(request, deps) : cobOf(request, deps);
      const answer = await call('PUT', [kindOf(request), txidOf(request.reference)], body);
      if (answer.status === 'done') return paymentStateOf(readCob(answer.body));
      // The institution refuses a txid that exists, which is this charge asked for before.
      const found = await findAgain(deps, () => findPayment(deps, request), isFirst);
      if (found) return found;
      if (!isFirst) throw new NotShownYet('a charge');
      return endedState(request, answer.status === 'refused' ? answer.problem : 'not_found');
    },

    describePayment: (order) => findPayment(deps, order),

    async cancel(order) {
      const removed = await removeCob(deps, order);
      if (removed) return removed;
      // Its own charge may still be on the way: what stands in its place keeps it from arriving, of whatever kind it is,
      // because a txid is taken once.
      await call('PUT', ['cob', txidOf(order.reference)], {
        calendario: { expiracao: PLACEHOLDER_SECONDS },
        valor: { original: reais(Math.min(order.amount, MAX_REAIS)) },
        chave: deps.key,
      });
      const state =
        (await removeCob(deps, order, 'cob')) ?? (order.hasDueDate ? await removeCob(deps, order) : null);
      return state ?? removedBefore(deps, order);
    },

    async refund(request, { isFirst } = ASKED_BEFORE) {
      const endToEndId = await endToEndIdOf(deps, request);
      if (endToEndId === null) return refusedRefund('payment_not_paid');
      const valor = reais(request.amount);
      const answer = await call('PUT', pathOfRefund(endToEndId, request), { valor });
      if (answer.status === 'done') return refundStateOf(readDevolucao(answer.body), request);
      const found = await findAgain(deps, () => findRefund(deps, endToEndId, request), isFirst);
      if (found) return found;
      // An address that is not found may be the fault of what stands before the institution.
      const isItsWord = isFirst && answer.status === 'refused';
      if (!isItsWord && nowOf(deps) - Date.parse(request.openedAt) < SHOWN_AFTER_MS)
        throw new NotShownYet('a devolucao');
      return refusedRefund(answer.status === 'refused' ? answer.problem : 'not_found');
    },

    async describeRefund(request) {
      const endToEndId = await endToEndIdOf(deps, request);
      return endToEndId === null ? null : findRefund(deps, endToEndId, request);
    },

    verify: async ({ secret }) =>
      secret !== null && deps.callbackSecrets.some((known) => equalInConstantTime(known, secret)),

    /** Only about charges that have a name of this gateway: the key may receive other Pix. */
    async newsSince(since) {
      const pixes = await receivedPix(deps, since);
      for (const { unreadable } of pixes) if (unreadable) deps.noteUnreadable();
      return pixes
        .filter(({ txid }) => txid !== undefined && chargeIdOf(txid) !== null)
        .flatMap((pix) => notificationsOf(pix, null));
    },

    async notificationsIn({ body }) {
      const endToEndIds = endToEndIdsIn(body);
      if (!endToEndIds) return null;
      const told: (ProviderNotification | Unconfirmed)[] = [];
      for (const id of endToEndIds) told.push(...(await askBack(deps, id)));
      return told;
    },
  };
};

/** The body of `PUT /cob/{txid}`. */
const cobOf = (
  { instrument, amount, currency, payer }: AuthorizeRequest,
  { clock, key }: { readonly clock: Clock; readonly key: string },
) => {
  if (instrument.type !== 'pix' || currency !== 'BRL') throw new Error('the API Pix takes Pix in BRL only');
  const seconds = Math.ceil((Date.parse(instrument.expiresAt) - clock().getTime()) / 1_000);
  const devedor = devedorOf(payer);
  return {
    calendario: { expiracao: Math.max(seconds, 1) },
    ...(devedor ? { devedor } : {}),
    valor: { original: reais(amount) },
    chave: key,
  };
};

const ASKED_BEFORE: Asking = { isFirst: false };

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
