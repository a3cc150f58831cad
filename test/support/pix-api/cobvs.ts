import { buildBrCode } from '../../../src/modules/providers/pix/br-code.ts';
import { cents, type Pix, Problem } from './records.ts';

type Portion = { readonly modalidade: number; readonly valorPerc: string };
type Desconto = {
  readonly modalidade: number;
  readonly valorPerc?: string;
  readonly descontoDataFixa?: readonly { readonly data: string; readonly valorPerc: string }[];
};
/** The body of a charge with a due date, as the OpenAPI file has checked it. */
type Body = Readonly<Record<string, unknown>> & {
  readonly chave: string;
  readonly calendario: { readonly dataDeVencimento: string; readonly validadeAposVencimento?: number };
  readonly devedor: Readonly<Record<string, string>>;
  readonly valor: {
    readonly original: string;
    readonly multa?: Portion;
    readonly juros?: Portion;
    readonly abatimento?: Portion;
    readonly desconto?: Desconto;
  };
};
type Cobv = {
  readonly txid: string;
  readonly body: Body;
  readonly criacao: Date;
  readonly location: string;
  status: string;
  revisao: number;
  readonly pix: Pix[];
};

const RECEBEDOR = {
  cnpj: '11222333000181',
  nome: 'Loja da Ana',
  logradouro: 'Rua das Flores 80',
  cidade: 'Recife',
  uf: 'PE',
  cep: '50010000',
};
const DEFAULT_VALIDADE = 30;

const DAY = 86_400_000;
const isoOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;
/** Brasília's day, which has had no summer time since 2019. */
const localDay = (at: Date): number => Math.floor((at.getTime() - 3 * 3_600_000) / DAY);

/**
 * Charges with a due date (`cobv`) of the double. It computes by itself what is due, in the words of the API and with
 * decimals, so that it proves the gateway's rules and repeats none of their code.
 */
