import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Db, GridFSBucket, type ObjectId } from 'mongodb';
import { daysBefore, inBatches } from '../../../platform/retention.ts';
import type { SealedBytes } from '../../../platform/secrets.ts';
import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import type { Transaction } from '../../../platform/write-store/transact.ts';
import { type DocumentId, SUBMERCHANT_DOCUMENTS, type SubmerchantDocument } from './document.ts';

const BUCKET = 'submerchant_files';
const CHUNK_BYTES = 1024 * 1024;

export const documentsMigrations: readonly Migration[] = [
  {
    id: '031-submerchant-documents',
    async up(db) {
      await ensureCollections(db, [SUBMERCHANT_DOCUMENTS.collection, `${BUCKET}.files`, `${BUCKET}.chunks`]);
      await db.collection(`${BUCKET}.files`).createIndex({ filename: 1, uploadDate: 1 });
      await db.collection(`${BUCKET}.chunks`).createIndex({ files_id: 1, n: 1 }, { unique: true });
    },
  },
  {
    id: '032-submerchant-documents-removed',
    async up(db) {
      await db
        .collection(SUBMERCHANT_DOCUMENTS.collection)
        .updateMany({ removedAt: { $exists: false } }, { $set: { removedAt: null } });
    },
  },
];

/** What is stored beside a document: where its sealed bytes are, and what it takes to read them. */
export type DocumentSecret = { readonly fileId: ObjectId; readonly seal: SealedBytes['seal'] };

/** Documents as they lie in the write store; one whose content was removed has no secret. */
type StoredDocument = SubmerchantDocument & { readonly _id: DocumentId; readonly secret?: DocumentSecret };
type StoredFile = { readonly _id: ObjectId; readonly filename: DocumentId; readonly uploadDate: Date };

/** A file that is younger may belong to an upload whose document is not stored yet. */
const UPLOADED_WITHIN_DAYS = 1;

/** Sealed contents of documents in GridFS. */
export type DocumentFiles = {
  /** They are durable when it resolves. */
  put(name: DocumentId, sealed: SealedBytes): Promise<DocumentSecret>;
  /** Null where they are no longer kept. */
  get(id: DocumentId): Promise<SealedBytes | null>;
  /** Documents whose contents another key has sealed. */
  notSealedBy(keyId: string): AsyncIterable<DocumentId>;
  /** Puts other bytes in the place of a document's. */
  replace(id: DocumentId, sealed: SealedBytes): Promise<void>;
  /** Documents whose contents are there, in batches. */
  present(
    signal: AbortSignal,
  ): AsyncIterable<readonly Pick<SubmerchantDocument, 'id' | 'merchantId' | 'createdAt' | 'removedAt'>[]>;
  /** Has the document name its file no more; in the transaction that says so. */
  letGo(tx: Transaction, id: DocumentId): Promise<void>;
  /** Deletes files that no document names: of removed contents, and of uploads that a crash cut short. */
  deleteUnnamed(now: Date, signal: AbortSignal): Promise<number>;
};

export const createDocumentFiles = (db: Db): DocumentFiles => {
  const bucket = new GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
  const documents = db.collection<StoredDocument>(SUBMERCHANT_DOCUMENTS.collection);
  const files = db.collection<StoredFile>(`${BUCKET}.files`);
  const chunks = db.collection<{ readonly files_id: ObjectId }>(`${BUCKET}.chunks`);
  const secretOf = async (id: DocumentId): Promise<DocumentSecret | null> => {
    const found = await documents.findOne({ _id: id }, { projection: { secret: 1 } });
    return found?.secret ?? null;
  };
  const put = async (name: DocumentId, { seal, bytes }: SealedBytes): Promise<DocumentSecret> => {
    const upload = bucket.openUploadStream(name);
    await pipeline(Readable.from([bytes]), upload);
    return { fileId: upload.id, seal };
  };
  return {
    put,
    async get(id) {
      for (;;) {
        const secret = await secretOf(id);
        if (!secret) return null;
        const { fileId, seal } = secret;
        try {
          return { seal, bytes: await buffer(bucket.openDownloadStream(fileId)) };
        } catch (error) {
          // It may have been replaced or removed while it was read.
          if ((await secretOf(id))?.fileId.equals(fileId)) throw error;
        }
      }
    },
    async *notSealedBy(keyId) {
      for await (const { _id, secret } of documents.find({}, { projection: { secret: 1 } }))
        if (secret && secret.seal.keyId !== keyId) yield _id;
    },
    async replace(id, sealed) {
      const before = await secretOf(id);
      if (!before) return;
      const secret = await put(id, sealed);
      const { matchedCount } = await documents.updateOne(
        { _id: id, 'secret.fileId': before.fileId },
        { $set: { secret } },
      );
      // Of two who replace it at once one comes too late.
      await bucket.delete(matchedCount === 0 ? secret.fileId : before.fileId);
    },
    present: (signal) =>
      inBatches(documents, { removedAt: null }, { id: 1, merchantId: 1, createdAt: 1, removedAt: 1 }, signal),
    async letGo({ session }, id) {
      await documents.updateOne({ _id: id }, { $unset: { secret: 1 } }, { session });
    },
    async deleteUnnamed(now, signal) {
      const uploaded = { $lt: daysBefore(now, UPLOADED_WITHIN_DAYS) };
      let deleted = 0;
      for await (const batch of inBatches(files, { uploadDate: uploaded }, { filename: 1 }, signal)) {
        const names = batch.map(({ filename }) => filename);
        const found = await documents.find({ _id: { $in: names } }, { projection: { secret: 1 } }).toArray();
        const named = new Set(found.map(({ secret }) => String(secret?.fileId)));
        const unnamed = batch.map(({ _id }) => _id).filter((id) => !named.has(String(id)));
        // Another worker may do the same; and after a crash in between the file is found again.
        await chunks.deleteMany({ files_id: { $in: unnamed } });
        deleted += (await files.deleteMany({ _id: { $in: unnamed } })).deletedCount;
      }
      return deleted;
    },
  };
};
