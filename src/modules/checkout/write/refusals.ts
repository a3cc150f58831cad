import { conflict, forbidden, gone, refusal } from '../../../kernel/errors.ts';

export const checkoutExpired = gone('CHECKOUT_EXPIRED', 'The time to pay this checkout session has passed');

export const checkoutNotOpen = refusal(
  'CHECKOUT_NOT_OPEN',
  'The checkout session is completed or cancelled',
  (status: string) => `The checkout session is ${status}`,
);

export const paymentInProgress = conflict(
  'PAYMENT_IN_PROGRESS',
  'A payment of the checkout session is under way, and nobody knows yet how it ends',
);

export const checkoutOwnerOnly = forbidden(
  'CHECKOUT_OWNER_ONLY',
  'Only the merchant that a checkout session belongs to may change it',
);

export const linkNotActive = refusal('LINK_NOT_ACTIVE', 'The payment link is paused, expired or cancelled');

export const amountOutOfRange = refusal(
  'AMOUNT_OUT_OF_RANGE',
  'The amount is not within the range of the payment link',
  () => ({ errors: [{ path: 'amount', message: 'amount is not within the range of the payment link' }] }),
);

export const linkExhausted = refusal(
  'LINK_EXHAUSTED',
  'The payment link was paid, or is being paid, as often as it may be',
);
