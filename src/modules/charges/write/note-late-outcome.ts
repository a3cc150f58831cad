import type { LateOutcomes } from '../../card-tokens/write/use-card-token.ts';
import type { Charge } from './charge.ts';
import type { RecordPaymentOutcome } from './record-payment-outcome.ts';

/** Whether the card of a charge is refused; null while nobody knows, because the payer is at the bank for instance. */
export const isCardRefused = ({ status }: Pick<Charge, 'status'>): boolean | null =>
  status === 'pending' || status === 'authentication_required' || status === 'in_analysis'
    ? null
    : status === 'refused';

/**
 * Stores news of a charge whose request was answered before, and notes how a payment by card ended: otherwise cards
 * could be tried out for nothing where their bank refuses them only after the payer has proved himself.
 */
export const createNoteLateOutcome =
  (deps: {
    readonly recordPaymentOutcome: RecordPaymentOutcome;
    readonly cardTokens: LateOutcomes;
  }): RecordPaymentOutcome =>
  async (given, state, context, known) => {
    const charge = await deps.recordPaymentOutcome(given, state, context, known);
    const isNews = charge.version > given.version && charge.paymentMethod.type === 'credit_card';
    // A charge that was cancelled or has expired tells nothing about its card.
    if (isNews && (charge.status === 'paid' || charge.status === 'refused'))
      await deps.cardTokens.noteLate(charge.id, charge.status === 'refused');
    return charge;
  };
