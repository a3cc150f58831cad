import type { NewId, UserId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import { type Charge, grossOf } from '../../charges/write/charge.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import { holdMoney } from '../../suspense/write/hold-money.ts';
import { CHARGEBACK_ALERTS, MANUAL_REFUND_REQUESTS } from './chargebacks.store.ts';
import { closeManualRefund } from './manual-refund-request.ts';

/** The party that confirmed a chargeback: an operator, or the provider by its report. */
export type ChargebackSource = {
  /** Null unless an operator confirmed it. */
  readonly userId: UserId | null;
  /** The provider's reference; null unless the provider reported it. */
  readonly pspRefId: string | null;
};

/**
 * Holds the amount of a chargeback in suspense where the payer got it a second time or had never paid. The merchant is
 * not debited for it, and reconciliation shows it until somebody clears it.
 */
export const holdChargeback = async (
  tx: Transaction,
  charge: Charge,
  pspRefId: string | null,
  now: Date,
  newId: NewId,
): Promise<void> => {
  const { id, livemode, provider, currency, merchantId, collectedBy: accountOwnerId = null } = charge;
  const amount = grossOf(charge);
  const about = { livemode, provider, reference: id, pspRefId, amount, currency, chargeId: id, merchantId };
  await holdMoney(
    tx,
    { ...about, accountOwnerId, reason: 'unexpected_chargeback', direction: 'out' },
    now,
    newId,
  );
};

/**
 * Settles who pays the payer of an alerted charge once the acquirer does. An open manual refund request is closed,
 * because finance must not pay as well. Where the alert's refund had paid the payer already, the money went out twice
 * and is held.
 */
export const payBackOnce = async (
  tx: Transaction,
  charge: Charge,
  refund: Refund,
  source: ChargebackSource,
  now: Date,
  newId: NewId,
): Promise<void> => {
  const alert = refund.alertId && (await tx.get(CHARGEBACK_ALERTS, refund.alertId));
  const requestId = alert ? alert.manualRefundRequestId : null;
  const request = requestId && (await tx.get(MANUAL_REFUND_REQUESTS, requestId));
  if (request && request.status === 'pending')
    await tx.record(
      MANUAL_REFUND_REQUESTS,
      request,
      closeManualRefund(request, source, charge.provider, now),
    );
  else if (request || refund.status === 'refunded')
    await holdChargeback(tx, charge, source.pspRefId, now, newId);
};
