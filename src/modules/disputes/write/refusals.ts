import { refusal } from '../../../kernel/errors.ts';

export const disputeNotOpen = refusal(
  'DISPUTE_NOT_OPEN',
  'The dispute is in no state in which this can be done',
  (state: string) => `The dispute is ${state}`,
);
