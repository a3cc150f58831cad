import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import supertest from 'supertest';
import { GatewayError } from '../../kernel/errors.ts';
import { refuseCardData } from './card-data.ts';
import { readJsonFile } from './json-file.ts';

/** Reads a body that arrives in pieces of this many bytes. */
const read = (body: string | Buffer, pieceBytes = 7, limit = 10_000) => {
  const bytes = Buffer.from(body as string);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return readJsonFile(Readable.from(pieces), 'content', limit, buffer);
};
/** Whether a name is one for a card's security code, which no body may have. */
const isOfCard = (name: string): boolean => {
  try {
    refuseCardData({ [name]: null });
    return false;
  } catch {
    return true;
  }
};
const refusedWith = (statusCode: number) => expect.objectContaining({ statusCode });

describe('a JSON body with a file', () => {
  it('gives the file as bytes and its other members as they are, in any order', async () => {
    const file = Buffer.from([0, 255, 13, 10]);
    const content = file.toString('base64');
    const rest = { type: 'identity', n: 1.5, flag: true, nothing: null };
    for (const body of [
      { content, ...rest },
      { ...rest, content },
    ])
      expect(await read(JSON.stringify(body))).toEqual({
        members: { ...rest, content: '' },
        taken: file,
      });
  });

  it('has its file in the outermost object only', async () => {
    const members = { a: { b: ['x'] }, c: [{ content: 'QQ==' }], d: { content: 'QQ==' } };
    expect(await read(JSON.stringify(members))).toEqual({ members, taken: null });
  });

  it.each([
    ['{"\\u0063ontent":"QQ=="}', 'A'],
    ['\ufeff { "content" : "\\u0051\\u0051=\\u003D" } ', 'A'],
    ['{"content":"\\/\\/8="}', '\xff\xff'],
    ['{"content":""}', ''],
  ])('has the file that a reader of JSON finds: %s', async (body, file) => {
    for (const pieceBytes of [1, 2, 3, 5, 1_000])
      expect(await read(body, pieceBytes)).toEqual({
        members: { content: '' },
        taken: Buffer.from(file, 'latin1'),
      });
  });

  it('is refused with a second file before that is taken in', async () => {
    let files = 0;
    const take = (content: Readable): Promise<Buffer> => {
      files += 1;
      return buffer(content);
    };
    const body = Readable.from([Buffer.from('{"content":"QQ==","content":"QQ=="}')]);
    await expect(readJsonFile(body, 'content', 1e9, take)).rejects.toMatchObject({
      errors: [{ path: 'content', message: 'content is given more than once' }],
    });
    expect(files).toBe(1);
  });

  it('may have something else than a text in its place, which stays a member', async () => {
    for (const content of [null, 1, true, {}, ['QQ==']])
      expect(await read(JSON.stringify({ content }))).toEqual({ members: { content }, taken: null });
  });

  it('comes out the same however it arrives', async () => {
    const member = fc.oneof(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.constant(null), fc.integer());
    const name = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((key) => key !== 'content' && key !== '__proto__' && !isOfCard(key));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, member, { maxKeys: 5, noNullPrototype: true }),
        fc.uint8Array({ maxLength: 500 }),
        fc.integer({ min: 1, max: 600 }),
        async (members, file, pieceBytes) => {
          const content = Buffer.from(file);
          const body = JSON.stringify({ ...members, content: content.toString('base64') });
          const { members: found, taken } = await read(body, pieceBytes, 100_000);
          expect(found).toEqual({ ...members, content: '' });
          expect(taken).toEqual(content);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    [''],
    ['{'],
    ['{"content":"QQ=='],
    ['{"content":"QQ=="'],
    ['{"content":"QQ=="}}'],
    ['{"content":"QQ=="} x'],
    ['{"content":"QQ==","content":"QQ=="}'],
    ['{"type":1,"type":2}'],
    ['{"content":"not Base64!"}'],
    ['{"content":"QQ==QQ=="}'],
    ['"QQ=="'],
    ['[]'],
    ['1'],
    ['{"content":"QQ==""QQ=="}'],
    ['{"content":"QUJD\\"QUJD"}'],
    ['{"content":"QUJD\\\\"}'],
    ['{"content":"QUJD\\nQUJD"}'],
    ['{"content":"QUJD\\x"}'],
    ['{"content":"QUJD\\u00"}'],
    ['["content":"QQ=="]'],
    ['{"a":{"b":1,"b":2}}'],
    ['{"a":1e999}'],
    ['{"a":"4242 4242 4242 4242"}'],
    ['{"a":"\\ud800"}'],
    ['{"\\ud800":1}'],
    ['{"__proto__":1}'],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
  ])('is refused with 400: %.40s', async (body) => {
    for (const pieceBytes of [1, 10_000])
      await expect(read(body, pieceBytes)).rejects.toEqual(refusedWith(400));
  });

  it('is refused with 400 where it is not UTF-8', async () => {
    const body = Buffer.from('{"type":"?"}');
    body[9] = 0xff;
    await expect(read(body)).rejects.toEqual(refusedWith(400));
  });

  it('is refused with 413 beyond the limit', async () => {
    const body = JSON.stringify({ content: 'A'.repeat(88) });
    await expect(read(body, 7, body.length)).resolves.toMatchObject({ taken: expect.any(Buffer) });
    await expect(read(body, 7, body.length - 1)).rejects.toEqual(refusedWith(413));
  });

  it.each([
    ['text', `{"a":"${'x'.repeat(3_000_000)}"}`],
    ['names', `{"${'x'.repeat(3_000_000)}":1}`],
    ['values', `{"a":[${'1,'.repeat(1_000_000)}1]}`],
  ])('is refused while the rest of it still arrives, with too much besides its file: %s', async (_, body) => {
    let refusal: unknown = null;
    const server = createServer(async (request, response) => {
      const arriving = request.pipe(new PassThrough());
      arriving.once('close', () => request.unpipe(arriving).resume());
      refusal = await readJsonFile(arriving, 'content', 1e9, buffer).catch((error: unknown) => error);
      response.end();
    });
    await supertest(server).post('/').send(body);
    expect(refusal).toMatchObject({ statusCode: 413 });
  });

  it('may have 32 KiB besides its file, before and behind it', async () => {
    const content = 'QUJD'.repeat(30_000);
    const body = (bytes: number) => `{"a":"${' '.repeat(bytes)}","content":"${content}","b":1}`;
    const most = 32 * 1024 - body(0).length + content.length;
    await expect(read(body(most), 65_536, 1e9)).resolves.toMatchObject({ members: { b: 1 } });
    await expect(read(body(most + 1), 65_536, 1e9)).rejects.toEqual(refusedWith(413));
  });

  it('is refused for the reason for which its file is, while the rest of it still arrives', async () => {
    let refusal: unknown = null;
    const refusing = async (content: Readable): Promise<never> => {
      await once(content, 'readable');
      content.destroy(new Error('aborted'));
      await new Promise((resolve) => setImmediate(resolve));
      throw new GatewayError(415, 'wrong type');
    };
    const server = createServer(async (request, response) => {
      const arriving = request.pipe(new PassThrough());
      arriving.once('close', () => request.unpipe(arriving).resume());
      refusal = await readJsonFile(arriving, 'content', 1e9, refusing).catch((error: unknown) => error);
      response.end();
    });
    await supertest(server)
      .post('/')
      .send(`{"content":"${'QUJD'.repeat(1_000_000)}"}`);
    expect(refusal).toEqual(refusedWith(415));
  });

  it('may escape each slash of its file', async () => {
    const content = '/'.repeat(20_000);
    const { taken } = await read(`{"content":"${content.replaceAll('/', '\\/')}"}`, 65_536, 1e9);
    expect(taken).toEqual(Buffer.from(content, 'base64'));
  });

  it('is refused for the reason for which its file is, at once', async () => {
    const reason = new GatewayError(415, 'wrong type');
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        yield Buffer.from('{"content":"');
        for (; sent < 10_000; sent += 1) yield Buffer.from('QUJD'.repeat(1_000));
      })(),
    );
    const refusing = async (content: Readable): Promise<never> => {
      content.destroy();
      throw reason;
    };
    await expect(readJsonFile(endless, 'content', 1e9, refusing)).rejects.toBe(reason);
    expect(sent).toBeLessThan(1_000);
  });
});
