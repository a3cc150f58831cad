import { refusal } from '../../../kernel/errors.ts';

export const providerNotConfigured = refusal(
  422,
  'PROVIDER_NOT_CONFIGURED',
  'No payment provider is configured',
);

export const paymentMethodNotAvailable = refusal(
  422,
  'PAYMENT_METHOD_NOT_AVAILABLE',
  'The payment method is not available',
  (method: string, currency: string) => ({ message: `${method} is not available in ${currency}` }),
);

export const splitNotAllowed = refusal(
  422,
  'SPLIT_NOT_ALLOWED',
  'The split names a merchant that cannot take part in it',
  (path: string) => ({ message: `${path} names a merchant that cannot take part in it` }),
);

export const transitionNotAllowed = refusal(
  422,
  'TRANSITION_NOT_ALLOWED',
  'The charge cannot take this status now',
  (from: string, to: string) => ({ message: `A charge that is ${from} cannot become ${to}` }),
);

export const refundAlreadyExists = refusal(
  422,
  'REFUND_ALREADY_EXISTS',
  'A refund of this charge is pending or done',
);

export const refundPending = refusal(
  422,
  'REFUND_PENDING',
  'A refund of this charge is pending; wait for its outcome',
);
