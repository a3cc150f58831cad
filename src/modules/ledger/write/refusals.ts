import { refusal } from '../../../kernel/errors.ts';

export const insufficientBalance = refusal(
  422,
  'INSUFFICIENT_BALANCE',
  'The available balance does not cover this amount',
);
