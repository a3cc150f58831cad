import { createHash } from 'node:crypto';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { Merchant, MerchantStatus } from '../../merchants/write/merchant.ts';

export const DOCUMENT_TYPES = [
  'identity',
  'company_registration',
  'address_proof',
  'bank_proof',
  'other',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Decisions 9. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** How files begin: it is the content that says what a document is, never its name (decisions 9). */
const SIGNATURES = [
  { contentType: 'application/pdf', start: Buffer.from('%PDF-') },
  { contentType: 'image/png', start: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { contentType: 'image/jpeg', start: Buffer.from([0xff, 0xd8, 0xff]) },
] as const;
export const DOCUMENT_CONTENT_TYPES = SIGNATURES.map(({ contentType }) => contentType);
export type DocumentContentType = (typeof DOCUMENT_CONTENT_TYPES)[number];

export type DocumentId = Id<'doc'>;

/** What is known about a document of a sub-merchant (specification 4.9); its bytes are apart, sealed, until removed. */
export type SubmerchantDocument = Resource & {
  readonly id: DocumentId;
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly livemode: boolean | null;
  readonly type: DocumentType;
  /** As the client called it. */
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  /** Bytes. */
  readonly size: number;
  /** Of the content as it was sent, in hexadecimal digits. */
  readonly sha256: string;
  readonly createdAt: Timestamp;
  /** Since when its content is gone, null while it is there. */
  readonly removedAt: Timestamp | null;
};

export const SUBMERCHANT_DOCUMENTS: Store<SubmerchantDocument> = store(
  'submerchant_documents',
  'submerchant_document',
  { auditsEverybody: true },
);

export type NewDocument = {
  readonly type: DocumentType;
  readonly fileName: string;
  readonly content: Buffer;
};

/** 413 for a content of more than 10 MiB, 415 for one that is no PDF, PNG or JPEG. */
export const addDocument = (
  submerchant: Merchant,
  { type, fileName, content }: NewDocument,
  id: DocumentId,
  now: Date,
): Decision<SubmerchantDocument> => {
  if (content.length > MAX_DOCUMENT_BYTES)
    throw new GatewayError(413, `The document is larger than ${MAX_DOCUMENT_BYTES} bytes`);
  const contentType = contentTypeOf(content);
  if (contentType === null) throw new GatewayError(415, 'The document must be a PDF, PNG or JPEG');
  return {
    type: 'submerchant_document.added',
    data: {
      id,
      version: 0,
      merchantId: submerchant.id,
      masterId: submerchant.masterId,
      livemode: submerchant.livemode,
      type,
      fileName,
      contentType,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      createdAt: timestamp(now),
      removedAt: null,
    },
  };
};

/** Whom the documents are no more needed for. */
const CLOSED: readonly MerchantStatus[] = ['rejected', 'blocked'];

/** Whether nobody needs a document's content: its sub-merchant is closed, and all that has not changed since `before`. */
export const isExpired = (
  document: Pick<SubmerchantDocument, 'createdAt' | 'removedAt'>,
  submerchant: Pick<Merchant, 'status' | 'updatedAt'>,
  before: Date,
): boolean =>
  document.removedAt === null &&
  document.createdAt < timestamp(before) &&
  CLOSED.includes(submerchant.status) &&
  submerchant.updatedAt < timestamp(before);

/** What is known about it stays. */
export const removeContent = (document: SubmerchantDocument, now: Date): Decision<SubmerchantDocument> => ({
  type: 'submerchant_document.removed',
  data: { ...document, removedAt: timestamp(now) },
});

const contentTypeOf = (content: Buffer): DocumentContentType | null =>
  SIGNATURES.find(({ start }) => content.subarray(0, start.length).equals(start))?.contentType ?? null;

/** The bytes of standard Base64, padded or not; null for what is none. */
export const decodeBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  // Decoding skips what it does not know, so only what comes out the same again was right.
  return bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '') ? bytes : null;
};
