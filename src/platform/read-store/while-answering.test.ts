import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadStore } from './elastic.ts';
import { whileAnswering } from './while-answering.ts';

/** A read store that answers pings until the given one, from which on they fail. */
const storeOf = (failsFrom = Number.POSITIVE_INFINITY) => {
  let pings = 0;
  const ping = async (): Promise<true> => {
    pings += 1;
    if (pings >= failsFrom) throw new Error('no answer');
    return true;
  };
  return { readStore: { client: { ping } } as unknown as ReadStore, pings: () => pings };
};
const never = new Promise<never>(() => undefined);

describe('work on the read store', () => {
  it('ends with what it came to, and nobody is asked any more', async () => {
    const store = storeOf();
    expect(await whileAnswering(store.readStore, Promise.resolve('found'))).toBe('found');
    await expect(whileAnswering(store.readStore, Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    await sleep(1_600);
    expect(store.pings()).toBe(0);
  });

  it('is waited for as long as the store answers pings', async () => {
    const store = storeOf();
    expect(await whileAnswering(store.readStore, sleep(3_500, 'late'))).toBe('late');
    expect(store.pings()).toBeGreaterThan(1);
  });

  it('ends with the error of the first ping that is not answered', async () => {
    await expect(whileAnswering(storeOf(2).readStore, never)).rejects.toThrow('no answer');
  });
});
