import { exponentOf, toDecimal } from '../../../kernel/money.ts';
import { COMPARABLE_DECIMALS } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { ADJUSTMENTS, type Adjustment } from '../write/adjustment.ts';

export type AdjustmentDocument = Omit<Adjustment, 'version'> & {
  /** The amount with the same number of decimals for every currency, to compare and sort by. */
  readonly comparableAmount: number;
};

export const ADJUSTMENTS_VIEW: View<Adjustment, AdjustmentDocument> = {
  name: 'adjustments',
  version: 1,
  source: ADJUSTMENTS,
  properties: {
    id: { type: 'keyword' },
    livemode: { type: 'boolean' },
    merchantId: { type: 'keyword' },
    comparableAmount: { type: 'long' },
    currency: { type: 'keyword' },
    status: { type: 'keyword' },
    createdByUserId: { type: 'keyword' },
    processedByUserId: { type: 'keyword' },
    processedAt: { type: 'date' },
    createdAt: { type: 'date' },
  },
  toDocument: ({ version: _, ...adjustment }) => ({
    ...adjustment,
    comparableAmount: adjustment.amount * 10 ** (COMPARABLE_DECIMALS - exponentOf(adjustment.currency)),
  }),
};

/** An adjustment as the API answers it. */
export const presentAdjustment = (adjustment: Omit<Adjustment, 'version'>) => ({
  id: adjustment.id,
  livemode: adjustment.livemode,
  merchantId: adjustment.merchantId,
  amount: toDecimal(adjustment.amount, adjustment.currency),
  currency: adjustment.currency,
  reason: adjustment.reason,
  status: adjustment.status,
  createdByUserId: adjustment.createdByUserId,
  processedByUserId: adjustment.processedByUserId,
  rejectionReason: adjustment.rejectionReason,
  ledgerEntryId: adjustment.ledgerEntryId,
  processedAt: adjustment.processedAt,
  createdAt: adjustment.createdAt,
  updatedAt: adjustment.updatedAt,
});
export type PublicAdjustment = ReturnType<typeof presentAdjustment>;
