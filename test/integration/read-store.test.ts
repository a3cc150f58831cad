import type { CommandStartedEvent } from 'mongodb';
import { systemClock } from '../../src/kernel/clock.ts';
import type { DomainEvent, Resource } from '../../src/kernel/event.ts';
import { type MerchantId, newCommitId, newId } from '../../src/kernel/ids.ts';
import { store } from '../../src/kernel/store.ts';
import { GATEWAY_TENANT, tenantShownBy } from '../../src/kernel/tenant.ts';
import { CHARGES_VIEW, type ChargeDocument } from '../../src/modules/charges/read/charge.view.ts';
import { paidJournal } from '../../src/modules/charges/write/charge.journal.ts';
import { createFoldBalances } from '../../src/modules/ledger/write/fold-balances.ts';
import { JOURNALS, type Journal, merchantOf, ownersOf } from '../../src/modules/ledger/write/journal.ts';
import { BALANCES, type Balance } from '../../src/modules/ledger/write/ledger.store.ts';
import type { StatementLine } from '../../src/modules/ledger/write/statement-line.ts';
import { createFindMerchants } from '../../src/modules/merchants/write/find-merchants.store.ts';
import { STATEMENT_VIEW } from '../../src/modules/statement/read/statement.view.ts';
import { createLogger } from '../../src/platform/logger.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { date, flag, keyword, line, money } from '../../src/platform/read-store/fields.ts';
import { createViewKeeper } from '../../src/platform/read-store/fill-views.ts';
import { createProjector } from '../../src/platform/read-store/projector.ts';
import { createSearch } from '../../src/platform/read-store/search.ts';
import {
  aliasOf,
  createIndex,
  defineView,
  indexesOf,
  indexResources,
  serveFrom,
  type View,
} from '../../src/platform/read-store/view.ts';
import { type Database, databaseOf } from '../../src/platform/write-store/database.ts';
import {
  addRows,
  joinRows,
  OUTBOX,
  type OutboxRow,
  outboxRow,
  outstandingRows,
  piecesOf,
  SHARD_COUNTS,
  SHARDS,
  type ShardCount,
  type StoredRow,
} from '../../src/platform/write-store/outbox.ts';
import { createRecentEvents } from '../../src/platform/write-store/recent-events.ts';
import { MAX_FAILURES, startRelay } from '../../src/platform/write-store/relay.ts';
import { createRowsInHand } from '../../src/platform/write-store/rows-in-hand.ts';
import { withoutTenant } from '../../src/platform/write-store/stored-resource.ts';
import { startOutboxWatch } from '../../src/platform/write-store/watch.ts';
import { joinWorkers } from '../../src/platform/write-store/workers.ts';
import { aCardRequest, aPaidCharge, aPixRequest } from '../builders.ts';
import { type Client, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { startTestGateway, type TestGateway, type TestMerchant, useGateway } from '../support/gateway.ts';
import { OF_TESTS } from '../support/statements.ts';

const gateway = useGateway(PATIENT);
let merchant: TestMerchant;
let client: Client;
beforeAll(async () => {
  merchant = await gateway().createMerchant();
  client = withKey(gateway, merchant.testKey);
});

const logger = createLogger('silent');
const outboxOf = (db: Database) => db.collection<StoredRow>(OUTBOX);
/** A Pix charge that was paid and given back: five events and more. */
const createHistory = async (by = client): Promise<string> => {
  const { body } = await by.post('/v1/charges', aPixRequest()).expect(201);
  await by.post(`/v1/test-helpers/charges/${body.id}/pay`).expect(200);
  await by.post('/v1/refunds', { chargeId: body.id, reason: 'x' }).expect(201);
  return body.id;
};
const listed = async (by = client, token = 'latest') =>
  (await by.getAfter(token, '/v1/charges?size=100')).body;

describe('the views', () => {
  it('are what the write store holds, each document under its version', async () => {
    const requests = [
      ...Array.from({ length: 10 }, (_, index) => aCardRequest({ amount: index + 1 })),
      aCardRequest({ currency: 'KWD', amount: 1.234 }, { number: '4000000000000002' }),
      aCardRequest({ metadata: { $a: { 'b.c': null } } }),
    ];
    await Promise.all(requests.map((request) => client.post('/v1/charges', request).expect(201)));
    await Promise.all(Array.from({ length: 5 }, () => createHistory()));
    expect(await differencesWithin(gateway(), 30_000)).toEqual([]);
  });
});

describe('an index', () => {
  /** A merchant's list before the gateway stops and after the next one has started. */
  const acrossRestart = async (meanwhile: (gateway: TestGateway) => Promise<void>) => {
    const first = await startTestGateway(PATIENT);
    const { testKey } = await first.createMerchant();
    const prepare = async () => {
      await createHistory(withKey(() => first, testKey));
      const list = await listed(withKey(() => first, testKey));
      await meanwhile(first);
      return list;
    };
    const before = await prepare().finally(() => first.stop({ keepData: true }));
    const next = await startTestGateway(first.variables);
    try {
      const byKey = withKey(() => next, testKey);
      const after = await listed(byKey);
      expect(after.data).toEqual(before.data);
      expect(await differencesWithin(next, 30_000)).toEqual([]);
    } finally {
      await next.stop();
    }
  };
  const missing = (): never => {
    throw new Error('no index serves the view');
  };
  const indexNames = async ({ readStore }: TestGateway): Promise<string[]> =>
    Object.keys(await readStore.client.indices.getAlias({ index: `${readStore.prefix}*` }));

  it('that is gone is made and filled by the next start', async () => {
    await acrossRestart(async (stopping) => {
      await stopping.readStore.client.indices.delete({ index: await indexNames(stopping) });
    });
  });

  it('that is empty, or whose filling was cut short, is filled by the next start', async () => {
    await acrossRestart(async ({ readStore }) => {
      const { indices } = readStore.client;
      const found = Object.entries(await indices.get({ index: `${readStore.prefix}*` }));
      const serving = (view: View) =>
        found.find(([, { aliases }]) => aliases && aliasOf(readStore, view) in aliases) ?? missing();
      const [index, { aliases = {}, mappings = {}, settings }] = serving(CHARGES_VIEW as unknown as View);
      const { analysis } = settings?.index ?? {};
      await indices.delete({ index });
      await indices.create({ index, aliases, mappings, ...(analysis ? { settings: { analysis } } : {}) });
      const view = STATEMENT_VIEW as unknown as View;
      await indices.deleteAlias({ index: serving(view)[0], name: aliasOf(readStore, view) });
    });
  });

  it('or an alias that is gone while the program runs is there again, full, within seconds', async () => {
    const { readStore } = gateway();
    const { indices } = readStore.client;
    await createHistory();
    const before = await listed();
    const view = CHARGES_VIEW as unknown as View;
    const all = indexesOf(readStore, view);
    await indices.delete({ index: Object.keys(await indices.getAlias({ index: all })) });
    // Never a list with gaps: 503 until all of it is there.
    expect((await listed()).data).toEqual(before.data);
    await indices.deleteAlias({ index: all, name: aliasOf(readStore, view) });
    expect((await listed()).data).toEqual(before.data);
  });
});

describe('an event that cannot be projected', () => {
  const eventOf = (data: object): DomainEvent & { _id: string } => {
    const id = newId('evt');
    const resourceId = newId('chg');
    return {
      _id: id,
      id,
      type: 'charge.updated',
      resource: 'charge',
      resourceId,
      version: 1,
      at: new Date().toISOString(),
      actor: { kind: 'system', id: 'test' },
      requestId: 'test',
      data: { ...data, id: resourceId, version: 1 },
    };
  };
  const metric = async (name: string): Promise<number> => {
    const { text } = await gateway().call('get', '/metrics').expect(200);
    const line = new RegExp(`^${name}\\{consumer="view-charges"\\} (\\S+)$`, 'm').exec(text);
    return Number(line?.[1]);
  };

  it('is dead-lettered after eight tries, is counted, and never blocks the others', async () => {
    const { db } = gateway();
    const poison = [
      // The view cannot make a document of it.
      eventOf({ customer: null }),
      // The index refuses its document.
      eventOf({ ...aPaidCharge({ merchantId: merchant.id as MerchantId }), createdAt: 'no date' }),
    ];
    await db
      .collection<{ _id: string }>('domain_events')
      .insertMany(
        poison.map((event) => ({ ...event, tenantId: tenantShownBy(event.data) ?? GATEWAY_TENANT })),
      );
    const missing = newId('evt');
    const rows = [...poison.map((event) => event.id), missing].map((subject) =>
      outboxRow('view-charges', subject, subject, newCommitId(), new Date()),
    );
    const ids = rows.map((row) => row._id);
    await outboxOf(db).insertMany(rows);

    const seen = new Set<number>();
    const stored = () =>
      outboxOf(db)
        .find({ _id: { $in: ids } })
        .toArray();
    const ended = await pollUntil(
      async () => {
        const now = await stored();
        for (const { failures } of now) seen.add(failures);
        // The waits between tries are doubled each time; nobody has to wait for them here.
        await outboxOf(db).updateMany(
          { _id: { $in: ids }, state: 'waiting' },
          { $set: { state: 'ready', retryAt: null } },
        );
        const created = await client.post('/v1/charges', aCardRequest()).expect(201);
        const { data } = await listed(client, created.headers['x-consistency-token'] ?? '');
        expect(data[0].id).toBe(created.body.id);
        return now;
      },
      (now) => now.every(({ state }) => state === 'dead'),
    );
    expect(ended.map(({ state, failures }) => [state, failures])).toEqual(
      Array(3).fill(['dead', MAX_FAILURES]),
    );
    expect(ended.every(({ error }) => error !== null && error.length > 0)).toBe(true);
    expect([...seen].every((failures) => failures <= MAX_FAILURES)).toBe(true);

    expect(
      await pollUntil(
        () => metric('portico_outbox_dead_rows'),
        (count) => count === 3,
      ),
    ).toBe(3);
    expect(await metric('portico_outbox_lag_seconds')).toBeGreaterThanOrEqual(0);
    await listed();
    await outboxOf(db).deleteMany({ _id: { $in: ids } });
    await db
      .collection<{ _id: string }>('domain_events')
      .deleteMany({ _id: { $in: poison.map(({ id }) => id) } });
    expect(
      await pollUntil(
        () => metric('portico_outbox_dead_rows'),
        (count) => count === 0,
      ),
    ).toBe(0);
  });
});

describe('events that are projected twice, late or in another order', () => {
  const rowsOf = async (chargeId: string): Promise<OutboxRow[]> => {
    const events = await gateway()
      .db.collection<DomainEvent>('domain_events')
      .find({ resourceId: chargeId })
      .toArray();
    return events.map((event) => outboxRow('view-charges', event.id, chargeId, newCommitId(), new Date()));
  };
  const shown = async (chargeId: string) => {
    const index = aliasOf(gateway().readStore, CHARGES_VIEW as unknown as View);
    const { _source, _version } = await gateway().readStore.client.get<ChargeDocument>({
      index,
      id: chargeId,
    });
    return { document: _source, version: _version };
  };

  it('leave the newest version in the view', async () => {
    const { db, readStore } = gateway();
    const recentEvents = createRecentEvents({ db, clock: systemClock });
    const project = createProjector({ db, readStore, recentEvents, view: CHARGES_VIEW as unknown as View });
    const chargeId = await createHistory();
    await listed();
    const before = await shown(chargeId);
    expect(before.document?.status).toBe('refunded');
    const rows = await rowsOf(chargeId);
    expect(rows.length).toBeGreaterThanOrEqual(4);

    for (const row of rows.toReversed()) expect(await project([row])).toEqual([]);
    expect(await project([...rows, ...rows])).toEqual([]);
    await Promise.all(rows.flatMap((row) => [project([row]), project(rows)]));
    expect(await shown(chargeId)).toEqual(before);
  });

  it('build the same document from nothing, whatever the order', async () => {
    const { db, readStore } = gateway();
    const chargeId = await createHistory();
    await listed();
    const before = await shown(chargeId);
    const elsewhere = { ...readStore, prefix: `${readStore.prefix}again-` };
    const view = CHARGES_VIEW as unknown as View;
    const nothing = databaseOf(db.client.db(`${db.databaseName}-nothing`));
    const keeper = createViewKeeper({ db: nothing, readStore: elsewhere, views: [view], logger });
    await keeper.keep();
    await keeper.untilWhole();
    const recentEvents = createRecentEvents({ db, clock: systemClock });
    const project = createProjector({ db, readStore: elsewhere, recentEvents, view });
    await Promise.all((await rowsOf(chargeId)).toReversed().map((row) => project([row])));
    const { _source, _version } = await readStore.client.get({
      index: aliasOf(elsewhere, view),
      id: chargeId,
    });
    expect({ document: _source, version: _version }).toEqual(before);
  });
});

describe('the views of a worker', () => {
  it('are compared with the write store, sample by sample', async () => {
    const compared = async (): Promise<boolean> => {
      const { text } = await gateway().call('get', '/metrics').expect(200);
      expect(text).toContain('portico_view_differences_total{view="charges",outcome="failed"} 0');
      return /^portico_view_documents_compared_total\{view="\w+"\} \d+$/m.test(text);
    };
    expect(await pollUntil(compared, Boolean)).toBe(true);
  });
});

describe('a page far from the beginning', () => {
  type Thing = Resource & {
    readonly name: string;
    readonly amount: number;
    readonly currency: string;
    readonly paidAt: string | null;
    readonly active: boolean;
  };
  const THINGS = defineView({
    name: 'things',
    version: 1,
    source: store<Thing>('things', 'thing'),
    // Some names are longer than what is indexed, so that they have no place in the order.
    fields: {
      id: keyword(),
      name: line(8),
      amount: money(),
      currency: keyword(),
      paidAt: date(),
      active: flag(),
    },
  });
  const view = THINGS as unknown as View;
  const list = createSearch(THINGS, {
    sort: ['id', 'name', 'amount', 'paidAt', 'active'],
    filter: { currency: {} },
  });
  const put = async (count: number): Promise<void> => {
    const { readStore } = gateway();
    const things = Array.from(
      { length: count },
      (_, index): Thing => ({
        id: newId('evt'),
        version: 1,
        name: ['ana', 'Bob', 'çé', 'longer than that'][index % 4] + String(index % 30),
        amount: index % 40,
        currency: ['BRL', 'BRL', 'USD'][index % 3] ?? 'BRL',
        paidAt: index % 7 === 0 ? null : new Date(1.7e12 + (index % 50) * 3_600_000).toISOString(),
        active: index % 2 === 0,
      }),
    );
    expect(await indexResources(readStore, view, things.map(withoutTenant))).toEqual(new Map());
    await readStore.client.indices.refresh({ index: aliasOf(readStore, view) });
  };
  const orders = ['id', '-id', 'name', '-amount', 'paidAt,-name', '-paidAt', 'active,-amount'];
  const idsOf = (documents: readonly object[]): readonly string[] =>
    documents.map((one) => String((one as { readonly id: string }).id));

  it('is the same rows in every order, first and again, also after others have come', async () => {
    const { readStore } = gateway();
    await serveFrom(readStore, view, await createIndex(readStore, view, 1, { isWhole: false }));
    await put(1_000);
    for (const coming of [0, 7, 60]) {
      if (coming > 0) await put(coming);
      for (const orderBy of orders)
        for (const filter of [{}, { currency: 'BRL' }]) {
          const query = { page: 1, size: 10, orderBy, ...filter };
          const all: string[] = [];
          for await (const batch of list.all(readStore, query, [])) all.push(...idsOf(batch));
          for (const page of [51, 51, 52, 58]) {
            const { data, total } = await list.page(readStore, { ...query, page }, []);
            expect({ total, ids: idsOf(data) }).toEqual({
              total: all.length,
              ids: all.slice((page - 1) * 10, page * 10),
            });
          }
        }
    }
  });

  it('begins where the former one ended: no row comes twice and none is left out, in every order, while others come', async () => {
    const { readStore } = gateway();
    for (const orderBy of [...orders, '-name', '-active,paidAt']) {
      const there: string[] = [];
      for await (const batch of list.all(readStore, { page: 1, size: 10, orderBy }, []))
        there.push(...idsOf(batch));
      const walked: string[] = [];
      let after: string | null = null;
      do {
        const place = after === null ? {} : { after };
        const found = await list.page(readStore, { page: 1, size: 100, orderBy, ...place }, []);
        walked.push(...idsOf(found.data));
        after = found.next;
        if (walked.length === 300) await put(3);
      } while (after !== null);
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked.filter((id) => there.includes(id))).toEqual(there);
    }
  });

  it('is refused where its place has values that no row can have', async () => {
    const { readStore } = gateway();
    const after = Buffer.from('["paidAt,-id","no time","evt_1"]').toString('base64url');
    const found = list.page(readStore, { page: 1, size: 10, orderBy: 'paidAt', after }, []);
    await expect(found).rejects.toMatchObject({ statusCode: 400, errors: [{ path: 'after' }] });
  });
});

