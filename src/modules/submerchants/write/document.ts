import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import type { Merchant, MerchantStatus } from '../../merchants/write/merchant.ts';
import { cleanFileName, type DocumentContent, MAX_DOCUMENT_BYTES } from './document-content.ts';
import { documentInfected, documentNotScanned, documentRemoved, submerchantBlocked } from './refusals.ts';

export const DOCUMENT_TYPES = [
  'identity',
  'company_registration',
  'address_proof',
  'bank_proof',
  'other',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export type DocumentId = Id<'doc'>;

/** Bounds of one sub-merchant's documents whose content is kept. */
export const MAX_DOCUMENTS = 20;
export const MAX_DOCUMENTS_BYTES = 5 * MAX_DOCUMENT_BYTES;

/** The verdict of a virus scanner. */
type ScanResult = {
  readonly status: 'clean' | 'infected';
  /** Name of the malware, null for a clean content. */
  readonly signature: string | null;
  readonly at: Timestamp;
};

/** A document of a sub-merchant; its bytes are apart, sealed, until removed. */
export type SubmerchantDocument = Resource &
  DocumentContent & {
    readonly id: DocumentId;
    readonly merchantId: MerchantId;
    readonly masterId: MerchantId | null;
    readonly livemode: boolean | null;
    readonly type: DocumentType;
    /** The client's name for it, with the extension of its content. */
    readonly fileName: string;
    readonly createdAt: Timestamp;
    /** Since when its content is gone, null while it is there. */
    readonly removedAt: Timestamp | null;
    /** Null until a scanner has looked at it. */
    readonly scan: ScanResult | null;
  };

export const SUBMERCHANT_DOCUMENTS: SecretStore<SubmerchantDocument> = secretStore(
  'submerchant_documents',
  'submerchant_document',
  { auditsEverybody: true },
);

type NewDocument = { readonly type: DocumentType; readonly fileName: string } & DocumentContent;

/** Documents of a sub-merchant whose content is kept: their number and their bytes. */
export type DocumentUsage = { readonly count: number; readonly bytes: number };

/** The most that a sub-merchant may have. */
export const DOCUMENT_LIMIT = `${MAX_DOCUMENTS} documents and ${MAX_DOCUMENTS_BYTES} bytes`;

/** Whether a document of so many bytes may be added to those that are there. */
export const hasRoom = ({ count, bytes }: DocumentUsage, size: number): boolean =>
  count < MAX_DOCUMENTS && bytes + size <= MAX_DOCUMENTS_BYTES;

/** 422 MERCHANT_NOT_ACTIVE for a blocked sub-merchant. */
export const assertMayUpload = (submerchant: Pick<Merchant, 'status'>): void => {
  if (submerchant.status === 'blocked') throw submerchantBlocked();
};

export const addDocument = (
  submerchant: Merchant,
  { type, fileName, contentType, size, sha256 }: NewDocument,
  id: DocumentId,
  now: Date,
): Decision<SubmerchantDocument> => ({
  type: 'submerchant_document.added',
  data: {
    id,
    version: 0,
    merchantId: submerchant.id,
    masterId: submerchant.masterId,
    livemode: submerchant.livemode,
    type,
    fileName: cleanFileName(fileName, contentType),
    contentType,
    size,
    sha256,
    createdAt: timestamp(now),
    removedAt: null,
    scan: null,
  },
});

/** The scanner's verdict; null where it is known already, or where the content is gone. */
export const recordScan = (
  document: SubmerchantDocument,
  signature: string | null,
  now: Date,
): Decision<SubmerchantDocument> | null =>
  document.scan !== null || document.removedAt !== null
    ? null
    : {
        type: 'submerchant_document.scanned',
        data: {
          ...document,
          scan: { status: signature === null ? 'clean' : 'infected', signature, at: timestamp(now) },
        },
      };

/**
 * 422 DOCUMENT_REMOVED for a content that is gone, DOCUMENT_INFECTED for malware. 422 DOCUMENT_NOT_SCANNED until a
 * scanner has seen it.
 */
export const assertReadable = (document: SubmerchantDocument, needsScan: boolean): void => {
  if (document.removedAt !== null) throw documentRemoved();
  if (document.scan?.status === 'infected') throw documentInfected();
  if (needsScan && document.scan === null) throw documentNotScanned();
};

/** Statuses of sub-merchants whose documents are no longer needed. */
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

/** Its facts stay. */
export const removeContent = (document: SubmerchantDocument, now: Date): Decision<SubmerchantDocument> => ({
  type: 'submerchant_document.removed',
  data: { ...document, removedAt: timestamp(now) },
});
