import { setTimeout as sleep } from 'node:timers/promises';
import { later, NOW } from '../../test/builders.ts';
import { createEnvironmentTime, type TestTime } from './environment-time.ts';

const HOUR_MS = 3_600_000;

const setUp = (first: TestTime | null) => {
  let testTime = first;
  let reads = 0;
  const time = createEnvironmentTime({
    realClock: () => NOW,
    storeTime: async () => later(1),
    readTestTime:
      first &&
      (async () => {
        reads += 1;
        return testTime ?? { offsetMs: 0, standsAt: null };
      }),
  });
  return {
    time,
    reads: () => reads,
    set(next: TestTime) {
      testTime = next;
    },
  };
};
const ahead = (hours: number): TestTime => ({ offsetMs: hours * HOUR_MS, standsAt: null });

describe('the time of an environment', () => {
  it('is the real one without a test clock, whichever environment it is', async () => {
    const { time } = setUp(null);
    expect(time.hasTestClock).toBe(false);
    expect(await time.within(false, async () => time.clock())).toEqual(NOW);
    expect(await time.now(false)).toEqual(NOW);
    const rounds: (boolean | null)[] = [];
    await time.inEach(async (livemode) => rounds.push(livemode) > 9);
    expect(rounds).toEqual([null]);
  });

  it('is ahead for test records only, through everything that their work waits for', async () => {
    const { time } = setUp(ahead(2));
    const ofTest = time.within(false, async () => {
      await sleep(1);
      return Promise.all([time.clock(), time.within(true, async () => time.clock())]);
    });
    const ofLive = time.within(true, async () => time.clock());
    expect(await Promise.all([ofTest, ofLive])).toEqual([[later(7_200), NOW], NOW]);
    expect(time.clock()).toEqual(NOW);
    expect([await time.now(false), await time.now(true)]).toEqual([later(7_200), NOW]);
  });

  it('is read anew for each piece of work, and never for live records', async () => {
    const { time, set, reads } = setUp(ahead(1));
    await time.within(true, async () => undefined);
    await time.now(true);
    expect(reads()).toBe(0);
    set(ahead(5));
    expect(await time.within(false, async () => time.clock())).toEqual(later(5 * 3_600));
  });

  it('stands while the clock is advanced, and background work leaves test records alone', async () => {
    const { time, set } = setUp(ahead(1));
    set({ offsetMs: HOUR_MS, standsAt: later(60).toISOString() });
    expect(await time.within(false, async () => time.clock())).toEqual(later(60));
    expect(await time.unlessAdvancing(false, async () => 'done')).toBeNull();
    const rounds: (boolean | null)[] = [];
    expect(await time.inEach(async (livemode) => rounds.push(livemode) > 0)).toBe(true);
    expect(rounds).toEqual([true]);
    expect(await time.at(later(90), async () => time.clock())).toEqual(later(90));
  });

  it("is the store's for live records where the store is asked, and no other for test records", async () => {
    const { time } = setUp(ahead(1));
    expect(await time.storeTime()).toEqual(later(1));
    expect(await time.within(true, time.storeTime)).toEqual(later(1));
    expect(await time.at(later(90), time.storeTime)).toEqual(later(90));
  });
});
