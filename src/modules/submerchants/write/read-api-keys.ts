import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { assertHeld, type MerchantPrincipal } from '../../../kernel/principal.ts';
import { type KeyRings, unseal } from '../../../platform/secrets.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { API_KEYS, isAccepted, type KeyPair, permissionsOfKey } from '../../merchants/write/api-key.ts';
import type { Marketplace } from './marketplace.ts';
import { masterOnly } from './refusals.ts';
import type { FindReadableKeys } from './submerchants.store.ts';

/**
 * Reads the sub-merchant's keys for its master, the same pair each time: the oldest accepted pair, or the one that
 * replaced it. Every read is in the audit log. 404 for a sub-merchant of somebody else, and where all pairs are
 * revoked.
 */
export type ReadApiKeys = Command<{ readonly principal: MerchantPrincipal; readonly id: string }, KeyPair>;

export const createReadApiKeys =
  (
    deps: Changing & {
      readonly marketplace: Marketplace;
      readonly findReadableKeys: FindReadableKeys;
      readonly keyRings: KeyRings;
    },
  ): ReadApiKeys =>
  async ({ principal, id }, context) => {
    if (principal.masterId !== null) throw masterOnly();
    await deps.marketplace.requireActiveMaster(principal);
    const submerchant = await deps.marketplace.findSubmerchant(principal, id);
    const now = deps.clock();
    const found = existing(
      (await deps.findReadableKeys(submerchant.id)).find(({ key }) => isAccepted(key, now)),
      'API key',
    );
    const { key, sealed } = found;
    if (principal.restrictedTo) assertHeld(principal.restrictedTo, permissionsOfKey(key, submerchant));
    // The entry is written before the answer, so that every reader of the secret is on record, whatever happens to the
    // answer.
    await deps.transact(context, (tx) =>
      tx.audit({
        type: 'api_key.secret_read',
        resource: API_KEYS.resource,
        resourceId: key.id,
        livemode: key.livemode,
      }),
    );
    return { publicKey: key.publicKey, secretKey: unseal(deps.keyRings.sealing, sealed) };
  };
