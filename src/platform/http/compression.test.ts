import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import express, { type Response as ExpressResponse } from 'express';
import supertest, { type Response } from 'supertest';
import { createCompression } from './compression.ts';
import { type Route, route } from './route.ts';

const BODY = { data: 'a text that repeats itself, '.repeat(200) };
const PLAIN = Buffer.from(JSON.stringify(BODY));

const routeOf = (changes: Partial<Route> = {}): Route =>
  route({
    method: 'get',
    operationId: 'readThing',
    path: '/',
    summary: 'Read',
    tag: 'Things',
    access: { operator: 'any' },
    responses: { 200: { description: 'Read.' } },
    handle: async () => ({ status: 200 }),
    ...changes,
  });

type Given = {
  readonly route?: Partial<Route>;
  readonly bytes?: Buffer;
  readonly compression?: ReturnType<typeof createCompression>;
  readonly send?: (
    response: ExpressResponse,
    compression: ReturnType<typeof createCompression>,
  ) => Promise<void>;
};

const appOf = ({ route: changes, bytes = PLAIN, compression = createCompression(), send }: Given = {}) => {
  const app = express();
  app.all('/', async (request, response) => {
    if (!compression.isWanted(routeOf(changes), request, response)) response.send(bytes);
    else if (send) await send(response, compression);
    else response.send(await compression.whole(response, bytes));
  });
  return app;
};

/** The bytes as they came over the network. */
const read = (app: express.Express, encodings: string, method: 'get' | 'head' | 'post' = 'get') =>
  supertest(app)
    [method]('/')
    .set('Accept-Encoding', encodings)
    .buffer(true)
    .then((answer: Response) => answer);

describe('an answer', () => {
  it('is compressed for a client that accepts it, and says that it depends on that', async () => {
    const { headers, body } = await read(appOf(), 'gzip, deflate, br');
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(Number(headers['content-length'])).toBeLessThan(PLAIN.length / 5);
    expect(Buffer.from(body)).toEqual(PLAIN);
  });

  it.each([
    ['identity', {}],
    ['br', {}],
    ['gzip;q=0', {}],
    ['gzip', { holdsSecret: true }],
    ['gzip', { access: null }],
    ['gzip', { method: 'post' as const }],
  ])('stays as it is for %s and %j', async (encodings, changes) => {
    const { headers } = await read(appOf({ route: changes }), encodings);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe(String(PLAIN.length));
  });

  it('stays as it is where it is small, and where there is only its head', async () => {
    const small = await read(appOf({ bytes: Buffer.from('{}') }), 'gzip');
    expect(small.headers['content-encoding']).toBeUndefined();
    const head = await read(appOf(), 'gzip', 'head');
    expect(head.headers['content-encoding']).toBeUndefined();
  });

  it('stays as it is while as many as may be are being compressed, and nobody waits', async () => {
    const compression = createCompression(1);
    const [first, second] = await Promise.all(
      [1, 2].map(() => {
        const headers = new Map<string, unknown>();
        const response = { setHeader: (name: string, value: unknown) => headers.set(name, value) };
        return compression
          .whole(response, PLAIN)
          .then((bytes) => ({ bytes, encoding: headers.get('Content-Encoding') }));
      }),
    );
    expect(first?.encoding).toBe('gzip');
    expect(gunzipSync(first?.bytes ?? '')).toEqual(PLAIN);
    expect(second).toEqual({ bytes: PLAIN, encoding: undefined });
    const { headers } = await read(appOf({ compression }), 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
  });

  it('is compressed while it is read, where it is a stream', async () => {
    const rows = Array.from({ length: 1_000 }, (_, row) => `${row},a row\r\n`);
    const app = appOf({ send: (response, compression) => compression.stream(response, Readable.from(rows)) });
    const { headers, body, text } = await read(app, 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(text ?? Buffer.from(body).toString()).toBe(rows.join(''));
  });
});
