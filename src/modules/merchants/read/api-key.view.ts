import type { View } from '../../../platform/read-store/view.ts';
import { API_KEYS, type ApiKey } from '../write/api-key.ts';

/** An API key as lists show it: the secret key is in the answer of its creation only (decisions 8). */
export type ApiKeyAnswer = Omit<ApiKey, 'version' | 'merchantId' | 'updatedAt'>;

type ApiKeyDocument = ApiKeyAnswer & { readonly merchantId: string };

export const toApiKeyAnswer = (key: ApiKeyAnswer): ApiKeyAnswer => ({
  id: key.id,
  livemode: key.livemode,
  publicKey: key.publicKey,
  secretKeyEnding: key.secretKeyEnding,
  description: key.description,
  permissions: key.permissions,
  allowedNetworks: key.allowedNetworks,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  rolledTo: key.rolledTo,
  createdAt: key.createdAt,
});

export const API_KEYS_VIEW: View<ApiKey, ApiKeyDocument> = {
  name: 'api_keys',
  version: 2,
  source: API_KEYS,
  properties: {
    id: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    livemode: { type: 'boolean' },
    expiresAt: { type: 'date' },
    revokedAt: { type: 'date' },
    createdAt: { type: 'date' },
  },
  toDocument: (key) => ({ ...toApiKeyAnswer(key), merchantId: key.merchantId }),
};
