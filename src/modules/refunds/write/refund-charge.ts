import { timestamp } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Principal } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { type FindById, findVisible } from '../../../platform/write-store/read-resource.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, reserveForRefund } from '../../charges/write/charge.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import { providerNotConfigured } from '../../providers/refusals.ts';
import type { RecordRefundOutcome } from './record-refund-outcome.ts';
import { REFUNDS } from './refund.store.ts';
import { assertRefundable, openRefund, type Refund, requestOf } from './refund.ts';

export type RefundCharge = Command<
  { readonly chargeId: string; readonly reason: string; readonly principal: Principal },
  Refund
>;

/** Refunds a charge in full: stores the intent, calls the provider and stores the outcome. */
export const createRefundCharge =
  (
    deps: Creating & {
      readonly findCharge: FindById<Charge>;
      readonly findRefund: FindById<Refund>;
      readonly providerNamed: ProviderNamed;
      readonly recordRefundOutcome: RecordRefundOutcome;
      readonly intentGraceMs: number;
    },
  ): RefundCharge =>
  async ({ chargeId, reason, principal }, context) => {
    // This check outside the transaction stops most of many concurrent refunds without a conflict.
    const seen = await findVisible(deps.findCharge, principal, chargeId, 'Charge');
    const tenantId = tenantOf(seen);
    assertRefundable(seen, seen.refundId === null ? null : await deps.findRefund(seen.refundId, tenantId));
    const provider = await deps.providerNamed(seen.provider);
    if (!provider) throw providerNotConfigured();

    const id = deps.newId('ref');
    // The charge has just been read, and its version is checked when it is stored; only a second try reads it again.
    let fresh: Charge | null = seen.refundId === null ? seen : null;
    const stored = await deps.transact(context, async (tx) => {
      const charge = fresh ?? (await tx.get(CHARGES, seen.id));
      fresh = null;
      if (!charge) throw notFound('Charge');
      const now = deps.clock();
      const reconcileAt = timestamp(new Date(now.getTime() + deps.intentGraceMs));
      const standing = charge.refundId === null ? null : await tx.get(REFUNDS, charge.refundId);
      const opened = openRefund(charge, standing, { id, reason, reconcileAt }, now);
      const reserved = await tx.record(CHARGES, charge, reserveForRefund(charge, id, now));
      return { charge: reserved, refund: await tx.record(REFUNDS, null, opened) };
    });
    const { refund } = stored;
    const state = await provider
      .refund(requestOf(refund, seen), { isFirst: true })
      // After an error the refund may still have happened, so the reconciler asks the provider.
      .catch(() => null);
    return state ? deps.recordRefundOutcome(refund, state, context, stored.charge) : refund;
  };
