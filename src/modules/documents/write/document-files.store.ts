import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Collection, GridFSBucket, type ObjectId } from 'mongodb';
import { daysBefore, inBatches } from '../../../platform/retention.ts';
import { type KeyRing, type SealedBytes, sealing, unsealing } from '../../../platform/secrets.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import {
  DOCUMENT_LIMIT,
  type DocumentId,
  type DocumentUsage,
  type KeptDocument,
  MAX_DOCUMENTS,
  MAX_DOCUMENTS_BYTES,
} from './kept-document.ts';
import { documentLimitReached } from './refusals.ts';

const CHUNK_BYTES = 1024 * 1024;

/** The collections in which documents of one kind, their contents and their numbers are stored. */
export type DocumentKind = {
  readonly documents: string;
  /** Name of the GridFS bucket, with which its collections of files and chunks begin. */
  readonly bucket: string;
  readonly usage: string;
};

/** Secret of a document: where its sealed bytes are, and their key. */
export type DocumentSecret = { readonly fileId: ObjectId; readonly seal: SealedBytes['seal'] };

/** A document in the write store; once its content is removed it has no secret. */
type StoredDocument = KeptDocument & { readonly _id: DocumentId; readonly secret?: DocumentSecret };
type StoredChunk = { readonly _id: ObjectId; readonly files_id: ObjectId; readonly n: number };
type StoredFile = { readonly _id: ObjectId; readonly filename: DocumentId; readonly uploadDate: Date };

/** A file that is younger than this may belong to an upload whose document is not stored yet. */
const UPLOADED_WITHIN_DAYS = 1;

export type StoredUsage = { readonly _id: string; readonly count: number; readonly bytes: number };

/** Sealed contents of documents in GridFS, handled in constant memory whatever their size. */
export type DocumentFiles = {
  /** Seals and stores a content. The content is durable once the promise resolves; where it rejects nothing is left. */
  put(name: DocumentId, content: AsyncIterable<Buffer>): Promise<DocumentSecret>;
  /** Deletes a content that no document names. */
  discard(secret: DocumentSecret): Promise<void>;
  /**
   * The unsealed content; null where it is no longer kept. Rejects before the first byte where the content was changed,
   * and the stream fails where it is changed while it is read.
   */
  open(id: DocumentId): Promise<Readable | null>;
  /** Number and bytes of an owner's documents whose contents are kept. */
  usage(ownerId: string): Promise<DocumentUsage>;
  /** Counts a new document in the transaction that adds it; 422 DOCUMENT_LIMIT_REACHED. */
  count(tx: OwnTransaction, ownerId: string, size: number): Promise<void>;
  /** Documents whose contents were sealed with another key. */
  notSealedBy(keyId: string): AsyncIterable<DocumentId>;
  /** Seals a document's content with the current key. */
  sealAgain(id: DocumentId): Promise<void>;
  /** Documents that no scanner has checked. */
  notScanned(limit: number): Promise<readonly { readonly id: DocumentId }[]>;
  /** Documents whose contents are kept, in batches. */
  present(
    signal: AbortSignal,
  ): AsyncIterable<
    readonly Pick<KeptDocument, 'id' | 'merchantId' | 'livemode' | 'createdAt' | 'removedAt'>[]
  >;
  /** Removes the reference to the file from an owner's document, in the transaction that records the removal. */
  letGo(tx: OwnTransaction, document: Pick<KeptDocument, 'id' | 'size'>, ownerId: string): Promise<void>;
  /** Deletes files that no document refers to: removed contents, and uploads that a crash cut off. */
  deleteUnnamed(now: Date, signal: AbortSignal): Promise<number>;
};

const NOWHERE = () => new Writable({ write: (_chunk, _encoding, done) => done() });

