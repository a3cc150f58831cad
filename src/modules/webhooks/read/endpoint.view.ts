import {
  date,
  each,
  flag,
  hidden,
  keyword,
  line,
  ofMerchant,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { WEBHOOK_ENDPOINTS } from '../write/endpoint.ts';

export const WEBHOOK_ENDPOINTS_VIEW = defineView({
  name: 'webhook_endpoints',
  version: 2,
  source: WEBHOOK_ENDPOINTS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    ...ofMerchant,
    url: line(2048),
    events: stored(),
    enabled: flag(),
    ...each(stored(), 'disabledReason', 'description', 'includeSubmerchants'),
    deletedAt: hidden(date()),
    ...timestamps,
  },
});

/** An endpoint as the API answers it. */
export const presentEndpoint = WEBHOOK_ENDPOINTS_VIEW.present;