describe('journals that are folded twice at once', () => {
  it('count once in the balances and statements of all whom they concern', async () => {
    const { db, container } = gateway();
    const merchants = Array.from({ length: 25 }, () => newId('mer'));
    const charge = { amount: 5_00, spread: 1_00 };
    const journalsOf = merchants.map((merchantId) =>
      [1, 2].map(() =>
        paidJournal(aPaidCharge({ ...charge, id: newId('chg'), merchantId }), new Date(), newId),
      ),
    );
    const journals = journalsOf.flat();
    await db
      .collection<{ _id: string }>(JOURNALS)
      .insertMany(journals.map((one) => ({ ...one, tenantId: merchantOf(one) })));
    const rowsOf = (journal: Journal): readonly OutboxRow[] =>
      ownersOf(journal).map((owner) =>
        outboxRow('ledger', journal._id, owner, newCommitId(), new Date(), merchantOf(journal)),
      );
    // In turns as rows that a commit of their tenant joined, and one by one as version 1.0 left them.
    const stored = journalsOf.flatMap((booked, index): readonly StoredRow[] => {
      const rows = booked.flatMap(rowsOf);
      return index % 2 === 0 ? joinRows(rows) : rows;
    });
    expect(stored.filter(({ state }) => state === 'joined').length).toBeGreaterThan(0);
    await outboxOf(db).insertMany(stored);
    const pieces = stored.flatMap(piecesOf);
    const fold = createFoldBalances({
      db,
      transact: container.get(platform.services).transact,
      findMerchants: createFindMerchants(db),
      findTenant: container.get(platform.services).findTenant,
      commitGroups: 'tenant',
    });
    await Promise.all([fold(pieces), fold(pieces.toReversed()), fold(pieces)]);
    await pollUntil(
      () => outboxOf(db).countDocuments({ consumer: 'ledger' }),
      (count) => count === 0,
    );
    const owner = { $in: merchants.map((id) => `${id}:test`) };
    const balances = await db.collection<Balance>(BALANCES).find({ owner }).toArray();
    expect(balances).toHaveLength(25);
    for (const { _id, available, reserved, seq, hash } of balances) {
      expect([available, reserved, seq]).toEqual([0, 8_00, 4]);
      const lines = await db.collection<StatementLine>('statement_lines').find({ chain: _id }).toArray();
      lines.sort((left, right) => left.seq - right.seq);
      expect(lines.map((line) => line.seq)).toEqual([1, 2, 3, 4]);
      expect(lines.at(-1)?.hash).toBe(hash);
    }
  });
});

