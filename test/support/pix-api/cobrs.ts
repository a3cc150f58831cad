import { cents, type Pix, Problem } from './records.ts';
import { dayOf, isoOf, isPastCutOff, localDay, type Rec } from './recs.ts';

/** The body of `PUT /cobr/{txid}`, as the OpenAPI file has checked it. */
type Body = Readonly<Record<string, unknown>> & {
  readonly idRec: string;
  readonly calendario: { readonly dataDeVencimento: string };
  readonly valor: { readonly original: string };
  readonly ajusteDiaUtil: boolean;
  readonly recebedor: { readonly agencia?: string; readonly conta: string; readonly tipoConta: string };
};
type Step = { readonly status: string; readonly data: string };
type Tentativa = {
  readonly dataLiquidacao: string;
  readonly tipo: 'AGND' | 'NTAG' | 'RIFL';
  readonly endToEndId: string;
  status: 'AGENDADA' | 'PAGA' | 'CANCELADA' | 'REJEITADA' | 'EXPIRADA';
  readonly atualizacao: Step[];
  rejeicao?: { readonly codigo: string; readonly descricao: string };
};
export type Cobr = {
  readonly txid: string;
  readonly body: Body;
  readonly criacao: number;
  status: 'CRIADA' | 'ATIVA' | 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA';
  readonly atualizacao: Step[];
  readonly tentativas: Tentativa[];
  readonly pix: Pix[];
  encerramento?: object;
};

const RECEBEDOR = { cnpj: '11222333000181', nome: 'Loja da Ana' };
const EARLIEST = 10;
const LATEST = 2;
const RETRIES = 3;
const RETRIED_WITHIN = 7;
const MONTHS: Readonly<Record<string, number>> = { MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 };

/** Which cycle a day belongs to, counted from the first day of the mandate. */
const cycleOf = ({ body: { calendario } }: Rec, day: number): number => {
  const start = dayOf(calendario.dataInicial);
  if (calendario.periodicidade === 'SEMANAL') return Math.floor((day - start) / 7);
  const [from, to] = [new Date(start * 86_400_000), new Date(day * 86_400_000)];
  const lastOfMonth = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  const isBefore = to.getUTCDate() < Math.min(from.getUTCDate(), lastOfMonth);
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return Math.floor((months - (isBefore ? 1 : 0)) / (MONTHS[calendario.periodicidade] ?? 1));
};

