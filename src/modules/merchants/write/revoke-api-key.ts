import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { API_KEYS, revokeApiKey as revokeRule } from './api-key.ts';
import { MERCHANTS } from './merchant.ts';

type RevokeApiKeyCommand = { readonly merchantId: string; readonly keyId: string };
export type RevokeApiKey = Command<RevokeApiKeyCommand, void>;

export const createRevokeApiKey = (deps: Changing): RevokeApiKey => {
  return ({ merchantId, keyId }, context) =>
    deps.transact(context, async (tx) => {
      if (!(await tx.get(MERCHANTS, merchantId))) throw notFound('Merchant');
      const key = await tx.get(API_KEYS, keyId);
      if (!key || key.merchantId !== merchantId) throw notFound('API key');
      const decision = revokeRule(key, deps.clock());
      if (decision) await tx.record(API_KEYS, key, decision);
    });
};