describe('a reader of the outbox', () => {
  /** A relay of a consumer that nobody else reads, with a clock that the test sets. */
  const startReader = async (handle: (subjects: readonly string[]) => Promise<readonly string[]>) => {
    const { db } = gateway();
    const consumer = `test-${newCommitId()}`;
    let now = new Date();
    const lags: number[] = [];
    const dead: number[] = [];
    let done = 0;
    const membership = { shards: () => Array.from({ length: SHARDS }, (_, shard) => shard) };
    const clock = () => now;
    const relay = startRelay({
      db,
      consumer,
      inHand: createRowsInHand(db, membership),
      clock,
      logger,
      witnesses: [],
      report: {
        lag: (_, seconds) => lags.push(seconds),
        done: (_, count) => {
          done += count;
        },
      },
      handle: async (rows) => {
        const failed = await handle(rows.map(({ subject }) => subject));
        return rows
          .filter(({ subject }) => failed.includes(subject))
          .map((row) => ({ row, error: 'broken' }));
      },
    });
    const watch = startOutboxWatch({
      db,
      relays: new Map([[consumer, relay]]),
      membership,
      clock,
      logger,
      reportDead: (_, count) => dead.push(count),
    });
    return {
      stop: () => Promise.all([relay.stop(), watch.stop()]),
      lags,
      dead,
      done: () => done,
      put: (subject: string, secondsAgo = 0) => {
        const createdAt = new Date(now.getTime() - secondsAgo * 1_000);
        return outboxOf(db).insertOne(outboxRow(consumer, subject, subject, newCommitId(), createdAt));
      },
      putTogether: async (subjects: readonly string[]) => {
        // One key: a consumer that is no view has a row for each shard.
        await addRows(
          db,
          subjects.map((subject) => outboxRow(consumer, subject, consumer, newCommitId(), now)),
        );
        relay.wake();
      },
      rows: () => outboxOf(db).find({ consumer }).toArray(),
      advance: (seconds: number) => {
        now = new Date(now.getTime() + seconds * 1_000);
      },
    };
  };

  it('tries only those pieces of a joined row again that failed', async () => {
    const tries: string[] = [];
    const reader = await startReader(async (subjects) => {
      tries.push(...subjects);
      return subjects.filter((subject) => subject.startsWith('poison'));
    });
    await reader.putTogether(['good 1', 'poison 1', 'good 2', 'poison 2']);
    const rows = await pollUntil(reader.rows, (left) => left.every(({ state }) => state === 'waiting'));
    expect(rows.map(({ subject, failures }) => [subject, failures]).sort()).toEqual([
      ['poison 1', 1],
      ['poison 2', 1],
    ]);
    expect(tries).toEqual(['good 1', 'poison 1', 'good 2', 'poison 2']);
    // A row is counted as done a moment after it is gone from the store.
    await pollUntil(
      async () => reader.done(),
      (done) => done === 2,
    );
    expect(reader.done()).toBe(2);
    reader.advance(1);
    await pollUntil(reader.rows, (left) => left.every(({ failures }) => failures === 2));
    expect(tries.slice(4).sort()).toEqual(['poison 1', 'poison 2']);
    await reader.stop();
  });

  it('tries what fails eight times, later each time, and never again; the rest is done at once', async () => {
    const tries: string[] = [];
    const reader = await startReader(async (subjects) => {
      tries.push(...subjects);
      return subjects.filter((subject) => subject === 'poison');
    });
    await reader.put('poison');
    for (let round = 1; round <= MAX_FAILURES; round += 1) {
      const [row] = await pollUntil(reader.rows, ([first]) => first?.failures === round);
      expect(row).toMatchObject({ failures: round, state: round === MAX_FAILURES ? 'dead' : 'waiting' });
      await reader.put(`good ${round}`);
      await pollUntil(
        async () => reader.done(),
        (done) => done === round,
      );
      reader.advance(3_600);
    }
    reader.advance(86_400);
    await pollUntil(
      async () => reader.dead.at(-1),
      (count) => count === 1,
    );
    await reader.stop();
    expect(tries.filter((subject) => subject === 'poison')).toHaveLength(MAX_FAILURES);
    expect(await reader.rows()).toMatchObject([{ subject: 'poison', state: 'dead', error: 'broken' }]);
  });

  it('says how old the oldest of its work is, and zero when all is done', async () => {
    let isDown = true;
    const reader = await startReader(async () => {
      if (isDown) throw new Error('the store is down');
      return [];
    });
    await reader.put('old', 90);
    await pollUntil(
      async () => reader.lags.at(-1),
      (lag) => (lag ?? 0) >= 90,
    );
    reader.advance(60);
    await pollUntil(
      async () => reader.lags.at(-1),
      (lag) => (lag ?? 0) >= 150,
    );
    isDown = false;
    await pollUntil(
      async () => reader.done(),
      (done) => done === 1,
    );
    expect(
      await pollUntil(
        async () => reader.lags.at(-1),
        (lag) => lag === 0,
      ),
    ).toBe(0);
    await reader.stop();
  });

  it('counts no failure while nothing can be done at all', async () => {
    let rounds = 0;
    const reader = await startReader(async () => {
      rounds += 1;
      if (rounds <= 3) throw new Error('the store is down');
      return [];
    });
    await reader.put('waiting');
    await pollUntil(
      async () => rounds,
      (count) => count === 3,
    );
    expect(await reader.rows()).toMatchObject([{ state: 'ready', failures: 0 }]);
    await pollUntil(reader.rows, (rows) => rows.length === 0);
    // The store is without the row a moment before its reader hears of that.
    const done = await pollUntil(
      async () => reader.done(),
      (count) => count > 0,
    );
    expect(done).toBe(1);
    await reader.stop();
  });
});

