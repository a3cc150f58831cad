import { refusal } from '../../../kernel/errors.ts';

export const evidenceMissing = refusal(
  'EVIDENCE_MISSING',
  'The dispute has no evidence that could be submitted',
);

export const disputeNotOpen = refusal(
  'DISPUTE_NOT_OPEN',
  'The dispute is in no state in which this can be done',
  (state: string) => `The dispute is ${state}`,
);
