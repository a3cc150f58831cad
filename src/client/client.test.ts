import { createPortico, type Portico, PorticoError, unwrap } from './client.ts';
import { verifyWebhook } from './webhooks.ts';

type Sent = { readonly method: string; readonly url: URL; readonly headers: Headers; readonly body: unknown };
type Answer = (sent: Sent) => Response | Promise<Response>;

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A client of a gateway that answers as told, and the requests that it got. */
const clientOf = (
  answer: Answer,
  { timeoutMs = 1_000, uniqueReferences = false } = {},
): { portico: Portico; sent: Sent[] } => {
  const sent: Sent[] = [];
  const send: typeof fetch = async (url, init = {}) => {
    const request: Sent = {
      method: init.method ?? '',
      url: new URL(String(url)),
      headers: new Headers(init.headers),
      body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
    };
    sent.push(request);
    const { signal } = init;
    if (signal?.aborted) throw signal.reason;
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
    return Promise.race([answer(request), aborted]);
  };
  const portico = createPortico({
    baseUrl: 'http://gateway.test/',
    credentials: 'sk_test_1',
    fetch: send,
    timeoutMs,
    uniqueReferences,
  });
  return { portico, sent };
};

const refund = { body: { chargeId: 'chg_1', reason: 'sent back' } };
const COMMIT = '0123456789abcdef0123456789abcdef';
const OTHER = 'f123456789abcdef0123456789abcdef';

describe('the client', () => {
  it('sends path, query, body and credentials where they belong', async () => {
    const { portico, sent } = clientOf(() => json({ data: [], page: 1, pages: 0 }));
    await portico.listCharges({ query: { status: 'paid', 'createdAt[gte]': '2026-01-01' } });
    await portico.getCharge({ path: { id: 'chg/1' } });
    await portico.createRefund(refund);
    expect(sent.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
      'GET /v1/charges?status=paid&createdAt%5Bgte%5D=2026-01-01',
      'GET /v1/charges/chg%2F1',
      'POST /v1/refunds',
    ]);
    expect(sent[2]?.body).toEqual(refund.body);
    expect(sent[2]?.headers.get('authorization')).toBe('Bearer sk_test_1');
    expect(sent[2]?.headers.get('content-type')).toBe('application/json');
  });

  it('answers a refusal as a value with its code', async () => {
    const error = { statusCode: 422, message: 'It is refunded', code: 'REFUND_ALREADY_EXISTS' };
    const { portico } = clientOf(() => json(error, 422, { 'x-request-id': 'request-1' }));
    const result = await portico.createRefund(refund);
    expect(result).toEqual({ ok: false, error: { ...error, requestId: 'request-1' } });
    expect(() => unwrap(result)).toThrow(PorticoError);
  });

  it('answers a page of a proxy as an error without a code', async () => {
    const { portico } = clientOf(() => new Response('<html>', { status: 500, statusText: 'Oh' }));
    expect(await portico.createRefund(refund)).toMatchObject({
      ok: false,
      error: { statusCode: 500, message: 'Oh', code: null },
    });
  });

  it('makes reads wait for its own commands', async () => {
    const tokens = [COMMIT, OTHER];
    const { portico, sent } = clientOf(({ method }) =>
      json({}, 200, method === 'POST' ? { 'x-consistency-token': tokens.shift() ?? '' } : {}),
    );
    await portico.listCharges();
    await Promise.all([portico.createRefund(refund), portico.createRefund(refund)]);
    await portico.listCharges();
    await portico.listCharges({ latest: true });
    const asked = sent.filter(({ method }) => method === 'GET');
    expect(asked.map(({ headers }) => headers.get('x-consistency-token'))).toEqual([
      null,
      `${COMMIT}.${OTHER}`,
      'latest',
    ]);
  });

  it('asks again where a read has to wait, and never sends a command twice', async () => {
    const late = () => json({ statusCode: 503, message: 'Later' }, 503, { 'retry-after': '0' });
    const { portico, sent } = clientOf(late);
    expect(await portico.getBalance()).toMatchObject({ ok: false, error: { statusCode: 503 } });
    expect(sent.length).toBe(3);
    await portico.createRefund(refund);
    expect(sent.length).toBe(4);
  });

  it('has every item of a list, page after page', async () => {
    const { portico, sent } = clientOf(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      return json({ data: [`item ${page}`], page, pages: 3, total: 3, size: 1 });
    });
    const items: unknown[] = [];
    for await (const item of portico.each('listCharges', { query: { size: 1 } })) items.push(item);
    expect(items).toEqual(['item 1', 'item 2', 'item 3']);
    expect(sent.length).toBe(3);
  });

  it('goes on by number where a page has no links, which are left out where they would be long', async () => {
    const link = '<?page=1>; rel="first", <?after=abc&size=1>; rel="next"';
    const { portico, sent } = clientOf(({ url }) => {
      const page = url.searchParams.has('after') ? 2 : Number(url.searchParams.get('page') ?? 1);
      const body = { data: [`item ${page}`], page, pages: 3, total: 3, size: 1 };
      return json(body, 200, page === 1 ? { link } : {});
    });
    const items: unknown[] = [];
    for await (const item of portico.each('listCharges')) items.push(item);
    expect(items).toEqual(['item 1', 'item 2', 'item 3']);
    expect(sent.map(({ url }) => url.search)).toEqual([
      '?size=100',
      '?size=100&after=abc',
      '?size=100&page=3',
    ]);
  });

  it('goes on from the place where a page of a list ended, with the filters of the first', async () => {
    const places = [null, 'abc', 'def'];
    const { portico, sent } = clientOf(({ url }) => {
      const place = places.indexOf(url.searchParams.get('after'));
      const next = places[place + 1];
      const link = `<?page=1>; rel="first"${next ? `, <?after=${next}&size=1>; rel="next"` : ''}`;
      return json({ data: [`item ${place}`], page: 1, pages: 9, total: 9, size: 1 }, 200, { link });
    });
    const items: unknown[] = [];
    for await (const item of portico.each('listCharges', { query: { status: 'paid' } })) items.push(item);
    expect(items).toEqual(['item 0', 'item 1', 'item 2']);
    expect(sent.map(({ url }) => url.search)).toEqual([
      '?size=100&status=paid',
      '?size=100&status=paid&after=abc',
      '?size=100&status=paid&after=def',
    ]);
  });

  it('throws in a list that fails', async () => {
    const { portico } = clientOf(() =>
      json({ statusCode: 401, message: 'No', code: 'CREDENTIALS_INVALID' }, 401),
    );
    await expect(portico.each('listCharges').next()).rejects.toMatchObject({
      name: 'PorticoError',
      error: { code: 'CREDENTIALS_INVALID' },
    });
  });

  it('tells a request without an answer from a caller who gave up', async () => {
    const { portico } = clientOf(() => new Promise<never>(() => {}), { timeoutMs: 20 });
    expect(await portico.createRefund(refund)).toMatchObject({
      ok: false,
      error: { code: 'TIMEOUT', statusCode: 0 },
    });
    const broken = clientOf(() => Promise.reject(new TypeError('reset')));
    expect(await broken.portico.createRefund(refund)).toMatchObject({
      ok: false,
      error: { code: 'NETWORK' },
    });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(portico.createRefund({ ...refund, signal })).rejects.toThrow('enough');
  });
});

