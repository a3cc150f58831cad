import Joi from 'joi';
import { dayOf } from '../../../kernel/business-days.ts';
import { timestamp } from '../../../kernel/clock.ts';
import { endOfPixDay, type MandateTerms } from '../pix/mandate-terms.ts';
import {
  type EnrollRequest,
  type MandateState,
  type PaymentState,
  type PlannedPix,
  UnknownStatus,
} from '../provider.ts';
import {
  instantOf,
  listed,
  moneyOf,
  type Pix,
  reader,
  readPixes,
  reais,
  type Valor,
  valor,
} from './answers.ts';
import { devedorOf } from './cobv.ts';
import { txidOf } from './references.ts';

/** Mandates (`rec`) and charges under them (`cobr`) of the API Pix 2.9.0, as an institution says them. */

const text = Joi.string().empty(['', null]);

/** A step of a history. Examples of the central bank's write `nome` where its schema has `status`. */
const step = Joi.object({ status: text, nome: text }).unknown();
type Step = { readonly status?: string; readonly nome?: string };

/** A mandate as the institution keeps it. */
type Rec = {
  readonly idRec: string;
  readonly status: string;
  readonly atualizacao?: readonly Step[];
  readonly ativacao?: { readonly tipoJornada?: string };
  readonly dadosQR?: { readonly pixCopiaECola?: string };
};

export const readRec = reader<Rec>(
  'rec',
  Joi.object({
    idRec: Joi.string().max(64).required(),
    status: Joi.string().required(),
    atualizacao: Joi.array().items(step).empty(null),
    ativacao: Joi.object({ tipoJornada: text }).unknown().empty(null),
    dadosQR: Joi.object({ pixCopiaECola: text }).unknown().empty(null),
  }).unknown(),
);

export const readLocation = reader<{ readonly id: number; readonly idRec?: string }>(
  'location',
  Joi.object({ id: Joi.number().integer().required(), idRec: text }).unknown(),
);

const PERIODS: Readonly<Record<number, string>> = {
  1: 'MENSAL',
  3: 'TRIMESTRAL',
  6: 'SEMESTRAL',
  12: 'ANUAL',
};

const periodicityOf = ({ interval, intervalCount }: MandateTerms): string => {
  if (interval === 'week') return 'SEMANAL';
  const period = PERIODS[interval === 'year' ? 12 * intervalCount : intervalCount];
  if (period === undefined) throw new Error(`a mandate cannot recur every ${intervalCount} ${interval}s`);
  return period;
};

const RETRY_POLICIES: Readonly<Record<MandateTerms['retries'], string>> = {
  none: 'NAO_PERMITE',
  three_in_seven_days: 'PERMITE_3R_7D',
};

/** Most characters of the payer's name. */
const MAX_NAME = 140;

/** The body of `POST /rec`. */
export const recOf = ({ terms, payer, firstCharge }: EnrollRequest, location: number) => {
  const devedor = devedorOf(payer, MAX_NAME);
  if (!devedor) throw new Error('a mandate has no payer with a tax number');
  const { startDate, endDate, amount, minimumAmount, contract, description } = terms;
  return {
    vinculo: { contrato: contract, objeto: description, devedor },
    calendario: {
      dataInicial: startDate,
      ...(endDate !== null && { dataFinal: endDate }),
      periodicidade: periodicityOf(terms),
    },
    ...(amount !== null
      ? { valor: { valorRec: reais(amount) } }
      : minimumAmount !== null
        ? { valor: { valorMinimoRecebedor: reais(minimumAmount) } }
        : {}),
    politicaRetentativa: RETRY_POLICIES[terms.retries],
    loc: location,
    ...(firstCharge !== null && { ativacao: { dadosJornada: { txid: txidOf(firstCharge) } } }),
  };
};

const wasApproved = ({ atualizacao = [], ativacao }: Rec): boolean =>
  atualizacao.some(({ status, nome }) => (status ?? nome) === 'APROVADA') ||
  /^JORNADA_\d$/.test(ativacao?.tipoJornada ?? '');

