import { conflict, forbidden, refusal } from '../../../kernel/errors.ts';

export const subscriptionEnded = refusal('SUBSCRIPTION_ENDED', 'The subscription has ended');

export const planNotActive = refusal('PLAN_NOT_ACTIVE', 'The plan takes no new subscriptions');

export const paymentMethodRequired = refusal(
  'PAYMENT_METHOD_REQUIRED',
  'A subscription that is charged automatically needs a stored payment method of its customer',
);

export const payerMethodNotPossible = refusal(
  'PAYER_METHOD_NOT_POSSIBLE',
  'The customer cannot pay in this way',
  (message: string) => message,
);

export const currencyChangeNotAllowed = refusal(
  'CURRENCY_CHANGE_NOT_ALLOWED',
  'The currency of a subscription never changes',
);

export const mandateAmountFixed = refusal(
  'MANDATE_AMOUNT_FIXED',
  'The mandate has another amount, which never changes',
  (message: string) => message,
);

export const mandateAmountTooLow = refusal(
  'MANDATE_AMOUNT_TOO_LOW',
  'The mandate has a minimum amount, which is higher than the price',
);

export const retryDaysNotAllowed = refusal(
  'RETRY_DAYS_NOT_ALLOWED',
  'The mandate allows no retries, or three at most within seven days',
);

export const chargeWindowMissed = refusal(
  'CHARGE_WINDOW_MISSED',
  'The mandate allows no further attempt at the cycle',
);

export const cycleNotOpen = refusal(
  'CYCLE_NOT_OPEN',
  'The cycle is not one that waits for its payment or was given up',
);

export const attemptInProgress = refusal(
  'ATTEMPT_IN_PROGRESS',
  'An attempt of the subscription waits for its outcome',
);

export const subscriptionTransitionNotAllowed = refusal(
  'TRANSITION_NOT_ALLOWED',
  'The status does not allow this',
  (from: string, wanted: string) => `A subscription that is ${from} cannot be ${wanted}`,
);

export const subscriptionChanged = conflict(
  'VERSION_CHANGED',
  'The subscription has changed since it was read',
);

export const subscriptionReferenceUsed = refusal(
  'REFERENCE_ALREADY_USED',
  'Another subscription has the reference',
);

export const subscriptionOwnerOnly = forbidden(
  'SUBSCRIPTION_OWNER_ONLY',
  'Only the merchant that a plan or subscription belongs to may change it',
);
