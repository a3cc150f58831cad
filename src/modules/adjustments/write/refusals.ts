import { refusal } from '../../../kernel/errors.ts';

export const adjustmentAlreadyProcessed = refusal(
  'ADJUSTMENT_ALREADY_PROCESSED',
  'The adjustment is not pending',
  (status: string) => `The adjustment is ${status} already`,
);
