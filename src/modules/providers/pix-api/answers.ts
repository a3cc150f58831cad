import Joi from 'joi';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Minor } from '../../../kernel/money.ts';
import { buildBrCode } from '../pix/br-code.ts';
import {
  type Money,
  type PaymentInstructions,
  type PaymentState,
  type ProviderNotification,
  type RefundState,
  UnknownStatus,
} from '../provider.ts';
import { chargeIdOf, referenceOf } from './references.ts';

/** Reais with two decimals, as the API writes every amount. */
export const reais = (amount: Minor): string =>
  `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;

/** The largest amount that `\d{1,10}\.\d{2}` can say. */
export const MAX_REAIS: Minor = 999_999_999_999;

const moneyOf = (valor: string): Money => ({ amount: Number(valor.replace('.', '')), currency: 'BRL' });

const valor = Joi.string().pattern(/^\d{1,10}\.\d{2}$/);
const instant = Joi.string().isoDate();

export type Devolucao = {
  readonly id: string;
  readonly rtrId: string;
  readonly valor: string;
  readonly natureza?: string;
  readonly status: string;
};
/** A Pix that was received, with what was given back of it. */
export type Pix = {
  readonly endToEndId: string;
  readonly txid?: string;
  readonly valor: string;
  readonly horario: string;
  readonly devolucoes?: readonly Devolucao[];
};
/** A charge as the institution keeps it (`cob`). */
export type Cob = {
  readonly txid: string;
  readonly status: string;
  readonly valor: { readonly original: string };
  readonly location?: string;
  readonly pixCopiaECola?: string;
  readonly pix?: readonly Pix[];
};

// Fields that are not read here may change with each minor version.
const devolucao = Joi.object({
  id: Joi.string().required(),
  rtrId: Joi.string().required(),
  valor: valor.required(),
  natureza: Joi.string(),
  status: Joi.string().required(),
}).unknown();
const pix = Joi.object({
  endToEndId: Joi.string().length(32).required(),
  txid: Joi.string(),
  valor: valor.required(),
  horario: instant.required(),
  devolucoes: Joi.array().items(devolucao),
}).unknown();
const cob = Joi.object({
  txid: Joi.string().required(),
  status: Joi.string().required(),
  valor: Joi.object({ original: valor.required() }).unknown().required(),
  location: Joi.string(),
  pixCopiaECola: Joi.string(),
  pix: Joi.array().items(pix),
})
  .unknown()
  .or('pixCopiaECola', 'location');

const reader =
  <T>(name: string, schema: Joi.Schema) =>
  (body: unknown): T => {
    const { error, value } = schema.required().validate(body, { convert: false });
    if (error) throw new Error(`the institution answers no ${name}: ${error.message}`);
    return value;
  };

/** Each throws for an answer of another shape: nothing follows from it. */
export const readCob = reader<Cob>('cob', cob);
export const readPix = reader<Pix>('pix', pix);
export const readDevolucao = reader<Devolucao>('devolucao', devolucao);

/** The state of a payment. Throws for a status that nobody knows: the charge stays as it is. */
export const paymentStateOf = (cob: Cob): PaymentState => {
  const [paid] = [...(cob.pix ?? [])].sort(byTime);
  if (paid) return paidBy(paid, cob);
  const open = {
    pspRefId: cob.txid,
    failureReason: null,
    paidAt: null,
    instructions: instructionsOf(cob, null),
    echo: moneyOf(cob.valor.original),
  };
  switch (cob.status) {
    case 'ATIVA':
      return { ...open, status: 'pending' };
    case 'REMOVIDA_PELO_USUARIO_RECEBEDOR':
      return { ...open, status: 'failed', failureReason: 'cancelled' };
    case 'REMOVIDA_PELO_PSP':
      return { ...open, status: 'failed', failureReason: 'removed_by_institution' };
    default:
      throw new UnknownStatus('the institution', cob.status, 'a charge without a Pix');
  }
};

const byTime = (one: Pix, other: Pix): number =>
  Date.parse(one.horario) - Date.parse(other.horario) || one.endToEndId.localeCompare(other.endToEndId);

const paidBy = (pix: Pix, cob: Cob | null): PaymentState => ({
  status: 'paid',
  pspRefId: pix.endToEndId,
  failureReason: null,
  paidAt: instantOf(pix.horario),
  instructions: cob && instructionsOf(cob, pix.endToEndId),
  echo: moneyOf(pix.valor),
});

const instantOf = (horario: string): Timestamp => timestamp(new Date(horario));

const instructionsOf = (cob: Cob, endToEndId: string | null): PaymentInstructions => ({
  type: 'pix',
  endToEndId,
  copyPaste:
    cob.pixCopiaECola ??
    buildBrCode({
      location: cob.location ?? '',
      amount: moneyOf(cob.valor.original).amount,
      merchantName: '',
      merchantCity: '',
    }),
});

/** The state of a refund. Throws for a status that nobody knows, and for one of another amount. */
export const refundStateOf = (given: Devolucao, asked: Money): RefundState => {
  if (moneyOf(given.valor).amount !== asked.amount)
    throw new Error(`the institution gave back ${given.valor} where ${reais(asked.amount)} was asked for`);
  return stateOf(given);
};

const stateOf = ({ status, rtrId }: Devolucao): RefundState => {
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { status: 'pending', reason: null, pspRefundRefId: rtrId };
    case 'DEVOLVIDO':
      return { status: 'refunded', reason: null, pspRefundRefId: rtrId };
    case 'NAO_REALIZADO':
      return { status: 'failed', reason: 'not_carried_out', pspRefundRefId: rtrId };
    default:
      throw new UnknownStatus('the institution', status, 'a devolucao');
  }
};

/** Returns that the payer's bank has demanded: for fraud, or for a fault in its operation (MED). */
const isDemandedByPayersBank = ({ natureza = '' }: Devolucao): boolean => natureza.startsWith('MED');

/** All that a received Pix says: that it was paid, and what was given back of it. `cob` is null without a charge. */
export const notificationsOf = (pix: Pix, cob: Cob | null): readonly ProviderNotification[] => {
  const reference = (pix.txid && chargeIdOf(pix.txid)) || pix.txid || pix.endToEndId;
  const payment: ProviderNotification = {
    ...moneyOf(pix.valor),
    id: pix.endToEndId,
    livemode: true,
    kind: 'payment',
    reference,
    state: paidBy(pix, cob),
  };
  return [payment, ...(pix.devolucoes ?? []).map((given) => aboutReturn(pix, reference, given))];
};

const aboutReturn = (pix: Pix, reference: string, given: Devolucao): ProviderNotification => {
  const id = `${pix.endToEndId}/${given.id}/${given.status}`;
  const about = { ...moneyOf(given.valor), id, livemode: true };
  if (!isDemandedByPayersBank(given))
    return { ...about, kind: 'refund', reference: referenceOf(given.id) ?? given.id, state: stateOf(given) };
  return given.status === 'DEVOLVIDO'
    ? { ...about, kind: 'chargeback', reference, pspRefId: given.rtrId }
    : { id, livemode: true, kind: 'other', type: `${given.natureza} ${given.status}` };
};
