import type { Services } from '../../platform/services.ts';
import { createDocumentFiles } from '../documents/write/document-files.store.ts';
import { downloadOf } from '../documents/write/download-document.ts';
import { documentRenewalOf } from '../documents/write/renew-documents.ts';
import { scanLoopOf } from '../documents/write/scan-documents.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { adminSubmerchantRoutes } from './admin-submerchants.http.ts';
import { adminDocumentRoutes, documentRoutes } from './documents.http.ts';
import { createGetFeesInfo } from './read/get-fees-info.ts';
import { DOCUMENT_LIST } from './read/list-documents.ts';
import { ADMIN_SUBMERCHANT_LIST, SUBMERCHANT_LIST } from './read/list-submerchants.ts';
import { submerchantRoutes } from './submerchants.http.ts';
import { createSubmerchantHandler } from './write/create-submerchant.ts';
import { SUBMERCHANT_DOCUMENTS } from './write/document.ts';
import { documentsMigrations, SUBMERCHANT_FILES } from './write/documents.store.ts';
import { createMarketplace } from './write/marketplace.ts';
import { createMoveStatus } from './write/move-status.ts';
import { createReadApiKeys } from './write/read-api-keys.ts';
import { createDocumentRemoval } from './write/remove-documents.ts';
import * as store from './write/submerchants.store.ts';
import { createUpdateSubmerchant } from './write/update-submerchant.ts';
import { createUploadDocument } from './write/upload-document.ts';

export const createSubmerchantsModule = (
  services: Services,
  { merchants }: { readonly merchants: MerchantsModule },
) => {
  const { db, sealing, retention, scan } = services;
  const { findMerchants, findSetting } = merchants;
  const marketplace = createMarketplace({ findMerchants, findSetting });
  const deps = {
    ...services,
    // Sub-merchants belong to people, whose time no test clock moves.
    clock: services.realClock,
    findMerchants,
    findSetting,
    findSettingsOf: store.createFindSettingsOf(db),
    findReadableKeys: store.createFindReadableKeys(db),
    marketplace,
    findSubmerchant: marketplace.findForOperator,
    files: createDocumentFiles(db, sealing, SUBMERCHANT_FILES),
    needsScan: scan !== null,
    days: retention.documentDays,
  };
  const downloadDocument = downloadOf(
    SUBMERCHANT_DOCUMENTS,
    ({ merchantId }, submerchantId) => merchantId === submerchantId,
  );
  const cases = {
    ...deps,
    createSubmerchant: createSubmerchantHandler(deps),
    updateSubmerchant: createUpdateSubmerchant(deps),
    readApiKeys: createReadApiKeys({ ...deps, clock: services.clock }),
    getFeesInfo: createGetFeesInfo(deps),
    moveStatus: createMoveStatus(deps),
    uploadDocument: createUploadDocument(deps),
    downloadDocument: downloadDocument(deps),
  };
  return {
    createSubmerchant: cases.createSubmerchant,
    moveStatus: cases.moveStatus,
    contributions: {
      migrations: [...store.submerchantsMigrations, ...documentsMigrations],
      views: [SUBMERCHANT_LIST.view, ADMIN_SUBMERCHANT_LIST.view, DOCUMENT_LIST.view],
      routes: () => [
        ...SUBMERCHANT_LIST.routes(cases),
        ...ADMIN_SUBMERCHANT_LIST.routes(cases),
        ...DOCUMENT_LIST.routes(cases),
        ...submerchantRoutes(cases),
        ...adminSubmerchantRoutes(cases),
        ...documentRoutes(cases),
        ...adminDocumentRoutes(cases),
      ],
      renewals: [documentRenewalOf('documents')(deps)],
      work: () => ({
        removals: [createDocumentRemoval(deps)],
        loops: [scanLoopOf(SUBMERCHANT_DOCUMENTS, 'scan documents')(deps)],
      }),
    },
  };
};
