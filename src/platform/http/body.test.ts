import { Agent, createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import express, { type NextFunction, type Request, type Response } from 'express';
import fc from 'fast-check';
import Joi from 'joi';
import supertest from 'supertest';
import { GatewayError } from '../../kernel/errors.ts';
import { bodyReaderOf } from './body.ts';
import { type Route, route } from './route.ts';

const routeWith = (changes: Partial<Route> = {}): Route =>
  route({
    method: 'post',
    operationId: 'echo',
    path: '/',
    summary: 'Echo',
    tag: 'Test',
    access: null,
    responses: { 200: { description: 'The body.' } },
    handle: async () => ({ status: 200 }),
    ...changes,
  });

const appOf = (changes: Partial<Route> = {}, withinMs?: Parameters<typeof bodyReaderOf>[1]) => {
  const read = bodyReaderOf(routeWith(changes), withinMs);
  const app = express();
  app.all('/', async (request, response) => {
    const { value, bytes } = await read(request, response);
    response.json({ has: value !== undefined, value, bytes: bytes.length });
  });
  app.use(answerError);
  return app;
};

const answerError = (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
  const { statusCode, headers } = error instanceof GatewayError ? error : { statusCode: 500, headers: {} };
  response
    .status(statusCode)
    .set(headers)
    .json({ message: error instanceof Error ? error.message : '' });
};

const app = appOf();
const post = (body: string | Buffer, type = 'application/json') =>
  supertest(app)
    .post('/')
    .set('Content-Type', type)
    .serialize((data) => data)
    .send(body);

const KIB = 1024;
const LONE = /\p{Surrogate}/u;

describe('a JSON body', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1,2]', [1, 2]],
    ['"text"', 'text'],
    ['null', null],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":"\\ud83d\\ude00 😀 \\\\ud800"}', { a: '😀 😀 \\ud800' }],
    ['{"constructor":1,"toString":2}', { constructor: 1, toString: 2 }],
  ])('is read: %s', async (body, value) => {
    expect((await post(body).expect(200)).body).toMatchObject({ has: true, value });
  });

  it.each(['{', '{"a":1,}', "{'a':1}", 'NaN', '{"a":1}{"b":2}', ' ', '{"a":\u0001}', 'undefined'])(
    'is refused where it is no JSON: %s',
    async (body) => {
      expect((await post(body).expect(400)).body.message).toBe('The body is not valid JSON');
    },
  );

  it('has the type JSON, in any writing', async () => {
    const written = ['application/json', 'application/json; charset=utf-8'];
    for (const type of [...written, 'Application/JSON;charset="UTF-8"', 'application/json;charset=utf8'])
      await post('{"a":"ä"}', type).expect(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/jsonp',
    'application',
    'application/json; charset=latin1',
    'application/json; charset=utf-16le',
    'application/json; charset=utf-7',
    'text/json',
  ])('has no other type: %s', async (type) => {
    await post('{}', type).expect(415);
  });

  it('has a type, where it has a body', async () => {
    const untyped = supertest(app).post('/').unset('Content-Type');
    await untyped.send(Buffer.from('{}')).expect(415);
  });

  it.each(['application/json', 'text/plain'])('is none where its length is 0, of type %s', async (type) => {
    const { body } = await supertest(app)
      .post('/')
      .set('Content-Type', type)
      .set('Content-Length', '0')
      .expect(200);
    expect(body).toEqual({ has: false, bytes: 0 });
  });

  it('is none where nothing is sent', async () => {
    expect((await supertest(app).post('/').expect(200)).body).toEqual({ has: false, bytes: 0 });
  });

  it('is none where the chunks of it are empty', async () => {
    const request = supertest(app).post('/').set('Transfer-Encoding', 'chunked');
    expect((await request.expect(200)).body).toEqual({ has: false, bytes: 0 });
  });

  it('is not looked at with a method that has none', async () => {
    const getApp = appOf({ method: 'get' });
    const { body } = await supertest(getApp).get('/').set('Content-Type', 'application/json').send('{"a":1}');
    expect(body).toEqual({ has: false, bytes: 0 });
  });

  it('may have 256 KiB and not a byte more', async () => {
    const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    await post(text(256 * KIB)).expect(200);
    await post(text(256 * KIB + 1)).expect(413);
  });

  it('may be compressed, but counts uncompressed', async () => {
    const zipped = (body: Buffer, encoding: string) =>
      supertest(app)
        .post('/')
        .set('Content-Type', 'application/json')
        .set('Content-Encoding', encoding)
        .serialize((data) => data)
        .send(body);
    expect((await zipped(gzipSync('{"a":1}'), 'gzip').expect(200)).body.value).toEqual({ a: 1 });
    await zipped(deflateSync('{"a":1}'), 'deflate').expect(200);
    await zipped(gzipSync(`"${'0'.repeat(50_000 * KIB)}"`), 'gzip').expect(413);
    await zipped(Buffer.from('{"a":1}'), 'gzip').expect(400);
    // After the gzip header of ten bytes, blocks that decompress to nothing (RFC 1951).
    const nothing = Buffer.alloc(300 * KIB, Buffer.from([0, 0, 0, 0xff, 0xff]));
    await zipped(Buffer.concat([gzipSync('').subarray(0, 10), nothing]), 'gzip').expect(413);
    await zipped(Buffer.from('{"a":1}'), 'unknown').expect(415);
  });

  it.each([
    Buffer.from([0x22, 0xff, 0x22]),
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  ])('is UTF-8: %j', async (bytes) => {
    expect((await post(bytes).expect(400)).body.message).toBe('The body is not well-formed Unicode');
  });

  it.each([
    ['{"__proto__":{"amount":1}}', '__proto__ is not allowed'],
    ['{"a":[{"\\u005f_proto__":1}]}', '__proto__ is not allowed'],
    ['{"a\\u0000b":1}', 'The body has a field name with a NUL character'],
    ['{"a":{"b":1e999}}', 'a.b is a number that cannot be kept exactly'],
    ['[0,-1e-999]', '1 is a number that cannot be kept exactly'],
    ['{"amount":1.999999999999999999}', 'amount is a number that cannot be kept exactly'],
    ['{"a":[1,{"b":9007199254740993}]}', 'a.1.b is a number that cannot be kept exactly'],
    ['{"a":10.00000000000000001}', 'a is a number that cannot be kept exactly'],
    [`0.${'0'.repeat(500)}`, 'The body is a number that cannot be kept exactly'],
    ['{"a":1,"b":2,"a":1}', 'a is given more than once'],
    ['{"amount":10,"\\u0061mount" :10}', 'amount is given more than once'],
    ['[{"a":{"b":[],"b":[]}}]', '0.a.b is given more than once'],
    ['{"a":"\\ud800"}', 'The body is not well-formed Unicode'],
    ['{"\\udc00":1}', 'The body is not well-formed Unicode'],
    ['{"a":"\\ude00\\ud83d"}', 'The body is not well-formed Unicode'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'The body is nested more than 32 levels deep'],
    [`${'['.repeat(120_000)}${']'.repeat(120_000)}`, 'The body has more than 10000 values'],
    [JSON.stringify(Array.from({ length: 10_001 }, () => 1)), 'The body has more than 10000 values'],
    [
      JSON.stringify({ a: Array.from({ length: 5_000 }, () => ({ b: 1 })) }),
      'The body has more than 10000 values',
    ],
    [`[${'"'.repeat(2)}${',{}'.repeat(80_000)}`, 'The body has more than 10000 values'],
  ])('has nothing that no store takes: %#', async (body, message) => {
    expect((await post(body).expect(400)).body.message).toBe(message);
  });

  it.each([
    ['10.00', 10],
    ['1.0000000000000000000000000', 1],
    ['100000000000000000000000', 1e23],
    ['0.30000000000000004', 0.30000000000000004],
    ['1E+2', 100],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['1797693134862315700e290', Number.MAX_VALUE],
    ['5e-324', Number.MIN_VALUE],
  ])('may have a number that a double holds, however it is written: %s', async (body, value) => {
    expect((await post(body).expect(200)).body.value).toBe(value);
  });

  it.each(['-0', '-0.00', '-0e5'])('has no %s, which would lose its sign', async (body) => {
    expect((await post(body).expect(400)).body.message).toContain('cannot be kept exactly');
  });

  it('may have the same name in different objects, and as a text', async () => {
    const body = '{"a":{"a":"a"},"b":[{"a":"\\"a\\":1,"},{"a":"a:"}],"constructor":1}';
    expect((await post(body).expect(200)).body.value).toEqual(JSON.parse(body));
  });

  it('may have 10,000 values, and any number of commas and brackets in its texts', async () => {
    await post(JSON.stringify(Array.from({ length: 10_000 }, () => 1))).expect(200);
    await post(JSON.stringify([',[{'.repeat(20_000), '"\\",'.repeat(20_000)])).expect(200);
  });

  it('may be nested 32 levels deep', async () => {
    await post(`${'['.repeat(32)}${']'.repeat(32)}`).expect(200);
  });

  it('comes back as it was sent, whatever well-formed text it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), async (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__') && !/\\u0000[^"]*":/.test(text));
        const { body } = await post(text).expect(200);
        expect(JSON.stringify(body.value)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('is refused with half a surrogate pair, wherever that is', async () => {
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
    const around = fc.string({ unit: 'grapheme-ascii' });
    await fc.assert(
      fc.asyncProperty(around, half, around, fc.boolean(), async (before, lone, after, isKey) => {
        const broken = `${before}${lone}${after}`;
        expect(LONE.test(broken)).toBe(true);
        // JSON.stringify writes characters that are not well-formed as escapes.
        await post(JSON.stringify(isKey ? { [broken]: 1 } : [broken])).expect(400);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a body of another type that its route takes', () => {
  const upload = appOf({ otherBodyTypes: { 'multipart/form-data': Joi.object() } });

  it('is left as it is', async () => {
    const request = supertest(upload).post('/').set('Content-Type', 'multipart/form-data; boundary=x');
    const { body } = await request
      .serialize((data) => data)
      .send('--x--')
      .expect(200);
    expect(body).toEqual({ has: false, bytes: 5 });
  });

  it('has the same limit', async () => {
    const request = supertest(upload).post('/').set('Content-Type', 'multipart/form-data; boundary=x');
    await request
      .serialize((data) => data)
      .send('x'.repeat(256 * KIB + 1))
      .expect(413);
  });
});

describe('a body that its route streams', () => {
  const streaming: Partial<Route> = { streamsBody: true, body: Joi.object() };
  const ended: Promise<unknown>[] = [];
  /** Answers with the bytes that arrived, or with 413 for more than 1,000 of them. */
  const serve = (withinMs?: { whole: number; streamed: number }) => {
    const read = bodyReaderOf(routeWith(streaming), withinMs);
    const server = express();
    server.post('/unread', async (request, response) => {
      const { stream } = await read(request, response);
      ended.push(finished(stream));
      response.sendStatus(404);
    });
    server.post('/', async (request, response) => {
      const { stream } = await read(request, response);
      let [bytes, pieces] = [0, 0];
      for await (const chunk of stream) {
        bytes += chunk.length;
        pieces += 1;
        if (bytes > 1_000) throw new GatewayError(413, 'too large');
      }
      response.json({ bytes, pieces });
    });
    server.use(answerError);
    return createServer(server).listen(0);
  };
  let server: Server;
  beforeAll(() => {
    server = serve();
  });
  afterAll(() => server.close());
  const upload = (body: string) =>
    supertest(server)
      .post('/')
      .set('Content-Type', 'application/json')
      .serialize((data) => data)
      .send(body);

  it('arrives, small pieces of it as one', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1_000)}0\r\n\r\n`,
    );
    expect(await text(socket)).toContain('{"bytes":1000,"pieces":1}');
  });

  it('that its reader refuses is read to its end, and the connection goes on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await upload('x'.repeat(3_000_000)).agent(agent).expect(413);
    await upload('x').agent(agent).expect(200);
    agent.destroy();
  });

  it('that nobody reads ends with the answer, its timer with it', async () => {
    for (const body of ['x', 'x'.repeat(100_000)])
      await supertest(server).post('/unread').set('Content-Type', 'application/json').send(body).expect(404);
    await Promise.all(ended.map((end) => expect(end).rejects.toThrow('Premature close')));
    expect(ended).toHaveLength(2);
  });

  it('has a type that the route takes, and is not compressed', async () => {
    await supertest(server).post('/').set('Content-Type', 'text/plain').send('x').expect(415);
    await supertest(server)
      .post('/')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .send('{}')
      .expect(415);
  });

  it.each<[string, Partial<Route>]>([
    ['whole', {}],
    ['streamed', streaming],
  ])('or is read %s and comes too slowly ends with 408 and its connection', async (_, changes) => {
    const withinMs = { whole: 50, streamed: 50 };
    const slow =
      'streamsBody' in changes ? serve(withinMs) : createServer(appOf(changes, withinMs)).listen(0);
    const { port } = slow.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toMatch(/connection: close/i);
    slow.close();
  });
});
