import { exponentOf, toDecimal } from '../../../kernel/money.ts';
import { COMPARABLE_DECIMALS } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { SUSPENSE_ITEMS } from '../write/suspense.store.ts';
import type { SuspenseItem } from '../write/suspense.ts';

export type SuspenseDocument = Omit<SuspenseItem, 'version' | 'reconcileAt'> & {
  /** The amount with the same number of decimals for every currency, to compare and sort by. */
  readonly comparableAmount: number;
};

export const SUSPENSE_VIEW: View<SuspenseItem, SuspenseDocument> = {
  name: 'suspense-items',
  version: 1,
  source: SUSPENSE_ITEMS,
  properties: {
    id: { type: 'keyword' },
    livemode: { type: 'boolean' },
    status: { type: 'keyword' },
    reason: { type: 'keyword' },
    direction: { type: 'keyword' },
    provider: { type: 'keyword' },
    reference: { type: 'keyword', ignore_above: 256 },
    comparableAmount: { type: 'long' },
    currency: { type: 'keyword' },
    chargeId: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    clearing: { properties: { status: { type: 'keyword' } } },
    createdAt: { type: 'date' },
    updatedAt: { type: 'date' },
  },
  toDocument: ({ version: _, reconcileAt: _at, ...item }) => ({
    ...item,
    comparableAmount: item.amount * 10 ** (COMPARABLE_DECIMALS - exponentOf(item.currency)),
  }),
};

/** A suspense item as the API answers it. */
export const presentSuspenseItem = (item: Omit<SuspenseItem, 'version' | 'reconcileAt'>) => ({
  id: item.id,
  livemode: item.livemode,
  status: item.status,
  reason: item.reason,
  direction: item.direction,
  amount: toDecimal(item.amount, item.currency),
  currency: item.currency,
  provider: item.provider,
  reference: item.reference,
  pspRefId: item.pspRefId,
  chargeId: item.chargeId,
  merchantId: item.merchantId,
  clearing: item.clearing,
  returnFailure: item.returnFailure,
  pspRefundRefId: item.pspRefundRefId,
  createdAt: item.createdAt,
  updatedAt: item.updatedAt,
});
export type PublicSuspenseItem = ReturnType<typeof presentSuspenseItem>;
