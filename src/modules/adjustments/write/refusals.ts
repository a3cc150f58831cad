import { refusal } from '../../../kernel/errors.ts';

export const adjustmentAlreadyProcessed = refusal(
  422,
  'ADJUSTMENT_ALREADY_PROCESSED',
  'The adjustment is not pending',
  (status: string) => ({ message: `The adjustment is ${status} already` }),
);
