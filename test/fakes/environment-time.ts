import type { Clock } from '../../src/kernel/clock.ts';
import { createEnvironmentTime, type EnvironmentTime } from '../../src/platform/environment-time.ts';
import { NOW } from '../builders.ts';

/** The time of a gateway without a test clock. */
export const createFakeTime = (clock: Clock = () => NOW): EnvironmentTime =>
  createEnvironmentTime({ realClock: clock, storeTime: async () => clock(), readTestTime: null });
