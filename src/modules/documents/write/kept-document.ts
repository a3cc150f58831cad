import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import type { SecretStore } from '../../../kernel/store.ts';
import { cleanFileName, type DocumentContent, MAX_DOCUMENT_BYTES } from './document-content.ts';
import { documentInfected, documentNotScanned, documentRemoved } from './refusals.ts';

export type DocumentId = Id<'doc'>;

/** Bounds of the documents of one owner, such as a sub-merchant, whose content is kept. */
export const MAX_DOCUMENTS = 20;
export const MAX_DOCUMENTS_BYTES = 5 * MAX_DOCUMENT_BYTES;

/** The verdict of a virus scanner. */
type ScanResult = {
  readonly status: 'clean' | 'infected';
  /** Name of the malware, null for a clean content. */
  readonly signature: string | null;
  readonly at: Timestamp;
};

/** The tenant and the environment that a document belongs to. */
type DocumentOwner = {
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly livemode: boolean | null;
};

/** A document that was uploaded; its bytes are apart, sealed, until removed. */
export type KeptDocument = Resource &
  DocumentContent &
  DocumentOwner & {
    readonly id: DocumentId;
    /** The client's name for it, with the extension of its content. */
    readonly fileName: string;
    readonly createdAt: Timestamp;
    /** Since when its content is gone, null while it is there. */
    readonly removedAt: Timestamp | null;
    /** Null until a scanner has looked at it. */
    readonly scan: ScanResult | null;
  };

/** Documents of an owner whose content is kept: their number and their bytes. */
export type DocumentUsage = { readonly count: number; readonly bytes: number };

/** The most that an owner may have. */
export const DOCUMENT_LIMIT = `${MAX_DOCUMENTS} documents and ${MAX_DOCUMENTS_BYTES} bytes`;

/** Whether a document of so many bytes may be added to those that are there. */
export const hasRoom = ({ count, bytes }: DocumentUsage, size: number): boolean =>
  count < MAX_DOCUMENTS && bytes + size <= MAX_DOCUMENTS_BYTES;

/** The members that every new document has. */
export const keptDocument = (
  { merchantId, masterId, livemode }: DocumentOwner,
  { fileName, contentType, size, sha256 }: { readonly fileName: string } & DocumentContent,
  id: DocumentId,
  now: Date,
): KeptDocument => ({
  id,
  version: 0,
  merchantId,
  masterId,
  livemode,
  fileName: cleanFileName(fileName, contentType),
  contentType,
  size,
  sha256,
  createdAt: timestamp(now),
  removedAt: null,
  scan: null,
});

type Of<D extends KeptDocument> = Pick<SecretStore<D>, 'resource'>;

/** The scanner's verdict; null where it is known already, or where the content is gone. */
export const recordScan = <D extends KeptDocument>(
  { resource }: Of<D>,
  document: D,
  signature: string | null,
  now: Date,
): Decision<D> | null =>
  document.scan !== null || document.removedAt !== null
    ? null
    : {
        type: `${resource}.scanned`,
        data: {
          ...document,
          scan: { status: signature === null ? 'clean' : 'infected', signature, at: timestamp(now) },
        },
      };

/**
 * 422 DOCUMENT_REMOVED for a content that is gone, DOCUMENT_INFECTED for malware. 422 DOCUMENT_NOT_SCANNED until a
 * scanner has seen it.
 */
export const assertReadable = (
  document: Pick<KeptDocument, 'removedAt' | 'scan'>,
  needsScan: boolean,
): void => {
  if (document.removedAt !== null) throw documentRemoved();
  if (document.scan?.status === 'infected') throw documentInfected();
  if (needsScan && document.scan === null) throw documentNotScanned();
};

/** Its facts stay. */
export const removeContent = <D extends KeptDocument>(
  { resource }: Of<D>,
  document: D,
  now: Date,
): Decision<D> => ({
  type: `${resource}.removed`,
  data: { ...document, removedAt: timestamp(now) },
});
