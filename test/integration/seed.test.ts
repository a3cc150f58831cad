import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Db } from 'mongodb';
import { createHistories } from '../../scripts/seed/histories.ts';
import { playBatch, type Seeded, seedCharges, seededIds } from '../../scripts/seed/seed-charges.ts';
import { wholeNumber } from '../../scripts/whole-number.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { OUTBOX } from '../../src/platform/write-store/outbox.ts';
import { aMerchant } from '../builders.ts';
import { auditWithin } from '../support/audit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { buildProgram, startProgram } from '../support/program.ts';

const CHARGES_A_RUN = 120;
const UNTIL = new Date();

jest.setTimeout(180_000);
let started: TestGateway;
const gateway = (): TestGateway => started;
beforeAll(async () => {
  started = await startTestGateway();
}, 180_000);
afterAll(async () => {
  // Dropping so many documents can take longer than a connection waits; the servers' data goes after the tests.
  await started.stop({ keepData: true });
}, 180_000);
const seed = (number: number): Promise<Seeded> =>
  seedCharges(gateway().container, {
    charges: CHARGES_A_RUN,
    merchants: 3,
    seed: number,
    until: UNTIL,
    onProgress: () => undefined,
  });
const chargesOf = async ({ merchants }: Seeded): Promise<Charge[]> =>
  gateway()
    .db.collection(CHARGES.collection)
    .find<Charge>({ merchantId: { $in: merchants.map(({ id }) => id) } })
    .toArray();

describe('seeding', () => {
  let first: Seeded;
  let second: Seeded;
  beforeAll(async () => {
    first = await seed(7);
    second = await seed(7);
  }, 180_000);

  it('leaves everything as the gateway itself would have left it, and no work undone', async () => {
    expect(await auditWithin(gateway(), 120_000)).toEqual([]);
    expect(await gateway().db.collection(OUTBOX).countDocuments({})).toBe(0);
  });

  it('makes charges of every status', () => {
    expect(Object.keys(first.statuses).sort()).toEqual([
      'authentication_required',
      'failed',
      'in_analysis',
      'paid',
      'pending',
      'refunded',
      'refused',
    ]);
    expect(Object.values(first.statuses).reduce((sum, count) => sum + count, 0)).toBe(CHARGES_A_RUN);
  });

  it('makes them by card and Pix, in several currencies, over the past months and in order', async () => {
    const charges = await chargesOf(first);
    const created = charges.map((charge) => charge.createdAt).sort();
    expect(new Set(charges.map((charge) => charge.paymentMethod.type))).toEqual(
      new Set(['credit_card', 'pix']),
    );
    expect(new Set(charges.map((charge) => charge.currency)).size).toBeGreaterThan(3);
    expect(Date.parse(created[0] ?? '')).toBeLessThan(UNTIL.getTime() - 170 * 86_400_000);
    expect(Date.parse(created.at(-1) ?? '')).toBeLessThanOrEqual(UNTIL.getTime());
    for (const { createdAt, paidAt, refundedAt, updatedAt } of charges) {
      const known = [createdAt, paidAt, refundedAt, updatedAt].filter((at) => at !== null);
      expect(known).toEqual([...known].sort());
      expect(Date.parse(updatedAt)).toBeLessThanOrEqual(UNTIL.getTime());
    }
  });

  it('makes other charges beside them when it runs again with the same seed', async () => {
    const [before, after] = [await chargesOf(first), await chargesOf(second)];
    const ids = new Set([...before, ...after].map(({ id }) => id));
    expect(ids.size).toBe(2 * CHARGES_A_RUN);
    expect(second.merchants).toHaveLength(first.merchants.length);
    expect(second.merchants[0]?.id).not.toBe(first.merchants[0]?.id);
  });

  it('makes charges that the API lists, pays and refunds', async () => {
    const [merchant] = first.merchants;
    const key = merchant?.testKey ?? '';
    const list = async (query: string) =>
      (await gateway().call('get', '/v1/charges').query(query).auth(key, '').expect(200)).body;
    const stored = (await chargesOf(first)).filter((charge) => charge.merchantId === merchant?.id);
    expect((await list('size=1')).total).toBe(stored.length);

    const { data: paid } = await list('status=paid&paymentMethod=pix&orderBy=createdAt&size=1');
    const refund = { chargeId: paid[0].id, reason: 'asked for' };
    const { body } = await gateway().call('post', '/v1/refunds').auth(key, '').send(refund).expect(201);
    expect(body.status).toBe('refunded');
    expect(await auditWithin(gateway(), 120_000)).toEqual([]);
  });
});

