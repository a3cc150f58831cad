import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { newId } from '../../kernel/ids.ts';
import { IDLE } from '../../platform/loop.ts';
import {
  BACKGROUND,
  CHECK_URL,
  CLOCK,
  DB,
  KEY_RINGS,
  LOGGER,
  MIGRATIONS,
  READ_VIEW,
  REMOVAL,
  RENEWAL,
  RETENTION,
  ROUTES,
  SCAN,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import { createFindMerchants } from '../merchants/write/find-merchants.store.ts';
import { findSetting } from '../merchants/write/settings.store.ts';
import { adminSubmerchantRoutes } from './admin-submerchants.http.ts';
import { adminDocumentRoutes, documentRoutes } from './documents.http.ts';
import { SUBMERCHANT_DOCUMENTS_VIEW } from './read/document.view.ts';
import { createGetFeesInfo } from './read/get-fees-info.ts';
import { createListDocuments } from './read/list-documents.ts';
import { createListSubmerchants, type ListSubmerchants } from './read/list-submerchants.ts';
import { submerchantRoutes } from './submerchants.http.ts';
import { type CreateSubmerchant, createCreateSubmerchant } from './write/create-submerchant.ts';
import { createDocumentFiles, type DocumentFiles, documentsMigrations } from './write/documents.store.ts';
import { createDownloadDocument } from './write/download-document.ts';
import { createMarketplace, type Marketplace } from './write/marketplace.ts';
import { createMoveStatus, type MoveStatus } from './write/move-status.ts';
import { createReadApiKeys } from './write/read-api-keys.ts';
import { removeDocuments } from './write/remove-documents.ts';
import { renewDocuments } from './write/renew-documents.ts';
import { startScanning } from './write/scan-documents.ts';
import { findReadableKeys, findSettingsOf, submerchantsMigrations } from './write/submerchants.store.ts';
import { createUpdateSubmerchant } from './write/update-submerchant.ts';
import { createUploadDocument } from './write/upload-document.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const MARKETPLACE = token<Marketplace>('Marketplace');
export const CREATE_SUBMERCHANT = token<CreateSubmerchant>('CreateSubmerchant');
export const MOVE_STATUS = token<MoveStatus>('MoveStatus');
const DOCUMENT_FILES = token<DocumentFiles>('DocumentFiles');
const LIST_SUBMERCHANTS = token<ListSubmerchants>('ListSubmerchants');

export const submerchantsModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(submerchantsMigrations);
  bind(MARKETPLACE).toResolvedValue(
    (db) => createMarketplace({ findMerchants: createFindMerchants(db), findSetting: findSetting(db) }),
    [DB],
  );
  bind(CREATE_SUBMERCHANT).toResolvedValue(
    (transact, db, keyRings, clock) =>
      createCreateSubmerchant({
        transact,
        findSetting: findSetting(db),
        findSettingsOf: findSettingsOf(db),
        keyRings,
        clock,
        newId,
      }),
    [TRANSACT, DB, KEY_RINGS, CLOCK],
  );
  bind(MOVE_STATUS).toResolvedValue(
    (transact, clock) => createMoveStatus({ transact, clock }),
    [TRANSACT, CLOCK],
  );
  bind(LIST_SUBMERCHANTS).toResolvedValue(
    (readView, marketplace) => createListSubmerchants({ readView, marketplace }),
    [READ_VIEW, MARKETPLACE],
  );
  bind(ROUTES).toResolvedValue(
    (createSubmerchant, listSubmerchants, marketplace, transact, db, keyRings, clock, checkUrl) =>
      submerchantRoutes({
        createSubmerchant,
        updateSubmerchant: createUpdateSubmerchant({ transact, marketplace, clock }),
        listSubmerchants,
        readApiKeys: createReadApiKeys({
          transact,
          marketplace,
          findReadableKeys: findReadableKeys(db),
          keyRings,
          clock,
        }),
        getFeesInfo: createGetFeesInfo({ db, marketplace }),
        marketplace,
        checkUrl,
      }),
    [CREATE_SUBMERCHANT, LIST_SUBMERCHANTS, MARKETPLACE, TRANSACT, DB, KEY_RINGS, CLOCK, CHECK_URL],
  );
  bind(ROUTES).toResolvedValue(
    (moveStatus, listSubmerchants, { findForOperator }) =>
      adminSubmerchantRoutes({ moveStatus, listSubmerchants, findSubmerchant: findForOperator }),
    [MOVE_STATUS, LIST_SUBMERCHANTS, MARKETPLACE],
  );
  bind(MIGRATIONS).toConstantValue(documentsMigrations);
  bind(VIEW).toConstantValue(SUBMERCHANT_DOCUMENTS_VIEW);
  bind(DOCUMENT_FILES).toResolvedValue(
    (db, { sealing }) => createDocumentFiles(db, sealing),
    [DB, KEY_RINGS],
  );
  bind(RENEWAL).toResolvedValue(
    (files, { sealing }) => renewDocuments(files, sealing),
    [DOCUMENT_FILES, KEY_RINGS],
  );
  bind(REMOVAL).toResolvedValue(
    (transact, files, db, { documentDays }) =>
      removeDocuments({ transact, files, findMerchants: createFindMerchants(db), days: documentDays }),
    [TRANSACT, DOCUMENT_FILES, DB, RETENTION],
  );
  bind(ROUTES).toResolvedValue(
    (transact, marketplace, files, clock, readView) =>
      documentRoutes({
        uploadDocument: createUploadDocument({ transact, marketplace, files, clock, newId }),
        listDocuments: createListDocuments(readView),
        marketplace,
      }),
    [TRANSACT, MARKETPLACE, DOCUMENT_FILES, CLOCK, READ_VIEW],
  );
  bind(BACKGROUND).toResolvedValue(
    (scan, files, transact, clock, logger) =>
      ({ owns }) =>
        scan ? startScanning({ scan, files, transact, owns, clock, logger }) : IDLE,
    [SCAN, DOCUMENT_FILES, TRANSACT, CLOCK, LOGGER],
  );
  bind(ROUTES).toResolvedValue(
    (transact, { findForOperator }, files, scan, readView) =>
      adminDocumentRoutes({
        findSubmerchant: findForOperator,
        listDocuments: createListDocuments(readView),
        downloadDocument: createDownloadDocument({ transact, files, needsScan: scan !== null }),
      }),
    [TRANSACT, MARKETPLACE, DOCUMENT_FILES, SCAN, READ_VIEW],
  );
});
