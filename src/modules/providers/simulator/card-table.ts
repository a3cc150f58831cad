import type { PaymentState } from '../provider.ts';

/** Outcome of a refund; `unsupported` stands for a provider without a refund API for the card. */
export type RefundBehaviour = 'refunded' | 'pending' | 'refused' | 'failed' | 'unsupported';

/** How the simulator treats a payment. `answers: false`: the payment happens, but the call gets no answer. */
export type PaymentBehaviour = {
  readonly status: PaymentState['status'];
  readonly failureReason: string | null;
  readonly refund: RefundBehaviour;
  readonly answers: boolean;
  /** Why a payment with the stored card is refused that the merchant begins; absent where it is like any other. */
  readonly unattended?: string;
};

const paid: PaymentBehaviour = { status: 'paid', failureReason: null, refund: 'refunded', answers: true };

const refused = (failureReason: string): PaymentBehaviour => ({ ...paid, status: 'refused', failureReason });
const failed = (failureReason: string): PaymentBehaviour => ({ ...paid, status: 'failed', failureReason });
const waits = (status: 'authentication_required' | 'in_analysis'): PaymentBehaviour => ({ ...paid, status });
const paidButRefund = (refund: RefundBehaviour): PaymentBehaviour => ({ ...paid, refund });
const paidButSilent: PaymentBehaviour = { ...paid, answers: false };

/** The simulator's card numbers. */
export const CARD_TABLE: ReadonlyMap<string, PaymentBehaviour> = new Map([
  ['4242424242424242', paid],
  ['4111111111111111', paid],
  ['5555555555554444', paid],
  ['378282246310005', paid],
  ['6362970000457013', paid],
  ['6062825624254001', paid],
  ['4000000000000002', refused('card_declined')],
  ['4000000000009995', refused('insufficient_funds')],
  ['4000000000000119', failed('processing_error')],
  ['4000002500003155', waits('authentication_required')],
  ['4000000000005126', waits('in_analysis')],
  ['4000000000007726', paidButRefund('pending')],
  ['4000000000005423', paidButRefund('refused')],
  ['4000000000003220', paidButRefund('failed')],
  ['4000000000006975', paidButRefund('unsupported')],
  ['4000000000004954', paidButSilent],
  ['4000002760003184', { ...paid, unattended: 'authentication_required' }],
  ['4000000000000341', refused('card_declined')],
]);

/** How a card behaves; one that the table does not name is paid. */
export const cardBehaviour = (number: string): PaymentBehaviour => CARD_TABLE.get(number) ?? paid;

/** How a payment with a stored card goes whose security code is this one: `000` and `0000` are always wrong. */
export const codeBehaviour = (code: string): PaymentBehaviour =>
  /^0+$/.test(code) ? refused('incorrect_cvc') : paid;

/** Behaviour of a card that is not kept, or not any more. */
export const UNKNOWN_CARD: PaymentBehaviour = refused('card_unknown');

/** A payment with a stored card while its holder is not there, who therefore cannot prove anything. */
export const unattended = (behaviour: PaymentBehaviour): PaymentBehaviour => {
  if (behaviour.unattended !== undefined) return refused(behaviour.unattended);
  return behaviour.status === 'authentication_required' ? refused('authentication_required') : behaviour;
};

/** Payments without a card wait for the payer, and their refunds never fail. */
export const WAITS_FOR_PAYER: PaymentBehaviour = { ...paid, status: 'pending' };