/** The state of a mandate. Throws for a status that nobody knows: the mandate stays as it is. */
export const mandateStateOf = (rec: Rec): MandateState => {
  const known = { providerMethod: rec.idRec, copyPaste: null, failureReason: null };
  const ended = (failed: string, revoked: string): MandateState =>
    wasApproved(rec)
      ? { ...known, status: 'revoked', failureReason: revoked }
      : { ...known, status: 'failed', failureReason: failed };
  switch (rec.status) {
    case 'CRIADA':
      return { ...known, status: 'pending', copyPaste: rec.dadosQR?.pixCopiaECola ?? null };
    case 'APROVADA':
      return { ...known, status: 'active' };
    case 'REJEITADA':
      return { ...known, status: 'failed', failureReason: 'rejected' };
    case 'EXPIRADA':
      return ended('mandate_expired', 'mandate_expired');
    case 'CANCELADA':
      return ended('cancelled', 'mandate_cancelled');
    default:
      throw new UnknownStatus('the institution', rec.status, 'a mandate');
  }
};

/** One attempt of the payer's bank to pay a charge under a mandate. */
type Tentativa = {
  readonly dataLiquidacao: string;
  readonly tipo?: string;
  readonly status: string;
  readonly endToEndId?: string;
  readonly rejeicao?: { readonly codigo?: string };
};

/** A charge under a mandate, with its first attempt and its retries. */
export type Cobr = {
  readonly idRec: string;
  readonly txid: string;
  readonly status: string;
  readonly valor: { readonly original: Valor };
  readonly tentativas: readonly Tentativa[];
  readonly pix: readonly Pix[];
  readonly encerramento?: {
    readonly cancelamento?: { readonly solicitante?: string };
    readonly rejeicao?: { readonly codigo?: string };
  };
};

const rejection = Joi.object({ codigo: text }).unknown().empty(null);
const readCobrAsGiven = reader<Omit<Cobr, 'pix' | 'tentativas'> & { readonly [name: string]: unknown }>(
  'cobr',
  Joi.object({
    idRec: Joi.string().max(64).required(),
    txid: Joi.string().required(),
    status: Joi.string().required(),
    valor: Joi.object({ original: valor.required() }).unknown().required(),
    encerramento: Joi.object({
      cancelamento: Joi.object({ solicitante: text }).unknown().empty(null),
      rejeicao: rejection,
    })
      .unknown()
      .empty(null),
  }).unknown(),
);
const readTentativa = reader<Tentativa>(
  'tentativa',
  Joi.object({
    dataLiquidacao: Joi.string()
      .pattern(/^\d{4}-\d\d-\d\d/)
      .required(),
    tipo: text,
    status: Joi.string().required(),
    endToEndId: text,
    rejeicao: rejection,
  }).unknown(),
);

/** Throws for an answer of another shape, and for one with a payment that cannot be read: nobody guesses about money. */
export const readCobr = (body: unknown): Cobr => {
  const { pix, tentativas, ...cobr } = readCobrAsGiven(body);
  return {
    ...cobr,
    txid: cobr.txid.toLowerCase(),
    pix: readPixes(pix),
    tentativas: listed(tentativas)
      .map(readTentativa)
      .map((one) => ({ ...one, dataLiquidacao: one.dataLiquidacao.slice(0, 10) })),
  };
};

/** A charge of the gateway within a `cobr`: the first attempt of its cycle, or the retry of a day. */
export type Part = Pick<PlannedPix, 'on' | 'retryOf'> & { readonly reference: string };

const FIRST_ATTEMPT = 'AGND';
const NEW_ATTEMPT = 'NTAG';

/**
 * The charge as this gateway counts its attempts: a retry on a day that it did not ask for is an attempt of the first
 * charge. Somebody asked for that at the institution itself, or the institution moved a retry to another day.
 */
export const countedBy = (asked: readonly string[], cobr: Cobr): Cobr => ({
  ...cobr,
  tentativas: cobr.tentativas.map((one) =>
    one.tipo === NEW_ATTEMPT && !asked.includes(one.dataLiquidacao) ? { ...one, tipo: FIRST_ATTEMPT } : one,
  ),
});

/** Attempts of one charge. The bank may make several on one day. */
const attemptsOf = ({ tentativas }: Cobr, { on, retryOf }: Part): readonly Tentativa[] => {
  const days = tentativas.filter(({ tipo }) => tipo === NEW_ATTEMPT).map((one) => one.dataLiquidacao);
  return tentativas.filter(({ dataLiquidacao }) =>
    retryOf === null ? !days.includes(dataLiquidacao) : dataLiquidacao === on && days.includes(on),
  );
};

const OPEN = ['SOLICITADA', 'AGENDADA'];
const ENDED = ['PAGA', 'CANCELADA', 'REJEITADA', 'EXPIRADA'];
const IN_FORCE = ['CRIADA', 'ATIVA', 'CONCLUIDA'];

