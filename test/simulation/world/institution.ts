import type { HttpAnswer, HttpRequest, OpenHttp } from '../../../src/platform/outbound/http-client.ts';
import type { createWay } from './faults.ts';
import type { Random } from './random.ts';

/** Settings with which the connector of the API Pix reaches the simulated institution. */
export const INSTITUTION_SETTINGS = {
  PIX_API_URL: 'https://institution.test',
  PIX_API_TOKEN_URL: 'https://institution.test/token',
  PIX_API_CLIENT_ID: 'simulated',
  PIX_API_CLIENT_SECRET: 'simulated',
  PIX_API_KEY: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  PIX_API_CERT: '-----BEGIN CERTIFICATE-----',
  PIX_API_CALLBACK_SECRET: 'nobody-calls-back-in-a-simulated-run',
};

type Devolucao = {
  readonly id: string;
  readonly rtrId: string;
  readonly valor: string;
  readonly status: 'DEVOLVIDO';
};
type Pix = {
  readonly endToEndId: string;
  readonly txid: string;
  readonly valor: string;
  readonly horario: string;
  readonly devolucoes: { readonly made: Devolucao; readonly shownFrom: number }[];
};
type Cob = {
  readonly txid: string;
  readonly criacao: string;
  readonly expiracao: number;
  readonly original: string;
  status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
  pix: Pix | null;
};

export type Institution = {
  /** The way of a process to it. */
  openHttp(owner: string): OpenHttp;
  /** Has payers pay what they can; answers whether this one could be paid. */
  pay(txid: string): boolean;
  /** References of charges and of refunds by which it has taken and given back money. */
  taken(): { readonly charges: readonly string[]; readonly refunds: readonly string[] };
};

/** For so long a return of money is not shown; the API's word for it is that it does not exist. */
const LAGS_MS = [0, 30_000, 10_000_000, 40_000_000, 40_000_000];

/** It loses more calls and answers than a store does, and in any weather answers to requests to give money back. */
const RISK = 5;
const LOST_ANSWERS = 0.3;

const answered = (status: number, body: object): HttpAnswer => ({
  status,
  headers: {},
  text: JSON.stringify(body),
});
const problem = (status: number, name: string): HttpAnswer =>
  answered(status, { type: `https://pix.bcb.gov.br/api/v2/error/${name}`, title: name, status });

const shownPix = ({ devolucoes, ...pix }: Pix, now: number): object => ({
  ...pix,
  devolucoes: devolucoes.filter(({ shownFrom }) => shownFrom <= now).map(({ made }) => made),
});

const shownCob = ({ txid, criacao, expiracao, original, status, pix }: Cob, now: number): object => ({
  txid,
  status,
  calendario: { criacao, expiracao },
  valor: { original },
  pixCopiaECola: `the code of ${txid}`,
  ...(pix && { pix: [shownPix(pix, now)] }),
});

/**
 * An institution of the API Pix whose reads lag: it may not show for hours what it has given back, while it refuses to
 * take the same request again.
 */
