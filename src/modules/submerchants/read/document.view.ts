import { date, hidden, integer, keyword, name, object, stored } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { SUBMERCHANT_DOCUMENTS } from '../write/document.ts';

export const SUBMERCHANT_DOCUMENTS_VIEW = defineView({
  name: 'submerchant_documents',
  version: 6,
  source: SUBMERCHANT_DOCUMENTS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    merchantId: hidden(keyword()),
    type: keyword(),
    fileName: name(),
    contentType: keyword(),
    size: integer(),
    sha256: stored(),
    createdAt: date(),
    removedAt: hidden(date()),
    scan: hidden(object({ status: keyword(), signature: keyword(), at: date() })),
  },
});

/** A document as the API answers it. */
export const presentDocument = (document: Parameters<typeof SUBMERCHANT_DOCUMENTS_VIEW.present>[0]) => ({
  ...SUBMERCHANT_DOCUMENTS_VIEW.present(document),
  ...(document.removedAt === null ? {} : { removedAt: document.removedAt }),
  ...(document.scan === null ? {} : { scanStatus: document.scan.status }),
});
