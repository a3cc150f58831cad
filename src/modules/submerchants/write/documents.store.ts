import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Db, GridFSBucket, type ObjectId } from 'mongodb';
import type { SealedBytes } from '../../../platform/secrets.ts';
import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { type DocumentId, SUBMERCHANT_DOCUMENTS } from './document.ts';

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
];

/** What is stored beside a document: where its sealed bytes are, and what it takes to read them. */
export type DocumentSecret = { readonly fileId: ObjectId; readonly seal: SealedBytes['seal'] };

/** Sealed contents of documents in GridFS. */
export type DocumentFiles = {
  /** They are durable when it resolves. */
  put(name: DocumentId, sealed: SealedBytes): Promise<DocumentSecret>;
  get(id: DocumentId): Promise<SealedBytes>;
  /** Documents whose contents another key has sealed. */
  notSealedBy(keyId: string): AsyncIterable<DocumentId>;
  /** Puts other bytes in the place of a document's. */
  replace(id: DocumentId, sealed: SealedBytes): Promise<void>;
};

export const createDocumentFiles = (db: Db): DocumentFiles => {
  const bucket = new GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
  const documents = db.collection<{ _id: DocumentId; secret: DocumentSecret }>(
    SUBMERCHANT_DOCUMENTS.collection,
  );
  const secretOf = async (id: DocumentId): Promise<DocumentSecret> => {
    const found = await documents.findOne({ _id: id }, { projection: { secret: 1 } });
    if (!found) throw new Error(`document ${id} has no file`);
    return found.secret;
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
        const { fileId, seal } = await secretOf(id);
        try {
          return { seal, bytes: await buffer(bucket.openDownloadStream(fileId)) };
        } catch (error) {
          // It may have been replaced while it was read.
          if ((await secretOf(id)).fileId.equals(fileId)) throw error;
        }
      }
    },
    async *notSealedBy(keyId) {
      for await (const { _id, secret } of documents.find({}, { projection: { secret: 1 } }))
        if (secret.seal.keyId !== keyId) yield _id;
    },
    async replace(id, sealed) {
      const { fileId } = await secretOf(id);
      const secret = await put(id, sealed);
      const { matchedCount } = await documents.updateOne(
        { _id: id, 'secret.fileId': fileId },
        { $set: { secret } },
      );
      // Of two who replace it at once one comes too late.
      await bucket.delete(matchedCount === 0 ? secret.fileId : fileId);
    },
  };
};
