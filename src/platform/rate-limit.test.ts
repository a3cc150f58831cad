import type { Redis } from 'ioredis';
import { createRequestLimit } from './rate-limit.ts';

/** A client whose server is away, so that each process counts on its own. */
const redisThatIsDown = { status: 'reconnecting', defineCommand: () => undefined } as unknown as Redis;
const store = { redis: redisThatIsDown, keyPrefix: 't', redisTimeoutMs: 300 };
const tooMany = expect.objectContaining({
  statusCode: 429,
  message: 'Too many requests',
  headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) },
});

describe('the limit of requests', () => {
  it('lets a caller have a burst of four times the rate, and not one request more', async () => {
    const limit = createRequestLimit(store, 10);
    const outcomes = await Promise.allSettled(Array.from({ length: 41 }, () => limit('key_1')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toEqual(tooMany);
  });

  it('counts each caller by itself', async () => {
    const limit = createRequestLimit(store, 1);
    for (let request = 0; request < 4; request += 1) await limit('key_1');
    await expect(limit('key_1')).rejects.toEqual(tooMany);
    await limit('key_2');
  });

  it('limits nobody where the rate is 0', async () => {
    const limit = createRequestLimit(store, 0);
    for (let request = 0; request < 1_000; request += 1) await limit('key_1');
  });
});
