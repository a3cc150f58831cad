import {
  assertMayName,
  defineModule,
  findTenant,
  limitedRead,
  provideWithin,
  services,
} from '../../platform/platform.module.ts';
import { contribute, implement, provide, provideEach } from '../../platform/wiring.ts';
import { proposables, submitCommand } from '../proposals/proposals.module.ts';
import { ownRoutes } from '../providers/providers.module.ts';
import { apiKeyRoutes, ownApiKeyRoutes } from './api-keys.http.ts';
import { feeRoutes } from './fees.http.ts';
import { merchantRoutes } from './merchants.http.ts';
import { createGetFeeDefinitions } from './read/get-fee-definitions.ts';
import { createGetMerchant } from './read/get-merchant.ts';
import { API_KEY_LIST } from './read/list-api-keys.ts';
import { MERCHANT_LIST } from './read/list-merchants.ts';
import { SETTING_LIST } from './read/list-settings.ts';
import { presentSetting } from './read/setting.view.ts';
import { settingRoutes } from './settings.http.ts';
import { createFindUses } from './write/api-key-uses.store.ts';
import { createCreateApiKey } from './write/create-api-key.ts';
import { createCreateMerchant } from './write/create-merchant.ts';
import { createAssertMayName, createFindMerchants, createFindTenant } from './write/find-merchants.store.ts';
import { merchantsMigrations } from './write/merchants.store.ts';
import { createPlaceSetting } from './write/place-setting.ts';
import { createPutFeeDefinitions } from './write/put-fee-definitions.ts';
import { createPutSetting } from './write/put-setting.ts';
import { createRemoveSetting, createWithdrawSetting } from './write/remove-setting.ts';
import { createApiKeyRenewal } from './write/renew-api-keys.store.ts';
import { createRevokeApiKey } from './write/revoke-api-key.ts';
import { createRollApiKey } from './write/roll-api-key.ts';
import {
  createFindSetting,
  createFindSettingOfKey,
  createFindSettings,
  createReadsOwnWrites,
  settingsMigrations,
} from './write/settings.store.ts';
import { createUpdateMerchant } from './write/update-merchant.ts';

const reads = provideEach(services.db, {
  createFindMerchants,
  createFindSetting,
  createFindSettingOfKey,
  createFindSettings,
  createFindUses,
  createGetFeeDefinitions,
  createGetMerchant,
  createReadsOwnWrites,
});
export const { findSetting, findSettingOfKey, findSettings, getMerchant, readsOwnWrites } = reads;
export const findMerchants = limitedRead(reads.findMerchants);
implement(assertMayName, createAssertMayName, findMerchants);
implement(findTenant, createFindTenant, findMerchants);
const scope = { ...services, ...reads, ownRoutes };
const placeSetting = provide(createPlaceSetting, {
  ...scope,
  putSetting: provideWithin(createPutSetting, scope),
  present: presentSetting,
});
const withdrawSetting = provide(createWithdrawSetting, {
  ...scope,
  removeSetting: provideWithin(createRemoveSetting, scope),
});
const cases = provideEach(
  { ...scope, submit: submitCommand, placeSetting, withdrawSetting },
  {
    createCreateMerchant,
    createUpdateMerchant,
    createCreateApiKey,
    createRollApiKey,
    createRevokeApiKey,
    createPutFeeDefinitions,
    createPutSetting,
  },
);
export const { createMerchant, createApiKey, putFeeDefinitions, putSetting } = cases;

export const merchantsModule = defineModule(cases, {
  migrations: [merchantsMigrations, settingsMigrations],
  lists: [MERCHANT_LIST, API_KEY_LIST, SETTING_LIST],
  renewals: [createApiKeyRenewal],
  contributions: [contribute(proposables, placeSetting, withdrawSetting)],
  routes: [merchantRoutes, apiKeyRoutes, ownApiKeyRoutes, feeRoutes, settingRoutes],
});
