import { toDecimal } from '../../../kernel/money.ts';
import type { View } from '../../../platform/read-store/view.ts';
import type { ChargebackAlert } from '../write/alert.ts';
import { CHARGEBACK_ALERTS } from '../write/chargebacks.store.ts';

export type AlertDocument = Omit<ChargebackAlert, 'version'>;

export const CHARGEBACK_ALERTS_VIEW: View<ChargebackAlert, AlertDocument> = {
  name: 'chargeback_alerts',
  version: 1,
  source: CHARGEBACK_ALERTS,
  properties: {
    id: { type: 'keyword' },
    chargeId: { type: 'keyword' },
    merchantId: { type: 'keyword' },
    livemode: { type: 'boolean' },
    externalId: { type: 'keyword', ignore_above: 256 },
    refund: {
      properties: { id: { type: 'keyword' }, mode: { type: 'keyword' }, status: { type: 'keyword' } },
    },
    fee: { properties: { amount: { type: 'long' }, currency: { type: 'keyword' } } },
    chargeStatus: { type: 'keyword' },
    createdAt: { type: 'date' },
  },
  toDocument: ({ version: _, ...alert }) => alert,
};

/** An alert as the API answers it (decisions 6); the fee decimal. */
export const presentAlert = (alert: AlertDocument) => ({
  id: alert.id,
  chargeId: alert.chargeId,
  merchantId: alert.merchantId,
  status: alert.status,
  externalId: alert.externalId,
  reason: alert.reason,
  receivedAt: alert.receivedAt,
  refund: alert.refund,
  fee: { ...alert.fee, amount: toDecimal(alert.fee.amount, alert.fee.currency) },
  charge: { id: alert.chargeId, status: alert.chargeStatus },
  manualRefundRequestId: alert.manualRefundRequestId,
  createdAt: alert.createdAt,
});
export type PublicAlert = ReturnType<typeof presentAlert>;
