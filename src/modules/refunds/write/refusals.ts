import { refusal } from '../../../kernel/errors.ts';

export const refundNotSupported = refusal(
  422,
  'REFUND_NOT_SUPPORTED',
  'Charges by this payment method cannot be refunded',
  (method: string) => ({ message: `A ${method} charge cannot be refunded` }),
);

export const chargeNotRefundable = refusal(
  422,
  'CHARGE_NOT_REFUNDABLE',
  'The charge is not paid',
  (status: string) => ({ message: `A charge that is ${status} cannot be refunded` }),
);

export const refundNotPending = refusal(
  422,
  'TRANSITION_NOT_ALLOWED',
  'The refund is not pending',
  (from: string, to: string) => ({ message: `A refund that is ${from} cannot become ${to}` }),
);
