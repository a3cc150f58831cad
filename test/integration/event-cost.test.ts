import { MongoClient } from 'mongodb';
import { CHARGES_VIEW } from '../../src/modules/charges/read/charge.view.ts';
import { createPublishEvents, WEBHOOK_CONSUMER } from '../../src/modules/webhooks/publish-events.ts';
import { EVENTS_VIEW } from '../../src/modules/webhooks/read/event.view.ts';
import { createDeliveriesStore } from '../../src/modules/webhooks/write/deliveries.store.ts';
import { createEndpointsStore } from '../../src/modules/webhooks/write/endpoints.store.ts';
import { createSentEventsStore } from '../../src/modules/webhooks/write/sent-events.store.ts';
import { createViewKeeper } from '../../src/platform/read-store/fill-views.ts';
import { createProjector, viewConsumerName } from '../../src/platform/read-store/projector.ts';
import { aliasOf, type View } from '../../src/platform/read-store/view.ts';
import { databaseOf } from '../../src/platform/write-store/database.ts';
import { OUTBOX, type OutboxRow } from '../../src/platform/write-store/outbox.ts';
import { createRecentEvents } from '../../src/platform/write-store/recent-events.ts';
import { aCardRequest } from '../builders.ts';
import { createFakeTime } from '../fakes/environment-time.ts';
import { createFakeLogger } from '../fakes/logger.ts';
import { PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

/** No worker works here: what a charge leaves behind stays, and is worked off by the test. */
const gateway = useGateway({ ...PATIENT, ROLE: 'api' });
const VIEWS = [CHARGES_VIEW, EVENTS_VIEW] as unknown as readonly View[];

const rowsOf = (filter: object): Promise<readonly OutboxRow[]> =>
  gateway().db.collection<OutboxRow>(OUTBOX).find(filter).toArray();
const countBy = (rows: readonly OutboxRow[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { consumer } of rows) counts[consumer] = (counts[consumer] ?? 0) + 1;
  return counts;
};

/** A paid charge of a new merchant, with the rows of outbox that it left. */
const pay = async (listens: boolean) => {
  const key = withKey(gateway, (await gateway().createMerchant()).testKey);
  if (listens)
    await key.post('/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/', events: ['*'] }).expect(201);
  const { body, headers } = await key.post('/v1/charges', aCardRequest()).expect(201);
  const commits = String(headers['x-consistency-token']).split('.');
  return { id: body.id as string, commits, rows: await rowsOf({ commit: { $in: commits } }) };
};

/** Does the work of rows, and says by which statements. */
const statementsOf = async (consumer: string, rows: readonly OutboxRow[]): Promise<readonly string[]> => {
  const { MONGODB_URI, MONGODB_DATABASE } = gateway().variables;
  const client = new MongoClient(MONGODB_URI ?? '', { monitorCommands: true });
  const db = databaseOf(client.db(MONGODB_DATABASE));
  const statements: string[] = [];
  client.on('commandStarted', ({ commandName, command }) => {
    if (['find', 'insert', 'update', 'aggregate'].includes(commandName))
      statements.push(`${commandName} ${command[commandName]}`);
  });
  const store = {
    ...createEndpointsStore(db),
    ...createSentEventsStore(db),
    ...createDeliveriesStore(db),
  };
  const recentEvents = createRecentEvents({ db, clock: () => new Date() });
  const [charges] = VIEWS;
  const handle =
    consumer === WEBHOOK_CONSUMER.name
      ? createPublishEvents({
          store,
          recentEvents,
          wake: async () => undefined,
          time: createFakeTime(() => new Date()),
        })
      : createProjector({
          db,
          readStore: gateway().readStore,
          recentEvents,
          view: charges as View,
          views: VIEWS,
        });
  expect(await handle(rows.filter((row) => row.consumer === consumer))).toEqual([]);
  await client.close();
  return statements;
};

const listed = async (id: string): Promise<number> => {
  const { readStore } = gateway();
  const index = aliasOf(readStore, EVENTS_VIEW as unknown as View);
  await readStore.client.indices.refresh({ index });
  return (await readStore.client.count({ index, query: { term: { resourceId: id } } })).count;
};

beforeAll(async () => {
  const { db, readStore } = gateway();
  const keeper = createViewKeeper({ db, readStore, views: VIEWS, logger: createFakeLogger().logger });
  await keeper.keep();
  await keeper.untilWhole();
}, 120_000);

describe('an event that is kept', () => {
  it('costs a charge without listeners neither an outbox row nor a statement', async () => {
    const { id, commits, rows } = await pay(false);
    expect(countBy(rows)).toEqual({ 'view-charges': 2, webhooks: 2, ledger: 1 });
    expect(await statementsOf(viewConsumerName(CHARGES_VIEW.name), rows)).toEqual(['find domain_events']);
    expect(await statementsOf(WEBHOOK_CONSUMER.name, rows)).toEqual([
      'find domain_events',
      'find webhook_endpoints',
    ]);
    expect((await rowsOf({ commit: { $in: commits } })).length).toBe(rows.length);
    expect(await listed(id)).toBe(2);
  });

  it('costs a charge with a listening endpoint one outbox row for its deliveries', async () => {
    const { id, commits, rows } = await pay(true);
    expect(countBy(rows)).toEqual({ 'view-charges': 2, webhooks: 2, ledger: 1 });
    expect(await statementsOf(viewConsumerName(CHARGES_VIEW.name), rows)).toEqual(['find domain_events']);
    expect(await statementsOf(WEBHOOK_CONSUMER.name, rows)).toEqual([
      'find domain_events',
      'find webhook_endpoints',
      'insert webhook_events',
      'insert webhook_deliveries',
      'insert outbox',
    ]);
    expect(countBy(await rowsOf({ commit: { $in: commits } }))).toEqual({
      ...countBy(rows),
      'view-webhook_deliveries': 1,
    });
    expect(await listed(id)).toBe(2);
  });
});
