import Joi from 'joi';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Minor } from '../../../kernel/money.ts';
import { buildBrCode } from '../pix/br-code.ts';
import { expiryOfDue } from '../pix/due-terms.ts';
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

/** An amount in reais: the API says text with two decimals, some institutions a number, or fewer decimals. */
export type Valor = string | number;

export const moneyOf = (valor: Valor): Money => {
  const [whole = '', cents = ''] = (typeof valor === 'number' ? valor.toFixed(2) : valor).split('.');
  return { amount: Number(`${whole}${cents.padEnd(2, '0')}`), currency: 'BRL' };
};

export const valor = Joi.alternatives(
  Joi.string().pattern(/^\d{1,10}(\.\d{1,2})?$/),
  Joi.number().min(0).max(9_999_999_999.99).precision(2),
);
const instant = Joi.string()
  .isoDate()
  .pattern(/T\d\d:\d\d/);
/** Absent where the institution has nothing to say. */
const text = Joi.string().empty(['', null]);

export type Devolucao = {
  readonly id?: string;
  readonly rtrId?: string;
  readonly valor: Valor;
  readonly natureza?: string;
  readonly status: string;
};
/** A Pix that was received, with what was given back of it. */
export type Pix = {
  readonly endToEndId: string;
  readonly txid?: string;
  readonly valor: Valor;
  readonly horario: string;
  readonly devolucoes?: readonly Devolucao[];
  /** Number of returns that nobody can read. */
  readonly unreadable?: number;
};
/** A charge as the institution keeps it (`cob`). */
export type Cob = {
  readonly txid: string;
  readonly status: string;
  readonly calendario?: {
    readonly criacao?: string;
    readonly expiracao?: number;
    /** Present for a charge with a due date (`cobv`), which has no `expiracao`. */
    readonly dataDeVencimento?: string;
    readonly validadeAposVencimento?: number;
  };
  readonly valor: { readonly original: Valor };
  readonly location?: string;
  readonly loc?: { readonly location?: string };
  readonly pixCopiaECola?: string;
  readonly pix?: readonly Pix[];
};

/** As the API Pix has it where a charge with a due date does not say. */
const DEFAULT_DAYS_AFTER_DUE = 30;

// Fields that are not read here may change with each minor version.
const devolucao = Joi.object({
  id: text,
  rtrId: text,
  valor: valor.required(),
  natureza: text,
  status: Joi.string().required(),
}).unknown();

/** A list; one object alone counts as a list of it, as in an example of the central bank's. */
export const listed = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};

/** Returns that can be read. The others keep nobody from reading the payment. */
const returns = Joi.any().custom((given: unknown) =>
  listed(given).flatMap((one): readonly Devolucao[] => {
    const { error, value } = devolucao.required().validate(one, { convert: false });
    return error || (value.id === undefined && value.rtrId === undefined) ? [] : [value];
  }),
);
const pix = Joi.object({
  endToEndId: Joi.string().length(32).required(),
  txid: text,
  valor: valor.required(),
  horario: instant.required(),
  devolucoes: returns,
})
  .unknown()
  .custom((value: Pix, helpers) => {
    const told = listed(helpers.original.devolucoes).length;
    const unreadable = told - (value.devolucoes?.length ?? 0);
    return unreadable === 0 ? value : { ...value, unreadable };
  });
const cob = Joi.object({
  txid: Joi.string().required(),
  status: Joi.string().required(),
  calendario: Joi.object({
    criacao: instant,
    expiracao: Joi.number(),
    dataDeVencimento: Joi.string().pattern(/^\d{4}-\d\d-\d\d$/),
    validadeAposVencimento: Joi.number().integer(),
  }).unknown(),
  valor: Joi.object({ original: valor.required() }).unknown().required(),
  location: text,
  loc: Joi.object({ location: text }).unknown().empty(null),
  pixCopiaECola: text,
  // A payment that cannot be read leaves the charge undecided: nobody guesses about money.
  pix: Joi.alternatives(Joi.array().items(pix), pix).empty(null),
}).unknown();

export const reader =
  <T>(name: string, schema: Joi.Schema) =>
  (body: unknown): T => {
    const { error, value } = schema.required().validate(body, { convert: false });
    if (error) throw new Error(`the institution answers no ${name}: ${error.message}`);
    return value;
  };

/** Each throws for an answer of another shape: nothing follows from it. */
const readCobAsGiven = reader<Cob & { readonly pix?: Pix | readonly Pix[] }>('cob', cob);
export const readCob = (body: unknown): Cob => {
  const given = readCobAsGiven(body);
  const txid = chargeIdOf(given.txid) === null ? given.txid : given.txid.toLowerCase();
  return { ...given, txid, ...(given.pix === undefined ? {} : { pix: [given.pix].flat() }) };
};
export const readPix = reader<Pix>('pix', pix);
/** A list of Pix in an answer; absent means none. Throws where one cannot be read. */
export const readPixes = (given: unknown): readonly Pix[] => listed(given).map(readPix);
const list = Joi.object({
  pix: Joi.any(),
  parametros: Joi.object({
    paginacao: Joi.object({ quantidadeDePaginas: Joi.number().integer() }).unknown(),
  }).unknown(),
}).unknown();
type Listed = {
  readonly pix?: unknown;
  readonly parametros?: { readonly paginacao?: { readonly quantidadeDePaginas?: number } };
};
const readListed = reader<Listed>('list of Pix', list);

