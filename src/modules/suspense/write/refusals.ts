import { refusal } from '../../../kernel/errors.ts';

export const suspenseItemNotHeld = refusal(
  'SUSPENSE_ITEM_NOT_HELD',
  'The suspense item is not held',
  (status: string) => `The suspense item is ${status}`,
);

export const clearingAlreadyProposed = refusal(
  'CLEARING_ALREADY_PROPOSED',
  'A clearing of this suspense item is pending',
);

export const suspenseItemNotReturnable = refusal(
  'SUSPENSE_ITEM_NOT_RETURNABLE',
  'Money that left the provider cannot be given back',
);

export const suspenseOfOwnAccount = refusal(
  'SUSPENSE_OF_OWN_ACCOUNT',
  "The money is on a merchant's own account: it can only be given back, or left with that merchant",
);

export const clearingNotPending = refusal(
  'CLEARING_NOT_PENDING',
  'No clearing of this suspense item is pending',
);
