import { forbidden, refusal } from '../../../kernel/errors.ts';

export const customerOwnerOnly = forbidden(
  'CUSTOMER_OWNER_ONLY',
  'Only the merchant that a customer belongs to may change it',
);

export const customerHasSubscriptions = refusal(
  'CUSTOMER_HAS_SUBSCRIPTIONS',
  'A subscription of the customer has not ended',
);

export const customerChangesExhausted = refusal(
  'CUSTOMER_CHANGES_EXHAUSTED',
  'The customer has been changed too often',
  (most: number) => `The customer has been changed ${most} times; create another one`,
);
