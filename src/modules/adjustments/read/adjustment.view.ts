import { date, flag, keyword, money, stored, timestamps } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { ADJUSTMENTS } from '../write/adjustment.ts';

export const ADJUSTMENTS_VIEW = defineView({
  name: 'adjustments',
  version: 3,
  source: ADJUSTMENTS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    livemode: flag(),
    merchantId: keyword(),
    amount: money(),
    currency: keyword(),
    reason: stored(),
    status: keyword(),
    createdByUserId: keyword(),
    processedByUserId: keyword(),
    rejectionReason: stored(),
    ledgerEntryId: stored(),
    processedAt: date(),
    ...timestamps,
  },
});

/** An adjustment as the API answers it. */
export const presentAdjustment = ADJUSTMENTS_VIEW.present;
