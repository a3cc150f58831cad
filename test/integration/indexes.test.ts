import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import type { MerchantId } from '../../src/kernel/ids.ts';
import { loadConfig } from '../../src/main/config.ts';
import {
  anticipationMigrations,
  createFindReserved,
} from '../../src/modules/anticipations/write/anticipations.store.ts';
import {
  CHARGES,
  chargeMigrations,
  createFindOpenProviders,
} from '../../src/modules/charges/write/charge.store.ts';
import { REFUNDS, refundMigrations } from '../../src/modules/refunds/write/refund.store.ts';
import {
  createFindSettleable,
  settlementMigrations,
} from '../../src/modules/settlement/write/settlement.store.ts';
import { createDeliveriesStore } from '../../src/modules/webhooks/write/deliveries.store.ts';
import { createAttemptsStore } from '../../src/modules/webhooks/write/sending/attempts.store.ts';
import { webhookMigrations } from '../../src/modules/webhooks/write/webhooks.store.ts';
import { databaseOf } from '../../src/platform/write-store/database.ts';
import { migrate } from '../../src/platform/write-store/migrate.ts';
import { createFindDue } from '../../src/platform/write-store/read-resource.ts';
import { anEndpoint } from '../builders.ts';
import { createFakeLogger } from '../fakes/logger.ts';
import { testVariables } from '../support/gateway.ts';

const config = loadConfig(testVariables());
const client = new MongoClient(config.mongodbUri, { monitorCommands: true });
const db = databaseOf(client.db(config.mongodbDatabase));
const at = new Date();

beforeAll(async () => {
  const migrations = [
    chargeMigrations,
    refundMigrations,
    settlementMigrations,
    anticipationMigrations,
    webhookMigrations,
  ];
  await migrate(db, migrations.flat(), createFakeLogger().logger);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

/** The filters that a search sends, each with its collection. */
const filtersOf = async (search: () => Promise<unknown>): Promise<readonly [string, Document][]> => {
  const sent: [string, Document][] = [];
  const listen = ({ command }: CommandStartedEvent): void => {
    const collection = command.find ?? command.distinct;
    if (collection) sent.push([collection, command.filter ?? command.query]);
  };
  client.on('commandStarted', listen);
  await search();
  client.off('commandStarted', listen);
  return sent;
};

/**
 * Whether MongoDB may serve a search by an index. It selects by the first field, and nothing that the index leaves out.
 */
const serves = ({ key, partialFilterExpression }: Document, filter: Document): boolean => {
  const isImplied = ([field, wanted]: readonly [string, Document | string]): boolean => {
    const asked = filter[field];
    if (typeof wanted === 'string') return asked === wanted;
    return (typeof asked === 'string' ? asked : (asked?.$gte ?? '')) >= wanted.$gte;
  };
  return (
    (Object.keys(key)[0] ?? '') in filter &&
    Object.entries<Document | string>(partialFilterExpression).every(isImplied)
  );
};

const all = async (found: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of found);
};

describe('a search for open ends', () => {
  const webhooks = {
    ...createDeliveriesStore(db),
    ...createAttemptsStore({
      db,
      transact: Object.assign(() => Promise.reject(), { alone: () => Promise.reject() }),
    }),
  };
  const owner = { merchantId: 'mer_1' as MerchantId, masterId: null };
  const failed = { since: at.toISOString(), before: at.toISOString() };

  it.each<[string, () => Promise<unknown>]>([
    ['charges to be asked about', () => createFindDue(db, CHARGES)(at, 1)],
    ['providers with open charges', () => createFindOpenProviders(db)()],
    ['refunds to be asked about', () => createFindDue(db, REFUNDS)(at, 1)],
    ['charges to be settled', () => all(createFindSettleable(db)(at, null))],
    ['charges to be anticipated', () => createFindReserved(db)(owner, false, 'BRL')],
    ['queues with work', () => webhooks.findDueQueues(at, null)],
    ['deliveries that are due', () => webhooks.findDue('whe_1', 'mer_1', at, 1)],
    ['deliveries that failed', () => webhooks.findFailed(anEndpoint(), failed, 1)],
  ])('finds %s by an index that holds nothing else', async (_, search) => {
    const filters = await filtersOf(search);
    expect(filters).not.toEqual([]);
    for (const [collection, filter] of filters) {
      const indexes = await db.collection(collection).indexes();
      const partial = indexes.filter(({ partialFilterExpression }) => partialFilterExpression);
      expect(partial.filter((index) => serves(index, filter))).not.toEqual([]);
    }
  });
});

describe('accounts at providers that have open charges', () => {
  it('are all found, however many charges one of them has', async () => {
    const aCharge = (provider: string, index: number, reconcileAt: string | null) => ({
      ...{ _id: `chg_${provider}_${index}`, provider, reconcileAt, tenantId: 'mer_1' },
    });
    const charges = db.collection<{ _id: string }>(CHARGES.collection);
    const ofOne = Array.from({ length: 6_000 }, (_, index) => aCharge('b', index, at.toISOString()));
    for (let from = 0; from < ofOne.length; from += 1_000)
      await charges.insertMany(ofOne.slice(from, from + 1_000));
    await charges.insertMany([
      aCharge('c', 1, at.toISOString()),
      aCharge('a', 1, at.toISOString()),
      aCharge('done', 1, null),
    ]);
    expect(await createFindOpenProviders(db)()).toEqual(['a', 'b', 'c']);
  });
});
