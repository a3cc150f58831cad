import {
  each,
  emailAddress,
  flag,
  hidden,
  keyword,
  name,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { MERCHANTS } from '../write/merchant.ts';

/** Merchants and sub-merchants. The hidden fields serve the lists of sub-merchants. */
export const MERCHANTS_VIEW = defineView({
  name: 'merchants',
  version: 6,
  source: MERCHANTS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    version: hidden(stored()),
    legalName: name(),
    email: emailAddress(),
    companyTaxId: keyword(),
    ...each(hidden(stored()), 'phone', 'address'),
    ...each(keyword(), 'role', 'masterId', 'status'),
    statusReason: stored(),
    livemode: flag(),
    ...each(stored(), 'permissions', 'timeZone'),
    postbackUrl: hidden(stored()),
    ...timestamps,
  },
});

/** A merchant as operators see it. */
export const presentMerchant = MERCHANTS_VIEW.present;
