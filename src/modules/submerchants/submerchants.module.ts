import type { Scan } from '../../platform/outbound/clamd.ts';
import { defineModule, retention, services } from '../../platform/platform.module.ts';
import { member, provide, provideEach } from '../../platform/wiring.ts';
import { createDocumentFiles } from '../documents/write/document-files.store.ts';
import { downloadOf } from '../documents/write/download-document.ts';
import { documentRenewalOf } from '../documents/write/renew-documents.ts';
import { scanLoopOf } from '../documents/write/scan-documents.ts';
import { findMerchants, findSetting } from '../merchants/merchants.module.ts';
import { adminSubmerchantRoutes } from './admin-submerchants.http.ts';
import { adminDocumentRoutes, documentRoutes } from './documents.http.ts';
import { createGetFeesInfo } from './read/get-fees-info.ts';
import { DOCUMENT_LIST } from './read/list-documents.ts';
import { ADMIN_SUBMERCHANT_LIST, SUBMERCHANT_LIST } from './read/list-submerchants.ts';
import { submerchantRoutes } from './submerchants.http.ts';
import { createCreateSubmerchant } from './write/create-submerchant.ts';
import { SUBMERCHANT_DOCUMENTS } from './write/document.ts';
import { documentsMigrations, SUBMERCHANT_FILES } from './write/documents.store.ts';
import { createMarketplace } from './write/marketplace.ts';
import { createMoveStatus } from './write/move-status.ts';
import { createReadApiKeys } from './write/read-api-keys.ts';
import { createDocumentRemoval } from './write/remove-documents.ts';
import * as store from './write/submerchants.store.ts';
import { createUpdateSubmerchant } from './write/update-submerchant.ts';
import { createUploadDocument } from './write/upload-document.ts';

const { db, sealing } = services;
const marketplace = provide(createMarketplace, { findMerchants, findSetting });
const files = provide(createDocumentFiles, db, sealing, SUBMERCHANT_FILES);
const scope = {
  ...services,
  findMerchants,
  findSetting,
  findSettingsOf: provide(store.createFindSettingsOf, db),
  findReadableKeys: provide(store.createFindReadableKeys, db),
  marketplace,
  findSubmerchant: member(marketplace, 'findForOperator'),
  files,
  needsScan: provide((scanner: Scan | null) => scanner !== null, services.scan),
  days: member(retention, 'documentDays'),
};
const cases = provideEach(scope, {
  createCreateSubmerchant,
  createUpdateSubmerchant,
  createReadApiKeys,
  createGetFeesInfo,
  createMoveStatus,
  createUploadDocument,
  createDownloadDocument: downloadOf(
    SUBMERCHANT_DOCUMENTS,
    ({ merchantId }, submerchantId) => merchantId === submerchantId,
  ),
});
export const { createSubmerchant, moveStatus } = cases;

export const submerchantsModule = defineModule(cases, {
  migrations: [store.submerchantsMigrations, documentsMigrations],
  lists: [SUBMERCHANT_LIST, ADMIN_SUBMERCHANT_LIST, DOCUMENT_LIST],
  routes: [submerchantRoutes, adminSubmerchantRoutes, documentRoutes, adminDocumentRoutes],
  renewals: [documentRenewalOf('documents')],
  removals: [createDocumentRemoval],
  loops: [scanLoopOf(SUBMERCHANT_DOCUMENTS, 'scan documents')],
});
