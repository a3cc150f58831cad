import { refusal } from '../../../kernel/errors.ts';

export const refundNotSupported = refusal(
  'REFUND_NOT_SUPPORTED',
  'Charges by this payment method cannot be refunded',
  (method: string) => `A ${method} charge cannot be refunded`,
);

export const chargeNotRefundable = refusal(
  'CHARGE_NOT_REFUNDABLE',
  'The charge is not paid',
  (status: string) => `A charge that is ${status} cannot be refunded`,
);

export const refundAttemptsExhausted = refusal(
  'REFUND_ATTEMPTS_EXHAUSTED',
  'Twenty attempts to refund this charge have come to nothing; ask the operator to pay the money back',
);

export const refundNotPending = refusal(
  'TRANSITION_NOT_ALLOWED',
  'The refund is not pending',
  (from: string, to: string) => `A refund that is ${from} cannot become ${to}`,
);