describe('workers', () => {
  it('share the outbox without a gap, and take over from one that leaves', async () => {
    const db = databaseOf(gateway().db.client.db(`${gateway().db.databaseName}-workers`));
    const join = (name: string) =>
      joinWorkers(db, name, (error) => {
        throw error;
      });
    const everything = Array.from({ length: SHARDS }, (_, shard) => shard);
    const first = await join('first');
    expect(first.shards()).toEqual(everything);
    const second = await join('second');
    const both = await pollUntil(
      async () => [...first.shards(), ...second.shards()].sort((a, b) => a - b),
      (shards) => shards.length === SHARDS,
    );
    expect(both).toEqual(everything);
    expect(first.shards().length).toBe(SHARDS / 2);
    // Work that is shared out by its name or id belongs to one of them.
    for (const subject of ['audit', 'drift', 'retention', ...Array.from({ length: 50 }, () => newId('chg'))])
      expect([first.owns(subject), second.owns(subject)].sort()).toEqual([false, true]);
    await second.stop();
    expect(
      await pollUntil(
        async () => first.shards(),
        (shards) => shards.length === SHARDS,
      ),
    ).toEqual(everything);
    await first.stop();
    await db.dropDatabase();
  });

  /** Apart from what the gateway of this file works on. */
  const databaseApart = (name: string): Database => {
    const { client, databaseName } = gateway().db;
    return databaseOf(client.db(`${databaseName}-${name}`, OF_TESTS), { spread: new Set([OUTBOX]) });
  };

  /** A process that cuts its work into so many parts, on the database of the others. */
  const cutInto = (db: Database, outboxShards: ShardCount): Database =>
    databaseOf(db.client.db(db.databaseName, OF_TESTS), { ...db.layout, outboxShards });

  it('each have work of their own, also more than sixteen', async () => {
    const db = databaseApart('many');
    const COUNT = 24;
    const names = Array.from({ length: COUNT }, (_, index) => `worker ${index}`);
    const join = (name: string) =>
      joinWorkers(db, name, (error) => {
        throw error;
      });
    const members = await Promise.all(names.map(join));
    const held = await pollUntil(
      async () => members.map((member) => member.shards()),
      (all) => all.flat().length === SHARDS && new Set(all.flat()).size === SHARDS,
    );
    expect(Math.min(...held.map((shards) => shards.length))).toBeGreaterThan(0);
    const chores = Array.from({ length: 1_000 }, (_, key) => `chg_${key}`);
    const owned = members.map(({ owns }) => chores.filter(owns));
    expect(owned.flat().sort()).toEqual([...chores].sort());
    expect(Math.min(...owned.map((own) => own.length))).toBeGreaterThan(0);

    const readers = members.map((member) => createRowsInHand(db, member));
    /** How many workers get some of the work of a thousand keys that is cut into so many parts. */
    const sharing = async (count: ShardCount): Promise<number> => {
      const consumer = `test-${newCommitId()}`;
      const rows = Array.from({ length: 1_000 }, (_, key) =>
        outboxRow(consumer, newId('evt'), `key-${key}`, newCommitId(), new Date()),
      );
      await addRows(cutInto(db, count), rows);
      const taken = await Promise.all(readers.map(({ take }) => take(consumer)));
      const subjects = taken.flat().map(({ subject }) => subject);
      expect(subjects.sort()).toEqual(rows.map(({ subject }) => subject).sort());
      return taken.filter((pieces) => pieces.length > 0).length;
    };
    expect([await sharing(64), await sharing(16)]).toEqual([COUNT, 16]);
    await Promise.all(members.map((member) => member.stop()));
    await db.dropDatabase();
  });

  it('miss no row while shards get more and fewer, and workers come and go', async () => {
    const db = databaseApart('changing');
    const consumer = `test-${newCommitId()}`;
    const done = new Set<string>();
    const startWorker = async (name: string) => {
      const membership = await joinWorkers(db, name, (error) => {
        throw error;
      });
      const relay = startRelay({
        db,
        consumer,
        inHand: createRowsInHand(db, membership),
        clock: systemClock,
        logger,
        witnesses: [],
        report: { lag: () => undefined, done: () => undefined },
        handle: async (rows) => {
          for (const { subject } of rows) done.add(subject);
          return [];
        },
      });
      const relays = new Map([[consumer, relay]]);
      const watch = startOutboxWatch({
        db,
        relays,
        membership,
        clock: systemClock,
        logger,
        reportDead: () => undefined,
      });
      return { stop: () => Promise.all([relay.stop(), watch.stop(), membership.stop()]) };
    };
    const written: string[] = [];
    /** A process that is started again with another number while the workers go on. */
    const write = async (count: ShardCount): Promise<void> => {
      const ofProcess = cutInto(db, count);
      for (let commit = 0; commit < 5; commit += 1) {
        const rows = Array.from({ length: 20 }, (_, key) =>
          outboxRow(consumer, newId('evt'), `key-${commit}-${key}`, newCommitId(), new Date()),
        );
        await addRows(ofProcess, rows);
        written.push(...rows.map(({ subject }) => subject));
      }
    };
    const first = await startWorker('first');
    await Promise.all([write(1), write(4)]);
    const second = await startWorker('second');
    await Promise.all([write(64), write(2)]);
    await first.stop();
    await Promise.all([write(16), write(8), write(32)]);
    expect(
      await pollUntil(
        async () => outboxOf(db).countDocuments(),
        (left) => left === 0,
      ),
    ).toBe(0);
    expect([...done].sort()).toEqual([...written].sort());
    await second.stop();
    await db.dropDatabase();
  });

  it('do all work once while processes cut it into different numbers of shards', async () => {
    const { db } = gateway();
    const consumer = `test-${newCommitId()}`;
    const subjects: string[] = [];
    for (const count of SHARD_COUNTS) {
      const ofProcess = cutInto(db, count);
      const rows = Array.from({ length: 40 }, (_, key) =>
        outboxRow(consumer, `${count}-${key}`, `key-${key}`, newCommitId(), new Date()),
      );
      await addRows(ofProcess, rows);
      subjects.push(...rows.map(({ subject }) => subject));
    }
    const ofProgram = gateway().container.get(platform.services).db;
    const wanted = [{ value: 'key-7', tenantId: 'mer_1' }];
    const found = await outstandingRows(ofProgram, consumer, wanted);
    expect(found.map(({ subject }) => subject).sort()).toEqual(
      SHARD_COUNTS.map((count) => `${count}-7`).sort(),
    );

    const done: string[][] = [[], []];
    const relays = done.map((ofWorker, rank) =>
      startRelay({
        db,
        consumer,
        inHand: createRowsInHand(db, {
          shards: () =>
            Array.from({ length: SHARDS }, (_, shard) => shard).filter((shard) => shard % 2 === rank),
        }),
        clock: systemClock,
        logger,
        witnesses: [],
        report: { lag: () => undefined, done: () => undefined },
        handle: async (rows) => {
          ofWorker.push(...rows.map(({ subject }) => subject));
          return [];
        },
      }),
    );
    await pollUntil(
      async () => done.flat(),
      (all) => all.length >= subjects.length,
    );
    await Promise.all(relays.map((relay) => relay.stop()));
    expect(done.flat().sort()).toEqual([...subjects].sort());
    expect(done.every((ofWorker) => ofWorker.length > 0)).toBe(true);
    expect(await outboxOf(db).countDocuments({ consumer })).toBe(0);
  });
});

