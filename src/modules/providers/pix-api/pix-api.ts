import Joi from 'joi';
import type { Clock } from '../../../kernel/clock.ts';
import { equalInConstantTime } from '../../../platform/secrets.ts';
import type {
  AuthorizeRequest,
  PaymentProvider,
  PaymentState,
  ProviderNotification,
  RefundRequest,
  RefundState,
  Unconfirmed,
} from '../provider.ts';
import {
  type Cob,
  MAX_REAIS,
  notificationsOf,
  paymentStateOf,
  readCob,
  readDevolucao,
  readPix,
  reais,
  refundStateOf,
} from './answers.ts';
import type { CallPix } from './pix-client.ts';
import { chargeIdOf, devolucaoIdOf, isEndToEndId, txidOf } from './references.ts';

/** A charge that stands for one that must not arrive any more ends by itself after so many seconds. */
const PLACEHOLDER_SECONDS = 60;

const callbackBody = Joi.object({
  pix: Joi.array()
    .items(
      Joi.object({
        endToEndId: Joi.string()
          .pattern(/^[a-zA-Z0-9]{32}$/)
          .required(),
      })
        .unknown()
        .required(),
    )
    .required(),
})
  .unknown()
  .required();

/** Payments by Pix through any institution that offers the central bank's API Pix (2.9.0). */
export const createPixApi = (deps: {
  readonly call: CallPix;
  readonly clock: Clock;
  /** The receiver's key (`chave`). */
  readonly key: string;
  /** The part of the callback's address that only the institution knows; several while it is replaced. */
  readonly callbackSecrets: readonly string[];
}): PaymentProvider => {
  const { call } = deps;

  const findCob = async (txid: string): Promise<Cob | null> => {
    const answer = await call('GET', ['cob', txid]);
    if (answer.status === 'refused')
      throw new Error(`the institution does not read a cob: ${answer.problem}`);
    if (answer.status === 'not_found') return null;
    const cob = readCob(answer.body);
    if (cob.txid !== txid) throw new Error('the institution answers with another cob');
    return cob;
  };

  const find = async (reference: string): Promise<PaymentState | null> => {
    const cob = await findCob(txidOf(reference));
    return cob && paymentStateOf(cob);
  };

  /** Null where the institution has no such charge. */
  const remove = async (reference: string): Promise<PaymentState | null> => {
    const answer = await call('PATCH', ['cob', txidOf(reference)], {
      status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    });
    if (answer.status === 'not_found') return null;
    // Where it is refused it was paid, or removed before.
    const state = await find(reference);
    if (state?.status === 'pending') throw new Error('the institution does not remove a cob');
    return state;
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
    if (pix.endToEndId !== endToEndId) throw new Error('the institution answers with another Pix');
    const isOurs = pix.txid !== undefined && chargeIdOf(pix.txid) !== null;
    return notificationsOf(pix, isOurs && pix.txid ? await findCob(pix.txid) : null);
  };

  return {
    name: 'pix-api',
    methods: ['pix'],
    cards: { maxInstallments: 1, wallets: false },

    async authorize(request) {
      if (request.amount > MAX_REAIS) return refusedAtOnce(request, 'amount_too_large');
      const answer = await call('PUT', ['cob', txidOf(request.reference)], cobOf(request, deps));
      if (answer.status === 'done') return paymentStateOf(readCob(answer.body));
      // The institution refuses a txid that exists, which is this charge asked for before.
      const problem = answer.status === 'refused' ? answer.problem : 'not_found';
      return (await find(request.reference)) ?? refusedAtOnce(request, problem);
    },

    describePayment: ({ reference }) => find(reference),

    async cancel(order) {
      const removed = await remove(order.reference);
      if (removed) return removed;
      // Its own charge may still be on the way: what stands in its place keeps it from arriving.
      await call('PUT', ['cob', txidOf(order.reference)], {
        calendario: { expiracao: PLACEHOLDER_SECONDS },
        valor: { original: reais(Math.min(order.amount, MAX_REAIS)) },
        chave: deps.key,
      });
      const state = await remove(order.reference);
      if (!state) throw new Error('the institution neither has a cob nor takes one');
      return state;
    },

    async refund(request) {
      const endToEndId = await endToEndIdOf(request);
      if (endToEndId === null) return refusedRefund('payment_not_paid');
      const valor = reais(request.amount);
      const answer = await call('PUT', pathOfRefund(endToEndId, request), { valor });
      if (answer.status === 'done') return refundStateOf(readDevolucao(answer.body), request);
      const problem = answer.status === 'refused' ? answer.problem : 'not_found';
      return (await findRefund(endToEndId, request)) ?? refusedRefund(problem);
    },

    async describeRefund(request) {
      const endToEndId = await endToEndIdOf(request);
      return endToEndId === null ? null : findRefund(endToEndId, request);
    },

    verify: async ({ secret }) =>
      secret !== null && deps.callbackSecrets.some((known) => equalInConstantTime(known, secret)),

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
  const nome = name.slice(0, MAX_NAME);
  const id = document.id.replace(/[.\-/\s]/g, '').toUpperCase();
  if (/^\d{11}$/.test(id)) return { cpf: id, nome };
  return /^[0-9A-Z]{14}$/.test(id) ? { cnpj: id, nome } : null;
};

const refusedAtOnce = ({ reference, amount, currency }: AuthorizeRequest, reason: string): PaymentState => ({
  status: 'failed',
  pspRefId: txidOf(reference),
  failureReason: reason,
  paidAt: null,
  instructions: null,
  echo: { amount, currency },
});

const refusedRefund = (reason: string): RefundState => ({ status: 'refused', reason, pspRefundRefId: null });

/** Each once, in the order of the delivery; null for what is no callback. Nothing else in it is believed. */
const endToEndIdsIn = (body: Buffer): readonly string[] | null => {
  try {
    const { error, value } = callbackBody.validate(JSON.parse(body.toString('utf8')), { convert: false });
    if (error) return null;
    return [...new Set<string>(value.pix.map(({ endToEndId }: { endToEndId: string }) => endToEndId))];
  } catch {
    return null;
  }
};
