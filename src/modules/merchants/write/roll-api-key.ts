import { existing } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { KeyRings } from '../../../platform/secrets.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import {
  API_KEYS,
  issueApiKey,
  type KeyOf,
  keepSecret,
  keyWithin,
  newKeyPair,
  permissionsOfKey,
  rollApiKey as rollRule,
} from './api-key.ts';
import type { IssuedApiKey } from './create-api-key.ts';
import { MERCHANTS } from './merchant.ts';

type RollApiKeyCommand = KeyOf & {
  /** How long the old pair stays valid, in seconds; 0 ends it at once. */
  readonly validForSeconds: number;
};
export type RollApiKey = Command<RollApiKeyCommand, IssuedApiKey>;

export const createRollApiKey = (deps: Creating & { readonly keyRings: KeyRings }): RollApiKey => {
  return async (command, context) => {
    const id = deps.newId('key');
    return deps.transact(context, async (tx) => {
      const merchant = existing(await tx.get(MERCHANTS, command.merchantId), 'Merchant');
      const old = keyWithin(command, await tx.get(API_KEYS, command.keyId));
      const now = deps.clock();
      const pair = newKeyPair(old.livemode);
      await tx.record(API_KEYS, old, rollRule(old, command, id, now));
      // Permissions that the merchant has lost since are left out of the new pair.
      const permissions = old.permissions && permissionsOfKey(old, merchant);
      const decision = issueApiKey(merchant, { ...old, permissions }, pair, id, now);
      const key = await tx.record(API_KEYS, null, decision, keepSecret(merchant, pair, deps.keyRings));
      return { ...key, secretKey: pair.secretKey };
    });
  };
};
