import {
  emailAddress,
  flag,
  hidden,
  keyword,
  lineOfWords,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { MERCHANTS } from '../write/merchant.ts';

/** Merchants and sub-merchants; what is hidden is for the lists of sub-merchants. */
export const MERCHANTS_VIEW = defineView({
  name: 'merchants',
  version: 4,
  source: MERCHANTS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    version: hidden(stored()),
    legalName: lineOfWords(),
    email: emailAddress(),
    companyTaxId: keyword(),
    phone: hidden(stored()),
    address: hidden(stored()),
    role: keyword(),
    masterId: keyword(),
    status: keyword(),
    statusReason: stored(),
    livemode: flag(),
    permissions: stored(),
    timeZone: stored(),
    postbackUrl: hidden(stored()),
    ...timestamps,
  },
});

/** A merchant as operators see it. */
export const presentMerchant = MERCHANTS_VIEW.present;
