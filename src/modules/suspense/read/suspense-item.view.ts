import {
  flag,
  keyword,
  line,
  money,
  object,
  stored,
  timestamps,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { SUSPENSE_ITEMS } from '../write/suspense.store.ts';

export const SUSPENSE_VIEW = defineView({
  name: 'suspense-items',
  version: 4,
  source: SUSPENSE_ITEMS,
  tenants: 'named',
  fields: {
    id: keyword(),
    livemode: flag(),
    status: keyword(),
    reason: keyword(),
    direction: keyword(),
    amount: money(),
    currency: keyword(),
    provider: keyword(),
    reference: line(),
    pspRefId: stored(),
    chargeId: keyword(),
    merchantId: keyword(),
    accountOwnerId: keyword(),
    clearing: object({ status: keyword() }),
    returnFailure: stored(),
    pspRefundRefId: stored(),
    ...timestamps,
  },
});

/** A suspense item as the API answers it. */
export const presentSuspenseItem = SUSPENSE_VIEW.present;
export type SuspenseItemAnswer = ReturnType<typeof presentSuspenseItem>;
