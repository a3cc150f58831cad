import {
  collections,
  ensureCollections,
  fieldsAdded,
  type Migration,
} from '../../../platform/write-store/migrate.ts';
import type { DocumentKind, StoredUsage } from '../../documents/write/document-files.store.ts';
import { SUBMERCHANT_DOCUMENTS, type SubmerchantDocument } from './document.ts';

const BUCKET = 'submerchant_files';
const USAGE = 'submerchant_document_usage';

export const SUBMERCHANT_FILES: DocumentKind = {
  documents: SUBMERCHANT_DOCUMENTS.collection,
  bucket: BUCKET,
  usage: USAGE,
};

export const documentsMigrations: readonly Migration[] = [
  collections('031-submerchant-documents', {
    [SUBMERCHANT_DOCUMENTS.collection]: [],
    [`${BUCKET}.files`]: [{ key: { filename: 1, uploadDate: 1 } }],
    [`${BUCKET}.chunks`]: [{ key: { files_id: 1, n: 1 }, unique: true }],
  }),
  fieldsAdded('032-submerchant-documents-removed', SUBMERCHANT_DOCUMENTS, { removedAt: null }),
  {
    id: '120-submerchant-documents-usage',
    async up(db) {
      await ensureCollections(db, [USAGE]);
      const documents = db.collection<SubmerchantDocument>(SUBMERCHANT_DOCUMENTS.collection);
      await documents.updateMany({ scan: { $exists: false } }, { $set: { scan: null } });
      await documents.createIndex({ 'scan.status': 1, removedAt: 1 });
      const kept = { merchantId: 1, size: 1, removedAt: 1 } as const;
      const usages = new Map<string, { count: number; bytes: number }>();
      for await (const { merchantId, size, removedAt } of documents.find({}, { projection: kept })) {
        if (removedAt !== null) continue;
        const { count, bytes } = usages.get(merchantId) ?? { count: 0, bytes: 0 };
        usages.set(merchantId, { count: count + 1, bytes: bytes + size });
      }
      for (const [_id, usage] of usages)
        await db.collection<StoredUsage>(USAGE).replaceOne({ _id }, usage, { upsert: true });
    },
  },
];
