import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import type { MerchantId } from '../../src/kernel/ids.ts';
import { loadConfig } from '../../src/main/config.ts';
import {
  anticipationMigrations,
  createFindReserved,
} from '../../src/modules/anticipations/write/anticipations.store.ts';
import { CHARGES, chargeMigrations } from '../../src/modules/charges/write/charge.store.ts';
import { REFUNDS, refundMigrations } from '../../src/modules/refunds/write/refund.store.ts';
import {
  createFindSettleable,
  settlementMigrations,
} from '../../src/modules/settlement/write/settlement.store.ts';
import { createWebhookStore, webhookMigrations } from '../../src/modules/webhooks/write/webhooks.store.ts';
import { migrate } from '../../src/platform/write-store/migrate.ts';
import { createFindDue } from '../../src/platform/write-store/read-resource.ts';
import { anEndpoint } from '../builders.ts';
import { createFakeLogger } from '../fakes/logger.ts';
import { testVariables } from '../support/gateway.ts';

const config = loadConfig(testVariables());
const client = new MongoClient(config.mongodbUri, { monitorCommands: true });
const db = client.db(config.mongodbDatabase);
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

/** Whether MongoDB may serve a search by an index. It selects by the first field, and nothing that the index leaves out. */
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
  const webhooks = createWebhookStore({
    db,
    transact: Object.assign(() => Promise.reject(), { alone: () => Promise.reject() }),
  });
  const owner = { merchantId: 'mer_1' as MerchantId, masterId: null };
  const failed = { since: at.toISOString(), before: at.toISOString() };

  it.each<[string, () => Promise<unknown>]>([
    ['charges to be asked about', () => createFindDue(db, CHARGES)(at, 1)],
    ['refunds to be asked about', () => createFindDue(db, REFUNDS)(at, 1)],
    ['charges to be settled', () => all(createFindSettleable(db)(at, null))],
    ['charges to be anticipated', () => createFindReserved(db)(owner, false, 'BRL')],
    ['queues with work', () => webhooks.findDueQueues(at)],
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
