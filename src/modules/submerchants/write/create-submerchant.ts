import type { Command } from '../../../kernel/event.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import type { KeyRings } from '../../../platform/secrets.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import {
  API_KEYS,
  issueApiKey,
  keepSecret,
  newKeyPair,
  unrestricted,
} from '../../merchants/write/api-key.ts';
import { FEE_DEFINITIONS, replaceFeeDefinitions } from '../../merchants/write/fees.ts';
import { MERCHANTS, type Merchant } from '../../merchants/write/merchant.ts';
import { contentOf, ENABLE_CONNECT, putSetting, SETTINGS } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import { assertMaster, openSubmerchant, type SubmerchantFields } from './submerchant.ts';
import type { FindSettingsOf } from './submerchants.store.ts';

/**
 * Creates a sub-merchant of the caller in the environment of the caller's credentials. It gets the master's present
 * fees, permissions and settings, and a pair of keys.
 */
export type CreateSubmerchant = Command<
  { readonly principal: MerchantPrincipal; readonly fields: SubmerchantFields },
  Merchant
>;

export const createSubmerchantHandler = (
  deps: Creating & {
    readonly findSetting: FindSetting;
    readonly findSettingsOf: FindSettingsOf;
    readonly keyRings: KeyRings;
  },
): CreateSubmerchant => {
  const copyTerms = async (tx: Transaction, from: Merchant, to: Merchant, now: Date): Promise<void> => {
    const fees = await tx.get(FEE_DEFINITIONS, from.id);
    if (fees) await tx.record(FEE_DEFINITIONS, null, replaceFeeDefinitions(to.id, fees.definitions, now));
    for (const setting of await deps.findSettingsOf(from.id)) {
      const copy = {
        id: deps.newId('set'),
        merchantId: to.id,
        name: setting.name,
        content: contentOf(setting),
      };
      await tx.record(SETTINGS, null, putSetting(null, copy, now));
    }
  };

  return async ({ principal, fields }, context) => {
    const { merchantId, livemode } = principal;
    const id = deps.newId('mer');
    const keyId = deps.newId('key');
    const pair = newKeyPair(livemode);
    return deps.transact(context, async (tx) => {
      const now = deps.clock();
      const master = await tx.get(MERCHANTS, merchantId);
      assertMaster(master, await deps.findSetting(merchantId, ENABLE_CONNECT));
      const opened = openSubmerchant(fields, master, livemode, id, now);
      const submerchant = await tx.record(MERCHANTS, null, opened);
      await copyTerms(tx, master, submerchant, now);
      // The new pair has no more permissions than the restricted key that creates the sub-merchant.
      const terms = { ...unrestricted(livemode), permissions: principal.restrictedTo ?? null };
      const key = issueApiKey(submerchant, terms, pair, keyId, now);
      await tx.record(API_KEYS, null, key, keepSecret(submerchant, pair, deps.keyRings));
      return submerchant;
    });
  };
};
