import { aMerchant, later, NOW } from '../../../../test/builders.ts';
import type { Timestamp } from '../../../kernel/clock.ts';
import type { DocumentContent } from '../../documents/write/document-content.ts';
import { assertReadable, hasRoom, recordScan, removeContent } from '../../documents/write/kept-document.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import { addDocument, assertMayUpload, isExpired, SUBMERCHANT_DOCUMENTS } from './document.ts';

const submerchant = aMerchant({ masterId: 'mer_master', livemode: false });
const PDF = { contentType: 'application/pdf', size: 12, sha256: 'a'.repeat(64) } as const;
const add = (content: DocumentContent = PDF, fileName = 'papers.pdf') =>
  addDocument(submerchant, { type: 'identity', fileName, ...content }, 'doc_1', NOW);

describe('a document', () => {
  it('is kept with its size and its hash', () => {
    expect(add()).toEqual({
      type: 'submerchant_document.added',
      data: {
        id: 'doc_1',
        version: 0,
        merchantId: submerchant.id,
        masterId: 'mer_master',
        livemode: false,
        type: 'identity',
        fileName: 'papers.pdf',
        ...PDF,
        createdAt: NOW.toISOString(),
        removedAt: null,
        scan: null,
      },
    });
  });

  it('has the extension of its content', () => {
    expect(add(PDF, 'evil.html').data.fileName).toBe('evil.pdf');
  });

  it('finds room up to 20 documents and 50 MiB', () => {
    expect(hasRoom({ count: 19, bytes: 50 * 1024 * 1024 - 1 }, 1)).toBe(true);
    expect(hasRoom({ count: 19, bytes: 50 * 1024 * 1024 }, 1)).toBe(false);
    expect(hasRoom({ count: 20, bytes: 0 }, 1)).toBe(false);
  });

  it('is not taken for a blocked sub-merchant', () => {
    expect(() => assertMayUpload({ status: 'blocked' })).toThrow(
      expect.objectContaining({ statusCode: 422, code: 'MERCHANT_NOT_ACTIVE' }),
    );
    for (const status of ['pre_approved', 'active', 'rejected'] as const)
      expect(() => assertMayUpload({ status })).not.toThrow();
  });
});

describe('a scan', () => {
  const { data } = add();

  it('is recorded once', () => {
    const clean = recordScan(SUBMERCHANT_DOCUMENTS, data, null, later(1))?.data;
    expect(clean?.scan).toEqual({ status: 'clean', signature: null, at: later(1).toISOString() });
    expect(clean && recordScan(SUBMERCHANT_DOCUMENTS, clean, 'Eicar', NOW)).toBeNull();
    expect(
      recordScan(
        SUBMERCHANT_DOCUMENTS,
        { ...data, removedAt: later(1).toISOString() as Timestamp },
        null,
        NOW,
      ),
    ).toBeNull();
  });

  it('decides whether a document can be read', () => {
    const infected = recordScan(SUBMERCHANT_DOCUMENTS, data, 'Eicar', NOW)?.data ?? data;
    const clean = recordScan(SUBMERCHANT_DOCUMENTS, data, null, NOW)?.data ?? data;
    const code = (expected: string) => expect.objectContaining({ statusCode: 422, code: expected });
    expect(() => assertReadable(data, false)).not.toThrow();
    expect(() => assertReadable(data, true)).toThrow(code('DOCUMENT_NOT_SCANNED'));
    expect(() => assertReadable(clean, true)).not.toThrow();
    for (const needsScan of [true, false])
      expect(() => assertReadable(infected, needsScan)).toThrow(code('DOCUMENT_INFECTED'));
    expect(() => assertReadable({ ...clean, removedAt: data.createdAt }, true)).toThrow(
      code('DOCUMENT_REMOVED'),
    );
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
    const { data } = add();
    expect(removeContent(SUBMERCHANT_DOCUMENTS, data, later(60))).toEqual({
      type: 'submerchant_document.removed',
      data: { ...data, removedAt: later(60).toISOString() },
    });
  });
});
