import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { GatewayError } from '../../kernel/errors.ts';
import { type Form, parseForm } from './multipart.ts';

const HEADERS = { 'content-type': 'multipart/form-data; boundary=limit' };

const part = (disposition: string, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--limit\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from('--limit--\r\n');
const parse = (...parts: readonly Buffer[]): Promise<Form<Buffer>> =>
  parseForm(HEADERS, Readable.from([Buffer.concat([...parts])]), buffer);
const REFUSED = expect.objectContaining({ statusCode: 400 });

describe('a form', () => {
  it('has its fields as text and its files as bytes with a name without folders', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45]);
    const form = await parse(
      part('name="type"', 'identity'),
      part('name="file"; filename="C:\\papers\\identidade é.pdf"', bytes),
      END,
    );
    expect(form).toEqual({ type: 'identity', file: { fileName: 'identidade é.pdf', taken: bytes } });
  });

  it('gives back every file as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (content) => {
        const { file } = await parse(part('name="file"; filename="a"', Buffer.from(content)), END);
        expect(file).toEqual({ fileName: 'a', taken: Buffer.from(content) });
      }),
      { numRuns: 50 },
    );
  });

  it.each<[string, readonly Buffer[]]>([
    ['that breaks off within a file', [part('name="file"; filename="a"', 'half')]],
    ['that breaks off within a field', [part('name="type"', 'half')]],
    ['without a part', [Buffer.from('nothing of the kind')]],
    ['with a name twice', [part('name="type"', 'a'), part('name="type"', 'b'), END]],
    [
      'with a file twice',
      [part('name="file"; filename="a"', 'a'), part('name="file"; filename="b"', 'b'), END],
    ],
    [
      'with too many parts',
      [...Array.from({ length: 30 }, (_, index) => part(`name="f${index}"`, 'a')), END],
    ],
    ['with a text that is too long', [part('name="type"', 'a'.repeat(5_000)), END]],
    ['with a name that no validator would see', [part('name="__proto__"', 'a'), END]],
  ])('%s is refused', async (_, parts) => {
    await expect(parse(...parts)).rejects.toEqual(REFUSED);
  });

  it('whose boundary is missing is refused', async () => {
    await expect(
      (async () => parseForm({ 'content-type': 'multipart/form-data' }, Readable.from([END]), buffer))(),
    ).rejects.toEqual(REFUSED);
  });

  it('is refused for the reason for which its file is', async () => {
    const body = Readable.from([Buffer.concat([part('name="file"; filename="a"', 'a'), END])]);
    const tooLarge = new GatewayError(413, 'The file is too large');
    await expect(parseForm(HEADERS, body, () => Promise.reject(tooLarge))).rejects.toBe(tooLarge);
  });

  it('that breaks off on its way is refused with the error of its connection', async () => {
    const broken = new Error('broken');
    const body = new PassThrough();
    const form = parseForm(HEADERS, body, buffer);
    body.write(part('name="file"; filename="a"', 'half').subarray(0, -2));
    body.destroy(broken);
    await expect(form).rejects.toBe(broken);
  });

  it('of any bytes is taken or refused with 400, nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              '--limit',
              '--limit--',
              '\r\n',
              '\r\n\r\n',
              'Content-Disposition: form-data; name="',
            ),
            fc.constantFrom('"; filename="', '"', 'Content-Type: text/plain; charset=x', '__proto__', 'a'),
            fc.string({ unit: 'binary', maxLength: 10 }),
          ),
          { maxLength: 25 },
        ),
        async (pieces) => {
          const answer = await parse(Buffer.from(pieces.join(''))).catch((error: unknown) => error);
          if (answer instanceof Error) {
            expect(answer).toBeInstanceOf(GatewayError);
            expect(answer).toEqual(REFUSED);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
