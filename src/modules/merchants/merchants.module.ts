import type { Command } from '../../kernel/event.ts';
import { inGivenTransaction } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ProposalsModule } from '../proposals/proposals.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
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
import { API_KEYS, type KeyOf } from './write/api-key.ts';
import { createEndOfKeys } from './write/api-key-ends.store.ts';
import { createFindUses } from './write/api-key-uses.store.ts';
import { type CreateApiKey, createApiKeyHandler } from './write/create-api-key.ts';
import { createMerchantHandler } from './write/create-merchant.ts';
import type { FindMerchants } from './write/find-merchants.store.ts';
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

export type MerchantsModule = ReturnType<typeof createMerchantsModule>;

/** Reads of merchants that the other modules and the platform are built with. */
export const createTenancy = ({ db, readInTime }: Pick<Services, 'db' | 'readInTime'>) => {
  const find = createFindMerchants(db);
  const findMerchants: FindMerchants = (ids) => readInTime(() => find(ids));
  return {
    findMerchants,
    findTenant: createFindTenant(findMerchants),
    assertMayName: createAssertMayName(findMerchants),
  };
};

/** An operator may make a key for the other environment than that of the session; the key lives by its own time. */
const createApiKeyInItsTime = (
  deps: Parameters<typeof createApiKeyHandler>[0] & Pick<Services, 'time'>,
): CreateApiKey => {
  const create = createApiKeyHandler(deps);
  return (command, context) => deps.time.within(command.livemode, () => create(command, context));
};

/** Makes a command for a key run by the time of the key's environment. */
const createInTimeOfKey = (services: Services) => {
  const findKey = createFindById(services, API_KEYS);
  return <C extends KeyOf, T>(run: Command<C, T>): Command<C, T> =>
    async (command, context) => {
      const key = services.time.hasTestClock ? await findKey(command.keyId) : null;
      return key ? services.time.within(key.livemode, () => run(command, context)) : run(command, context);
    };
};

export const createMerchantsModule = (
  services: Services,
  {
    findMerchants,
    proposals,
    providers,
  }: {
    readonly findMerchants: FindMerchants;
    readonly proposals: ProposalsModule;
    readonly providers: ProvidersModule;
  },
) => {
  const { db } = services;
  const reads = {
    findMerchants,
    findSetting: createFindSetting(db),
    findSettingOfKey: createFindSettingOfKey(db),
    findSettings: createFindSettings(db),
    findUses: createFindUses(db),
    getFeeDefinitions: createGetFeeDefinitions(db),
    getMerchant: createGetMerchant(db),
  };
  // Merchants and their settings belong to no environment; API keys do, and end by its time.
  const ofKeys = { ...services, ...reads, ownRoutes: providers.ownRoutes };
  const deps = { ...ofKeys, clock: services.realClock };
  const placeSetting = createPlaceSetting({
    ...deps,
    putSetting: inGivenTransaction(createPutSetting, deps),
    present: presentSetting,
  });
  const withdrawSetting = createWithdrawSetting({
    ...deps,
    removeSetting: inGivenTransaction(createRemoveSetting, deps),
  });
  proposals.addProposables(placeSetting, withdrawSetting);

  const inTimeOfKey = createInTimeOfKey(services);
  const cases = {
    ...deps,
    submit: proposals.submitCommand,
    placeSetting,
    withdrawSetting,
    createMerchant: createMerchantHandler(deps),
    updateMerchant: createUpdateMerchant(deps),
    createApiKey: createApiKeyInItsTime(ofKeys),
    rollApiKey: inTimeOfKey(createRollApiKey(ofKeys)),
    revokeApiKey: inTimeOfKey(createRevokeApiKey(ofKeys)),
    putFeeDefinitions: createPutFeeDefinitions(deps),
  };
  const { createMerchant, createApiKey, putFeeDefinitions } = cases;
  return {
    ...reads,
    readsOwnWrites: createReadsOwnWrites(db),
    createMerchant,
    createApiKey,
    putFeeDefinitions,
    putSetting: createPutSetting(deps),
    contributions: {
      migrations: [...merchantsMigrations, ...settingsMigrations],
      views: [MERCHANT_LIST.view, API_KEY_LIST.view, SETTING_LIST.view],
      routes: () => [
        ...MERCHANT_LIST.routes(cases),
        ...API_KEY_LIST.routes(cases),
        ...SETTING_LIST.routes(cases),
        ...merchantRoutes(cases),
        ...apiKeyRoutes(cases),
        ...ownApiKeyRoutes(cases),
        ...feeRoutes(cases),
        ...settingRoutes(cases),
      ],
      renewals: [createApiKeyRenewal(ofKeys)],
      due: [createEndOfKeys(db)],
    },
  };
};
