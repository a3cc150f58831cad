import { later, NOW } from '../../test/builders.ts';
import { createFakeLogger } from '../../test/fakes/logger.ts';
import { createEnvironmentTime, type TestTime } from './environment-time.ts';
import { createRetention, type Removal } from './retention.ts';

const DAY_S = 86_400;
const WHOLE_DAY_MS = DAY_S * 1_000;

type Asked = { readonly what: string; readonly now: Date; readonly livemode: boolean | null };

/** Retention of these removals, what each was asked for, and the log. */
const setUp = (removals: readonly Partial<Removal>[], testTime: TestTime | null = null) => {
  const { logger, lines } = createFakeLogger();
  const asked: Asked[] = [];
  const waits: string[] = [];
  const time = createEnvironmentTime({
    realClock: () => NOW,
    storeTime: async () => NOW,
    readTestTime: testTime && (async () => testTime),
  });
  const retention = createRetention({
    removals: removals.map(({ run, ...removal }, index) => ({
      what: `things ${index}`,
      async run(now, signal, livemode) {
        asked.push({ what: `things ${index}`, now, livemode });
        return (await run?.(now, signal, livemode)) ?? 0;
      },
      ...removal,
    })),
    time,
    logger,
    untilRead: async () => void waits.push('waited'),
  });
  return {
    asked,
    lines,
    waits,
    due: retention.due,
    /** Runs one round of a worker that owns the chore or does not. */
    async round(owns = true) {
      const loop = retention.start({ owns: () => owns, shards: () => [] });
      // Work that waits for nothing has ended by now.
      await new Promise((resolve) => setImmediate(resolve));
      await loop.stop();
    },
  };
};

const ofTest = (next: Date | null, keepsUnread = false): Pick<Removal, 'ofTest'> => ({
  ofTest: { next: async () => next, keepsUnread },
});

describe('retention', () => {
  it('removes what is due of every kind, whatever becomes of another', async () => {
    const broken = () => Promise.reject(new Error('a store is down'));
    const { round, asked, lines } = setUp([{ run: broken }, {}, { run: async () => 3 }]);
    await round();
    expect(asked.map(({ now, livemode }) => [now, livemode])).toEqual(Array(3).fill([NOW, null]));
    expect(lines).toEqual([
      'error could not remove what was kept long enough',
      'info removed what was kept long enough',
    ]);
  });

  it('is the work of one worker', async () => {
    const { round, asked } = setUp([{}]);
    await round(false);
    expect(asked).toEqual([]);
  });

  it('ends in the middle when the worker stops', async () => {
    const cutShort: Removal['run'] = async (_, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
      return 1;
    };
    const { round, asked, lines } = setUp([{ run: cutShort }, {}]);
    await round();
    expect([asked.length, lines]).toEqual([1, []]);
  });
});

describe('retention with a test clock', () => {
  const AHEAD = { offsetMs: 10 * WHOLE_DAY_MS, standsAt: null };

  it('has the time of each environment, and the real one for kinds that keep it', async () => {
    const { round, asked } = setUp([ofTest(null), {}], AHEAD);
    await round();
    expect(asked).toEqual([
      { what: 'things 0', now: NOW, livemode: true },
      { what: 'things 1', now: NOW, livemode: null },
      { what: 'things 0', now: later(10 * DAY_S), livemode: false },
    ]);
  });

  it('leaves test records to whoever advances their clock', async () => {
    const standing = { offsetMs: 0, standsAt: later(DAY_S).toISOString() };
    const { round, asked } = setUp([ofTest(null)], standing);
    await round();
    expect(asked.map(({ livemode }) => livemode)).toEqual([true]);
  });

  it('is due at the midnight after the first end of a time, and not again at that midnight', async () => {
    const midnight = new Date(Math.ceil(NOW.getTime() / WHOLE_DAY_MS) * WHOLE_DAY_MS);
    const earlier = (ms: number): Date => new Date(midnight.getTime() - ms);
    const next = (...ends: readonly (Date | null)[]) => setUp(ends.map((end) => ofTest(end))).due.next(NOW);
    expect(await next(earlier(1), null, earlier(5_000))).toEqual(midnight);
    expect(await next(midnight)).toEqual(new Date(midnight.getTime() + WHOLE_DAY_MS));
    expect(await next(null)).toBeNull();
    const since: Date[] = [];
    const noting = async (at: Date): Promise<null> => {
      since.push(at);
      return null;
    };
    await setUp([{ ofTest: { next: noting, keepsUnread: false } }, {}]).due.next(later(1, midnight));
    expect(since).toEqual([midnight]);
  });

  it('removes test records only, and counts them', async () => {
    const { due, asked, waits } = setUp([
      { ...ofTest(null), run: async () => 2 },
      { run: async () => 5 },
      { ...ofTest(null, true), run: async () => 3 },
    ]);
    expect(await due.run(later(DAY_S), new AbortController().signal)).toBe(5);
    expect(asked).toEqual([
      { what: 'things 0', now: later(DAY_S), livemode: false },
      { what: 'things 2', now: later(DAY_S), livemode: false },
    ]);
    expect(waits).toEqual(['waited']);
  });

  it('does not hold up the clock where a store is down', async () => {
    const { due, lines } = setUp([
      { ...ofTest(null), run: () => Promise.reject(new Error('a store is down')) },
    ]);
    expect(await due.run(NOW, new AbortController().signal)).toBe(0);
    expect(lines).toEqual(['error could not remove what was kept long enough']);
  });
});
