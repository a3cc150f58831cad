import { forbidden } from '../../../kernel/errors.ts';

export const testClockOff = forbidden(
  'TEST_CLOCK_OFF',
  'The gateway was started without a test clock (`TEST_CLOCK=1`)',
);