/** Statements on the outbox that name one of these, from now on until `stop`. */
const listenToOutbox = (db: Database, named: readonly string[]) => {
  const { client } = db;
  const sent: string[] = [];
  const hear = ({ commandName, command }: CommandStartedEvent): void => {
    const text = command[commandName] === OUTBOX ? JSON.stringify(command) : '';
    if (named.some((name) => text.includes(name))) sent.push(commandName);
  };
  client.on('commandStarted', hear);
  return { sent, stop: () => client.off('commandStarted', hear) };
};

describe('relays of one worker', () => {
  it('take and remove their rows with one statement each, and none takes those of another', async () => {
    const { db } = gateway();
    const consumers = [1, 2, 3].map(() => `test-${newCommitId()}`);
    const rowsOf = (consumer: string, count: number) =>
      Array.from({ length: count }, (_, each) =>
        outboxRow(consumer, newId('evt'), `key-${each}`, newCommitId(), new Date()),
      );
    const inHand = createRowsInHand(db, {
      shards: () => Array.from({ length: SHARDS }, (_, shard) => shard),
    });
    await addRows(
      db,
      consumers.flatMap((consumer, index) => rowsOf(consumer, 3 + index)),
    );
    const takes = listenToOutbox(db, consumers);
    const taken = await Promise.all(consumers.map((consumer) => inHand.take(consumer)));
    takes.stop();
    expect(takes.sent).toEqual(['find']);
    expect(taken.map((rows) => rows.map(({ consumer }) => consumer))).toEqual(
      consumers.map((consumer, index) => Array.from({ length: 3 + index }, () => consumer)),
    );

    const removals = listenToOutbox(
      db,
      taken.flat().map(({ _id }) => _id.toHexString()),
    );
    await Promise.all(taken.map((pieces) => inHand.remove(pieces)));
    removals.stop();
    expect(removals.sent).toEqual(['delete']);
    expect(await outboxOf(db).countDocuments({ consumer: { $in: consumers } })).toBe(0);
  });

  it('get all of their work beside one with a long backlog', async () => {
    const { db } = gateway();
    const [busy = '', idle = ''] = [`test-a-${newCommitId()}`, `test-b-${newCommitId()}`];
    const everything = { shards: () => Array.from({ length: SHARDS }, (_, shard) => shard) };
    const inHand = createRowsInHand(db, everything);
    // Rows of single pieces: joined ones would be few.
    const many = Array.from({ length: 600 }, (_, each) =>
      outboxRow(busy, newId('evt'), `key-${each}`, newCommitId(), new Date()),
    );
    await outboxOf(db).insertMany(many);
    await addRows(db, [outboxRow(idle, newId('evt'), 'key', newCommitId(), new Date())]);

    const [ofBusy = [], ofIdle = []] = await Promise.all([inHand.take(busy), inHand.take(idle)]);
    expect(ofBusy).toHaveLength(500);
    expect(ofIdle).toHaveLength(1);
    await outboxOf(db).deleteMany({ consumer: { $in: [busy, idle] } });
  });
});
