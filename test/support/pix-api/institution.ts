import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { DAY_MS } from '../../../src/kernel/durations.ts';
import { buildBrCode } from '../../../src/modules/providers/pix/br-code.ts';
import { type Credentials, createCertificateAuthority } from '../certificate-authority.ts';
import { exchange, listenAsDouble, type Trouble } from '../doubles/exchange.ts';
import { createCobrs } from './cobrs.ts';
import { createCobvs } from './cobvs.ts';
import type { Deviations } from './deviations.ts';
import { cents, type Devolucao, type Pix, Problem, valorOf } from './records.ts';
import { createRecs, type Decision } from './recs.ts';
import { createPixRules, type Operation } from './rules.ts';
import { inWords } from './words.ts';

type Cob = {
  readonly txid: string;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly valor: { readonly original: string };
    readonly calendario: { readonly expiracao?: number };
  };
  readonly criacao: Date;
  readonly location: string;
  status: string;
  revisao: number;
  readonly pix: Pix[];
};

export type PixInstitution = Awaited<ReturnType<typeof startPixInstitution>>;

const CLIENT = { id: 'loja-da-ana', secret: 'the secret of a client of the institution' };
const KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
/** The receiver's account for charges under mandates. */
const ACCOUNT = { agencia: '1234', conta: '567890', tipoConta: 'CORRENTE' };
const BASE = '/instituicao/api/v2';
const ISPB = '12345678';
const DEFAULT_EXPIRACAO = 86_400;
const TOKEN_SECONDS = 300;
/** Number of Pix on a page of a list. */
const PAGE = 3;
const ALL_SCOPES: readonly string[] = [
  'cob.write',
  'cob.read',
  'pix.write',
  'pix.read',
  'webhook.write',
  'webhook.read',
  'cobv.write',
  'cobv.read',
  'rec.write',
  'rec.read',
  'cobr.write',
  'cobr.read',
  'payloadlocationrec.write',
  'payloadlocationrec.read',
  'webhookrec.write',
  'webhookcobr.write',
];
const MAX_RETURN_AGE_MS = 90 * DAY_MS;

const letters = (count: number): string => randomBytes(count).toString('hex').slice(0, count);

/**
 * A payment institution with the central bank's API Pix on a real socket, strict and stateful. It has mutual TLS by a
 * certificate authority of its own, tokens that expire, and the rules that the API's OpenAPI file states. Every request
 * and answer is checked against that file. With `deviations` it also requires what a certain institution requires.
 */