export const createInstitution = ({
  now,
  random,
  way,
}: {
  readonly now: () => number;
  readonly random: Random;
  readonly way: ReturnType<typeof createWay>;
}): Institution => {
  const cobs = new Map<string, Cob>();
  const pixes = new Map<string, Pix>();

  const putCob = (txid: string, body: { calendario: { expiracao: number }; valor: { original: string } }) => {
    if (cobs.has(txid)) return problem(400, 'CobOperacaoInvalida');
    const criacao = new Date(now()).toISOString();
    const { expiracao } = body.calendario;
    const cob: Cob = { txid, criacao, expiracao, original: body.valor.original, status: 'ATIVA', pix: null };
    cobs.set(txid, cob);
    return answered(201, shownCob(cob, now()));
  };

  const removeCob = (cob: Cob): HttpAnswer => {
    if (cob.status !== 'ATIVA') return problem(400, 'CobOperacaoInvalida');
    cob.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
    return answered(200, shownCob(cob, now()));
  };

  const giveBack = (pix: Pix, id: string, { valor }: { readonly valor: string }): HttpAnswer => {
    if (pix.devolucoes.length > 0) return problem(400, 'PixDevolucaoInvalida');
    const rtrId = `D${pix.endToEndId.slice(1, 20)}${String(pixes.size).padStart(12, '0')}`;
    const made = { id, rtrId, valor, status: 'DEVOLVIDO' } as const;
    pix.devolucoes.push({ made, shownFrom: now() + random.oneOf(LAGS_MS) });
    return answered(201, made);
  };

  const ofDevolucao = (pix: Pix, id: string, request: HttpRequest): HttpAnswer => {
    if (request.method === 'PUT') return giveBack(pix, id, JSON.parse(String(request.body)));
    const found = pix.devolucoes.find(({ made, shownFrom }) => made.id === id && shownFrom <= now());
    return found ? answered(200, found.made) : problem(404, 'NaoEncontrado');
  };

  const listOf = ({ searchParams }: URL): HttpAnswer => {
    const [from, to] = ['inicio', 'fim'].map((name) => Date.parse(searchParams.get(name) ?? ''));
    const txid = searchParams.get('txid');
    const found = [...pixes.values()].filter(
      (pix) =>
        Date.parse(pix.horario) >= (from ?? 0) &&
        Date.parse(pix.horario) <= (to ?? 0) &&
        (txid === null || pix.txid === txid),
    );
    return answered(200, {
      parametros: { paginacao: { quantidadeDePaginas: 1 } },
      pix: found.map((pix) => shownPix(pix, now())),
    });
  };

  const answer = (request: HttpRequest): HttpAnswer => {
    const [, kind = '', name = '', part, id = ''] = request.url.pathname.split('/');
    if (kind === 'token') return answered(200, { access_token: 'simulated', expires_in: 300 });
    if (kind === 'pix' && name === '') return listOf(request.url);
    const pix = kind === 'pix' ? pixes.get(name) : undefined;
    if (pix) return part ? ofDevolucao(pix, id, request) : answered(200, shownPix(pix, now()));
    if (kind === 'cob' && request.method === 'PUT') return putCob(name, JSON.parse(String(request.body)));
    const cob = kind === 'cob' ? cobs.get(name) : undefined;
    if (!cob) return problem(404, 'NaoEncontrado');
    return request.method === 'PATCH' ? removeCob(cob) : answered(200, shownCob(cob, now()));
  };

  return {
    openHttp: (owner) => () => async (request) => {
      const what = `institution ${request.method} ${request.url.pathname}`;
      const lost = (): Error => new Error('socket hang up');
      const given = await way(owner, what, () => answer(request), lost, RISK);
      const isReturn = request.method === 'PUT' && request.url.pathname.includes('/devolucao/');
      if (isReturn && random.happens(LOST_ANSWERS)) throw lost();
      return given;
    },
    pay(txid) {
      const cob = cobs.get(txid);
      if (cob?.status !== 'ATIVA' || Date.parse(cob.criacao) + cob.expiracao * 1_000 < now()) return false;
      const endToEndId = `E99999999${String(pixes.size).padStart(23, '0')}`;
      const horario = new Date(now()).toISOString();
      const pix: Pix = { endToEndId, txid, valor: cob.original, horario, devolucoes: [] };
      pixes.set(endToEndId, pix);
      Object.assign(cob, { status: 'CONCLUIDA', pix });
      return true;
    },
    taken: () => ({
      charges: [...pixes.values()].map(({ txid }) => `chg_${txid}`),
      refunds: [...pixes.values()].flatMap(({ devolucoes }) =>
        devolucoes.map(({ made: { id } }) => `${id.slice(0, 3)}_${id.slice(3)}`),
      ),
    }),
  };
};
