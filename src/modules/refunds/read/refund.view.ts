import {
  flag,
  hidden,
  keyword,
  money,
  ofMerchant,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { REFUNDS } from '../write/refund.store.ts';

export const REFUNDS_VIEW = defineView({
  name: 'refunds',
  // Version 4: refunds of alerts no longer show an operator's words as their reason.
  version: 4,
  source: REFUNDS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    chargeId: keyword(),
    ...ofMerchant,
    livemode: hidden(flag()),
    status: keyword(),
    amount: money(),
    currency: keyword(),
    merchantReason: stored(),
    reason: stored(),
    pspRefundRefId: stored(),
    ...timestamps,
  },
});

/** A refund as the API answers it. */
export const presentRefund = REFUNDS_VIEW.present;