/** Reasons by the ISO 20022 codes that tell one; any other code is the reason itself. */
const REASONS: Readonly<Record<string, string>> = {
  AC05: 'account_closed',
  AC06: 'account_blocked',
  AM02: 'amount_not_allowed',
  AM09: 'amount_not_allowed',
};
const rejected = (code: string | undefined): string =>
  code === undefined ? 'rejected' : (REASONS[code] ?? `rejected_${code.toLowerCase()}`);

/** Why an attempt was not paid. */
const reasonOf = ({ encerramento = {} }: Cobr, last: Tentativa | undefined): string => {
  if (last?.rejeicao) return rejected(last.rejeicao.codigo);
  if (last?.status === 'EXPIRADA') return 'not_paid';
  const { cancelamento, rejeicao } = encerramento;
  if (rejeicao) return rejected(rejeicao.codigo);
  if (!cancelamento) return last?.status === 'CANCELADA' ? 'cancelled_by_payer' : 'not_paid';
  return cancelamento.solicitante === 'USUARIO_RECEBEDOR' ? 'cancelled' : 'cancelled_by_payer';
};

/** The Pix that has paid a charge; its end-to-end identifier alone where the institution says no more; null without. */
export const paidBy = (cobr: Cobr, part: Part): Pix | string | null => {
  const mine = attemptsOf(cobr, part);
  const paid = mine.find(({ status }) => status === 'PAGA');
  const [only] = cobr.pix;
  if (paid?.endToEndId)
    return cobr.pix.find(({ endToEndId }) => endToEndId === paid.endToEndId) ?? paid.endToEndId;
  if (paid) return cobr.pix.length === 1 && only ? only : null;
  if (cobr.tentativas.some(({ status }) => status === 'PAGA')) return null;
  if (cobr.tentativas.length === 0) return part.retryOf === null ? (only ?? null) : null;
  return cobr.pix.find((one) => mine.some(({ endToEndId }) => endToEndId === one.endToEndId)) ?? null;
};

/** Whether a bank that has rejected an attempt may still make another one on the evening of its day (`RIFL`). */
const mayPayThatDay = (cobr: Cobr, mine: readonly Tentativa[], now: Date): boolean =>
  cobr.status === 'ATIVA' &&
  mine.some(
    ({ status, dataLiquidacao }) =>
      status === 'REJEITADA' && endOfPixDay(dayOf(dataLiquidacao)) > timestamp(now),
  );

/**
 * The state of a charge that no Pix has paid; null for a retry that the institution was never asked for. Throws for a
 * status that nobody knows.
 */
export const unpaidState = (cobr: Cobr, part: Part, now: Date): PaymentState | null => {
  const mine = attemptsOf(cobr, part);
  if (part.retryOf !== null && mine.length === 0) return null;
  const unknown = mine.find(({ status }) => ![...OPEN, ...ENDED].includes(status));
  if (unknown) throw new UnknownStatus('the institution', unknown.status, 'an attempt of a planned charge');
  if (![...IN_FORCE, 'EXPIRADA', 'REJEITADA', 'CANCELADA'].includes(cobr.status))
    throw new UnknownStatus('the institution', cobr.status, 'a planned charge');
  const last = mine.at(-1);
  const state = {
    pspRefId: txidOf(part.reference),
    paidAt: null,
    instructions: { type: 'pix_automatic', endToEndId: last?.endToEndId ?? null } as const,
    echo: moneyOf(cobr.valor.original),
  };
  const isOpen =
    mine.length === 0 || mine.some(({ status }) => OPEN.includes(status)) || mayPayThatDay(cobr, mine, now);
  if (isOpen && IN_FORCE.includes(cobr.status)) {
    // It says that it is paid, and not yet by which Pix.
    if (cobr.status === 'CONCLUIDA' && part.retryOf === null && cobr.tentativas.length === 0)
      throw new UnknownStatus('the institution', cobr.status, 'a planned charge without a Pix');
    return { ...state, status: 'pending', failureReason: null };
  }
  if (mine.some(({ status }) => status === 'PAGA'))
    throw new UnknownStatus('the institution', 'PAGA', 'an attempt without a Pix');
  return { ...state, status: 'failed', failureReason: reasonOf(cobr, last) };
};

/** The state of a charge that a Pix has paid. */
export const paidState = (pix: Pix): PaymentState => ({
  status: 'paid',
  pspRefId: pix.endToEndId,
  failureReason: null,
  paidAt: instantOf(pix.horario),
  instructions: { type: 'pix_automatic', endToEndId: pix.endToEndId },
  echo: moneyOf(pix.valor),
});
