import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import {
  CLOCK,
  DB,
  KEY_RINGS,
  MIGRATIONS,
  READ_VIEW,
  RENEWAL,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import type { KeyRings } from '../../platform/secrets.ts';
import type { Transact } from '../../platform/write-store/transact.ts';
import { apiKeyRoutes } from './api-keys.http.ts';
import { feeRoutes } from './fees.http.ts';
import { merchantRoutes } from './merchants.http.ts';
import { API_KEYS_VIEW } from './read/api-key.view.ts';
import { type GetFeeDefinitions, getFeeDefinitions } from './read/get-fee-definitions.ts';
import { type GetMerchant, getMerchant } from './read/get-merchant.ts';
import { type ListApiKeys, listApiKeys } from './read/list-api-keys.ts';
import { type ListMerchants, listMerchants } from './read/list-merchants.ts';
import { type ListSettings, listSettings } from './read/list-settings.ts';
import { createListVisible, type ListVisible } from './read/list-visible.ts';
import { MERCHANTS_VIEW } from './read/merchant.view.ts';
import { SETTINGS_VIEW } from './read/setting.view.ts';
import { settingRoutes } from './settings.http.ts';
import { createFindUses } from './write/api-key-uses.store.ts';
import { type CreateApiKey, createApiKey } from './write/create-api-key.ts';
import { type CreateMerchant, createMerchant } from './write/create-merchant.ts';
import { createFindMerchants } from './write/find-merchants.store.ts';
import { merchantsMigrations } from './write/merchants.store.ts';
import { type PutFeeDefinitions, putFeeDefinitions } from './write/put-fee-definitions.ts';
import { type PutSetting, putSetting } from './write/put-setting.ts';
import { renewApiKeys } from './write/renew-api-keys.store.ts';
import { type RevokeApiKey, revokeApiKey } from './write/revoke-api-key.ts';
import { type RollApiKey, rollApiKey } from './write/roll-api-key.ts';
import { findSettingOfKey, settingsMigrations } from './write/settings.store.ts';
import { type UpdateMerchant, updateMerchant } from './write/update-merchant.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const CREATE_MERCHANT = token<CreateMerchant>('CreateMerchant');
export const CREATE_API_KEY = token<CreateApiKey>('CreateApiKey');
export const PUT_FEE_DEFINITIONS = token<PutFeeDefinitions>('PutFeeDefinitions');
export const PUT_SETTING = token<PutSetting>('PutSetting');
export const LIST_VISIBLE = token<ListVisible>('ListVisible');
const UPDATE_MERCHANT = token<UpdateMerchant>('UpdateMerchant');
const ROLL_API_KEY = token<RollApiKey>('RollApiKey');
const REVOKE_API_KEY = token<RevokeApiKey>('RevokeApiKey');
const GET_MERCHANT = token<GetMerchant>('GetMerchant');
const LIST_MERCHANTS = token<ListMerchants>('ListMerchants');
const LIST_API_KEYS = token<ListApiKeys>('ListApiKeys');
const LIST_SETTINGS = token<ListSettings>('ListSettings');
const GET_FEE_DEFINITIONS = token<GetFeeDefinitions>('GetFeeDefinitions');

export const merchantsModule = new ContainerModule(({ bind }) => {
  bind(RENEWAL).toResolvedValue(
    (db: Db, keyRings: KeyRings, clock: Clock) => renewApiKeys({ db, keyRings, clock }),
    [DB, KEY_RINGS, CLOCK],
  );
  bind(CREATE_MERCHANT).toResolvedValue(
    (transact: Transact, clock: Clock) => createMerchant({ transact, clock, newId }),
    [TRANSACT, CLOCK],
  );
  bind(UPDATE_MERCHANT).toResolvedValue(
    (transact: Transact, clock: Clock) => updateMerchant({ transact, clock }),
    [TRANSACT, CLOCK],
  );
  bind(CREATE_API_KEY).toResolvedValue(
    (transact: Transact, clock: Clock, keyRings: KeyRings) =>
      createApiKey({ transact, clock, newId, keyRings }),
    [TRANSACT, CLOCK, KEY_RINGS],
  );
  bind(ROLL_API_KEY).toResolvedValue(
    (transact: Transact, clock: Clock, keyRings: KeyRings) =>
      rollApiKey({ transact, clock, newId, keyRings }),
    [TRANSACT, CLOCK, KEY_RINGS],
  );
  bind(REVOKE_API_KEY).toResolvedValue(
    (transact: Transact, clock: Clock) => revokeApiKey({ transact, clock }),
    [TRANSACT, CLOCK],
  );
  bind(PUT_FEE_DEFINITIONS).toResolvedValue(
    (transact: Transact, clock: Clock) => putFeeDefinitions({ transact, clock }),
    [TRANSACT, CLOCK],
  );
  bind(PUT_SETTING).toResolvedValue(
    (transact: Transact, db: Db, clock: Clock) =>
      putSetting({ transact, findSettingOfKey: findSettingOfKey(db), clock, newId }),
    [TRANSACT, DB, CLOCK],
  );
  bind(GET_MERCHANT).toResolvedValue(getMerchant, [DB]);
  bind(GET_FEE_DEFINITIONS).toResolvedValue(getFeeDefinitions, [DB]);
  bind(LIST_VISIBLE).toResolvedValue(
    (readView, db) => createListVisible({ readView, findMerchants: createFindMerchants(db) }),
    [READ_VIEW, DB],
  );
  bind(LIST_MERCHANTS).toResolvedValue(listMerchants, [READ_VIEW]);
  bind(LIST_API_KEYS).toResolvedValue(
    (readView, getMerchant, db) => listApiKeys({ readView, getMerchant, findUses: createFindUses(db) }),
    [READ_VIEW, GET_MERCHANT, DB],
  );
  bind(LIST_SETTINGS).toResolvedValue(
    (readView, getMerchant) => listSettings({ readView, getMerchant }),
    [READ_VIEW, GET_MERCHANT],
  );
  bind(ROUTES).toResolvedValue(
    (createMerchant, updateMerchant, getMerchant, listMerchants) =>
      merchantRoutes({ createMerchant, updateMerchant, getMerchant, listMerchants }),
    [CREATE_MERCHANT, UPDATE_MERCHANT, GET_MERCHANT, LIST_MERCHANTS],
  );
  bind(ROUTES).toResolvedValue(
    (createApiKey, rollApiKey, revokeApiKey, listApiKeys) =>
      apiKeyRoutes({ createApiKey, rollApiKey, revokeApiKey, listApiKeys }),
    [CREATE_API_KEY, ROLL_API_KEY, REVOKE_API_KEY, LIST_API_KEYS],
  );
  bind(ROUTES).toResolvedValue(
    (putFeeDefinitions, getFeeDefinitions) => feeRoutes({ putFeeDefinitions, getFeeDefinitions }),
    [PUT_FEE_DEFINITIONS, GET_FEE_DEFINITIONS],
  );
  bind(ROUTES).toResolvedValue(
    (putSetting, listSettings) => settingRoutes({ putSetting, listSettings }),
    [PUT_SETTING, LIST_SETTINGS],
  );
  bind(MIGRATIONS).toConstantValue(merchantsMigrations);
  bind(MIGRATIONS).toConstantValue(settingsMigrations);
  bind(VIEW).toConstantValue(MERCHANTS_VIEW);
  bind(VIEW).toConstantValue(API_KEYS_VIEW);
  bind(VIEW).toConstantValue(SETTINGS_VIEW);
});
