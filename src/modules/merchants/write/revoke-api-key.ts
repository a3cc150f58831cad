import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { API_KEYS, type KeyOf, keyWithin, revokeApiKey as revokeRule } from './api-key.ts';
import { MERCHANTS } from './merchant.ts';

export type RevokeApiKey = Command<KeyOf, void>;

export const createRevokeApiKey = (deps: Changing): RevokeApiKey => {
  return (command, context) =>
    deps.transact(context, async (tx) => {
      if (!(await tx.get(MERCHANTS, command.merchantId))) throw notFound('Merchant');
      const key = keyWithin(command, await tx.get(API_KEYS, command.keyId));
      const decision = revokeRule(key, deps.clock());
      if (decision) await tx.record(API_KEYS, key, decision);
    });
};
