import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { KeyRings } from '../../../platform/secrets.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import {
  API_KEYS,
  type ApiKey,
  issueApiKey,
  type KeyTerms,
  keepSecret,
  newKeyPair,
  unrestricted,
} from './api-key.ts';
import { MERCHANTS } from './merchant.ts';

/** A pair with its secret key, which is known only at this moment. */
export type IssuedApiKey = ApiKey & { readonly secretKey: string };

/** A pair that is made without terms may do everything that its merchant may. */
type CreateApiKeyCommand = Pick<KeyTerms, 'livemode'> & Partial<KeyTerms> & { readonly merchantId: string };
export type CreateApiKey = Command<CreateApiKeyCommand, IssuedApiKey>;

export const createApiKeyHandler = (deps: Creating & { readonly keyRings: KeyRings }): CreateApiKey => {
  return async (command, context) => {
    const id = deps.newId('key');
    const pair = newKeyPair(command.livemode);
    const key = await deps.transact(context, async (tx) => {
      const merchant = await tx.get(MERCHANTS, command.merchantId);
      if (!merchant) throw notFound('Merchant');
      const decision = issueApiKey(
        merchant,
        { ...unrestricted(command.livemode), ...command },
        pair,
        id,
        deps.clock(),
      );
      return tx.record(API_KEYS, null, decision, keepSecret(merchant, pair, deps.keyRings));
    });
    return { ...key, secretKey: pair.secretKey };
  };
};
