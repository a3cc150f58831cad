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

/** Sealed contents of documents in GridFS, each written once. */
export type DocumentFiles = {
  /** They are durable when it resolves. */
  put(name: DocumentId, sealed: SealedBytes): Promise<DocumentSecret>;
  get(id: DocumentId): Promise<SealedBytes>;
};

export const createDocumentFiles = (db: Db): DocumentFiles => {
  const bucket = new GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
  return {
    async put(name, { seal, bytes }) {
      const upload = bucket.openUploadStream(name);
      await pipeline(Readable.from([bytes]), upload);
      return { fileId: upload.id, seal };
    },
    async get(id) {
      const found = await db
        .collection<{ readonly _id: string; readonly secret: DocumentSecret }>(
          SUBMERCHANT_DOCUMENTS.collection,
        )
        .findOne({ _id: id }, { projection: { secret: 1 } });
      if (!found) throw new Error(`document ${id} has no file`);
      const { fileId, seal } = found.secret;
      return { seal, bytes: await buffer(bucket.openDownloadStream(fileId)) };
    },
  };
};