const request = {
  amount: 10,
  currency: 'BRL' as const,
  reference: 'order-1',
  customer: { name: 'Ana', email: 'ana@example.com' },
  paymentMethod: { type: 'pix' as const, installments: 1 as const },
};

describe('a charge that has no answer', () => {
  /** A gateway whose answer to the charge is lost, and whose list has these. */
  const losing = (charges: () => readonly object[], ahead = 0) =>
    clientOf(({ method, url }) => {
      if (method === 'POST') return Promise.reject(new TypeError('reset'));
      const date = new Date(Date.now() + ahead).toUTCString();
      return url.pathname.endsWith('/charges')
        ? json({ data: charges(), page: 1, pages: 1 }, 200, { date })
        : json({ id: url.pathname.split('/').at(-1) }, 200);
    });
  const charge = (id: string, at: number, amount = 10) => ({
    id,
    amount,
    createdAt: new Date(at).toISOString(),
  });
  const posts = (sent: readonly Sent[]): number => sent.filter(({ method }) => method === 'POST').length;

  it('is found by its reference and not sent twice', async () => {
    const { portico, sent } = losing(() => [charge('chg_1', Date.now())]);
    expect(await portico.createCharge({ body: request })).toMatchObject({ ok: true, data: { id: 'chg_1' } });
    expect(posts(sent)).toBe(1);
    const [, look] = sent;
    expect(look?.url.searchParams.get('reference')).toBe('order-1');
    expect(look?.headers.get('x-consistency-token')).toBe('latest');
  });

  it('is found though the clock of the gateway is an hour behind', async () => {
    const hour = 3_600_000;
    const { portico } = losing(() => [charge('chg_1', Date.now() - hour)], -hour);
    expect(await portico.createCharge({ body: request })).toMatchObject({ ok: true });
  });

  it('is no earlier charge, no other amount, and stays unknown where it is not there', async () => {
    const { portico, sent } = losing(() => [
      charge('chg_1', Date.now() - 60_000),
      charge('chg_2', Date.now(), 11),
    ]);
    expect(await portico.createCharge({ body: request })).toMatchObject({
      ok: false,
      error: { code: 'NETWORK' },
    });
    expect(posts(sent)).toBe(1);
  });

  it('is sent once more where references are unique, and the first one is answered where it arrived', async () => {
    let arrived = false;
    const { portico, sent } = clientOf(
      ({ method, url }) => {
        if (method === 'POST' && !arrived) {
          // The first request is lost on the way back, and nobody sees it in the list before the second comes.
          if (posts(sent) === 1) return Promise.reject(new TypeError('reset'));
          arrived = true;
          const used = {
            statusCode: 422,
            message: 'used',
            code: 'REFERENCE_ALREADY_USED',
            chargeId: 'chg_1',
          };
          return json(used, 422);
        }
        return url.pathname.endsWith('/charges')
          ? json({ data: arrived ? [charge('chg_1', Date.now())] : [], page: 1, pages: 1 })
          : json({ id: url.pathname.split('/').at(-1) });
      },
      { uniqueReferences: true },
    );
    expect(await portico.createCharge({ body: request })).toMatchObject({ ok: true, data: { id: 'chg_1' } });
    expect(posts(sent)).toBe(2);
  });

  it('stays refused where references are unique and an earlier charge has it', async () => {
    const used = { statusCode: 422, message: 'used', code: 'REFERENCE_ALREADY_USED', chargeId: 'chg_0' };
    const { portico, sent } = clientOf(
      ({ method }) => {
        if (method !== 'POST') return json({ data: [charge('chg_0', 0)], page: 1, pages: 1 });
        if (posts(sent) === 1) return Promise.reject(new TypeError('reset'));
        return json(used, 422);
      },
      { uniqueReferences: true },
    );
    expect(await portico.createCharge({ body: request })).toMatchObject({
      ok: false,
      error: { code: 'REFERENCE_ALREADY_USED', chargeId: 'chg_0' },
    });
  });

  it('stays unknown without a reference', async () => {
    const { portico, sent } = losing(() => [charge('chg_1', Date.now())]);
    const { reference: _, ...unnamed } = request;
    expect(await portico.createCharge({ body: unnamed })).toMatchObject({ ok: false });
    expect(sent.length).toBe(1);
  });
});

