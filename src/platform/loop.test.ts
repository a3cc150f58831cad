import { createFakeLogger } from '../../test/fakes/logger.ts';
import { createLoop, type RestingLoop } from './loop.ts';

const EVERY_MS = 10_000;

/** A loop whose rounds a test ends one by one, on jest's fake clock, so that nothing here really waits. */
const startLoop = (
  options: {
    readonly gatherMs?: number;
    readonly restAtMostMs?: number;
    readonly restFactor?: number;
    readonly restAfterMs?: number;
  } = {},
) => {
  const { logger, lines } = createFakeLogger();
  const open: { end: (hasMore: boolean) => void; fail: () => void }[] = [];
  let rounds = 0;
  let most = 0;
  const loop: RestingLoop = createLoop({
    name: 'test',
    everyMs: EVERY_MS,
    ...options,
    logger,
    round: () => {
      rounds += 1;
      return new Promise((resolve, reject) => {
        open.push({ end: resolve, fail: () => reject(new Error('broken')) });
        most = Math.max(most, open.length);
      });
    },
  });
  const flush = async (): Promise<void> => {
    await jest.advanceTimersByTimeAsync(0);
  };
  return {
    loop,
    lines,
    rounds: () => rounds,
    mostAtOnce: () => most,
    async end(hasMore = false) {
      open.shift()?.end(hasMore);
      await flush();
    },
    async fail() {
      open.shift()?.fail();
      await flush();
    },
  };
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a loop', () => {
  it('runs a round at once and the next one after its pause', async () => {
    const test = startLoop();
    expect(test.rounds()).toBe(1);
    await test.end();
    await jest.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(test.rounds()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(test.rounds()).toBe(2);
    expect(test.mostAtOnce()).toBe(1);
  });

  it('goes on without a pause while there is more to do', async () => {
    const test = startLoop();
    await test.end(true);
    await test.end(true);
    expect(test.rounds()).toBe(3);
    await test.end(false);
    expect(test.rounds()).toBe(3);
  });

  it('runs at once when it is woken in a pause', async () => {
    const test = startLoop();
    await test.end();
    test.loop.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(test.rounds()).toBe(2);
  });

  it('lets work gather when it is woken in a pause, but not what came during a round', async () => {
    const test = startLoop({ gatherMs: 25 });
    await test.end();
    test.loop.wake();
    await jest.advanceTimersByTimeAsync(24);
    test.loop.wake();
    expect(test.rounds()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(test.rounds()).toBe(2);
    test.loop.wake();
    await test.end();
    expect(test.rounds()).toBe(3);
  });

  it.each([
    { took: 20, rest: 200 },
    { took: 100, rest: 300 },
  ])('rests ten times as long as a round of $took ms took, at most 300 ms, woken or not', async (round) => {
    const test = startLoop({ restFactor: 10, restAtMostMs: 300 });
    await jest.advanceTimersByTimeAsync(round.took);
    await test.end();
    test.loop.wake();
    await jest.advanceTimersByTimeAsync(round.rest - 1);
    expect(test.rounds()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(test.rounds()).toBe(2);
  });

  it.each([
    { took: 50, rest: 0 },
    { took: 70, rest: 200 },
  ])('rests for what a round of $took ms took beyond 50 ms', async (round) => {
    const test = startLoop({ restFactor: 10, restAtMostMs: 300, restAfterMs: 50 });
    await jest.advanceTimersByTimeAsync(round.took);
    await test.end();
    test.loop.wake();
    await jest.advanceTimersByTimeAsync(Math.max(0, round.rest - 1));
    expect(test.rounds()).toBe(round.rest === 0 ? 2 : 1);
    await jest.advanceTimersByTimeAsync(1);
    expect(test.rounds()).toBe(2);
  });

  it('runs once more when it is woken during a round, and never two rounds at once', async () => {
    const test = startLoop();
    test.loop.wake();
    test.loop.wake();
    expect(test.rounds()).toBe(1);
    await test.end();
    expect(test.rounds()).toBe(2);
    await test.end();
    expect(test.rounds()).toBe(2);
    expect(test.mostAtOnce()).toBe(1);
  });

  it('logs a round that fails and tries again a second later, woken or not', async () => {
    const test = startLoop();
    await test.fail();
    expect(test.lines).toEqual(['error background work failed']);
    test.loop.wake();
    await jest.advanceTimersByTimeAsync(999);
    expect(test.rounds()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(test.rounds()).toBe(2);
    await test.end();
    test.loop.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(test.rounds()).toBe(3);
  });

  it('waits twice as long from one failure to the next, ten seconds at most, and starts over after a success', async () => {
    const test = startLoop();
    for (const [index, seconds] of [1, 2, 4, 8, 10, 10].entries()) {
      await test.fail();
      await jest.advanceTimersByTimeAsync(seconds * 1_000 - 1);
      expect(test.rounds()).toBe(index + 1);
      await jest.advanceTimersByTimeAsync(1);
      expect(test.rounds()).toBe(index + 2);
    }
    expect(test.lines).toEqual(['error background work failed']);
    await test.end(true);
    await test.fail();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(test.rounds()).toBe(9);
  });

  it('stops at once in a pause', async () => {
    const test = startLoop();
    await test.end();
    await test.loop.stop();
    await jest.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(test.rounds()).toBe(1);
  });

  it('stops after the current round, even where there is more to do', async () => {
    const test = startLoop();
    let stopped = false;
    const stopping = test.loop.stop().then(() => {
      stopped = true;
    });
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(stopped).toBe(false);
    await test.end(true);
    await stopping;
    expect(test.rounds()).toBe(1);
  });

  it('stops although its last round failed', async () => {
    const test = startLoop();
    await test.fail();
    await test.loop.stop();
    expect(test.rounds()).toBe(1);
  });
});

describe('a loop that is hurried', () => {
  it('neither gathers nor rests where it was woken', async () => {
    const test = startLoop({ gatherMs: 500, restAtMostMs: 500 });
    await jest.advanceTimersByTimeAsync(100);
    test.loop.wake();
    await test.end();
    expect(test.rounds()).toBe(1);
    test.loop.hurry();
    await jest.advanceTimersByTimeAsync(0);
    expect(test.rounds()).toBe(2);
    await test.end();
    test.loop.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(test.rounds()).toBe(2);
    test.loop.hurry();
    await jest.advanceTimersByTimeAsync(0);
    expect(test.rounds()).toBe(3);
  });

  it('does nothing where nobody woke it, nor after a failure', async () => {
    const test = startLoop({ gatherMs: 500, restAtMostMs: 500 });
    await test.end();
    test.loop.hurry();
    await jest.advanceTimersByTimeAsync(0);
    expect(test.rounds()).toBe(1);
    test.loop.wake();
    await jest.advanceTimersByTimeAsync(500);
    await test.fail();
    test.loop.wake();
    test.loop.hurry();
    await jest.advanceTimersByTimeAsync(900);
    expect(test.rounds()).toBe(2);
    await jest.advanceTimersByTimeAsync(100);
    expect(test.rounds()).toBe(3);
  });
});