/** A page of received Pix, with the number of those that nobody can read, and how many pages there are. */
export const readPage = (
  body: unknown,
): { readonly pixes: readonly Pix[]; readonly unreadable: number; readonly pages: number } => {
  const { pix: given, parametros } = readListed(body);
  const told = listed(given);
  const pixes = told.flatMap((one): readonly Pix[] => {
    const { error, value } = pix.required().validate(one, { convert: false });
    return error ? [] : [value];
  });
  return {
    pixes,
    unreadable: told.length - pixes.length,
    pages: parametros?.paginacao?.quantidadeDePaginas ?? 1,
  };
};
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
      if (!open.instructions) throw new Error('the institution answers no cob: it has no way to pay it');
      return { ...open, status: 'pending' };
    // No status of the API, but of several institutions.
    case 'EXPIRADA':
      return { ...open, status: 'failed', failureReason: 'expired' };
    case 'REMOVIDA_PELO_USUARIO_RECEBEDOR':
      return { ...open, status: 'failed', failureReason: 'cancelled' };
    case 'REMOVIDA_PELO_PSP':
      return { ...open, status: 'failed', failureReason: 'removed_by_institution' };
    default:
      throw new UnknownStatus('the institution', cob.status, 'a charge without a Pix');
  }
};

const byTime = (one: Pix, other: Pix): number =>
  Date.parse(instantOf(one.horario)) - Date.parse(instantOf(other.horario)) ||
  one.endToEndId.localeCompare(other.endToEndId);

const paidBy = (pix: Pix, cob: Cob | null): PaymentState => ({
  status: 'paid',
  pspRefId: pix.endToEndId,
  failureReason: null,
  paidAt: instantOf(pix.horario),
  instructions: cob && instructionsOf(cob, pix.endToEndId),
  echo: moneyOf(pix.valor),
});

/** A time without a zone is Brasília's, which has had no summer time since 2019. */
export const instantOf = (horario: string): Timestamp =>
  timestamp(new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(horario) ? horario : `${horario}-03:00`));

/** When nobody can pay a charge any more; null where the institution does not say. */
export const endOf = ({ calendario = {} }: Cob): Date | null => {
  const { criacao, expiracao, dataDeVencimento: dueDate, validadeAposVencimento } = calendario;
  if (dueDate !== undefined)
    return new Date(expiryOfDue({ dueDate, daysAfterDue: validadeAposVencimento ?? DEFAULT_DAYS_AFTER_DUE }));
  return criacao === undefined || expiracao === undefined
    ? null
    : new Date(Date.parse(instantOf(criacao)) + expiracao * 1_000);
};

/** Null where the institution says no way to pay, as it may of a charge that is paid. */
const instructionsOf = (cob: Cob, endToEndId: string | null): PaymentInstructions | null => {
  const location = (cob.location ?? cob.loc?.location)?.replace(/^https?:\/\//i, '');
  const { amount } = moneyOf(cob.valor.original);
  const copyPaste =
    cob.pixCopiaECola ?? (location && buildBrCode({ location, amount, merchantName: '', merchantCity: '' }));
  return copyPaste ? { type: 'pix', endToEndId, copyPaste } : null;
};

/** The state of a refund. Throws for a status that nobody knows, and for one of another amount. */
export const refundStateOf = (given: Devolucao, asked: Money): RefundState => {
  if (moneyOf(given.valor).amount !== asked.amount)
    throw new Error(`the institution gave back ${given.valor} where ${reais(asked.amount)} was asked for`);
  return stateOf(given);
};

const stateOf = ({ status, rtrId }: Devolucao): RefundState => {
  const pspRefundRefId = rtrId ?? null;
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return { status: 'pending', reason: null, pspRefundRefId };
    case 'DEVOLVIDO':
      return { status: 'refunded', reason: null, pspRefundRefId };
    case 'NAO_REALIZADO':
      return { status: 'failed', reason: 'not_carried_out', pspRefundRefId };
    default:
      throw new UnknownStatus('the institution', status, 'a devolucao');
  }
};

/** Returns that the payer's bank has demanded: for fraud, or for a fault in its operation (MED). */
const isDemandedByPayersBank = ({ natureza = '' }: Devolucao): boolean => natureza.startsWith('MED');

/** All that a received Pix says: that it was paid, and what was given back of it. `cob` is null without a charge. */
export const notificationsOf = (pix: Pix, cob: Cob | null): readonly ProviderNotification[] =>
  newsOf(pix, (pix.txid && chargeIdOf(pix.txid)) || pix.txid || pix.endToEndId, paidBy(pix, cob));

/** Notifications about a Pix whose payment is known already, with the state of that. */
export const newsOf = (pix: Pix, reference: string, state: PaymentState): readonly ProviderNotification[] => {
  const payment: ProviderNotification = {
    ...moneyOf(pix.valor),
    id: pix.endToEndId,
    livemode: true,
    kind: 'payment',
    reference,
    state,
  };
  return [payment, ...(pix.devolucoes ?? []).map((given) => aboutReturn(pix, reference, given))];
};

const aboutReturn = (pix: Pix, reference: string, given: Devolucao): ProviderNotification => {
  const name = given.id ?? given.rtrId ?? '';
  const id = `${pix.endToEndId}/${name}/${given.status}`;
  const about = { ...moneyOf(given.valor), id, livemode: true };
  if (!isDemandedByPayersBank(given))
    return {
      ...{ ...about, kind: 'refund', reference: referenceOf(name) ?? name },
      ...{ state: stateOf(given), paymentReference: reference },
    };
  return given.status === 'DEVOLVIDO'
    ? { ...about, kind: 'chargeback', reference, pspRefId: given.rtrId ?? name }
    : { id, livemode: true, kind: 'other', type: `${given.natureza} ${given.status}` };
};
