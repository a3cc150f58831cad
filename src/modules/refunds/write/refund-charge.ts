import { type Clock, timestamp } from '../../../kernel/clock.ts';
import { notFound, unprocessable } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import { mayRead, type Principal } from '../../../kernel/principal.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { type Charge, reserveForRefund } from '../../charges/write/charge.ts';
import type { ProviderNamed } from '../../providers/provider.ts';
import type { CloseRefund } from './close-refund.ts';
import { REFUNDS } from './refund.store.ts';
import { assertRefundable, openRefund, type Refund } from './refund.ts';

export type RefundCharge = (
  command: { readonly chargeId: string; readonly reason: string; readonly principal: Principal },
  context: CommandContext,
) => Promise<Refund>;

/** Refunds a charge in full (specification 4.4): intent, provider, outcome. */
export const createRefundCharge =
  (deps: {
    readonly transact: Transact;
    readonly findCharge: (id: string) => Promise<Charge | null>;
    readonly findRefund: (id: string) => Promise<Refund | null>;
    readonly providerNamed: ProviderNamed;
    readonly closeRefund: CloseRefund;
    readonly clock: Clock;
    readonly newId: NewId;
    readonly intentGraceMs: number;
  }): RefundCharge =>
  async ({ chargeId, reason, principal }, context) => {
    // A first look outside the transaction: of many refunds at once most end here, without a conflict.
    const seen = await deps.findCharge(chargeId);
    if (!seen || !mayRead(principal, seen)) throw notFound('Charge');
    assertRefundable(seen, seen.refundId === null ? null : await deps.findRefund(seen.refundId));
    const provider = deps.providerNamed(seen.provider);
    if (!provider) throw unprocessable('PROVIDER_NOT_CONFIGURED', 'No payment provider is configured');

    const id = deps.newId('ref');
    const refund = await deps.transact(context, async (tx) => {
      const charge = await tx.get(CHARGES, seen.id);
      if (!charge) throw notFound('Charge');
      const now = deps.clock();
      const reconcileAt = timestamp(new Date(now.getTime() + deps.intentGraceMs));
      const standing = charge.refundId === null ? null : await tx.get(REFUNDS, charge.refundId);
      const opened = openRefund(charge, standing, { id, reason, reconcileAt }, now);
      await tx.record(CHARGES, charge, reserveForRefund(charge, id, now));
      return tx.record(REFUNDS, null, opened);
    });
    const state = await provider
      .refund({
        reference: refund.id,
        paymentReference: refund.chargeId,
        amount: refund.amount,
        currency: refund.currency,
      })
      // Whatever went wrong, the refund may have happened: the reconciler asks.
      .catch(() => null);
    return state ? deps.closeRefund(refund, state, context) : refund;
  };