export const createCobvs = (deps: {
  readonly now: () => Date;
  readonly key: string;
  readonly newLocation: () => string;
  readonly isTaken: (txid: string) => boolean;
  readonly isHidden: (txid: string) => boolean;
  readonly note: (txid: string) => void;
  readonly shownPix: (pix: Pix) => unknown;
}) => {
  const all = new Map<string, Cobv>();
  /** Its own, which need not be those that the gateway knows. */
  const holidays = new Set<string>();

  const isBusinessDay = (day: number): boolean =>
    ![0, 6].includes(new Date(day * DAY).getUTCDay()) && !holidays.has(isoOf(day));
  const rolled = (date: number): number => {
    let day = date;
    while (!isBusinessDay(day)) day += 1;
    return day;
  };
  const businessDays = (from: number, until: number): number => {
    let count = 0;
    for (let day = from + 1; day <= until; day += 1) if (isBusinessDay(day)) count += 1;
    return count;
  };
  const dueDay = ({ body }: Cobv): number => rolled(dayOf(body.calendario.dataDeVencimento));
  const lastDay = (cobv: Cobv): number =>
    rolled(dueDay(cobv) + (cobv.body.calendario.validadeAposVencimento ?? DEFAULT_VALIDADE));

  const rounded = (reais: number): number => Math.round(Number(`${reais.toFixed(9)}e2`)) / 100;

  const descontoOf = (cobv: Cobv, base: number, day: number): number => {
    const { desconto } = cobv.body.valor;
    if (!desconto) return 0;
    const { modalidade } = desconto;
    if (modalidade <= 2) {
      const found = desconto.descontoDataFixa?.find(({ data }) => day <= rolled(dayOf(data)));
      if (!found) return 0;
      return modalidade === 1 ? Number(found.valorPerc) : rounded((base * Number(found.valorPerc)) / 100);
    }
    const due = dueDay(cobv);
    const days = Math.max(0, modalidade === 3 || modalidade === 5 ? due - day : businessDays(day, due));
    const value = Number(desconto.valorPerc);
    return modalidade <= 4 ? rounded(value * days) : rounded((base * value * days) / 100);
  };

  const jurosOf = (cobv: Cobv, base: number, day: number): number => {
    const { juros } = cobv.body.valor;
    const due = dueDay(cobv);
    if (!juros || day < rolled(due + 1)) return 0;
    const inBusinessDays = juros.modalidade > 4;
    const days = inBusinessDays ? businessDays(due, day) : day - due;
    const value = Number(juros.valorPerc);
    const kind = inBusinessDays ? juros.modalidade - 4 : juros.modalidade;
    if (kind === 1) return rounded(value * days);
    const n = { 2: 1, 3: inBusinessDays ? 21 : 30, 4: inBusinessDays ? 252 : 365 }[kind as 2 | 3 | 4];
    return rounded((base * value * days) / (100 * n));
  };

  /** In cents. */
  const dueOn = (cobv: Cobv, at: Date): number => {
    const { original, abatimento, multa } = cobv.body.valor;
    const whole = Number(original);
    const day = localDay(at);
    const share = (portion: Portion | undefined, of: number): number => {
      if (!portion) return 0;
      return portion.modalidade === 1
        ? Number(portion.valorPerc)
        : rounded((of * Number(portion.valorPerc)) / 100);
    };
    const base = whole - share(abatimento, whole);
    const late = day >= rolled(dueDay(cobv) + 1);
    const sum =
      base - descontoOf(cobv, base, day) + (late ? share(multa, base) : 0) + jurosOf(cobv, base, day);
    return Math.round(sum * 100);
  };

  const named = (txid: string): Cobv => {
    const cobv = all.get(txid);
    if (!cobv || deps.isHidden(txid)) throw new Problem(404, 'CobVNaoEncontrada', 'no charge with this txid');
    return cobv;
  };

  const shown = (cobv: Cobv, withPix: boolean) => ({
    ...cobv.body,
    calendario: {
      criacao: cobv.criacao.toISOString(),
      validadeAposVencimento: DEFAULT_VALIDADE,
      ...cobv.body.calendario,
    },
    txid: cobv.txid,
    revisao: cobv.revisao,
    status: cobv.status,
    location: cobv.location,
    recebedor: RECEBEDOR,
    pixCopiaECola: buildBrCode({
      location: cobv.location,
      amount: cents(cobv.body.valor.original),
      merchantName: 'Loja da Ana',
      merchantCity: 'Recife',
    }),
    ...(withPix && cobv.pix.length > 0 ? { pix: cobv.pix.map(deps.shownPix) } : {}),
  });

  /** The rules of the API's section of errors, which its schemas do not say. */
  const assertRight = ({ chave, calendario, valor, devedor }: Body): void => {
    const refuse = (detail: string): never => {
      throw new Problem(400, 'CobVOperacaoInvalida', detail);
    };
    if (chave !== deps.key) refuse('the key is not the receiver’s');
    if (dayOf(calendario.dataDeVencimento) < localDay(deps.now())) refuse('the due date lies in the past');
    if ((calendario.validadeAposVencimento ?? 0) < 0) refuse('validadeAposVencimento is less than zero');
    if (cents(valor.original) === 0) refuse('nothing to pay');
    for (const member of ['logradouro', 'cidade', 'uf', 'cep'])
      if (!devedor[member]) refuse(`devedor lacks ${member}`);
    const isWhole = ({ modalidade, valorPerc }: Portion): boolean =>
      Number(valorPerc) >= (modalidade === 1 ? Number(valor.original) : 100);
    if (valor.abatimento && isWhole(valor.abatimento)) refuse('the rebate is the whole amount');
    const { desconto } = valor;
    if (!desconto) return;
    const { modalidade, valorPerc, descontoDataFixa = [] } = desconto;
    if (modalidade <= 2) {
      if (valorPerc !== undefined || descontoDataFixa.length === 0) refuse('a discount without its days');
      for (const { data, valorPerc: value } of descontoDataFixa) {
        if (dayOf(data) > dayOf(calendario.dataDeVencimento)) refuse('a discount after the due date');
        if (isWhole({ modalidade, valorPerc: value })) refuse('a discount is the whole amount');
      }
    } else if (valorPerc === undefined || descontoDataFixa.length > 0)
      refuse('a discount with days of its own');
  };

  return {
    all,
    holidays,
    has: (txid: string): boolean => all.has(txid),
    find: (txid: string): Cobv | undefined => all.get(txid),
    /** The amount of a charge that is due at a moment, in cents; null for a charge without a due date. */
    dueOn(txid: string, at: Date): number | null {
      const cobv = all.get(txid);
      return cobv ? dueOn(cobv, at) : null;
    },
    isPayable(txid: string, at: Date): boolean {
      const cobv = all.get(txid);
      return cobv !== undefined && localDay(at) <= lastDay(cobv);
    },
    shown: (txid: string) => shown(named(txid), true),

    put(txid: string, body: Body) {
      if (all.has(txid) || deps.isTaken(txid))
        throw new Problem(400, 'CobVOperacaoInvalida', 'the txid is taken');
      assertRight(body);
      const location = deps.newLocation();
      const cobv: Cobv = { txid, body, criacao: deps.now(), location, status: 'ATIVA', revisao: 0, pix: [] };
      all.set(txid, cobv);
      deps.note(txid);
      return { status: 201, body: shown(cobv, false) };
    },

    patch(txid: string, body: Readonly<Record<string, unknown>>) {
      const cobv = named(txid);
      if (cobv.status !== 'ATIVA')
        throw new Problem(400, 'CobVOperacaoInvalida', `the charge is ${cobv.status}`);
      if (localDay(deps.now()) > lastDay(cobv))
        throw new Problem(400, 'CobVOperacaoInvalida', 'the charge is over');
      if (body.status && Object.keys(body).length > 1)
        throw new Problem(400, 'CobVOperacaoInvalida', 'a charge is removed or changed, not both');
      if (body.status) cobv.status = String(body.status);
      cobv.revisao += 1;
      return { status: 200, body: shown(cobv, false) };
    },
  };
};
