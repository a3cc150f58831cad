import { Problem } from './records.ts';

/** Days and clocks of the double, which repeat none of the gateway's code. */
const DAY = 86_400_000;
export const isoOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY;
/** Brasília's day, which has had no summer time since 2019. */
export const localDay = (at: Date): number => Math.floor((at.getTime() - 3 * 3_600_000) / DAY);
/** 22:00 of the day before, in Brasília: 01:00 in UTC of the day itself. */
export const isPastCutOff = (day: number, now: Date): boolean => now.getTime() >= day * DAY + 3_600_000;

/** The body of `POST /rec`, as the OpenAPI file has checked it. */
type RecBody = Readonly<Record<string, unknown>> & {
  readonly vinculo: { readonly contrato: string; readonly devedor: Readonly<Record<string, string>> };
  readonly calendario: {
    readonly dataInicial: string;
    readonly dataFinal?: string;
    readonly periodicidade: string;
  };
  readonly valor?: { readonly valorRec?: string; readonly valorMinimoRecebedor?: string };
  readonly politicaRetentativa: 'NAO_PERMITE' | 'PERMITE_3R_7D';
  readonly loc?: number;
  readonly ativacao?: { readonly dadosJornada?: { readonly txid: string } };
};
type Step = { readonly status: string; readonly data: string };
type Location = {
  readonly id: number;
  readonly location: string;
  readonly criacao: Date;
  idRec?: string;
};
export type Rec = {
  readonly idRec: string;
  readonly body: RecBody;
  readonly loc: Location | null;
  /** Another receiver at the institution has it, who alone may read it and charge by it. */
  readonly isOfAnother?: true;
  status: 'CRIADA' | 'APROVADA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA';
  readonly atualizacao: Step[];
  jornada: string;
  encerramento?: object;
  pagador?: object;
};

const RECEBEDOR = { cnpj: '11222333000181', nome: 'Loja da Ana' };

/** Decisions of a payer on a mandate, in the app of the payer's bank. */
export type Decision = 'approve' | 'reject' | 'cancel';

