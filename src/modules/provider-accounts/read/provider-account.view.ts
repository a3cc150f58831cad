import { date, flag, hidden, keyword, stored } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { PROVIDER_ACCOUNTS } from '../../providers/merchant-accounts.ts';

export const PROVIDER_ACCOUNTS_VIEW = defineView({
  name: 'provider-accounts',
  version: 1,
  source: PROVIDER_ACCOUNTS,
  fields: {
    id: keyword(),
    merchantId: keyword(),
    provider: keyword(),
    name: stored(),
    settings: stored(),
    active: hidden(flag()),
    createdAt: date(),
    updatedAt: date(),
  },
});

/** A merchant's account at a provider as the API answers it. */
export const presentProviderAccount = PROVIDER_ACCOUNTS_VIEW.present;
