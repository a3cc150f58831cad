import { later, NOW } from '../../../../test/builders.ts';
import { createFakeWriteStore } from '../../../../test/fakes/write-store.ts';
import type { DueWork } from '../../../platform/due-work.ts';
import { createEnvironmentTime } from '../../../platform/environment-time.ts';
import { runAdvance } from './run-advance.ts';
import { TEST_CLOCKS } from './test-clock.store.ts';
import { type Advancing, beginAdvance, TEST_CLOCK_ID, type TestClock } from './test-clock.ts';

const HOUR_S = 3_600;

/** Work that is due after these seconds, and the instants at which it was done; some of it stays due. */
const workAt = (kind: string, seconds: readonly number[], log: string[], stays = false) => {
  const due = [...seconds];
  const work: DueWork = {
    kind,
    next: async () => (due[0] === undefined ? null : later(due[0])),
    async run(now) {
      let done = 0;
      for (; due[0] !== undefined && later(due[0]) <= now; done += 1) {
        log.push(`${kind} ${(now.getTime() - NOW.getTime()) / 1_000}`);
        if (stays) return 0;
        due.shift();
      }
      return done;
    },
  };
  return { work, due };
};

const setUp = async (
  due: readonly DueWork[],
  isQuiet: () => Promise<boolean> = async () => true,
  hurry = (): void => undefined,
) => {
  const { transact, put, find } = createFakeWriteStore();
  const { data } = beginAdvance(null, 'one', { by: 'P1D' }, NOW);
  const clock = { ...data, version: 1 } as Advancing;
  put(TEST_CLOCKS, clock);
  const time = createEnvironmentTime({
    realClock: () => NOW,
    storeTime: async () => NOW,
    readTestTime: async () => ({ offsetMs: 0, standsAt: null }),
  });
  const deps = { transact, time, realClock: () => NOW, due, isQuiet, hurry };
  const stopping = new AbortController();
  return {
    put,
    clock,
    stopping,
    run: (from: Advancing = clock) => runAdvance(deps, from, stopping.signal),
    stored: () => find(TEST_CLOCKS, TEST_CLOCK_ID) as TestClock,
  };
};

describe('advancing the test clock', () => {
  it('does everything at its own instant, in one order, and counts it by kind', async () => {
    const log: string[] = [];
    const [a, b] = [workAt('a', [10, 30, 30, 90_000], log), workAt('b', [5, 30], log)];
    const { run, stored } = await setUp([a.work, b.work]);
    await run();
    expect(log).toEqual(['b 5', 'a 10', 'a 30', 'a 30', 'b 30']);
    const { advance, ended } = stored();
    expect(advance).toBeNull();
    expect(ended).toMatchObject([{ happened: { a: 3, b: 2 }, at: later(24 * HOUR_S).toISOString() }]);
  });

  it('does what was due before at the instant at which the clock stands, and never goes back', async () => {
    const log: string[] = [];
    const { run } = await setUp([workAt('a', [-50, 7], log).work]);
    await run();
    expect(log).toEqual(['a 0', 'a 7']);
  });

  it('tries what stays due once more at each later stop, and still arrives', async () => {
    const log: string[] = [];
    const stuck = workAt('stuck', [1], log, true);
    const { run, stored } = await setUp([stuck.work, workAt('a', [5, 9], log).work]);
    await run();
    expect(log.filter((one) => one.startsWith('stuck'))).toEqual(['stuck 1', 'stuck 5', 'stuck 9']);
    expect(stored().ended).toMatchObject([{ happened: { a: 2 } }]);
  });

  it('moves on only once what a step has caused is done', async () => {
    const log: string[] = [];
    let waits = 3;
    const isQuiet = async (): Promise<boolean> => {
      log.push('looked');
      waits -= 1;
      return waits < 0;
    };
    const hurry = (): void => void log.push('hurried');
    const { run } = await setUp([workAt('a', [5], log).work], isQuiet, hurry);
    await run();
    const waited = Array.from({ length: 3 }, () => ['looked', 'hurried']).flat();
    expect(log).toEqual([...waited, 'looked', 'a 5', 'looked']);
  });

  it('takes a number of steps that follows from what is due, and not from how long that is', async () => {
    let looks = 0;
    const log: string[] = [];
    const { work } = workAt('a', [10, 20, 80_000], log);
    const counted: DueWork = {
      ...work,
      next(since) {
        looks += 1;
        return work.next(since);
      },
    };
    const { run } = await setUp([counted]);
    await run();
    expect(looks).toBe(log.length + 1);
  });

  it('is left to another worker that has moved the clock, and goes on where a worker stopped', async () => {
    const log: string[] = [];
    const { run, put, clock, stopping, stored } = await setUp([workAt('a', [5, 9], log).work]);
    put(TEST_CLOCKS, { ...clock, version: 2 });
    await run();
    expect(log).toEqual([]);
    put(TEST_CLOCKS, clock);
    stopping.abort();
    await run();
    expect(stored().advance).not.toBeNull();
    const again = await setUp([workAt('a', [5, 9], log).work]);
    await again.run({ ...again.clock, advance: { ...again.clock.advance, happened: { a: 1 } } });
    expect(again.stored().ended).toMatchObject([{ happened: { a: 3 } }]);
  });
});
