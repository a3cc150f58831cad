import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Container } from 'inversify';
import { BATCH, createHistories } from '../../scripts/seed/histories.ts';
import { createMerchants, feesOf } from '../../scripts/seed/merchants.ts';
import { findOperator, type Seeded, seedCharges, seededIds } from '../../scripts/seed/seed-charges.ts';
import { createWriteBatch } from '../../scripts/seed/write-batch.ts';
import { wholeNumber } from '../../scripts/whole-number.ts';
import { DAY_MS } from '../../src/kernel/durations.ts';
import type { DomainEvent, Resource } from '../../src/kernel/event.ts';
import { type MerchantId, newCommitId } from '../../src/kernel/ids.ts';
import type { Store } from '../../src/kernel/store.ts';
import { loadConfig } from '../../src/main/config.ts';
import { createContainer } from '../../src/main/container.ts';
import { closeStores } from '../../src/main/gateway.ts';
import {
  CHARGEBACK_ALERTS,
  MANUAL_REFUND_REQUESTS,
} from '../../src/modules/chargebacks/write/chargebacks.store.ts';
import { MANUAL_REFUND_STATUSES } from '../../src/modules/chargebacks/write/manual-refund-request.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import { CHARGE_STATUSES, type Charge } from '../../src/modules/charges/write/charge.ts';
import { JOURNALS, type Journal } from '../../src/modules/ledger/write/journal.ts';
import { LEDGER_CONSUMER } from '../../src/modules/ledger/write/ledger.store.ts';
import { STATEMENT_LINES } from '../../src/modules/ledger/write/statement-line.ts';
import { createFindMerchants } from '../../src/modules/merchants/write/find-merchants.store.ts';
import { MERCHANT_STATUSES } from '../../src/modules/merchants/write/merchant.ts';
import { CHARGEBACK_ALERT_FEE, putSetting } from '../../src/modules/merchants/write/setting.ts';
import { PAYOUT_REQUESTS } from '../../src/modules/payouts/write/payout-request.ts';
import { PAYMENT_TYPES } from '../../src/modules/providers/provider.ts';
import { REFUNDS } from '../../src/modules/refunds/write/refund.store.ts';
import { REFUND_STATUSES } from '../../src/modules/refunds/write/refund.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { findDifferences } from '../../src/platform/read-store/parity.ts';
import { aliasOf } from '../../src/platform/read-store/view.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { takeOverRows } from '../../src/platform/write-store/holders.ts';
import { RESOURCE_ONLY } from '../../src/platform/write-store/mongo.ts';
import { OUTBOX, type OutboxRow } from '../../src/platform/write-store/outbox.ts';
import { aMerchant } from '../builders.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { buildProgram, endPrograms, startProgram } from '../support/program.ts';

/** Enough for every scenario to come once. */
const FIRST = 200;
const SECOND = 40;
const UNTIL = new Date();

jest.setTimeout(180_000);
let started: TestGateway;
const gateway = (): TestGateway => started;
/**
 * Seeds with connections of its own, as `make seed` does. Nobody listens to them, because a transaction is a batch of
 * all tenants there. It is whole or not at all, and made for tests and benchmarks.
 */
let seeder: Container;
beforeAll(async () => {
  started = await startTestGateway();
  seeder = createContainer(loadConfig(started.variables));
  seeder.get(platform.services).redis.on('error', () => undefined);
}, 180_000);
afterAll(async () => {
  await closeStores(seeder);
  await started.stop();
}, 180_000);
const seed = (number: number, charges: number): Promise<Seeded> =>
  seedCharges(seeder, {
    charges,
    merchants: 8,
    seed: number,
    until: UNTIL,
    onProgress: () => undefined,
  });
const ofMerchants = <T extends Resource>({ merchants }: Seeded, from: Store<T>): Promise<T[]> =>
  gateway()
    .db.collection(from.collection)
    .find<T>({ merchantId: { $in: merchants.map(({ id }) => id) } }, { projection: RESOURCE_ONLY })
    .toArray();
const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)].sort();
const chargesOf = (seeded: Seeded): Promise<Charge[]> => ofMerchants(seeded, CHARGES);