describe('the body of a webhook', () => {
  const body = JSON.stringify({ id: 'evt_1', event: 'charge.paid', livemode: false, data: { id: 'chg_1' } });
  const payout = JSON.stringify({ id: 'po_1', event: 'payout.sent', data: { id: 'po_1' } });

  it('is genuine if the gateway has sent it to the letter', async () => {
    const { portico } = clientOf(() => json({ id: 'evt_1', body }));
    expect(await verifyWebhook(portico, body)).toEqual({ genuine: true, event: JSON.parse(body) });
    expect(await verifyWebhook(portico, body.replace('chg_1', 'chg_2'))).toEqual({
      genuine: false,
      reason: 'different',
    });
  });

  it('of a payout is found by the payout request', async () => {
    const { portico, sent } = clientOf(() => json({ data: [{ body: payout }] }));
    expect(await verifyWebhook(portico, payout)).toMatchObject({ genuine: true });
    expect(sent[0]?.url.search).toBe('?event=payout.sent&resourceId=po_1&size=100');
  });

  it.each([
    ['unknown', 404],
    ['unanswered', 500],
  ])('is %s where the answer is %i', async (reason, status) => {
    const { portico } = clientOf(() => json({ statusCode: status, message: 'No' }, status));
    expect(await verifyWebhook(portico, body)).toEqual({ genuine: false, reason });
  });

  it.each(['', '{', 'null', '[]', '{"id":1}', '{"id":"evt_1","event":"charge.paid"}'])(
    'is malformed: %s',
    async (malformed) => {
      const { portico, sent } = clientOf(() => json({}));
      expect(await verifyWebhook(portico, malformed)).toEqual({ genuine: false, reason: 'malformed' });
      expect(sent).toEqual([]);
    },
  );
});
