import type { Clock } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { API_KEYS, revokeApiKey as revokeRule } from './api-key.ts';
import { MERCHANTS } from './merchant.ts';

export type RevokeApiKeyCommand = { readonly merchantId: string; readonly keyId: string };
export type RevokeApiKey = (command: RevokeApiKeyCommand, context: CommandContext) => Promise<void>;

export const revokeApiKey = (deps: { readonly transact: Transact; readonly clock: Clock }): RevokeApiKey => {
  return ({ merchantId, keyId }, context) =>
    deps.transact(context, async (tx) => {
      if (!(await tx.get(MERCHANTS, merchantId))) throw notFound('Merchant');
      const key = await tx.get(API_KEYS, keyId);
      if (!key || key.merchantId !== merchantId) throw notFound('API key');
      const decision = revokeRule(key, deps.clock());
      if (decision) await tx.record(API_KEYS, key, decision);
    });
};
