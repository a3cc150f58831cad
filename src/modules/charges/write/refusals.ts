import { GatewayError, refusal } from '../../../kernel/errors.ts';

export const splitNotAllowed = refusal(
  'SPLIT_NOT_ALLOWED',
  'The split names a merchant that cannot take part in it',
  (path: string) => `${path} names a merchant that cannot take part in it`,
);

export const ownAccountNotSplit = refusal(
  'SPLIT_NOT_ALLOWED',
  "The merchant's own account at the provider collects the charge, so that nothing of it can be given to others",
);

export const transitionNotAllowed = refusal(
  'TRANSITION_NOT_ALLOWED',
  'The charge cannot take this status now',
  (from: string, to: string) => `A charge that is ${from} cannot become ${to}`,
);

export const referenceAlreadyUsed = refusal(
  'REFERENCE_ALREADY_USED',
  'Another charge of the merchant has this reference and is neither refused nor failed',
  (chargeId: string) => ({ chargeId }),
);

export const chargeNotCancellable = refusal(
  'CHARGE_NOT_CANCELLABLE',
  'Only a charge that waits for its payer can be cancelled',
  (status: string) => `A charge that is ${status} cannot be cancelled: it does not wait for its payer`,
);

/**
 * Whether an error says that a charge cannot be cancelled because it is paid, was refused, or is about to end by
 * itself.
 */
export const isNotCancellable = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'CHARGE_NOT_CANCELLABLE';

export const refundAlreadyExists = refusal(
  'REFUND_ALREADY_EXISTS',
  'A refund of this charge is pending or done',
);

export const refundPending = refusal(
  'REFUND_PENDING',
  'A refund of this charge is pending; wait for its outcome',
);