export const startPixInstitution = async (
  clock: () => Date = () => new Date(),
  deviations: Deviations = {},
) => {
  const rules = createPixRules();
  const authority = createCertificateAuthority('Institution Root');
  const server = authority.issueServer();
  const cobs = new Map<string, Cob>();
  const pixes = new Map<string, Pix>();
  const tokens = new Map<string, { readonly endsAt: number; readonly scopes: readonly string[] }>();
  const callsMade: string[] = [];
  const transcript: string[] = [];
  /** Violations of the API's rules by the institution itself. */
  const ownFaults: string[] = [];
  let webhookUrl: string | null = null;
  /** Addresses for news of mandates and of charges under them, by the resource that registers each. */
  const webhooks = new Map<string, string>();
  let newReturn = 'DEVOLVIDO';
  let isLagging = false;
  let hidesRemoved = deviations.hidesRemoved ?? false;
  /** References that were accepted, but are not shown while the institution lags. */
  const notShown = new Set<string>();
  let hasLostTheWay = false;
  let trouble: (call: string) => Trouble | null = () => null;

  const now = (): Date => clock();
  const endOf = ({ criacao, body }: Cob): number =>
    criacao.getTime() + (body.calendario.expiracao ?? DEFAULT_EXPIRACAO) * 1_000;

  /** Whether the institution lets a payer pay a charge at this time. */
  const isOpen = (txid: string, at: Date): boolean => {
    const cob = cobs.get(txid);
    if (cob) return cob.status === 'ATIVA' && at.getTime() < endOf(cob);
    return cobvs.find(txid)?.status === 'ATIVA' && cobvs.isPayable(txid, at);
  };

  const shownCob = (cob: Cob, withPix: boolean) => ({
    ...cob.body,
    calendario: {
      criacao: cob.criacao.toISOString(),
      expiracao: cob.body.calendario.expiracao ?? DEFAULT_EXPIRACAO,
    },
    txid: cob.txid,
    revisao: cob.revisao,
    status: cob.status,
    location: cob.location,
    pixCopiaECola: buildBrCode({
      location: cob.location,
      amount: cents(cob.body.valor.original),
      merchantName: 'Loja da Ana',
      merchantCity: 'Sao Paulo',
    }),
    ...(withPix && cob.pix.length > 0 ? { pix: cob.pix.map(shownPix) } : {}),
  });
  const shownPix = ({ devolucoes, ...pix }: Pix) => ({
    ...pix,
    ...(devolucoes.length > 0 ? { devolucoes } : {}),
    componentesValor: { original: { valor: pix.valor } },
  });

  const cobNamed = (txid = ''): Cob => {
    const cob = cobs.get(txid);
    if (!cob || notShown.has(txid) || (hidesRemoved && cob.status.startsWith('REMOVIDA')))
      throw new Problem(404, 'CobNaoEncontrada', 'no charge with this txid');
    return cob;
  };
  const pixNamed = (endToEndId = ''): Pix => {
    const pix = pixes.get(endToEndId);
    if (!pix) throw new Problem(404, 'PixNaoEncontrado', 'no Pix with this e2eid');
    return pix;
  };

  const cobvs = createCobvs({
    now,
    key: KEY,
    newLocation: () => `pix.instituicao.test/qr/v2/cobv/${letters(32)}`,
    isTaken: (txid) => cobs.has(txid) || cobrs.has(txid),
    isHidden: (txid) => notShown.has(txid),
    note: (txid) => void (isLagging && notShown.add(txid)),
    shownPix: (pix) => shownPix(pix),
  });

  const recs = createRecs({
    now,
    ispb: ISPB,
    letters,
    locationOfCob(txid) {
      const cob = cobs.get(txid);
      return cob && isOpen(txid, now()) ? cob.location : null;
    },
    ended: (rec, solicitante) => cobrs.mandateEnded(rec, solicitante),
  });
  const cobrs = createCobrs({
    now,
    account: ACCOUNT,
    holidays: cobvs.holidays,
    recOf: (idRec) => recs.all.get(idRec),
    isTaken: (txid) => cobs.has(txid) || cobvs.has(txid),
    isHidden: (txid) => notShown.has(txid),
    note: (txid) => void (isLagging && notShown.add(txid)),
    newEndToEndId: (at) => endToEndIdAt(at),
  });
  const endToEndIdAt = (at: Date): string =>
    `E${ISPB}${at.toISOString().replace(/\D/g, '').slice(0, 12)}${letters(11)}`;

  const putCob = (txid: string, body: Cob['body']) => {
    if (cobs.has(txid) || cobvs.has(txid) || cobrs.has(txid))
      throw new Problem(400, 'CobOperacaoInvalida', 'the txid is taken');
    if (body.chave !== KEY) throw new Problem(400, 'CobOperacaoInvalida', 'the key is not the receiver’s');
    if (cents(body.valor.original) === 0) throw new Problem(400, 'CobOperacaoInvalida', 'nothing to pay');
    const location = `pix.instituicao.test/qr/v2/${letters(32)}`;
    const cob: Cob = { txid, body, criacao: now(), location, status: 'ATIVA', revisao: 0, pix: [] };
    cobs.set(txid, cob);
    if (isLagging) notShown.add(txid);
    return { status: 201, body: shownCob(cob, false) };
  };

  const patchCob = (cob: Cob, body: Readonly<Record<string, unknown>>) => {
    if (cob.status !== 'ATIVA') throw new Problem(400, 'CobOperacaoInvalida', `the charge is ${cob.status}`);
    if (now().getTime() >= endOf(cob)) throw new Problem(400, 'CobOperacaoInvalida', 'the charge is over');
    if (body.status) cob.status = String(body.status);
    cob.revisao += 1;
    return { status: 200, body: shownCob(cob, false) };
  };

  const returned = (pix: Pix): number =>
    pix.devolucoes
      .filter(({ status }) => status !== 'NAO_REALIZADO')
      .reduce((total, { valor }) => total + cents(valor), 0);

  const giveBack = (pix: Pix, id: string, valor: string, natureza: string, status: string): Devolucao => {
    const at = now().toISOString();
    const given: Devolucao = {
      id,
      rtrId: `D${ISPB}${at.replace(/\D/g, '').slice(0, 12)}${letters(11)}`,
      valor,
      natureza,
      horario: { solicitacao: at, ...(status === 'DEVOLVIDO' ? { liquidacao: at } : {}) },
      status,
    };
    pix.devolucoes.push(given);
    return given;
  };

  const putDevolucao = (pix: Pix, id: string, valor: string) => {
    const refuse = (detail: string): never => {
      throw new Problem(400, 'PixDevolucaoInvalida', detail);
    };
    if (pix.devolucoes.some((given) => given.id === id)) refuse('the id is taken');
    if (cents(valor) === 0) refuse('nothing to give back');
    if (returned(pix) + cents(valor) > cents(pix.valor)) refuse('more than the Pix');
    if (now().getTime() - Date.parse(pix.horario) > MAX_RETURN_AGE_MS) refuse('after 90 days');
    if (isLagging) notShown.add(id);
    return { status: 201, body: giveBack(pix, id, valor, 'ORIGINAL', newReturn) };
  };

  const getDevolucao = (pix: Pix, id: string) => {
    const given = pix.devolucoes.find((one) => one.id === id && !notShown.has(id));
    if (!given) throw new Problem(404, 'PixDevolucaoNaoEncontrada', 'no devolucao with this id');
    return { status: 200, body: given };
  };

  const listPix = (search: URLSearchParams) => {
    const [inicio, fim] = [search.get('inicio') ?? '', search.get('fim') ?? ''];
    if (!(Date.parse(inicio) < Date.parse(fim)) || /\.\d/.test(inicio + fim))
      throw new Problem(400, 'PixConsultaInvalida', 'no period');
    const all = [...pixes.values()].filter(
      ({ horario, txid }) =>
        Date.parse(horario) >= Date.parse(inicio) &&
        Date.parse(horario) < Date.parse(fim) &&
        (search.get('txid') ?? txid) === txid,
    );
    const paginaAtual = Number(search.get('paginacao.paginaAtual') ?? 0);
    const paginacao = {
      paginaAtual,
      itensPorPagina: PAGE,
      quantidadeDePaginas: Math.max(1, Math.ceil(all.length / PAGE)),
      quantidadeTotalDeItens: all.length,
    };
    const pix = all.slice(paginaAtual * PAGE, (paginaAtual + 1) * PAGE).map(shownPix);
    return { status: 200, body: { parametros: { inicio, fim, paginacao }, pix } };
  };

  const act = (
    { method, path, params }: Operation,
    { search, body }: { readonly search: URLSearchParams; readonly body: never },
  ): { status: number; body: unknown } => {
    const { txid = '', e2eid = '', id = '', chave = '' } = params;
    const { idRec = '', data = '' } = params;
    switch (`${method} ${path}`) {
      case 'post /locrec':
        return recs.postLocation();
      case 'get /locrec/{id}':
        return recs.getLocation(id);
      case 'post /rec':
        return recs.post(body);
      case 'get /rec/{idRec}':
        return recs.get(idRec, search.get('txid'));
      case 'patch /rec/{idRec}':
        return recs.patch(idRec, body);
      case 'put /cobr/{txid}':
        return cobrs.put(txid, body);
      case 'get /cobr/{txid}':
        return cobrs.get(txid);
      case 'patch /cobr/{txid}':
        return cobrs.patch(txid, body);
      case 'post /cobr/{txid}/retentativa/{data}':
        return cobrs.retry(txid, data);
      case 'put /webhookrec':
      case 'put /webhookcobr':
        webhooks.set(path.slice(1), (body as { webhookUrl: string }).webhookUrl);
        return { status: 200, body: null };
      case 'put /cob/{txid}':
        return putCob(txid, body);
      case 'get /cob/{txid}':
        return { status: 200, body: shownCob(cobNamed(txid), true) };
      case 'patch /cob/{txid}':
        return patchCob(cobNamed(txid), body);
      case 'put /cobv/{txid}':
        return cobvs.put(txid, body);
      case 'get /cobv/{txid}':
        return { status: 200, body: cobvs.shown(txid) };
      case 'patch /cobv/{txid}':
        return cobvs.patch(txid, body);
      case 'get /pix':
        return listPix(search);
      case 'get /pix/{e2eid}':
        return { status: 200, body: shownPix(pixNamed(e2eid)) };
      case 'put /pix/{e2eid}/devolucao/{id}':
        return putDevolucao(pixNamed(e2eid), id, (body as { valor: string }).valor);
      case 'get /pix/{e2eid}/devolucao/{id}':
        return getDevolucao(pixNamed(e2eid), id);
      case 'put /webhook/{chave}':
        if (chave !== KEY) throw new Problem(404, 'WebhookNaoEncontrado', 'the key is not the receiver’s');
        ({ webhookUrl } = body as { webhookUrl: string });
        return { status: 200, body: null };
      default:
        throw new Problem(503, 'ServicoIndisponivel', `${method} ${path} is not offered`);
    }
  };

  const isClient = (request: IncomingMessage, asked: URLSearchParams): boolean => {
    const expected = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
    const named = asked.get('client_id') === CLIENT.id;
    switch (deviations.tokenAuthentication ?? 'basic') {
      case 'basic':
        return request.headers.authorization === `Basic ${expected}` && !asked.has('client_id');
      case 'form':
        return named && asked.get('client_secret') === CLIENT.secret && !request.headers.authorization;
      case 'none':
        return named && !asked.has('client_secret') && !request.headers.authorization;
    }
  };

  const issueToken = (
    request: IncomingMessage,
    { search, body }: { search: URLSearchParams; body: string },
  ) => {
    const asked = new URLSearchParams(body);
    if (!isClient(request, asked)) return { status: 401, body: { error: 'invalid_client' } };
    const grant = deviations.grantInAddress ? search : asked;
    if (
      grant.get('grant_type') !== 'client_credentials' ||
      (search.has('grant_type') && asked.has('grant_type'))
    )
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    const granted = deviations.scopes === undefined ? ALL_SCOPES : deviations.scopes;
    const scopes = asked.get('scope')?.split(' ') ?? (deviations.scopes === null ? ALL_SCOPES : []);
    if (granted === null ? asked.has('scope') : scopes.some((scope) => !granted.includes(scope)))
      return { status: 400, body: { error: 'invalid_scope' } };
    const access_token = letters(40);
    tokens.set(access_token, { endsAt: now().getTime() + TOKEN_SECONDS * 1_000, scopes });
    const token = { access_token, token_type: 'Bearer', expires_in: TOKEN_SECONDS };
    return { status: deviations.tokenStatus ?? 200, body: token };
  };

  /** The path below the operation's base address; null for an address that this institution does not have. */
  const pathOf = (method: string, path: string): string | null => {
    const bases = deviations.bases ?? {};
    const rest = Object.values({ ...bases, usual: deviations.base ?? BASE })
      .sort((one, other) => other.length - one.length)
      .flatMap((base) => (path.startsWith(`${base}/`) ? [{ base, path: path.slice(base.length) }] : []))[0];
    if (!rest) return null;
    const resource = rest.path.split('/')[1] ?? '';
    const right = bases[`${method} ${resource}`] ?? bases[resource] ?? deviations.base ?? BASE;
    return rest.base === right ? rest.path : null;
  };

  /** Whether the request lacks something that this institution requires with every call. */
  const lacksIn = (request: IncomingMessage, search: URLSearchParams): boolean =>
    Object.entries(deviations.headers ?? {}).some(
      ([name, value]) => !value.test(String(request.headers[name])),
    ) || Object.entries(deviations.query ?? {}).some(([name, value]) => search.get(name) !== value);

  /** A body that is as the document has it, in the words of this institution. */
  const said = (body: unknown): unknown =>
    deviations.words ? inWords(JSON.parse(JSON.stringify(body)), deviations.words, now()) : body;

  const callbackFaults = (name: string, body: object): readonly string[] =>
    rules.callbackFaults(name, JSON.parse(JSON.stringify(body))).map((fault) => `callback: ${fault}`);

  const problemBody = (error: Problem) => ({
    type: `https://pix.bcb.gov.br/api/v2/error/${error.type}`,
    title: error.type,
    status: error.status,
    detail: error.message,
  });

  const answerTo = (
    request: IncomingMessage,
    { path, search, body }: { path: string; search: URLSearchParams; body: string },
  ) => {
    const operation = rules.find(request.method ?? '', path);
    if (!operation)
      return { status: 404, body: problemBody(new Problem(404, 'NaoEncontrado', 'no operation')) };
    const token = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (!token || token.endsAt <= now().getTime())
      return { status: deviations.endedTokenStatus ?? 401, body: { error: 'invalid_token' } };
    let answer: { status: number; body: unknown };
    try {
      if (!operation.scopes.some((scope) => token.scopes.includes(scope)))
        throw new Problem(403, 'AcessoNegado', 'the token has no such scope');
      const given = body === '' ? undefined : JSON.parse(body);
      const faults = rules.requestFaults(operation, given);
      if (faults.length > 0) throw new Problem(400, 'RequisicaoInvalida', faults.join('; '));
      answer = act(operation, { search, body: given as never });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      answer = { status: error.status, body: problemBody(error) };
    }
    ownFaults.push(
      ...rules
        .answerFaults(operation, answer.status, JSON.parse(JSON.stringify(answer.body)))
        .map((fault) => `${operation.method} ${operation.path} ${answer.status}: ${fault}`),
    );
    return { status: answer.status, body: said(answer.body) };
  };

  const answerAt = (
    request: IncomingMessage,
    { path, search, body }: { path: string | null; search: URLSearchParams; body: string },
  ) => {
    // This is no error of the API but of the gateway in front of it, which does not know the address.
    const isLost = deviations.losesTheWay && !hasLostTheWay && path?.includes('/devolucao/');
    if (isLost) hasLostTheWay = true;
    if (path === null || isLost)
      return { status: 404, body: { message: 'no Route matched with those values' } };
    if (lacksIn(request, search)) return { status: 400, body: { message: 'the request lacks something' } };
    return answerTo(request, { path, search, body });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const { pathname, searchParams: search } = new URL(request.url ?? '', 'https://institution');
    const isToken = pathname === (deviations.tokenPath ?? '/oauth/token');
    const path = isToken ? pathname : pathOf(request.method ?? '', pathname);
    const call = `${request.method} ${path ?? pathname}`;
    callsMade.push(call);
    const luck = trouble(call);
    if (typeof luck === 'object' && luck !== null && 'status' in luck)
      transcript.push(`${call} ${body} -> ${luck.status}`);
    await exchange({ request, response }, luck, {
      async work() {
        const answer = isToken
          ? issueToken(request, { search, body })
          : answerAt(request, { path, search, body });
        // Answers with a token are left out, because it is a secret.
        const shown = isToken ? '' : ` ${JSON.stringify(answer.body)}`;
        transcript.push(`${call} ${body} -> ${answer.status}${shown}`);
        const isProblem = answer.status >= 400 && !isToken;
        return { ...answer, headers: isProblem ? { 'Content-Type': 'application/problem+json' } : {} };
      },
      errorBody: () => undefined,
    });
  };
  const listener = createServer({
    key: server.privateKey,
    cert: server.certificate,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const { port, stop } = await listenAsDouble(listener, {
    serve,
    note: (fault) => void ownFaults.push(fault),
  });
  const origin = `https://127.0.0.1:${port}`;

  return {
    origin,
    url: `${origin}${deviations.base ?? BASE}`,
    tokenUrl: `${origin}${deviations.tokenPath ?? '/oauth/token'}`,
    client: CLIENT,
    key: KEY,
    /** The certificate of its authority, in PEM. */
    authority: authority.certificate,
    issueClient: (name = CLIENT.id, validUntil?: Date): Credentials =>
      authority.issueClient(name, validUntil),
    ownFaults,
    deviations,
    /** Requests, as `PUT /cob/…`. */
    callsMade,
    /** Requests and answers with their bodies, without tokens. */
    transcript,
    cobs,
    /** Charges with a due date. */
    cobvs: cobvs.all,
    /** Days on which the payer's bank is closed, as ISO dates. */
    holidays: cobvs.holidays,
    /** Mandates. */
    recs: recs.all,
    /** Charges under mandates. */
    cobrs: cobrs.all,
    account: ACCOUNT,
    pixes,
    webhookUrl: () => webhookUrl,
    webhooks,
    forgetWebhook(): void {
      webhookUrl = null;
    },

    /** Decides on the trouble of each request from now on. */
    troubleWith(decide: (call: string) => Trouble | null): void {
      trouble = decide;
    },
    expireTokens: (): void => tokens.clear(),
    isOpen: (txid: string): boolean => isOpen(txid, now()),
    /** Sets the outcome of refunds from now on. */
    setReturns(status: 'DEVOLVIDO' | 'EM_PROCESSAMENTO' | 'NAO_REALIZADO'): void {
      newReturn = status;
    },

    /**
     * Lets a payer pay. A charge that is not open, or has another amount, needs `force`, which is a fault of the
     * institution.
     */
    pay(txid: string, options: { amount?: number; at?: Date; force?: true } = {}): string {
      const at = options.at ?? now();
      const cob = cobs.get(txid) ?? cobvs.find(txid);
      if (!cob) throw new Error(`the institution has no charge ${txid}`);
      const due = cobvs.dueOn(txid, at) ?? cents(cob.body.valor.original);
      const amount = options.amount ?? due;
      if (!options.force && !(isOpen(txid, at) && amount === due))
        throw new Error(`the institution takes no ${amount} for a charge that is ${cob.status}`);
      const endToEndId = endToEndIdAt(at);
      const pix: Pix = {
        endToEndId,
        txid,
        chave: KEY,
        valor: valorOf(amount),
        horario: at.toISOString(),
        devolucoes: [],
      };
      pixes.set(endToEndId, pix);
      cob.pix.push(pix);
      if (cob.status === 'ATIVA') cob.status = 'CONCLUIDA';
      recs.paid(txid);
      return endToEndId;
    },

    /** Lets the payer of a mandate decide on it. */
    decide: (idRec: string, decision: Decision): void => recs.decide(idRec, decision),

    /** A mandate with the terms of this one that is approved and is another receiver's. */
    mandateOfAnother: (idRec: string): string => recs.approvedOfAnother(idRec),

    /** Plays the payer's bank on the day of a planned charge; answers the end-to-end identifier of what it pays. */
    settle(txid: string, pays = true): string | null {
      const { endToEndId } = cobrs.settle(txid, pays);
      if (!pays) return null;
      const cobr = cobrs.named(txid);
      const valor = cobr.body.valor.original;
      const pix: Pix = { endToEndId, txid, chave: KEY, valor, horario: now().toISOString(), devolucoes: [] };
      pixes.set(endToEndId, pix);
      cobr.pix.push(pix);
      return endToEndId;
    },

    /** Lets the payer's bank reject the open attempt of a planned charge on its day. */
    reject: (txid: string): void => cobrs.reject(txid),
    /** Lets the payer's bank try a rejected attempt once more on its day. */
    tryThatDay: (txid: string): void => cobrs.tryThatDay(txid),

    /** Lets the payer's bank demand the money back because of fraud (MED). */
    takeBack(endToEndId: string, amount?: number): string {
      const pix = pixNamed(endToEndId);
      const valor = amount === undefined ? pix.valor : valorOf(amount);
      return giveBack(pix, `MED${letters(20)}`, valor, 'MED_FRAUDE', 'DEVOLVIDO').id;
    },

    /** Gives a Pix back at the institution itself, under a name that the gateway never gave. */
    giveBackByHand(endToEndId: string, id: string): void {
      const pix = pixNamed(endToEndId);
      giveBack(pix, id, pix.valor, 'ORIGINAL', 'DEVOLVIDO');
    },

    /** Sets whether reads lag behind writes: changes made during the lag are not shown before it ends. */
    lag(value: boolean): void {
      isLagging = value;
      if (!value) notShown.clear();
    },
    /** Sets whether removed charges are no longer found. */
    hideRemoved(value: boolean): void {
      hidesRemoved = value;
    },

    /** Ends a refund that is being processed. */
    endReturn(id: string, status: 'DEVOLVIDO' | 'NAO_REALIZADO'): void {
      for (const { devolucoes } of pixes.values())
        for (const given of devolucoes) if (given.id === id) given.status = status;
    },

    /** The body of a callback about these mandates. */
    callbackAboutRecs(...idRecs: readonly string[]): Buffer {
      const body = { recs: idRecs.map((idRec) => recs.notified(idRec)) };
      ownFaults.push(...callbackFaults('WebhookRecBody', body));
      return Buffer.from(JSON.stringify(said(body)));
    },

    /** The body of a callback about these charges under mandates. */
    callbackAboutCobrs(...txids: readonly string[]): Buffer {
      const body = { cobsr: txids.map((txid) => cobrs.notified(txid)) };
      ownFaults.push(...callbackFaults('WebhookCobRBody', body));
      return Buffer.from(JSON.stringify(said(body)));
    },

    /** The body of a callback about these Pix, together in one. */
    callbackAbout(...endToEndIds: readonly string[]): Buffer {
      const body = { pix: endToEndIds.map((id) => shownPix(pixNamed(id))) };
      ownFaults.push(...callbackFaults('WebhookPixBody', body));
      return Buffer.from(JSON.stringify(said(deviations.callsBackWithList ? body.pix : body)));
    },

    stop,
  };
};
