import type { View } from '../../../platform/read-store/view.ts';
import { SUBMERCHANT_DOCUMENTS, type SubmerchantDocument } from '../write/document.ts';

type DocumentDocument = Omit<SubmerchantDocument, 'version'>;

export const SUBMERCHANT_DOCUMENTS_VIEW: View<SubmerchantDocument, DocumentDocument> = {
  name: 'submerchant_documents',
  version: 3,
  source: SUBMERCHANT_DOCUMENTS,
  properties: {
    id: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    type: { type: 'keyword' },
    fileName: { type: 'keyword', ignore_above: 256 },
    contentType: { type: 'keyword' },
    size: { type: 'long' },
    createdAt: { type: 'date' },
    removedAt: { type: 'date' },
    scan: {
      properties: { status: { type: 'keyword' }, signature: { type: 'keyword' }, at: { type: 'date' } },
    },
  },
  toDocument: ({ version: _, ...document }) => document,
};

/** A document as the API answers it. */
export const presentDocument = (document: DocumentDocument) => ({
  id: document.id,
  type: document.type,
  fileName: document.fileName,
  contentType: document.contentType,
  size: document.size,
  sha256: document.sha256,
  createdAt: document.createdAt,
  ...(document.removedAt === null ? {} : { removedAt: document.removedAt }),
  ...(document.scan === null ? {} : { scanStatus: document.scan.status }),
});
export type PublicDocument = ReturnType<typeof presentDocument>;
