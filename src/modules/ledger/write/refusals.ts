import { refusal } from '../../../kernel/errors.ts';

export const insufficientBalance = refusal(
  'INSUFFICIENT_BALANCE',
  'The available balance does not cover this amount',
);
