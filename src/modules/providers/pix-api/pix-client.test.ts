import { AnswerTimeout, type HttpAnswer, type HttpRequest } from '../../../platform/outbound/http-client.ts';
import { ProviderBusy, ProviderTimeout } from '../provider.ts';
import { createRest } from '../rest.ts';
import { AS_DOCUMENTED, DUE_SCOPES, MANDATE_SCOPES } from './institutions.ts';
import { createPixClient } from './pix-client.ts';

const NOW = Date.parse('2026-06-15T12:00:00.000Z');
const TOKEN = { access_token: 'token-1', token_type: 'Bearer', expires_in: 3_600 };
const json = (status: number, body: unknown, headers = {}): HttpAnswer => ({
  status,
  headers,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A client whose institution answers as told; `sent` has all requests, those for tokens apart. */
const given = (
  answer: (request: HttpRequest) => HttpAnswer | Error,
  tokenAnswer: () => HttpAnswer = () => json(200, TOKEN),
) => {
  const clock = { now: NOW };
  const sent: HttpRequest[] = [];
  const tokens: HttpRequest[] = [];
  const call = createPixClient({
    async send(request) {
      const isToken = request.url.pathname === '/oauth/token';
      (isToken ? tokens : sent).push(request);
      const answered = isToken ? tokenAnswer() : answer(request);
      if (answered instanceof Error) throw answered;
      return answered;
    },
    clock: () => new Date(clock.now),
    rest: createRest(() => new Date(clock.now)),
    access: {
      ...AS_DOCUMENTED,
      url: 'https://pix.example.test/api/v2/',
      tokenUrl: 'https://pix.example.test/oauth/token',
      dueScopes: DUE_SCOPES,
      mandateScopes: MANDATE_SCOPES,
    },
    clientId: 'loja',
    clientSecret: 'a secret: with a colon',
  });
  return { call, sent, tokens, clock };
};

describe('a call to an institution', () => {
  it('asks for a token by client credentials with every scope, and shows it', async () => {
    const { call, sent, tokens } = given(() => json(200, { txid: 'a' }));
    expect(await call('PUT', ['cob', 'a/b'], { chave: 'k' })).toEqual({
      status: 'done',
      body: { txid: 'a' },
    });
    const [asked, ...others] = tokens;
    expect([asked?.method, others]).toEqual(['POST', []]);
    const basic = Buffer.from('loja:a secret: with a colon').toString('base64');
    expect(asked?.headers).toEqual({
      'user-agent': 'Portico',
      Authorization: `Basic ${basic}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(Object.fromEntries(new URLSearchParams(String(asked?.body)))).toEqual({
      grant_type: 'client_credentials',
      scope: 'cob.write cob.read pix.write pix.read webhook.write webhook.read',
    });
    expect(sent).toEqual([
      {
        method: 'PUT',
        url: new URL('https://pix.example.test/api/v2/cob/a%2Fb'),
        headers: {
          'user-agent': 'Portico',
          Authorization: 'Bearer token-1',
          Accept: 'application/json, application/problem+json',
          'Content-Type': 'application/json',
        },
        body: '{"chave":"k"}',
      },
    ]);
    await call('GET', ['pix', 'E1']);
    expect(sent[1]?.headers).not.toHaveProperty('Content-Type');
    expect(sent[1]).not.toHaveProperty('body');
  });

  it.each<[string, HttpAnswer, string]>([
    ['a page', json(200, '<html>'), 'no token'],
    ['nothing of a token', json(200, { expires_in: 300 }), 'no token'],
    ['a token that is no text', json(200, { ...TOKEN, access_token: 7 }), 'no token'],
    ['a token without time', json(200, { ...TOKEN, expires_in: 0 }), 'no token'],
    ['a refusal', json(403, {}), 'no token: 403'],
  ])('is not made with %s for a token, and asks for another one next time', async (_, answer, message) => {
    let isRight = false;
    const { call, sent } = given(
      () => json(200, {}),
      () => (isRight ? json(200, TOKEN) : answer),
    );
    await expect(call('GET', ['cob', 'a'])).rejects.toThrow(message);
    expect(sent).toEqual([]);
    isRight = true;
    expect(await call('GET', ['cob', 'a'])).toEqual({ status: 'done', body: {} });
  });

  it.each([
    [{ expires_in: 100 }, 70],
    [{}, 270],
  ])('has a new token half a minute before %j ends', async (life, seconds) => {
    const { access_token } = TOKEN;
    const { call, tokens, clock } = given(
      () => json(200, {}),
      () => json(200, { access_token, ...life }),
    );
    await call('GET', ['cob', 'a']);
    clock.now += seconds * 1_000 - 1;
    await call('GET', ['cob', 'a']);
    expect(tokens).toHaveLength(1);
    clock.now += 1;
    await call('GET', ['cob', 'a']);
    expect(tokens).toHaveLength(2);
  });

  it.each([401, 403])(
    'that is answered %i is made once more with a new token, and not a third time',
    async (status) => {
      const { call, sent, tokens } = given(() => json(status, {}));
      await expect(call('GET', ['cob', 'a'])).rejects.toThrow(`answers ${status}`);
      expect([sent.length, tokens.length]).toEqual([2, 2]);
    },
  );

  it.each<[number, unknown, object]>([
    [200, { a: 1 }, { status: 'done', body: { a: 1 } }],
    [201, { a: 1 }, { status: 'done', body: { a: 1 } }],
    [200, 'no JSON', { status: 'done', body: null }],
    [404, {}, { status: 'not_found' }],
    [410, {}, { status: 'not_found' }],
    [
      400,
      { type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida' },
      { status: 'refused', problem: 'cob_operacao_invalida' },
    ],
    [
      409,
      { type: 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida' },
      { status: 'refused', problem: 'pix_devolucao_invalida' },
    ],
    [422, { type: 7 }, { status: 'refused', problem: 'invalid_request' }],
    [422, '<html>', { status: 'refused', problem: 'invalid_request' }],
    [400, null, { status: 'refused', problem: 'invalid_request' }],
  ])('that is answered %i %j has decided', async (status, body, expected) => {
    const { call } = given(() => json(status, body));
    expect(await call('PATCH', ['cob', 'a'], {})).toEqual(expected);
  });

  it.each([300, 302, 405, 408, 500, 502, 504])('that is answered %i has decided nothing', async (status) => {
    const { call, sent } = given(() => json(status, {}));
    await expect(call('PUT', ['cob', 'a'], {})).rejects.toThrow(`the institution answers ${status}`);
    expect(sent).toHaveLength(1);
  });

  it.each([429, 503])('that is answered %i makes all of them rest', async (status) => {
    const { call, sent, clock } = given(() => json(status, {}, { 'retry-after': '7' }));
    await expect(call('GET', ['cob', 'a'])).rejects.toThrow(ProviderBusy);
    clock.now += 6_999;
    await expect(call('GET', ['cob', 'a'])).rejects.toThrow(ProviderBusy);
    expect(sent).toHaveLength(1);
    clock.now += 1;
    await expect(call('GET', ['cob', 'a'])).rejects.toThrow(ProviderBusy);
    expect(sent).toHaveLength(2);
  });

  it('that is answered too late is a time-out; any other fault stays what it is', async () => {
    const late = given(() => new AnswerTimeout('pix.example.test', null));
    await expect(late.call('PUT', ['cob', 'a'], {})).rejects.toThrow(ProviderTimeout);
    const broken = given(() => new Error('socket hang up'));
    await expect(broken.call('PUT', ['cob', 'a'], {})).rejects.toThrow('socket hang up');
  });
});
