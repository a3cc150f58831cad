import { toDecimal } from '../../../kernel/money.ts';
import {
  date,
  flag,
  hidden,
  keyword,
  line,
  object,
  shown,
  stored,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import type { ChargebackAlert } from '../write/alert.ts';
import { CHARGEBACK_ALERTS } from '../write/chargebacks.store.ts';

/** The fee, decimal in its own currency. */
const shownFee = (fee: ChargebackAlert['fee']) => ({ ...fee, amount: toDecimal(fee.amount, fee.currency) });

export const CHARGEBACK_ALERTS_VIEW = defineView({
  name: 'chargeback_alerts',
  version: 3,
  source: CHARGEBACK_ALERTS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    chargeId: keyword(),
    merchantId: keyword(),
    livemode: hidden(flag()),
    status: stored(),
    externalId: line(),
    reason: stored(),
    receivedAt: stored(),
    refund: object({ id: keyword(), mode: keyword(), status: keyword() }),
    fee: shown(stored(), shownFee),
    chargeStatus: hidden(keyword()),
    manualRefundRequestId: stored(),
    createdAt: date(),
  },
});

/** An alert as the API answers it. */
export const presentAlert = (alert: Parameters<typeof CHARGEBACK_ALERTS_VIEW.present>[0]) => ({
  ...CHARGEBACK_ALERTS_VIEW.present(alert),
  charge: { id: alert.chargeId, status: alert.chargeStatus },
});