/** Charges under mandates (`cobr`) of the double, which the payer's bank pays on their day, or does not. */
export const createCobrs = (deps: {
  readonly now: () => Date;
  readonly account: { readonly agencia: string; readonly conta: string; readonly tipoConta: string };
  readonly holidays: ReadonlySet<string>;
  readonly recOf: (idRec: string) => Rec | undefined;
  readonly isTaken: (txid: string) => boolean;
  readonly isHidden: (txid: string) => boolean;
  readonly note: (txid: string) => void;
  readonly newEndToEndId: (at: Date) => string;
}) => {
  const all = new Map<string, Cobr>();
  const { now } = deps;

  const isBusinessDay = (day: number): boolean =>
    ![0, 6].includes(new Date(day * 86_400_000).getUTCDay()) && !deps.holidays.has(isoOf(day));
  const rolled = (date: number): number => {
    let day = date;
    while (!isBusinessDay(day)) day += 1;
    return day;
  };

  const refuse = (detail: string): never => {
    throw new Problem(400, 'CobROperacaoInvalida', detail);
  };
  const step = (status: string): Step => ({ status, data: now().toISOString() });
  const move = (one: { status: string; readonly atualizacao: Step[] }, status: string): void => {
    one.status = status;
    one.atualizacao.push(step(status));
  };

  const named = (txid = ''): Cobr => {
    const cobr = all.get(txid);
    if (!cobr || deps.isHidden(txid))
      throw new Problem(404, 'CobRNaoEncontrado', 'no planned charge with this txid');
    return cobr;
  };

  const recOf = ({ body: { idRec } }: Pick<Cobr, 'body'>): Rec => {
    const rec = deps.recOf(idRec);
    return rec ?? refuse('there is no such mandate');
  };

  const shown = (cobr: Cobr) => ({
    ...cobr.body,
    txid: cobr.txid,
    calendario: { ...cobr.body.calendario, criacao: isoOf(cobr.criacao) },
    recebedor: { ...cobr.body.recebedor, ...RECEBEDOR },
    status: cobr.status,
    politicaRetentativa: recOf(cobr).body.politicaRetentativa,
    atualizacao: cobr.atualizacao,
    tentativas: cobr.tentativas,
    ...(cobr.encerramento && { encerramento: cobr.encerramento }),
    ...(cobr.pix.length > 0 && { pix: cobr.pix.map(shownPix) }),
  });
  const shownPix = (pix: Pix) => {
    const { endToEndId, txid, valor, horario, devolucoes } = pix;
    return { endToEndId, txid, valor, horario, ...(devolucoes.length > 0 && { devolucoes }) };
  };

  const schedule = (cobr: Cobr, day: number, tipo: Tentativa['tipo']): void => {
    const endToEndId = deps.newEndToEndId(now());
    const tentativa: Tentativa = {
      ...{ dataLiquidacao: isoOf(day), tipo, endToEndId, status: 'AGENDADA' },
      atualizacao: [step('SOLICITADA'), step('AGENDADA')],
    };
    cobr.tentativas.push(tentativa);
  };

  const cancel = (cobr: Cobr, solicitante: string): void => {
    for (const one of cobr.tentativas) if (one.status === 'AGENDADA') move(one, 'CANCELADA');
    move(cobr, 'CANCELADA');
    const codigo = solicitante === 'USUARIO_PAGADOR' ? 'SLBD' : 'SLCR';
    cobr.encerramento = { cancelamento: { solicitante, codigo, descricao: 'cancelled' } };
  };

  const isOpen = ({ status }: Cobr): boolean => status === 'CRIADA' || status === 'ATIVA';

  /** Rules that the API's schemas do not say: mandate, account, amount, window and cycle. */
  const assertRight = (txid: string, body: Body): void => {
    if (all.has(txid) || deps.isTaken(txid)) refuse('the txid is taken');
    const rec = recOf({ body });
    if (rec.isOfAnother) refuse('the mandate is another receiver’s');
    if (rec.status !== 'APROVADA') refuse(`the mandate is ${rec.status}`);
    const { agencia, conta, tipoConta } = body.recebedor;
    if (
      agencia !== deps.account.agencia ||
      conta !== deps.account.conta ||
      tipoConta !== deps.account.tipoConta
    )
      refuse('the account is not the receiver’s');
    const { valorRec, valorMinimoRecebedor } = rec.body.valor ?? {};
    const amount = cents(body.valor.original);
    if (amount === 0) refuse('nothing to pay');
    if (valorRec && cents(valorRec) !== amount) refuse('the mandate has another amount');
    if (valorMinimoRecebedor && cents(valorMinimoRecebedor) > amount) refuse('less than the minimum');
    const due = dayOf(body.calendario.dataDeVencimento);
    const ahead = due - localDay(now());
    if (ahead < LATEST || ahead > EARLIEST) refuse(`due in ${ahead} days`);
    const { dataInicial, dataFinal } = rec.body.calendario;
    if (due < dayOf(dataInicial) || (dataFinal && due > dayOf(dataFinal))) refuse('outside of the mandate');
    if (!body.ajusteDiaUtil && !isBusinessDay(due)) refuse('due on a day that is no business day');
    const cycle = cycleOf(rec, due);
    for (const other of all.values())
      if (
        other.body.idRec === rec.idRec &&
        !['REJEITADA', 'CANCELADA'].includes(other.status) &&
        cycleOf(rec, dayOf(other.body.calendario.dataDeVencimento)) === cycle
      )
        refuse('the cycle has a charge');
  };

  /** The bank's own further attempts on a day (`RIFL`) are no retries. */
  const retriesOf = ({ tentativas }: Cobr): number => tentativas.filter(({ tipo }) => tipo === 'NTAG').length;

  const firstDay = ({ tentativas: [first] }: Cobr): number => dayOf(first?.dataLiquidacao ?? '');

  const assertRetry = (cobr: Cobr, data: string): void => {
    const rec = recOf(cobr);
    const day = dayOf(data);
    if (rec.status !== 'APROVADA') refuse(`the mandate is ${rec.status}`);
    if (cobr.status !== 'ATIVA') refuse(`the charge is ${cobr.status}`);
    if (rec.body.politicaRetentativa === 'NAO_PERMITE') refuse('the mandate allows no retry');
    if (cobr.tentativas.some(({ status }) => status === 'AGENDADA')) refuse('an attempt is open');
    if (cobr.tentativas.some(({ dataLiquidacao }) => dataLiquidacao === data))
      refuse('an attempt on that day');
    if (retriesOf(cobr) >= RETRIES) refuse('three retries were made');
    if (day <= localDay(now())) refuse('the day does not lie ahead');
    if (isPastCutOff(day, now())) refuse('after 22:00 of the day before');
    if (day > firstDay(cobr) + RETRIED_WITHIN) refuse('more than seven days after the first attempt');
    const due = dayOf(cobr.body.calendario.dataDeVencimento);
    if (cycleOf(rec, day) !== cycleOf(rec, due)) refuse('a day of the next cycle');
    if (!isBusinessDay(day)) refuse('no business day');
  };

  /** The open attempt of a charge, on whose day the payer's bank acts. */
  const openOn = (cobr: Cobr): Tentativa => {
    const open = cobr.tentativas.find(({ status }) => status === 'AGENDADA');
    if (!open) throw new Error(`no attempt of ${cobr.txid} is open`);
    if (localDay(now()) < dayOf(open.dataLiquidacao)) throw new Error('the day of the attempt lies ahead');
    return open;
  };

  return {
    all,
    named,
    has: (txid: string): boolean => all.has(txid),

    put(txid: string, body: Body) {
      assertRight(txid, body);
      const cobr: Cobr = {
        ...{ txid, body, criacao: localDay(now()), status: 'CRIADA', atualizacao: [step('CRIADA')] },
        ...{ tentativas: [], pix: [] },
      };
      all.set(txid, cobr);
      deps.note(txid);
      const { tentativas: _, ...made } = shown(cobr);
      // The payer's bank accepts it at once, and the answer does not know that yet.
      const answer = structuredClone(made);
      schedule(cobr, rolled(dayOf(body.calendario.dataDeVencimento)), 'AGND');
      move(cobr, 'ATIVA');
      return { status: 201, body: answer };
    },

    get: (txid: string) => ({ status: 200, body: shown(named(txid)) }),

    patch(txid: string, { status }: Readonly<Record<string, unknown>>) {
      const cobr = named(txid);
      if (!isOpen(cobr)) refuse(`the charge is ${cobr.status}`);
      if (isPastCutOff(firstDay(cobr), now())) refuse('after 22:00 of the day before the first attempt');
      if (status === 'CANCELADA') cancel(cobr, 'USUARIO_RECEBEDOR');
      const { tentativas: _, ...answer } = shown(cobr);
      return { status: 200, body: answer };
    },

    retry(txid: string, data: string) {
      const cobr = named(txid);
      assertRetry(cobr, data);
      schedule(cobr, dayOf(data), 'NTAG');
      return { status: 201, body: shown(cobr) };
    },

    /** The end of a mandate takes what is planned under it along. */
    mandateEnded({ idRec }: Rec, solicitante: string): void {
      for (const cobr of all.values())
        if (cobr.body.idRec === idRec && isOpen(cobr)) cancel(cobr, solicitante);
    },

    /** Plays the payer's bank on the day of the open attempt; answers the attempt that it has paid, or not. */
    settle(txid: string, pays: boolean): Tentativa {
      const cobr = named(txid);
      const open = openOn(cobr);
      move(open, pays ? 'PAGA' : 'EXPIRADA');
      const isOver = recOf(cobr).body.politicaRetentativa === 'NAO_PERMITE' || retriesOf(cobr) >= RETRIES;
      if (pays) move(cobr, 'CONCLUIDA');
      else if (isOver) move(cobr, 'EXPIRADA');
      return open;
    },

    /** Plays a bank that rejects the open attempt in the morning of its day, for a reason that may pass. */
    reject(txid: string): void {
      const open = openOn(named(txid));
      move(open, 'REJEITADA');
      open.rejeicao = { codigo: 'AB10', descricao: 'a system of the payer’s bank has failed' };
    },

    /** Plays a bank that tries a rejected attempt once more on its day. */
    tryThatDay(txid: string): void {
      const cobr = named(txid);
      const last = cobr.tentativas.at(-1);
      if (last?.status !== 'REJEITADA') throw new Error(`no attempt of ${txid} is rejected`);
      if (localDay(now()) !== dayOf(last.dataLiquidacao)) throw new Error('the day of the attempt is over');
      schedule(cobr, dayOf(last.dataLiquidacao), 'RIFL');
    },

    /** A charge as a callback tells it. */
    notified(txid: string) {
      const { body, status, atualizacao, tentativas, pix, encerramento } = named(txid);
      return {
        ...{ idRec: body.idRec, txid, status, atualizacao, tentativas },
        ...(encerramento && { encerramento }),
        ...(pix.length > 0 && { pix: pix.map(shownPix) }),
      };
    },
  };
};
