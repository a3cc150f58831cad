import type { Scan } from '../../platform/outbound/clamd.ts';
import { defineModule, retention, services } from '../../platform/platform.module.ts';
import { member, provide, provideEach } from '../../platform/wiring.ts';
import { findMerchants, findSetting } from '../merchants/merchants.module.ts';
import { adminSubmerchantRoutes } from './admin-submerchants.http.ts';
import { adminDocumentRoutes, documentRoutes } from './documents.http.ts';
import { SUBMERCHANT_DOCUMENTS_VIEW } from './read/document.view.ts';
import { createGetFeesInfo } from './read/get-fees-info.ts';
import { createDocumentList } from './read/list-documents.ts';
import { ADMIN_SUBMERCHANT_LIST, createSubmerchantList } from './read/list-submerchants.ts';
import { submerchantRoutes } from './submerchants.http.ts';
import { createCreateSubmerchant } from './write/create-submerchant.ts';
import { createDocumentFiles, documentsMigrations } from './write/documents.store.ts';
import { createDownloadDocument } from './write/download-document.ts';
import { createMarketplace } from './write/marketplace.ts';
import { createMoveStatus } from './write/move-status.ts';
import { createReadApiKeys } from './write/read-api-keys.ts';
import { createDocumentRemoval } from './write/remove-documents.ts';
import { createDocumentRenewal } from './write/renew-documents.ts';
import { createScanLoop } from './write/scan-documents.ts';
import * as store from './write/submerchants.store.ts';
import { createUpdateSubmerchant } from './write/update-submerchant.ts';
import { createUploadDocument } from './write/upload-document.ts';

const { db, sealing } = services;
const marketplace = provide(createMarketplace, { findMerchants, findSetting });
const files = provide(createDocumentFiles, db, sealing);
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
  createDownloadDocument,
});
export const { createSubmerchant, moveStatus } = cases;
const handlers = { ...scope, ...cases };

export const submerchantsModule = defineModule({
  migrations: [store.submerchantsMigrations, documentsMigrations],
  views: [SUBMERCHANT_DOCUMENTS_VIEW],
  lists: [
    provide(createSubmerchantList, marketplace),
    ADMIN_SUBMERCHANT_LIST,
    provide(createDocumentList, marketplace),
  ],
  routes: [
    provide(submerchantRoutes, handlers),
    provide(adminSubmerchantRoutes, handlers),
    provide(documentRoutes, handlers),
    provide(adminDocumentRoutes, handlers),
  ],
  renewals: [provide(createDocumentRenewal, files, sealing)],
  removals: [provide(createDocumentRemoval, scope)],
  loops: [provide(createScanLoop, scope)],
});
