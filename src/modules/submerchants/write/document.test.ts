import fc from 'fast-check';
import { aMerchant, later, NOW } from '../../../../test/builders.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { addDocument, decodeBase64, isExpired, MAX_DOCUMENT_BYTES, removeContent } from './document.ts';

const PDF = Buffer.from('%PDF-1.7\n…');
const submerchant = aMerchant({ masterId: 'mer_master', livemode: false });
const add = (content: Buffer, fileName = 'papers.pdf') =>
  addDocument(submerchant, { type: 'identity', fileName, content }, 'doc_1', NOW);

describe('a document', () => {
  it('is kept with its size and its hash', () => {
    expect(add(PDF)).toEqual({
      type: 'submerchant_document.added',
      data: {
        id: 'doc_1',
        version: 0,
        merchantId: submerchant.id,
        masterId: 'mer_master',
        livemode: false,
        type: 'identity',
        fileName: 'papers.pdf',
        contentType: 'application/pdf',
        size: PDF.length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        createdAt: NOW.toISOString(),
        removedAt: null,
      },
    });
  });

  it.each([
    ['application/pdf', PDF],
    ['image/png', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['image/jpeg', Buffer.from('ffd8ffe000104a46', 'hex')],
  ])('is %s by its content, whatever its name says', (contentType, content) => {
    expect(add(content, 'virus.exe').data.contentType).toBe(contentType);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['the beginning of a signature', Buffer.from('%PD')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['a drawing with scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['a PDF behind something else', Buffer.from('GIF89a%PDF-1.7')],
  ])('cannot be %s', (_, content) => {
    expect(() => add(content)).toThrow(expect.objectContaining({ statusCode: 415 }));
  });

  it('may have 10 MiB and not one byte more', () => {
    const content = Buffer.alloc(MAX_DOCUMENT_BYTES + 1);
    PDF.copy(content);
    expect(add(content.subarray(0, MAX_DOCUMENT_BYTES)).data.size).toBe(10_485_760);
    expect(() => add(content)).toThrow(expect.objectContaining({ statusCode: 413 }));
  });
});

describe('the content of a document', () => {
  const BEFORE = later(-30 * 86_400);
  const old = (seconds = -1): string => later(seconds, BEFORE).toISOString();
  const expired = (document: object, changes: Partial<Merchant>) =>
    isExpired(
      { createdAt: old(), removedAt: null, ...document },
      aMerchant({ status: 'rejected', updatedAt: old(), ...changes }),
      BEFORE,
    );

  it.each(['rejected', 'blocked'] as const)('is not needed long after its sub-merchant was %s', (status) => {
    expect(expired({}, { status })).toBe(true);
    expect(expired({}, { status, updatedAt: old(0) })).toBe(false);
    expect(expired({ createdAt: old(0) }, { status })).toBe(false);
    expect(expired({ removedAt: old() }, { status })).toBe(false);
  });

  it.each(['pre_approved', 'active'] as const)('is needed of a sub-merchant that is %s', (status) => {
    expect(expired({}, { status })).toBe(false);
  });

  it('is removed, and what is known about it stays', () => {
    const { data } = add(PDF);
    expect(removeContent(data, later(60))).toEqual({
      type: 'submerchant_document.removed',
      data: { ...data, removedAt: later(60).toISOString() },
    });
  });
});

describe('Base64', () => {
  it('gives the bytes that it was made of, with and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
        const bytes = Buffer.from(content);
        const text = bytes.toString('base64');
        expect(decodeBase64(text)).toEqual(bytes);
        expect(decodeBase64(text.replaceAll('=', ''))).toEqual(bytes);
      }),
    );
  });

  it.each(['a b=', 'JVBE\nRi0=', 'data:application/pdf;base64,JVBERi0', 'JVBERi0_', 'ção', 'A', '=JVBERi0'])(
    'is not %j',
    (text) => {
      expect(decodeBase64(text)).toBeNull();
    },
  );
});
