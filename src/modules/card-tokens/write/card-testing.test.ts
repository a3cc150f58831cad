import type { Redis } from 'ioredis';
import { NOW } from '../../../../test/builders.ts';
import { refusalOf } from '../../../../test/support/refused.ts';
import type { GatewayError } from '../../../kernel/errors.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { keyRing } from '../../../platform/secrets.ts';
import { createCardTesting } from './card-testing.ts';
import { zeroBitsOf } from './proof-of-work.ts';

const ring = keyRing(['a secret that is as long as a secret has to be']);
const never = new Promise<never>(() => undefined);
const pipeline = { lpush: () => pipeline, ltrim: () => pipeline, expire: () => pipeline, exec: () => never };
/** A client whose server keeps texts and counts nothing, so that this process counts on its own. */
const keeping = () => {
  const texts = new Map<string, string>();
  const client = Object.assign({}, hanging, {
    set: async (key: string, text: string) => void texts.set(key, text),
    async getdel(key: string) {
      const text = texts.get(key) ?? null;
      texts.delete(key);
      return text;
    },
  });
  return { client, texts };
};
/** A client that waits for ever for a server that is away, so that this process counts on its own. */
const hanging = {
  status: 'reconnecting',
  defineCommand: () => undefined,
  lrange: () => never,
  multi: () => pipeline,
} as unknown as Redis;

const SHOP = { merchantId: 'mer_1', livemode: true } as const;
const setUp = (redis: Redis = hanging) => {
  const metrics = createMetrics();
  const testing = createCardTesting({
    redis,
    keyPrefix: 't',
    redisTimeoutMs: 5,
    keyRings: { jwt: ring, sealing: ring, pepper: ring },
    clock: () => NOW,
    metrics,
  });
  const admit = (address = '203.0.113.7', of: Partial<Parameters<typeof testing.admit>[0]> = {}) =>
    testing.admit({ ...SHOP, address, proof: null, ...of });
  const challengeOf = async (refused: Promise<unknown>): Promise<string> =>
    ((await refusalOf(refused)) as GatewayError).headers?.['X-Proof-Of-Work-Challenge'] ?? '';
  const bitsOf = async (refused: Promise<unknown>) => Number((await challengeOf(refused)).split('.')[0]);
  return { testing, admit, bitsOf, challengeOf, metrics };
};
const solve = (challenge: string): string => {
  const bits = Number(challenge.split('.')[0]);
  for (let counter = 0; ; counter += 1)
    if (zeroBitsOf(`${challenge}:${counter}`) >= bits) return `${challenge}:${counter}`;
};

describe('tokens of a public key without Redis', () => {
  it('are free up to ten a minute for an address, and for another merchant or environment', async () => {
    const { admit } = setUp();
    for (let made = 0; made < 10; made += 1) await admit();
    await expect(admit()).rejects.toMatchObject({ statusCode: 429, code: 'PROOF_OF_WORK_REQUIRED' });
    await admit('203.0.113.8');
    await admit('203.0.113.7', { merchantId: 'mer_2' });
    await admit('203.0.113.7', { livemode: false });
  });

  it('are counted for a whole /64 of IPv6', async () => {
    const { admit } = setUp();
    for (let made = 0; made < 10; made += 1) await admit(`2001:db8::${made}`);
    await expect(admit('2001:db8::ffff')).rejects.toMatchObject({ statusCode: 429 });
    await admit('2001:db8:0:1::1');
  });

  it('cost twice the work at twice the number, up to sixteen times', async () => {
    const { admit, bitsOf } = setUp();
    for (let made = 0; made < 10; made += 1) await admit();
    const bits: number[] = [];
    for (let asked = 0; asked < 390; asked += 1) bits.push(await bitsOf(admit()));
    expect([bits[0], bits[9], bits[29], bits[69], bits[149], bits.at(-1)]).toEqual([17, 18, 19, 20, 21, 21]);
  });

  it('are had by whoever does the work, once for each solution', async () => {
    const { admit, challengeOf, metrics } = setUp();
    for (let made = 0; made < 10; made += 1) await admit();
    const proof = solve(await challengeOf(admit()));
    expect(await admit('203.0.113.7', { proof })).toMatch(/^[0-9a-f]{64}$/);
    await expect(admit('203.0.113.7', { proof })).rejects.toMatchObject({ statusCode: 429 });
    expect(await metrics.registry.metrics()).toContain('portico_card_token_proofs_total{outcome="solved"} 1');
  });

  it('cost work after ten refused payments of the address that made them', async () => {
    const { admit, testing } = setUp();
    const origin = await admit();
    for (let refused = 0; refused < 11; refused += 1) await testing.noteOutcome({ ...SHOP, origin }, true);
    await testing.noteOutcome({ ...SHOP, origin: null }, true);
    await expect(admit()).rejects.toMatchObject({ statusCode: 429 });
    await admit('203.0.113.8');
  });

  it('cost work after ten payments of an address that banks refused once their payers had come back, each of which counts once', async () => {
    const { client, texts } = keeping();
    const { admit, testing } = setUp(client);
    const origin = await admit();
    const attempts = Array.from({ length: 11 }, (_, index) => `chg_${index}` as const);
    for (const id of attempts) await testing.noteAnswer(id, { ...SHOP, origin }, null);
    expect(JSON.stringify([...texts])).not.toContain('203.0.113.7');
    for (const id of attempts.slice(1)) await testing.noteLate(id, true);
    for (const id of attempts.slice(1)) await testing.noteLate(id, true);
    await admit();
    await testing.noteLate('chg_0', true);
    await expect(admit()).rejects.toMatchObject({ statusCode: 429 });
    await admit('203.0.113.8');
    expect(texts.size).toBe(0);
  });

  it('are not remembered where a secret key made them, nor where Redis is away', async () => {
    const { client, texts } = keeping();
    await setUp(client).testing.noteAnswer('chg_1', { ...SHOP, origin: null }, null);
    expect(texts.size).toBe(0);
    const { testing } = setUp();
    await testing.noteAnswer('chg_1', { ...SHOP, origin: 'hash' }, null);
    await testing.noteLate('chg_1', true);
  });
});
