import type { NewId, UserId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/write-store/transaction.ts';
import type { Charge } from '../../charges/write/charge.ts';
import type { Refund } from '../../refunds/write/refund.ts';
import { holdMoney } from '../../suspense/write/hold-money.ts';
import { CHARGEBACK_ALERTS, MANUAL_REFUND_REQUESTS } from './chargebacks.store.ts';
import { closeManualRefund } from './manual-refund-request.ts';

/** Where the word about a chargeback came from; an operator confirmed it, or the provider reported it. */
export type ChargebackSource = {
  /** Null unless an operator confirmed it. */
  readonly userId: UserId | null;
  /** The provider's reference; null unless the provider reported it. */
  readonly pspRefId: string | null;
};

/**
 * Holds the amount of a chargeback in suspense that went to the payer a second time, or whose payer never paid. The
 * merchant is not debited for it, and reconciliation shows it until somebody clears it.
 */
export const holdChargeback = async (
  tx: Transaction,
  { id, livemode, provider, amount, currency, merchantId, collectedBy = null }: Charge,
  pspRefId: string | null,
  now: Date,
  newId: NewId,
): Promise<void> => {
  const about = { livemode, provider, reference: id, pspRefId, amount, currency, chargeId: id, merchantId };
  const accountOwnerId = collectedBy;
  await holdMoney(
    tx,
    { ...about, accountOwnerId, reason: 'unexpected_chargeback', direction: 'out' },
    now,
    newId,
  );
};

/**
 * The acquirer gives the payer the money of an alerted charge back, and the alert's refund has had its outcome. An open
 * manual refund request is closed, because finance must not pay as well. Where the payer had the money already, it went
 * out twice.
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
