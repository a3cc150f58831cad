import { date, flag, hidden, keyword, name, stored } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { API_KEYS } from '../write/api-key.ts';

/** No view has the secret key, which only the answer to its creation shows. */
export const API_KEYS_VIEW = defineView({
  name: 'api_keys',
  version: 3,
  source: API_KEYS,
  fields: {
    id: keyword(),
    merchantId: hidden(keyword()),
    livemode: flag(),
    publicKey: stored(),
    secretKeyEnding: stored(),
    description: name(),
    permissions: stored(),
    allowedNetworks: stored(),
    expiresAt: date(),
    revokedAt: date(),
    rolledTo: stored(),
    createdAt: date(),
  },
});
