import { createFairTurns } from './fair-turns.ts';

const setUp = (bounds: Partial<Parameters<typeof createFairTurns>[0]> = {}) => {
  const inTurn = createFairTurns({ atOnce: 1, waitingOfKey: 3, waiting: 5, ...bounds }, 'Too much at once');
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (key: string, name: string): Promise<string> =>
    inTurn(key, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    });
  const settle = () => new Promise(setImmediate);
  /** Ends the running pieces of work one after the other, until no more begin. */
  const endAll = async (): Promise<void> => {
    for (await settle(); ends.length > 0; await settle()) ends.shift()?.();
  };
  return { ask, begun, endAll };
};

describe('fair turns', () => {
  it('begin at once while there is a place', async () => {
    const { ask, begun, endAll } = setUp({ atOnce: 2 });
    const asked = [ask('a', 'a1'), ask('b', 'b1'), ask('b', 'b2')];
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'b1']);
    await endAll();
    expect(await Promise.all(asked)).toEqual(['a1', 'b1', 'b2']);
  });

  it('go round the keys, whatever one of them has waiting', async () => {
    const { ask, begun, endAll } = setUp();
    const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('c', 'c1')];
    await endAll();
    await Promise.all(asked);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('refuse with 429 a key that has too much waiting, and others not', async () => {
    const { ask, endAll } = setUp();
    const asked = [1, 2, 3, 4].map((number) => ask('a', `a${number}`));
    await expect(ask('a', 'a5')).rejects.toMatchObject({
      statusCode: 429,
      headers: { 'Retry-After': '1' },
    });
    asked.push(ask('b', 'b1'));
    await endAll();
    expect(await Promise.all(asked)).toHaveLength(5);
  });

  it('refuse with 503 where too much waits of all keys together', async () => {
    const { ask, endAll } = setUp();
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ask(key, key));
    await expect(ask('g', 'g')).rejects.toMatchObject({ statusCode: 503 });
    await endAll();
    await Promise.all(asked);
  });

  it('go on after work that fails', async () => {
    const inTurn = createFairTurns({ atOnce: 1, waitingOfKey: 1, waiting: 1 }, 'Too much at once');
    await expect(inTurn('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await inTurn('a', async () => 1)).toBe(1);
  });
});
