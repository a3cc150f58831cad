import type { Redis } from 'ioredis';
import { createLoginLimit, type LimitLogin } from './login-limit.ts';

/** A client whose server is away: its commands would wait for ever. */
const redisThatIsDown = (): Redis =>
  ({ status: 'reconnecting', defineCommand: () => undefined }) as unknown as Redis;
/** A client that is connected to a server that does not answer. */
const redisThatHangs = (): Redis => {
  const forever = () => new Promise(() => undefined);
  return {
    status: 'ready',
    defineCommand: () => undefined,
    rlflxIncr: forever,
    incrby: forever,
    del: forever,
  } as unknown as Redis;
};
const limitBy = (redis: Redis): LimitLogin =>
  createLoginLimit({ redis, keyPrefix: 't', redisTimeoutMs: 300 });
const ana = { account: 'ana@example.test', address: '192.0.2.1' };
const HALF_AN_HOUR_MS = 1_800_000;
const wrong = async (): Promise<null> => null;
const right = async (): Promise<true> => true;
const tooMany = expect.objectContaining({
  statusCode: 429,
  headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) },
});

describe('the login limit while Redis is down', () => {
  it('refuses the eleventh attempt after ten wrong ones, without checking it', async () => {
    const limit = limitBy(redisThatIsDown());
    for (let tries = 0; tries < 10; tries += 1) expect(await limit(ana, wrong)).toBeNull();
    const check = jest.fn(right);
    await expect(limit(ana, check)).rejects.toEqual(tooMany);
    expect(check).not.toHaveBeenCalled();
    expect(await limit({ ...ana, account: 'bia@example.test' }, right)).toBe(true);
  });

  it('starts anew after a right one', async () => {
    const limit = limitBy(redisThatIsDown());
    for (let round = 0; round < 3; round += 1) {
      for (let tries = 0; tries < 9; tries += 1) await limit(ana, wrong);
      expect(await limit(ana, right)).toBe(true);
    }
  });

  it('counts many wrong attempts at once as it counts them in a row', async () => {
    const limit = limitBy(redisThatIsDown());
    const check = jest.fn(wrong);
    await Promise.allSettled(Array.from({ length: 50 }, () => limit(ana, check)));
    expect(check).toHaveBeenCalledTimes(10);
  });

  it('lets many right attempts of one user through at once', async () => {
    const limit = limitBy(redisThatIsDown());
    const results = await Promise.all(Array.from({ length: 50 }, () => limit(ana, right)));
    expect(results).toEqual(Array(50).fill(true));
  });

  describe('at an address that locks an account again and again', () => {
    const stranger = { ...ana, address: '198.51.100.7' };
    /** Locks the account with ten wrong attempts. Half an hour later the lock is over. */
    const lock = async (limit: LimitLogin): Promise<void> => {
      for (let tries = 0; tries < 10; tries += 1) await limit(stranger, wrong);
      await expect(limit(ana, right)).rejects.toEqual(tooMany);
      jest.advanceTimersByTime(HALF_AN_HOUR_MS);
    };
    beforeEach(() => {
      jest.useFakeTimers();
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('keeps the account locked for half an hour after the attempt that was one too many', async () => {
      const limit = limitBy(redisThatIsDown());
      for (let tries = 0; tries < 10; tries += 1) await limit(stranger, wrong);
      jest.advanceTimersByTime(HALF_AN_HOUR_MS - 60_000);
      await expect(limit(stranger, wrong)).rejects.toEqual(tooMany);
      jest.advanceTimersByTime(HALF_AN_HOUR_MS - 1_000);
      await expect(limit(ana, right)).rejects.toEqual(tooMany);
      jest.advanceTimersByTime(1_000);
      expect(await limit(ana, right)).toBe(true);
    });

    it('counts no more failures for the account after two locks, until the next day', async () => {
      const limit = limitBy(redisThatIsDown());
      await lock(limit);
      await lock(limit);
      for (let tries = 0; tries < 20; tries += 1)
        await expect(limit(stranger, wrong)).rejects.toEqual(tooMany);
      expect(await limit(ana, right)).toBe(true);
      jest.advanceTimersByTime(48 * HALF_AN_HOUR_MS);
      expect(await limit(stranger, right)).toBe(true);
    });

    it('takes the addresses of one IPv6 network of 64 bits for one', async () => {
      const limit = limitBy(redisThatIsDown());
      const attempt = (tries: number, network = 1) =>
        limit({ ...ana, address: `2001:db8:0:${network}::${tries}` }, wrong);
      for (let lock = 0; lock < 2; lock += 1) {
        for (let tries = 0; tries < 10; tries += 1) await attempt(tries);
        jest.advanceTimersByTime(HALF_AN_HOUR_MS);
      }
      await expect(attempt(77)).rejects.toEqual(tooMany);
      expect(await limit(ana, right)).toBe(true);
      expect(await attempt(77, 2)).toBeNull();
    });

    it('does not count attempts that the lock of the account refuses', async () => {
      const limit = limitBy(redisThatIsDown());
      for (let tries = 0; tries < 10; tries += 1) await limit(stranger, wrong);
      for (let tries = 0; tries < 30; tries += 1) await expect(limit(ana, right)).rejects.toEqual(tooMany);
      jest.advanceTimersByTime(HALF_AN_HOUR_MS);
      expect(await limit(ana, right)).toBe(true);
    });

    it('lets the user in at an address of former logins meanwhile', async () => {
      const limit = limitBy(redisThatIsDown());
      for (let tries = 0; tries < 10; tries += 1) await limit(stranger, wrong);
      expect(await limit({ ...ana, isKnown: true }, right)).toBe(true);
      await expect(limit(ana, right)).rejects.toEqual(tooMany);
    });
  });

  it('refuses an address that tries one user after the other', async () => {
    const limit = limitBy(redisThatIsDown());
    for (let tries = 0; tries < 100; tries += 1)
      await limit({ ...ana, account: `user${tries}@example.test` }, wrong);
    await expect(limit({ ...ana, account: 'last@example.test' }, right)).rejects.toEqual(tooMany);
  });

  it('does not count right attempts for their address', async () => {
    const limit = limitBy(redisThatIsDown());
    for (let tries = 0; tries < 120; tries += 1)
      expect(await limit({ ...ana, account: `user${tries}@example.test` }, right)).toBe(true);
  });

  it('does not count a check that could not be made', async () => {
    const limit = limitBy(redisThatIsDown());
    const broken = async (): Promise<never> => {
      throw new Error('the store is down');
    };
    for (let tries = 0; tries < 20; tries += 1) await expect(limit(ana, broken)).rejects.toThrow('store');
    expect(await limit(ana, right)).toBe(true);
  });
});

it('the login limit does not wait for a Redis that does not answer', async () => {
  const limit = limitBy(redisThatHangs());
  const startedAt = Date.now();
  expect(await limit(ana, right)).toBe(true);
  expect(Date.now() - startedAt).toBeLessThan(2_000);
});