/** Mandates (`rec`) of the double and the locations of their codes, with payers who decide on them. */
export const createRecs = (deps: {
  readonly now: () => Date;
  readonly ispb: string;
  readonly letters: (count: number) => string;
  /** Where the code of an immediate charge leads; null for a charge that cannot be paid. */
  readonly locationOfCob: (txid: string) => string | null;
  /** Ends the charges under a mandate that has ended. */
  readonly ended: (rec: Rec, solicitante: string) => void;
}) => {
  const all = new Map<string, Rec>();
  const locations = new Map<number, Location>();

  const refuse = (detail: string): never => {
    throw new Problem(400, 'RecOperacaoInvalida', detail);
  };

  const move = (rec: Rec, status: Rec['status']): void => {
    rec.status = status;
    rec.atualizacao.push({ status, data: deps.now().toISOString() });
  };

  const shownLocation = ({ criacao, ...location }: Location) => ({
    ...location,
    tipo: 'rec',
    criacao: criacao.toISOString(),
  });

  const shown = ({ body, jornada, encerramento, pagador, ...rec }: Rec) => ({
    ...body,
    idRec: rec.idRec,
    recebedor: RECEBEDOR,
    status: rec.status,
    atualizacao: rec.atualizacao,
    ativacao: { ...body.ativacao, tipoJornada: jornada },
    ...(rec.loc ? { loc: shownLocation(rec.loc) } : { loc: undefined }),
    ...(encerramento && { encerramento }),
    ...(pagador && { pagador }),
  });

  const named = (idRec = ''): Rec => {
    const rec = all.get(idRec);
    if (!rec || rec.isOfAnother) throw new Problem(404, 'RecNaoEncontrada', 'no mandate with this id');
    return rec;
  };

  /** The rules of the API's section of errors, which its schemas do not say. */
  const assertRight = ({ calendario, valor, loc, vinculo, ativacao }: RecBody): void => {
    const { dataInicial, dataFinal } = calendario;
    if (dayOf(dataInicial) < localDay(deps.now())) refuse('dataInicial lies in the past');
    if (dataFinal !== undefined && dataFinal < dataInicial) refuse('dataFinal is before dataInicial');
    if (valor?.valorRec && valor.valorMinimoRecebedor) refuse('an amount and a minimum');
    if (!vinculo.contrato) refuse('vinculo.contrato is empty');
    const { txid } = ativacao?.dadosJornada ?? {};
    if (txid !== undefined && deps.locationOfCob(txid) === null) refuse('the charge cannot be paid');
    if (loc === undefined) return;
    const location = locations.get(loc);
    if (!location) refuse('there is no such location');
    if (location?.idRec) refuse('the location is used by another mandate');
  };

  const make = (body: RecBody, loc: Location | null, others: { readonly isOfAnother?: true } = {}): Rec => {
    const day = isoOf(localDay(deps.now())).replaceAll('-', '');
    const kind = body.politicaRetentativa === 'NAO_PERMITE' ? 'RN' : 'RR';
    const idRec = `${kind}${deps.ispb}${day}${deps.letters(11)}`;
    const rec: Rec = {
      ...{ idRec, body, loc, status: 'CRIADA', atualizacao: [], jornada: 'AGUARDANDO_DEFINICAO' },
      ...others,
    };
    move(rec, 'CRIADA');
    all.set(idRec, rec);
    return rec;
  };

  const approve = (rec: Rec, jornada: string): void => {
    const { nome: _, ...document } = rec.body.vinculo.devedor;
    move(rec, 'APROVADA');
    rec.jornada = jornada;
    rec.pagador = { ispbParticipante: '87654321', codMun: '2611606', ...document };
  };

  const end = (rec: Rec, solicitante: string): void => {
    move(rec, 'CANCELADA');
    const codigo = solicitante === 'USUARIO_PAGADOR' ? 'SLDB' : 'SLCR';
    rec.encerramento = { cancelamento: { solicitante, codigo, descricao: 'cancelled' } };
    deps.ended(rec, solicitante);
  };

  return {
    all,
    named,
    shown,

    postLocation() {
      const id = locations.size + 1;
      const location = `pix.instituicao.test/qr/v2/rec/${deps.letters(32)}`;
      const made: Location = { id, location, criacao: deps.now() };
      locations.set(id, made);
      return { status: 201, body: shownLocation(made) };
    },

    getLocation(id: string) {
      const location = locations.get(Number(id));
      if (!location) throw new Problem(404, 'PayloadLocationRecNaoEncontrado', 'no location with this id');
      return { status: 200, body: shownLocation(location) };
    },

    post(body: RecBody) {
      assertRight(body);
      const loc = body.loc === undefined ? null : (locations.get(body.loc) ?? null);
      const rec = make(body, loc);
      if (loc) loc.idRec = rec.idRec;
      return { status: 201, body: shown(rec) };
    },

    /** With a charge the code holds both (journey 3). */
    get(idRec: string, txid: string | null) {
      const rec = named(idRec);
      if (!rec.loc) return { status: 200, body: shown(rec) };
      if (txid !== null && txid !== rec.body.ativacao?.dadosJornada?.txid)
        throw new Problem(400, 'RecConsultaInvalida', 'the charge is not that of the mandate');
      const cob = txid === null ? null : deps.locationOfCob(txid);
      const jornada = cob === null ? 'JORNADA_2' : 'JORNADA_3';
      const charge = cob === null ? '' : `25${String(cob.length).padStart(2, '0')}${cob}`;
      const account = `0014br.gov.bcb.pix${charge}`;
      const place = String(rec.loc.location.length).padStart(2, '0');
      const pixCopiaECola =
        `00020126${account.length}${account}5204000053039865802BR5911Loja da Ana6006Recife62070503***` +
        `80800014br.gov.bcb.pix25${place}${rec.loc.location}6304ABCD`;
      return { status: 200, body: { ...shown(rec), dadosQR: { jornada, pixCopiaECola } } };
    },

    patch(idRec: string, { status, ...others }: Readonly<Record<string, unknown>>) {
      const rec = named(idRec);
      if (rec.status !== 'CRIADA' && rec.status !== 'APROVADA') refuse(`the mandate is ${rec.status}`);
      if (Object.keys(others).length > 0) refuse('this institution changes nothing of a mandate');
      if (status === 'CANCELADA') end(rec, 'USUARIO_RECEBEDOR');
      return { status: 200, body: shown(rec) };
    },

    /** A mandate as this one, which a payer has given to another receiver at the institution. */
    approvedOfAnother(idRec: string): string {
      const rec = make(named(idRec).body, null, { isOfAnother: true });
      approve(rec, 'JORNADA_1');
      return rec.idRec;
    },

    /** A payer pays a charge, and approves the mandate that its code holds as well. */
    paid(txid: string): void {
      for (const rec of all.values())
        if (rec.status === 'CRIADA' && rec.body.ativacao?.dadosJornada?.txid === txid)
          approve(rec, 'JORNADA_3');
    },

    /** Lets the payer decide; throws where the mandate does not allow it. */
    decide(idRec: string, decision: Decision): void {
      const rec = named(idRec);
      const from = decision === 'cancel' ? 'APROVADA' : 'CRIADA';
      if (rec.status !== from)
        throw new Error(`a mandate that is ${rec.status} cannot be decided on like this`);
      if (decision === 'cancel') end(rec, 'USUARIO_PAGADOR');
      else if (decision === 'approve') approve(rec, 'JORNADA_2');
      else {
        move(rec, 'REJEITADA');
        rec.encerramento = { rejeicao: { codigo: 'AP13', descricao: 'rejected by the payer' } };
      }
    },

    /** A mandate as a callback tells it. */
    notified(idRec: string) {
      const { status, atualizacao, encerramento, jornada } = named(idRec);
      return {
        ...{ idRec, status, atualizacao, ativacao: { tipoJornada: jornada } },
        ...(encerramento && { encerramento }),
      };
    },
  };
};
