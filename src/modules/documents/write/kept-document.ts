import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import { cleanFileName, type DocumentContent, MAX_DOCUMENT_BYTES } from './document-content.ts';
import { documentInfected, documentNotScanned, documentRemoved } from './refusals.ts';

export type DocumentId = Id<'doc'>;

/** Limits for the documents of one owner, such as a sub-merchant, whose contents are kept. */
export const MAX_DOCUMENTS = 20;
export const MAX_DOCUMENTS_BYTES = 5 * MAX_DOCUMENT_BYTES;

/** Verdict of the virus scanner. */
type ScanResult = {
  readonly status: 'clean' | 'infected';
  /** Name of the malware; null for a clean content. */
  readonly signature: string | null;
  readonly at: Timestamp;
};

/** Merchant and environment that a document belongs to. */
type DocumentOwner = {
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly livemode: boolean | null;
};

/** An uploaded document. Its bytes are stored apart and sealed, until they are removed. */
export type KeptDocument = Resource &
  DocumentContent &
  DocumentOwner & {
    readonly id: DocumentId;
    /** The file name that the client gave, with the extension that its content requires. */
    readonly fileName: string;
    readonly createdAt: Timestamp;
    /** When the content was removed; null while it is kept. */
    readonly removedAt: Timestamp | null;
    /** Null until a scanner has checked it. */
    readonly scan: ScanResult | null;
  };

/** Number and total bytes of an owner's documents whose contents are kept. */
export type DocumentUsage = { readonly count: number; readonly bytes: number };

/** The most that an owner may have. */
export const DOCUMENT_LIMIT = `${MAX_DOCUMENTS} documents and ${MAX_DOCUMENTS_BYTES} bytes`;

/** Whether a document of this size may be added to the present ones. */
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

/** Events of documents of a kind. The file names of evidence are erased along with its payer. */
type DocumentEvent<K extends string> = `${K}.${'added' | 'scanned' | 'removed' | 'erased'}`;

/** Names where the documents of one kind are stored, apart from their bytes. */
export type DocumentStore<D extends KeptDocument, K extends string> = SecretStore<D, DocumentEvent<K>> & {
  readonly resource: K;
};

export const documentStore = <D extends KeptDocument, K extends string>(
  collection: string,
  resource: K,
): DocumentStore<D, K> => ({
  ...secretStore<D, DocumentEvent<K>>(collection, resource, { auditsEverybody: true }),
  resource,
});

/** Records the scanner's verdict; null where it is recorded already, or where the content is gone. */
export const recordScan = <D extends KeptDocument, K extends string>(
  { resource }: DocumentStore<D, K>,
  document: D,
  signature: string | null,
  now: Date,
): Decision<D, `${K}.scanned`> | null =>
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
 * 422 DOCUMENT_REMOVED where the content is gone, DOCUMENT_INFECTED for malware, DOCUMENT_NOT_SCANNED before the scan.
 */
export const assertReadable = (
  document: Pick<KeptDocument, 'removedAt' | 'scan'>,
  needsScan: boolean,
): void => {
  if (document.removedAt !== null) throw documentRemoved();
  if (document.scan?.status === 'infected') throw documentInfected();
  if (needsScan && document.scan === null) throw documentNotScanned();
};

/** Records that the content was removed; the other facts of the document stay. */
export const removeContent = <D extends KeptDocument, K extends string>(
  { resource }: DocumentStore<D, K>,
  document: D,
  now: Date,
): Decision<D, `${K}.removed`> => ({
  type: `${resource}.removed`,
  data: { ...document, removedAt: timestamp(now) },
});
