import type { NewId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import { recordRefund } from './alert.ts';
import { CHARGEBACK_ALERTS, MANUAL_REFUND_REQUESTS } from './chargebacks.store.ts';
import { openManualRefund } from './manual-refund-request.ts';

/** Records the outcome of a refund on its chargeback alert. */
export type RecordAlertRefund = (tx: Transaction, refund: Refund, now: Date) => Promise<void>;

/** Keeps an alert in line with its refund. A refund that the provider does not make is queued for finance. */
export const createRecordAlertRefund =
  (deps: { readonly newId: NewId }): RecordAlertRefund =>
  async (tx, refund, now) => {
    const alert = refund.alertId && (await tx.get(CHARGEBACK_ALERTS, refund.alertId));
    const charge = await tx.get(CHARGES, refund.chargeId);
    if (!alert || !charge) throw new Error(`the alert of refund ${refund.id} or its charge is gone`);
    const isManual = refund.status === 'failed';
    const requestId = isManual ? deps.newId('mrr') : null;
    if (requestId !== null)
      await tx.record(
        MANUAL_REFUND_REQUESTS,
        null,
        openManualRefund(charge, { id: requestId, alertId: alert.id }, now),
      );
    await tx.record(CHARGEBACK_ALERTS, alert, recordRefund(alert, refund, requestId, now));
  };
