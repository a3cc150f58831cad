import { createFakeLogger } from '../../../test/fakes/logger.ts';
import { createStoreClock } from './store-clock.ts';

const T = 1_800_000_000_000;
const HOUR = 3_600_000;

/** A machine and a store whose clocks the test sets. */
const clocks = (ahead: { machine?: number; store?: number } = {}) => {
  const { logger, lines } = createFakeLogger();
  const state = { passed: 0, machine: ahead.machine ?? 0, store: ahead.store ?? 0, answersIn: 10 };
  const jumps: string[] = [];
  let difference = 0;
  const subject = createStoreClock({
    storeTime: async () => {
      const at = T + state.passed + state.answersIn / 2 + state.store;
      state.passed += state.answersIn;
      return new Date(at);
    },
    logger,
    report: {
      jumped: (of) => jumps.push(of),
      differs: (seconds) => {
        difference = seconds;
      },
    },
    times: { machine: () => T + state.passed + state.machine, passed: () => state.passed },
  });
  return {
    state,
    jumps,
    lines,
    difference: () => difference,
    compare: () => subject.compare(),
    /** How far the clock is ahead of the true time. */
    ahead: () => subject.clock().getTime() - T - state.passed,
    async run(ms: number) {
      for (const until = state.passed + ms; state.passed < until; ) {
        state.passed += 2_000;
        await subject.compare();
      }
    },
  };
};

describe('the clock of the write store', () => {
  it('counts from the first answer on, whatever the clock of the machine says', async () => {
    const test = clocks({ machine: 2 * HOUR });
    await test.compare();
    expect(test.ahead()).toBe(0);
    expect(test.jumps).toEqual(['machine']);
    expect(test.difference()).toBe(7_200);
  });

  it('goes on where the clock of the machine jumps ahead for eight seconds, with one alert', async () => {
    const test = clocks();
    await test.run(10_000);
    test.state.machine = 2 * HOUR;
    expect(test.ahead()).toBe(0);
    await test.run(8_000);
    expect(test.ahead()).toBe(0);
    test.state.machine = 0;
    await test.run(8_000);
    expect([test.ahead(), test.jumps, test.difference()]).toEqual([0, ['machine'], 0]);
    expect(test.lines).toEqual([
      "error the machine's clock differs from the write store's and does not count",
    ]);
  });

  it('refuses a jump of the store, and follows it once it has held for a minute', async () => {
    const test = clocks();
    await test.run(10_000);
    test.state.store = 2 * HOUR;
    await test.run(8_000);
    expect([test.ahead(), test.jumps]).toEqual([0, ['store']]);
    test.state.store = 0;
    await test.run(4_000);
    test.state.store = 2 * HOUR;
    await test.run(58_000);
    expect(test.ahead()).toBe(0);
    await test.run(6_000);
    expect(test.ahead()).toBe(2 * HOUR);
  });

  it('follows small corrections at once, and no answer that took long', async () => {
    const test = clocks();
    await test.compare();
    test.state.store = 300;
    await test.compare();
    expect(test.ahead()).toBe(300);
    Object.assign(test.state, { store: 0, answersIn: 1_500 });
    await test.compare();
    expect(test.ahead()).toBe(300);
  });
});
