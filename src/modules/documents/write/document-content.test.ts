import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  cleanFileName,
  createInspection,
  type DocumentContent,
  MAX_DOCUMENT_BYTES,
} from './document-content.ts';

const PDF = Buffer.from('%PDF-1.7\n…');

/** The result for a content that arrives in pieces of this many bytes. */
const inspect = async (content: Buffer, pieceBytes = 65_536): Promise<DocumentContent> => {
  async function* pieces() {
    for (let start = 0; start < content.length; start += pieceBytes)
      yield content.subarray(start, start + pieceBytes);
  }
  const inspection = createInspection();
  const passed: Buffer[] = [];
  for await (const piece of inspection.pass(pieces())) passed.push(piece);
  expect(Buffer.concat(passed).equals(content)).toBe(true);
  return inspection.result();
};
const refusedWith = (statusCode: number) => expect.objectContaining({ statusCode });

describe('the content of a document', () => {
  it.each<[string, Buffer]>([
    ['application/pdf', PDF],
    ['image/png', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['image/jpeg', Buffer.from('ffd8ffe000104a46', 'hex')],
  ])('is %s by how it begins, in one piece or byte by byte', async (contentType, content) => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    for (const pieceBytes of [1, 3, 65_536])
      expect(await inspect(content, pieceBytes)).toEqual({ contentType, size: content.length, sha256 });
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['the beginning of a signature', Buffer.from('%PD')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['a drawing with scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['a PDF behind something else', Buffer.from('GIF89a%PDF-1.7')],
  ])('cannot be %s', async (_, content) => {
    await expect(inspect(content)).rejects.toEqual(refusedWith(415));
    await expect(inspect(content, 1)).rejects.toEqual(refusedWith(415));
  });

  it('of another kind is refused before a byte of it is passed on', async () => {
    const inspection = createInspection();
    const passed: Buffer[] = [];
    const all = async (): Promise<void> => {
      for await (const piece of inspection.pass(
        (async function* () {
          yield Buffer.from('<html>1234');
        })(),
      ))
        passed.push(piece);
    };
    await expect(all()).rejects.toEqual(refusedWith(415));
    expect(passed).toEqual([]);
  });

  it('may have 10 MiB and not one byte more', async () => {
    const content = Buffer.alloc(MAX_DOCUMENT_BYTES + 1);
    PDF.copy(content);
    expect((await inspect(content.subarray(0, MAX_DOCUMENT_BYTES))).size).toBe(10_485_760);
    await expect(inspect(content)).rejects.toEqual(refusedWith(413));
  });
});

describe('the name of a file', () => {
  it.each([
    ['papers.pdf', 'papers.pdf'],
    ['PAPERS.PDF', 'PAPERS.PDF'],
    ['prova nº 1 "a".pdf', 'prova nº 1 "a".pdf'],
    ['evil.html', 'evil.pdf'],
    ['evil.pdf.html', 'evil.pdf.pdf'],
    ['evil.html.pdf', 'evil.html.pdf'],
    ['no extension', 'no extension.pdf'],
    ['.pdf', 'document.pdf'],
    ['\u202efdp.exe', 'fdp.pdf'],
    ['a\u0000\u001b[31m\u2066b\u200b.pdf', 'a[31mb.pdf'],
    ['\u202e', 'document.pdf'],
    [`${'a'.repeat(255)}`, `${'a'.repeat(251)}.pdf`],
  ])('%j of a PDF becomes %j', (name, clean) => {
    expect(cleanFileName(name, 'application/pdf')).toBe(clean);
  });

  it('keeps both usual extensions of a JPEG', () => {
    expect(cleanFileName('a.jpeg', 'image/jpeg')).toBe('a.jpeg');
    expect(cleanFileName('a.jpg', 'image/jpeg')).toBe('a.jpg');
  });

  it('is never longer than 255 characters, never without the extension, and stays as it is the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 255 }), (name) => {
        const clean = cleanFileName(name, 'image/png');
        expect(clean.length).toBeLessThanOrEqual(255);
        expect(clean).toMatch(/.\.png$/i);
        expect(cleanFileName(clean, 'image/png')).toBe(clean);
      }),
    );
  });
});