export const createDocumentFiles = (db: Database, ring: KeyRing, kind: DocumentKind): DocumentFiles => {
  const bucket = new GridFSBucket(db, { bucketName: kind.bucket, chunkSizeBytes: CHUNK_BYTES });
  const documents = db.collection<StoredDocument>(kind.documents);
  const files = db.collection<StoredFile>(`${kind.bucket}.files`);
  const chunks = db.collection<StoredChunk>(`${kind.bucket}.chunks`);
  const usages = db.collection<StoredUsage>(kind.usage);
  const secretOf = async (id: DocumentId): Promise<DocumentSecret | null> => {
    const found = await documents.findOne({ _id: id }, { projection: { secret: 1 } });
    return found?.secret ?? null;
  };
  const put: DocumentFiles['put'] = async (name, content) => {
    const upload = bucket.openUploadStream(name);
    const { cipher, seal } = sealing(ring);
    try {
      await pipeline(content, cipher, upload);
    } catch (error) {
      await upload.abort().catch(() => undefined);
      throw error;
    }
    return { fileId: upload.id, seal: seal() };
  };
  const unsealed = ({ fileId, seal }: DocumentSecret): Readable => {
    const decipher = unsealing(ring, seal);
    // The error reaches whoever reads from `decipher`.
    pipeline(bucket.openDownloadStream(fileId), decipher).catch(() => undefined);
    return decipher;
  };
  const open: DocumentFiles['open'] = async (id) => {
    for (;;) {
      const secret = await secretOf(id);
      if (!secret) return null;
      try {
        // Whether a content is unchanged is known only at its end, so it is read twice.
        await pipeline(unsealed(secret), NOWHERE());
        return unsealed(secret);
      } catch (error) {
        // The content may have been replaced or removed while it was read.
        if ((await secretOf(id))?.fileId.equals(secret.fileId)) throw error;
      }
    }
  };
  return {
    put,
    discard: ({ fileId }) => bucket.delete(fileId),
    open,
    async usage(ownerId) {
      await usages.updateOne({ _id: ownerId }, { $setOnInsert: { count: 0, bytes: 0 } }, { upsert: true });
      const found = await usages.findOne({ _id: ownerId });
      return { count: found?.count ?? 0, bytes: found?.bytes ?? 0 };
    },
    count: (tx, ownerId, size) => countDocument(usages, tx, ownerId, size),
    async *notSealedBy(keyId) {
      for await (const { _id, secret } of documents.find({}, { projection: { secret: 1 } }))
        if (secret && secret.seal.keyId !== keyId) yield _id;
    },
    async sealAgain(id) {
      const before = await secretOf(id);
      const content = await open(id);
      if (!before || !content) return;
      const secret = await put(id, content);
      const { matchedCount } = await documents.updateOne(
        { _id: id, 'secret.fileId': before.fileId },
        { $set: { secret } },
      );
      // Where two processes seal a content at once, the later one deletes its own copy instead of the former file.
      await bucket.delete(matchedCount === 0 ? secret.fileId : before.fileId);
    },
    async notScanned(limit) {
      const filter = { 'scan.status': null, removedAt: null };
      const found = await documents.find(filter, { projection: { _id: 1 }, limit }).toArray();
      return found.map(({ _id }) => ({ id: _id }));
    },
    present: (signal) =>
      inBatches(
        documents,
        { removedAt: null },
        { id: 1, merchantId: 1, livemode: 1, createdAt: 1, removedAt: 1 },
        signal,
      ),
    async letGo({ session }, { id, size }, ownerId) {
      await documents.updateOne({ _id: id }, { $unset: { secret: 1 } }, { session });
      await usages.updateOne({ _id: ownerId }, { $inc: { count: -1, bytes: -size } }, { session });
    },
    deleteUnnamed: (now, signal) => deleteUnnamed({ documents, files, chunks }, now, signal),
  };
};

type UploadedFiles = {
  readonly documents: Collection<StoredDocument>;
  readonly files: Collection<StoredFile>;
  readonly chunks: Collection<StoredChunk>;
};

const countDocument = async (
  usages: Collection<StoredUsage>,
  { session }: OwnTransaction,
  ownerId: string,
  size: number,
): Promise<void> => {
  const withRoom = {
    _id: ownerId,
    count: { $lt: MAX_DOCUMENTS },
    bytes: { $lt: MAX_DOCUMENTS_BYTES - size + 1 },
  };
  const { matchedCount } = await usages.updateOne(withRoom, { $inc: { count: 1, bytes: size } }, { session });
  if (matchedCount === 0) throw documentLimitReached(DOCUMENT_LIMIT);
};

const deleteUnnamed = async (stored: UploadedFiles, now: Date, signal: AbortSignal): Promise<number> => {
  const { documents, files, chunks } = stored;
  const before = daysBefore(now, UPLOADED_WITHIN_DAYS);
  let deleted = 0;
  const uploaded = { uploadDate: { $lt: before } };
  for await (const batch of inBatches(files, uploaded, { filename: 1 }, signal)) {
    const names = batch.map(({ filename }) => filename);
    const found = await documents.find({ _id: { $in: names } }, { projection: { secret: 1 } }).toArray();
    const named = new Set(found.map(({ secret }) => String(secret?.fileId)));
    deleted += await deleteFiles(
      stored,
      batch.map(({ _id }) => _id).filter((id) => !named.has(String(id))),
    );
  }
  // Chunks without a file are left where a crash cut an upload off.
  for await (const batch of inBatches(chunks, { n: 0 }, { files_id: 1 }, signal)) {
    const old = batch.map(({ files_id }) => files_id).filter((id) => id.getTimestamp() < before);
    const known = await files.find({ _id: { $in: old } }, { projection: { _id: 1 } }).toArray();
    const finished = new Set(known.map(({ _id }) => String(_id)));
    const orphans = old.filter((id) => !finished.has(String(id)));
    await deleteFiles(stored, orphans);
    deleted += orphans.length;
  }
  return deleted;
};

const deleteFiles = async ({ files, chunks }: UploadedFiles, ids: readonly ObjectId[]): Promise<number> => {
  // Another worker may delete the same files, and after a crash in between a file is found again.
  await chunks.deleteMany({ files_id: { $in: ids } });
  return (await files.deleteMany({ _id: { $in: ids } })).deletedCount;
};