describe('seeding', () => {
  let first: Seeded;
  let second: Seeded;
  beforeAll(async () => {
    first = await seed(7, FIRST);
    second = await seed(7, SECOND);
  }, 180_000);

  it('leaves everything as the gateway itself would have left it, and no work undone', async () => {
    expect(await differencesWithin(gateway(), 120_000)).toEqual([]);
    expect(await gateway().db.collection(OUTBOX).countDocuments({})).toBe(0);
  });

  it('leaves every view as the write store says', async () => {
    const { db, readStore, container } = gateway();
    const { signal } = new AbortController();
    for (const view of container.get(platform.views)) {
      const index = aliasOf(readStore, view);
      const catchUp = async () => void (await readStore.client.indices.refresh({ index }));
      expect([view.name, await findDifferences({ db, readStore, signal }, view, index, catchUp)]).toEqual([
        view.name,
        [],
      ]);
    }
  });

  it('gives each merchant the id of its place, whichever is made first', () => {
    const from = new Date(UNTIL.getTime() - 180 * DAY_MS);
    const idOf = (place: number) => seededIds(7, 1)(() => from, `merchant ${place}/`)('mer');
    expect(first.merchants.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(idOf));
  });

  it('makes charges of every status', () => {
    expect(Object.keys(first.statuses).sort()).toEqual([...CHARGE_STATUSES].sort());
    expect(Object.values(first.statuses).reduce((sum, count) => sum + count, 0)).toBe(FIRST);
  });

  it('makes refunds, alerts and manual refunds of every kind', async () => {
    const refunds = await ofMerchants(first, REFUNDS);
    const asked = refunds.filter(({ alertId }) => alertId === null);
    expect(distinct(asked.map(({ status }) => status))).toEqual([...REFUND_STATUSES].sort());
    expect(distinct(asked.flatMap(({ reason }) => reason ?? []))).toContain('refund_not_supported');
    const alerts = await ofMerchants(first, CHARGEBACK_ALERTS);
    expect(distinct(alerts.map(({ refund }) => `${refund.mode} ${refund.status}`))).toEqual([
      'automatic pending',
      'automatic refunded',
      'manual failed',
    ]);
    expect(distinct(alerts.map(({ chargeStatus }) => chargeStatus))).toEqual([
      'chargeback',
      'pre_chargeback',
    ]);
    const byHand = await ofMerchants(first, MANUAL_REFUND_REQUESTS);
    expect(distinct(byHand.map(({ status }) => status))).toEqual([...MANUAL_REFUND_STATUSES].sort());
    expect([first.refunds, first.alerts]).toEqual([refunds.length, alerts.length]);
  });

  it('makes payout requests that end in every way, each covered when it was approved', async () => {
    const payouts = await ofMerchants(first, PAYOUT_REQUESTS);
    expect(distinct(payouts.map(({ status, transferStatus }) => `${status} ${transferStatus}`))).toEqual([
      'approved failed',
      'approved pending',
      'approved sent',
      'pending null',
      'rejected null',
    ]);
    const lines = await ofMerchants(first, STATEMENT_LINES);
    const paidOut = lines.filter(({ movement_type }) => movement_type === 'payout_fee');
    expect(paidOut.length).toBeGreaterThan(0);
    expect(paidOut.filter(({ balanceAfter }) => balanceAfter < 0)).toEqual([]);
  });

  it('makes a marketplace with sub-merchants of every status, and splits asked for and by default', async () => {
    const ids = first.merchants.map(({ id }) => id as MerchantId);
    const merchants = await createFindMerchants(gateway().db)(ids);
    const joined = merchants.filter(({ masterId }) => masterId !== null);
    expect(distinct(joined.map(({ status }) => status))).toEqual([...MERCHANT_STATUSES].sort());
    const split = (await chargesOf(first)).filter((charge) => charge.split !== null);
    const masters = distinct(joined.map(({ masterId }) => masterId));
    expect(split.some(({ merchantId }) => masters.includes(merchantId))).toBe(true);
    expect(split.some(({ masterId }) => masterId !== null)).toBe(true);
  });

  it('shows in a statement what happened when it happened', async () => {
    const lines = await ofMerchants(first, STATEMENT_LINES);
    const ids = distinct(lines.map(({ journalId }) => journalId));
    const journals = await gateway()
      .db.collection<Journal>(JOURNALS)
      .find({ _id: { $in: ids } })
      .toArray();
    const bookedAt = new Map(journals.map(({ _id, createdAt }) => [_id, createdAt]));
    expect(lines.length).toBeGreaterThan(FIRST);
    expect(lines.filter((line) => line.createdAt !== bookedAt.get(line.journalId))).toEqual([]);
  });

  it('tells no endpoint of what it made', async () => {
    const { db } = gateway();
    for (const name of ['webhook_events', 'webhook_deliveries'])
      expect([name, await db.collection(name).countDocuments({})]).toEqual([name, 0]);
  });

  it('makes charges by every method, in many currencies, of payers who come back, in order', async () => {
    const charges = await chargesOf(first);
    const created = charges.map((charge) => charge.createdAt).sort();
    expect(distinct(charges.map((charge) => charge.paymentMethod.type))).toEqual([...PAYMENT_TYPES].sort());
    expect(await gateway().db.collection('wallet_spent_tokens').countDocuments({})).toBeGreaterThan(0);
    expect(distinct(charges.map((charge) => charge.currency)).length).toBeGreaterThan(7);
    expect(distinct(charges.map(({ customer }) => customer.email)).length).toBeLessThan(FIRST * 0.8);
    expect(Date.parse(created[0] ?? '')).toBeLessThan(UNTIL.getTime() - 170 * DAY_MS);
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
    expect(ids.size).toBe(FIRST + SECOND);
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
    expect(await differencesWithin(gateway(), 120_000)).toEqual([]);
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
  afterAll(async () => {
    rmSync(dirname(file), { recursive: true, force: true });
    await endPrograms();
  });

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
    const indexesOf = async (db: Database) => (await db.collection(OUTBOX).indexes()).map(({ name }) => name);
    const restored = await startTestGateway({
      ...gateway().variables,
      MONGODB_DATABASE: there,
      KEY_PREFIX: there,
    });
    try {
      expect(await indexesOf(restored.db)).toEqual(await indexesOf(gateway().db));
      expect(await differencesWithin(restored, 120_000)).toEqual([]);
      const list = async ({ call, operatorToken }: TestGateway) => {
        const token = await operatorToken('test');
        const { body } = await call('get', '/v1/admin/charges?size=100&orderBy=id')
          .set('X-Consistency-Token', 'latest')
          .auth(token, { type: 'bearer' })
          .expect(200);
        return body;
      };
      const saved = await list(gateway());
      expect(saved.total).toBeGreaterThanOrEqual(FIRST + SECOND);
      expect(await list(restored)).toEqual(saved);
    } finally {
      await restored.stop();
    }
  });

  it('is not restored over what is there, nor where it was cut short', async () => {
    const refused = await script('restore', there);
    expect(refused.said).toContain('is not empty');
    expect(refused.code).toBe(1);
    truncateSync(file, statSync(file).size - 100);
    const elsewhere = `${there}-2`;
    const broken = await script('restore', elsewhere);
    expect(broken.said).toContain('was changed or is not whole');
    expect(broken.code).toBe(1);
    expect(await gateway().db.client.db(elsewhere).listCollections().toArray()).toEqual([]);
  });
});

