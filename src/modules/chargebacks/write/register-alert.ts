import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { AlertId, RefundId } from '../../../kernel/ids.ts';
import { type Principal, visible } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import type { Creating, Transaction } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, markPreChargeback } from '../../charges/write/charge.ts';
import { announceDispute } from '../../disputes/write/dispute.ts';
import { DISPUTES } from '../../disputes/write/disputes.store.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { alertFeeOf, CHARGEBACK_ALERT_FEE } from '../../merchants/write/setting.ts';
import type { FindSetting } from '../../merchants/write/settings.store.ts';
import type { ProviderNamed, RefundState } from '../../providers/provider.ts';
import type { RecordRefundOutcome } from '../../refunds/write/record-refund-outcome.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import {
  applyRefundState,
  isRefundable,
  openAlertRefund,
  type Refund,
  requestOf,
} from '../../refunds/write/refund.ts';
import { alertFeeJournal, alertRefundJournal } from './alert.journal.ts';
import { assertAlertable, type ChargebackAlert, registerAlert } from './alert.ts';
import { CHARGEBACK_ALERTS, type FindAlertOf } from './chargebacks.store.ts';
import type { RecordAlertRefund } from './record-alert-refund.ts';
import { alertFeeNotConfigured } from './refusals.ts';

type AlertRequest = {
  readonly chargeId: string;
  readonly reason: string | null;
  readonly externalId: string | null;
  readonly receivedAt: Timestamp | null;
};

export type RegisterAlert = Command<AlertRequest & { readonly principal: Principal }, ChargebackAlert>;

/** The answer for a provider that cannot refund payments of this kind. */
const NOT_SUPPORTED: RefundState = { status: 'failed', reason: 'refund_not_supported', pspRefundRefId: null };

/**
 * Registers an alert: first all changes of ledger and charge in one transaction, then the refund at the provider. The
 * debit stands, whatever the provider answers and when.
 */
export const createRegisterAlert = (
  deps: Creating & {
    readonly findCharge: (id: string) => Promise<Charge | null>;
    readonly findAlert: (id: string) => Promise<ChargebackAlert | null>;
    readonly findAlertOf: FindAlertOf;
    readonly findSetting: FindSetting;
    readonly providerNamed: ProviderNamed;
    readonly recordRefundOutcome: RecordRefundOutcome;
    readonly recordAlertRefund: RecordAlertRefund;
    readonly intentGraceMs: number;
  },
): RegisterAlert => {
  const { clock, newId } = deps;

  const register = async (
    tx: Transaction,
    charge: Charge,
    request: AlertRequest,
    ids: { readonly alertId: AlertId; readonly refundId: RefundId },
  ): Promise<Refund> => {
    assertAlertable(charge, (await deps.findAlertOf(charge.id, tenantOf(charge))) !== null);
    const setting = await deps.findSetting(charge.merchantId, CHARGEBACK_ALERT_FEE);
    if (!setting) throw alertFeeNotConfigured();
    const fee = alertFeeOf(setting);
    const now = clock();
    const { alertId, refundId } = ids;

    await tx.record(CHARGES, charge, markPreChargeback(charge, refundId, now));
    await postJournal(tx, alertRefundJournal(charge, alertId, now, newId));
    const feeJournal = alertFeeJournal(charge, alertId, fee, now, newId);
    await postJournal(tx, feeJournal);
    const feeEntry = feeJournal.postings.find((posting) => posting.merchantId !== null);
    if (!feeEntry) throw new Error(`alert ${alertId} has no fee`);

    const opened = openAlertRefund(
      charge,
      {
        id: refundId,
        alertId,
        reconcileAt: timestamp(new Date(now.getTime() + deps.intentGraceMs)),
      },
      now,
    );
    const refund = await tx.record(REFUNDS, null, opened);
    const { externalId, reason, receivedAt } = request;
    const facts = {
      id: alertId,
      externalId,
      reason,
      receivedAt,
      fee: { ...fee, ledgerEntryId: feeEntry.id },
    };
    await tx.record(CHARGEBACK_ALERTS, null, registerAlert(charge, facts, refund, now));
    await tx.record(DISPUTES, null, announceDispute(charge, fee, now));

    const refused = isRefundable(charge) ? null : applyRefundState(refund, NOT_SUPPORTED, now);
    if (!refused) return refund;
    const recorded = await tx.record(REFUNDS, refund, refused);
    await deps.recordAlertRefund(tx, recorded, now);
    return recorded;
  };

  return async ({ principal, ...request }, context) => {
    // This check outside the transaction stops most of many concurrent alerts without a conflict.
    const seen = visible(principal, await deps.findCharge(request.chargeId), 'Charge');
    assertAlertable(seen, (await deps.findAlertOf(seen.id, tenantOf(seen))) !== null);

    const ids = { alertId: newId('cba'), refundId: newId('ref') };
    const refund = await deps.transact(context, async (tx) => {
      const charge = await tx.get(CHARGES, seen.id);
      if (!charge) throw notFound('Charge');
      return register(tx, charge, request, ids);
    });
    if (refund.status === 'pending') {
      const provider = await deps.providerNamed(seen.provider);
      const state = await provider
        ?.refund(requestOf(refund, seen), { isFirst: true })
        // After an error the refund may still have happened, so the reconciler asks the provider.
        .catch(() => null);
      if (state) await deps.recordRefundOutcome(refund, state, context);
    }
    const alert = await deps.findAlert(ids.alertId);
    if (!alert) throw new Error(`alert ${ids.alertId} is gone`);
    return alert;
  };
};
