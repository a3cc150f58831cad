import { forbidden, refusal } from '../../../kernel/errors.ts';

export const consentMissing = refusal(
  'PAYMENT_METHOD_CONSENT_MISSING',
  'A card is stored with its holder’s consent only: `consentAt` says when it was given',
);

export const methodLimitReached = refusal(
  'PAYMENT_METHOD_LIMIT_REACHED',
  'The customer has the highest number of payment methods, counting those that have ended',
);

export const methodInUse = refusal(
  'PAYMENT_METHOD_IN_USE',
  'A subscription that has not ended is paid with the payment method',
);

export const methodNotActive = refusal(
  'PAYMENT_METHOD_NOT_ACTIVE',
  'The payment method is not active',
  (status: string) => `The payment method is ${status}`,
);

export const methodForSubscriptions = refusal(
  'PAYMENT_METHOD_FOR_SUBSCRIPTIONS',
  'A mandate of Pix Automático is charged by subscriptions only',
);

export const intervalNotSupported = refusal(
  'INTERVAL_NOT_SUPPORTED',
  'A mandate of Pix Automático recurs every week, or every 1, 3, 6 or 12 months',
  (message: string) => message,
);

export const mandateChargeNotPossible = refusal(
  'MANDATE_CHARGE_NOT_POSSIBLE',
  'A mandate is approved along with a Pix of the same customer that waits and is to be paid at once',
);

export const methodTransitionNotAllowed = refusal(
  'TRANSITION_NOT_ALLOWED',
  'The status does not allow this',
  (from: string, wanted: string) => `A payment method that is ${from} cannot be ${wanted}`,
);

export const methodProviderUnavailable = refusal(
  'PAYMENT_METHOD_PROVIDER_UNAVAILABLE',
  'The provider that keeps the card is not configured any more',
);

export const methodOwnerOnly = forbidden(
  'PAYMENT_METHOD_OWNER_ONLY',
  'Only the merchant that a payment method belongs to may change it',
);