describe('a run', () => {
  const eventsOf = async (run: number, until = UNTIL) => {
    const merchant = aMerchant({ companyTaxId: '11222333000181' });
    const fees = { id: merchant.id, version: 1, definitions: feesOf(0), updatedAt: merchant.createdAt };
    const content = { amount: 25, currency: 'BRL' };
    const fee = putSetting(
      null,
      { id: 'set_1', merchantId: merchant.id, name: CHARGEBACK_ALERT_FEE, content },
      until,
    ).data;
    const histories = createHistories({
      merchants: [
        {
          merchant,
          fees,
          settings: [fee],
          defaultSplit: null,
          keyId: 'key_1',
          secretKey: 'sk_test_1',
          finalStatus: 'active',
        },
      ],
      charges: 60,
      from: new Date(until.getTime() - 180 * DAY_MS),
      until,
      seed: 7,
      run,
      newIdAt: seededIds(7, run),
      operatorId: 'usr_1',
      holder: 'seed-1',
    });
    const events: DomainEvent[] = [];
    for await (const { recorded } of histories.batches()) events.push(...recorded.events);
    return events;
  };

  it('is the same for the same seed', async () => {
    const facts = (events: readonly DomainEvent[]) =>
      events.map(({ id, type, at, data }) => ({ id, type, at, amount: (data as Charge).amount }));
    expect(facts(await eventsOf(1))).toEqual(facts(await eventsOf(1)));
  });

  it('has the same charges whenever it ends', async () => {
    const facts = (events: readonly DomainEvent[]) =>
      events
        .filter(({ type }) => type === 'charge.created')
        .map(({ data }) => data as Charge)
        .map(({ amount, currency, customer, paymentMethod }) => ({
          amount,
          currency,
          customer,
          type: paymentMethod.type,
        }));
    const later = new Date(UNTIL.getTime() + 3 * DAY_MS);
    expect(facts(await eventsOf(1, later))).toEqual(facts(await eventsOf(1)));
  });

  it('shares no id with another run of the seed', async () => {
    const ids = new Set((await eventsOf(1)).map(({ id }) => id));
    expect((await eventsOf(2)).filter(({ id }) => ids.has(id))).toEqual([]);
  });

  it('that dies between two batches leaves to the workers what is to be folded later', async () => {
    const { db } = gateway();
    const holder = 'seed-that-dies';
    const holders = db.collection<{ _id: string; seenAt: Date }>('outbox_holders');
    // It sends heartbeats for longer than this test takes.
    await holders.insertOne({ _id: holder, seenAt: new Date(Date.now() + 600_000) });
    const from = new Date(UNTIL.getTime() - 180 * DAY_MS);
    const options = { seed: 9, run: 1, clock: () => from, newIdAt: seededIds(9, 1) };
    const merchants = await createMerchants(seeder, { ...options, merchants: 4 });
    const histories = createHistories({
      merchants,
      charges: 2 * BATCH,
      from,
      until: UNTIL,
      seed: 9,
      run: 1,
      newIdAt: seededIds(9, 1),
      operatorId: await findOperator(seeder),
      holder,
    });
    const write = createWriteBatch(seeder, merchants);
    for await (const batch of histories.batches()) {
      const project = await write(batch);
      await project();
      break;
    }
    const held = { consumer: LEDGER_CONSUMER.name, state: 'waiting' as const };
    const outbox = db.collection<OutboxRow>(OUTBOX);
    // Nobody touches them while it lives.
    await takeOverRows(db, () => new Date());
    expect(await outbox.countDocuments({ ...held, heldBy: holder })).toBeGreaterThan(0);
    await holders.updateOne({ _id: holder }, { $set: { seenAt: new Date(Date.now() - 30_000) } });
    expect(await differencesWithin(gateway(), 120_000)).toEqual([]);
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