describe('a backup', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'portico-backup-')), 'portico.backup');
  const script = async (name: 'backup' | 'restore', database: string) => {
    await buildProgram();
    const program = startProgram(`dist/scripts/${name}.js`, {
      ...gateway().variables,
      MONGODB_DATABASE: database,
      KEY_PREFIX: database,
      FILE: file,
    });
    return { code: await program.ended, said: `${program.stdout()}${program.stderr()}` };
  };
  const here = (): string => gateway().variables.MONGODB_DATABASE ?? '';
  const there = `t-restored-${newCommitId().slice(-16)}`;
  afterAll(() => rmSync(dirname(file), { recursive: true, force: true }));

  it('is one file, which is not written over', async () => {
    const { code, said } = await script('backup', here());
    expect(said).toMatch(/\d+ documents of \S+ are in /);
    expect(code).toBe(0);
    expect((await script('backup', here())).code).toBe(1);
  });

  it('is restored into an empty write store, whose views and ledger are then those that were saved', async () => {
    const { code, said } = await script('restore', there);
    expect(said).toContain('documents are in');
    expect(code).toBe(0);
    const indexesOf = async (db: Db) => (await db.collection(OUTBOX).indexes()).map(({ name }) => name);
    const restored = await startTestGateway({
      ...gateway().variables,
      MONGODB_DATABASE: there,
      KEY_PREFIX: there,
    });
    try {
      expect(await indexesOf(restored.db)).toEqual(await indexesOf(gateway().db));
      expect(await auditWithin(restored, 120_000)).toEqual([]);
      const list = async ({ call, operatorToken }: TestGateway) => {
        const token = await operatorToken('test');
        const { body } = await call('get', '/v1/admin/charges?size=100&orderBy=id')
          .set('X-Consistency-Token', 'latest')
          .auth(token, { type: 'bearer' })
          .expect(200);
        return body;
      };
      const saved = await list(gateway());
      expect(saved.total).toBeGreaterThanOrEqual(2 * CHARGES_A_RUN);
      expect(await list(restored)).toEqual(saved);
    } finally {
      await restored.stop({ keepData: true });
    }
  });

  it('is not restored over what is there, nor where it was cut short', async () => {
    const refused = await script('restore', there);
    expect(refused.said).toContain('is not empty');
    expect(refused.code).toBe(1);
    truncateSync(file, statSync(file).size - 100);
    const elsewhere = `${there}-2`;
    const broken = await script('restore', elsewhere);
    expect(broken.said).toContain('cannot be restored');
    expect(broken.code).toBe(1);
    expect(await gateway().db.client.db(elsewhere).listCollections().toArray()).toEqual([]);
  });
});

describe('a run', () => {
  const eventsOf = async (run: number) => {
    const merchant = aMerchant();
    const fees = { id: merchant.id, version: 1, definitions: [], updatedAt: merchant.createdAt };
    const histories = createHistories({
      merchants: [{ merchant, fees, keyId: 'key_1', secretKey: 'sk_test_1' }],
      charges: 40,
      from: new Date(UNTIL.getTime() - 180 * 86_400_000),
      until: UNTIL,
      seed: 7,
      run,
      newIdAt: seededIds(7, run),
    });
    const { recorded } = await playBatch(histories, 0, 40);
    return recorded.events.map(({ id, type, at, data }) => ({
      id,
      type,
      at,
      amount: (data as Charge).amount,
    }));
  };

  it('is the same for the same seed', async () => {
    expect(await eventsOf(1)).toEqual(await eventsOf(1));
  });

  it('shares no id with another run of the seed', async () => {
    const ids = new Set((await eventsOf(1)).map(({ id }) => id));
    expect((await eventsOf(2)).filter(({ id }) => ids.has(id))).toEqual([]);
  });
});

describe('a number from the environment', () => {
  const given = (value: string) => {
    process.env.CHARGES = value;
    try {
      return wholeNumber('CHARGES', 10_000, 1_000_000);
    } finally {
      delete process.env.CHARGES;
    }
  };

  it('is taken where it is one, and has a default', () => {
    expect(given('250')).toBe(250);
    expect(given('')).toBe(10_000);
  });

  it.each(['0', '-5', '1.5', 'many', '1e3', '1000001'])('is refused in one sentence: %s', (value) => {
    expect(() => given(value)).toThrow(`CHARGES must be a whole number from 1 to 1000000, not "${value}".`);
  });
});
