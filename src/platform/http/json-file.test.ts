import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import supertest from 'supertest';
import { GatewayError } from '../../kernel/errors.ts';
import { refuseCardData } from './card-data.ts';
import { readJsonFile } from './json-file.ts';

/** Reads a body that arrives in pieces of so many bytes. */
const read = (body: string | Buffer, pieceBytes = 7, limit = 10_000) => {
  const bytes = Buffer.from(body as string);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return readJsonFile(Readable.from(pieces), 'content', limit, buffer);
};
/** Whether a name is that of a card's security code, which no body may have. */
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

  it('has nested members as empty ones, which no schema of a text takes', async () => {
    expect(await read('{"a":{"b":["x"]},"c":[{"content":"QQ=="}],"d":"e"}')).toEqual({
      members: { a: {}, c: [], d: 'e' },
      taken: null,
    });
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
    ['{"a":"\\ud800"}'],
    ['{"\\ud800":1}'],
    ['{"__proto__":1}'],
    [`{"a":"${'x'.repeat(5_000)}"}`],
    [`{"${'x'.repeat(5_000)}":1}`],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [index, 1])))],
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
    ['a', `{"a":"${'x'.repeat(3_000_000)}"}`, 'a is too long'],
    ['', `{"${'x'.repeat(3_000_000)}":1}`, 'The body has a name that is too long'],
  ])('is refused with one fault while the rest of it still arrives, in %p', async (path, body, message) => {
    let refusal: unknown = null;
    const server = createServer(async (request, response) => {
      const arriving = request.pipe(new PassThrough());
      arriving.once('close', () => request.unpipe(arriving).resume());
      refusal = await readJsonFile(arriving, 'content', 1e9, buffer).catch((error: unknown) => error);
      response.end();
    });
    await supertest(server).post('/').send(body);
    expect(refusal).toMatchObject({ statusCode: 400, message, errors: [{ path, message }] });
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

  it.each([
    ['values', `{"a":[${'1,'.repeat(1_000_000)}1]}`],
    ['names', `{"a":{${'"b":1,'.repeat(300_000)}"b":1}}`],
    ['escaped signs in its file', `{"content":"${'\\u0041'.repeat(1_000_000)}"}`],
  ])('is refused at once where it has too many %s', async (_, body) => {
    await expect(read(body, 65_536, 1e9)).rejects.toMatchObject({
      statusCode: 400,
      message: 'The body has too many values',
    });
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
