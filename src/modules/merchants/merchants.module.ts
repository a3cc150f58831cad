import { assertMayName, defineModule, findTenant, services } from '../../platform/platform.module.ts';
import { implement, provide, provideEach } from '../../platform/wiring.ts';
import { ownRoutes } from '../providers/providers.module.ts';
import { apiKeyRoutes } from './api-keys.http.ts';
import { feeRoutes } from './fees.http.ts';
import { merchantRoutes } from './merchants.http.ts';
import { API_KEYS_VIEW } from './read/api-key.view.ts';
import { createGetFeeDefinitions } from './read/get-fee-definitions.ts';
import { createGetMerchant } from './read/get-merchant.ts';
import { createApiKeyList } from './read/list-api-keys.ts';
import { MERCHANT_LIST } from './read/list-merchants.ts';
import { createSettingList } from './read/list-settings.ts';
import { MERCHANTS_VIEW } from './read/merchant.view.ts';
import { SETTINGS_VIEW } from './read/setting.view.ts';
import { settingRoutes } from './settings.http.ts';
import { createFindUses } from './write/api-key-uses.store.ts';
import { createCreateApiKey } from './write/create-api-key.ts';
import { createCreateMerchant } from './write/create-merchant.ts';
import { createAssertMayName, createFindMerchants, createFindTenant } from './write/find-merchants.store.ts';
import { merchantsMigrations } from './write/merchants.store.ts';
import { createPutFeeDefinitions } from './write/put-fee-definitions.ts';
import { createPutSetting } from './write/put-setting.ts';
import { createApiKeyRenewal } from './write/renew-api-keys.store.ts';
import { createRevokeApiKey } from './write/revoke-api-key.ts';
import { createRollApiKey } from './write/roll-api-key.ts';
import {
  createFindSetting,
  createFindSettingOfKey,
  createReadsOwnWrites,
  settingsMigrations,
} from './write/settings.store.ts';
import { createUpdateMerchant } from './write/update-merchant.ts';

const reads = provideEach(services.db, {
  createFindMerchants,
  createFindSetting,
  createFindSettingOfKey,
  createFindUses,
  createGetFeeDefinitions,
  createGetMerchant,
  createReadsOwnWrites,
});
export const { findMerchants, findSetting, getMerchant, readsOwnWrites } = reads;
implement(assertMayName, createAssertMayName, findMerchants);
implement(findTenant, createFindTenant, findMerchants);
const scope = { ...services, ...reads, ownRoutes };
const cases = provideEach(scope, {
  createCreateMerchant,
  createUpdateMerchant,
  createCreateApiKey,
  createRollApiKey,
  createRevokeApiKey,
  createPutFeeDefinitions,
  createPutSetting,
});
export const { createMerchant, createApiKey, putFeeDefinitions, putSetting } = cases;
const handlers = { ...reads, ...cases };

export const merchantsModule = defineModule({
  migrations: [merchantsMigrations, settingsMigrations],
  views: [MERCHANTS_VIEW, API_KEYS_VIEW, SETTINGS_VIEW],
  lists: [MERCHANT_LIST, provide(createApiKeyList, reads), provide(createSettingList, getMerchant)],
  renewals: [provide(createApiKeyRenewal, services)],
  routes: [
    provide(merchantRoutes, handlers),
    provide(apiKeyRoutes, handlers),
    provide(feeRoutes, handlers),
    provide(settingRoutes, handlers),
  ],
});
