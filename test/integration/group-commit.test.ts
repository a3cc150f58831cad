import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandStartedEvent, type CommandSucceededEvent, type Document, MongoClient } from 'mongodb';
import { GatewayError } from '../../src/kernel/errors.ts';
import { type Resource, systemContext } from '../../src/kernel/event.ts';
import { type MerchantId, newCommitId } from '../../src/kernel/ids.ts';
import { store } from '../../src/kernel/store.ts';
import { databaseOf } from '../../src/platform/write-store/database.ts';
import { STORE_PROFILES } from '../../src/platform/write-store/limits.ts';
import { ensureCollections } from '../../src/platform/write-store/migrate.ts';
import { piecesOf, type StoredRow } from '../../src/platform/write-store/outbox.ts';
import { createTransact } from '../../src/platform/write-store/transact.ts';
import type { Transact, Transaction } from '../../src/platform/write-store/transaction.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';
import { createOwnEngines } from '../support/own-engines.ts';
import { eventually } from '../support/program.ts';
import { watchTransactions } from '../support/tenants.ts';
import { someOf } from '../support/volume.ts';

type Thing = Resource & {
  readonly name: string;
  readonly amount: number;
  readonly merchantId?: MerchantId;
  readonly masterId?: null;
};
const THINGS = store<Thing>('things', 'thing');

jest.setTimeout(120_000);
const engines = createOwnEngines({
  elasticsearchNode: process.env.ELASTICSEARCH_NODE,
  redisUrl: process.env.REDIS_URL,
});

/** Besides the commands, and without their commands' failures in its own. */
let direct: MongoClient;
let client: MongoClient;
let transact: Transact;
/** Shares transactions within a tenant only. */
let transactByTenant: Transact;
/** Has the limits of a replica set. */
let transactWide: Transact;
let transactions: ReturnType<typeof watchTransactions>;
/** Names of the statements that the commands have sent. */
let statements: string[] = [];
/** Called once, as soon as a command inserts something. */
let onInsert: () => void = () => undefined;

const things = () => direct.db('groups').collection<Thing & { _id: string }>(THINGS.collection);

beforeAll(async () => {
  await engines.start();
  const { MONGODB_URI } = engines.variables();
  direct = await new MongoClient(MONGODB_URI).connect();
  // The server that says it cannot serve does not report that it can again: the driver has to ask.
  client = new MongoClient(MONGODB_URI, { monitorCommands: true, serverMonitoringMode: 'poll' });
  client.on('commandStarted', ({ commandName }) => {
    statements.push(commandName);
    if (commandName === 'insert') onInsert();
  });
  const db = databaseOf(client.db('groups'));
  await ensureCollections(db, [DOMAIN_EVENTS, 'outbox']);
  await db.collection(DOMAIN_EVENTS).createIndex({ resourceId: 1, version: 1 }, { unique: true });
  await db.createCollection(THINGS.collection, {
    validator: { $jsonSchema: { properties: { amount: { minimum: 0 } } } },
  });
  await db.collection(THINGS.collection).createIndex({ name: 1 }, { unique: true });
  transactions = watchTransactions(client);
  const deps = {
    writeStore: { client, db },
    consumers: ['reader', 'view-things'].map((name) => ({ name, wants: () => true })),
    clock: () => new Date(),
    realClock: () => new Date(),
    findTenant: async () => null,
    retryForMs: 8_000,
    onCommit: () => undefined,
    onRetry: () => undefined,
  };
  transact = createTransact({ ...deps, commitGroups: 'all' });
  transactByTenant = createTransact({ ...deps, commitGroups: 'tenant' });
  const wide = databaseOf(client.db('groups'), {}, () => STORE_PROFILES['replica-set']);
  transactWide = createTransact({ ...deps, writeStore: { client, db: wide }, commitGroups: 'all' });
});

afterAll(async () => {
  await client.close();
  await direct.close();
  await engines.stop();
});

afterEach(async () => {
  await direct.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
});

const thing = (changes: Partial<Thing> = {}): Thing => {
  const id = `thg_${newCommitId()}`;
  return { id, version: 0, name: id, amount: 0, ...changes };
};
const open = (tx: Transaction, changes: Partial<Thing> = {}): Promise<Thing> =>
  tx.record(THINGS, null, { type: 'thing.opened', data: thing(changes) });
const add = (tx: Transaction, previous: Thing, amount = 1): Promise<Thing> =>
  tx.record(THINGS, previous, {
    type: 'thing.added',
    data: { ...previous, amount: previous.amount + amount },
  });
const read = async (tx: Transaction, id: string): Promise<Thing> => {
  const found = await tx.get(THINGS, id);
  if (!found) throw new Error(`${id} is gone`);
  return found;
};
const stored = (changes: Partial<Thing> = {}): Promise<Thing> =>
  transact(systemContext('test'), (tx) => open(tx, changes));

/** Another command's change of the document, committed at once. */
const changeBeside = async ({ id }: Thing): Promise<void> => {
  await things().updateOne({ _id: id }, { $inc: { version: 1, amount: 100 } });
};

type Work<T = Thing> = (tx: Transaction) => Promise<T>;

/**
 * Lets commands decide, and store what they decided while another commit is in flight, so that they are one group.
 * Tells for each how it ended and how many times it ran.
 */
const inOneGroup = async <T>(works: readonly Work<T>[]) => {
  const runs = works.map(() => 0);
  let decided = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const commands = works.map((work, index) =>
    transact(systemContext('test'), async (tx) => {
      runs[index] = (runs[index] ?? 0) + 1;
      const result = await work(tx);
      decided += 1;
      await released;
      return result;
    }),
  );
  const ended = Promise.allSettled(commands);
  await eventually('all have decided', () => decided >= works.length);
  statements = [];
  // At once, and not after a look: the commit that they wait for takes some milliseconds.
  onInsert = release;
  await stored();
  const outcomes = await ended;
  onInsert = () => undefined;
  return { outcomes, runs, commits: statements.filter((name) => name === 'commitTransaction').length - 1 };
};

const eventsOf = async (id: string): Promise<readonly Document[]> => {
  const events = await direct.db('groups').collection(DOMAIN_EVENTS).find({ resourceId: id }).toArray();
  return events.sort((a, b) => a.version - b.version);
};

const rowsOf = (consumer: string, keys: readonly string[]): Promise<readonly StoredRow[]> =>
  direct
    .db('groups')
    .collection<StoredRow>('outbox')
    .find({ consumer, key: { $in: [...keys] } })
    .toArray();

/** The thing is stored once, with an event for each version and an outbox row for each event. */
const expectWhole = async ({ id, version, amount }: Thing): Promise<void> => {
  expect(await things().find({ _id: id }).toArray()).toMatchObject([{ version, amount }]);
  const events = await eventsOf(id);
  expect(events.map((event) => event.version)).toEqual(Array.from({ length: version }, (_, at) => at + 1));
  const work = (await rowsOf('reader', [id])).flatMap(piecesOf);
  const rows = work.filter(({ key }) => key === id);
  expect(rows.map(({ subject }) => subject).sort()).toEqual(events.map((event) => event.id).sort());
};

const expectNothing = async (id: string): Promise<void> => {
  expect(await things().find({ _id: id }).toArray()).toEqual([]);
  expect(await eventsOf(id)).toEqual([]);
};

const resultOf = <T>(outcome: PromiseSettledResult<T> | undefined): T => {
  if (outcome?.status !== 'fulfilled') throw outcome?.reason ?? new Error('no outcome');
  return outcome.value;
};

/** Makes a command that spoils its group, and says what has to become of it. */
const CULPRITS: Readonly<Record<string, () => Promise<{ work: Work; check: Check }>>> = {
  async 'has lost a version'() {
    const lost = await stored();
    await changeBeside(lost);
    let isFirst = true;
    return {
      async work(tx) {
        const seen = isFirst ? lost : await read(tx, lost.id);
        isFirst = false;
        return add(tx, seen);
      },
      async check(outcome, runs) {
        expect(resultOf(outcome)).toMatchObject({ version: 3, amount: 101 });
        expect(runs).toBe(2);
      },
    };
  },
  async 'relied on a document that has changed since'() {
    const relied = await stored();
    let isFirst = true;
    return {
      async work(tx) {
        const { amount } = await read(tx, relied.id);
        if (isFirst) await changeBeside(relied);
        isFirst = false;
        return open(tx, { amount });
      },
      async check(outcome, runs) {
        expect(resultOf(outcome)).toMatchObject({ amount: 100 });
        expect(runs).toBe(2);
        await expectWhole(resultOf(outcome));
      },
    };
  },
  async 'meets a unique key'() {
    const { name } = await stored();
    let isFirst = true;
    const own = thing();
    return {
      async work(tx) {
        const opened = isFirst ? { ...own, name } : own;
        isFirst = false;
        return open(tx, opened);
      },
      async check(outcome, runs) {
        expect(runs).toBe(2);
        await expectWhole(resultOf(outcome));
      },
    };
  },
  async 'holds a document that the store refuses'() {
    const refused = thing({ amount: -1 });
    return {
      work: (tx) => open(tx, refused),
      async check(outcome, runs) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 121 } });
        expect(runs).toBe(1);
        await expectNothing(refused.id);
      },
    };
  },
  async 'changes a document in a way that the store refuses'() {
    const kept = await stored();
    return {
      async work(tx) {
        return add(tx, await read(tx, kept.id), -1);
      },
      async check(outcome) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 121 } });
        await expectWhole(kept);
      },
    };
  },
};
type Check = (outcome: PromiseSettledResult<Thing> | undefined, runs: number) => Promise<void>;

const OTHERS = 6;
/** A command that opens a thing, or one that adds to a thing of its own. */
const other = async (index: number): Promise<Work> => {
  if (index % 2 === 0) return (tx) => open(tx);
  const { id } = await stored();
  return async (tx) => add(tx, await read(tx, id));
};
const others = (): Promise<readonly Work[]> =>
  Promise.all(Array.from({ length: OTHERS }, (_, index) => other(index)));

describe('commands that store at the same time', () => {
  it('share one transaction, with one statement for each collection and kind of write, and a row for each view', async () => {
    const { outcomes, runs, commits } = await inOneGroup(await others());
    for (const outcome of outcomes) await expectWhole(resultOf(outcome));
    expect(runs).toEqual(Array(OTHERS).fill(1));
    expect(commits).toBe(1);
    const sent = statements.slice(statements.indexOf('commitTransaction') + 1);
    expect(sent).toEqual(['insert', 'update', 'insert', 'insert', 'commitTransaction']);
    const ids = outcomes.map((outcome) => resultOf(outcome).id);
    const rows = await rowsOf('view-things', ids);
    expect(rows.filter(({ key }) => ids.every((id) => key.includes(id)))).toHaveLength(1);
  });

  it('change one document one after the other, as they do alone', async () => {
    const { id } = await stored();
    const { outcomes } = await inOneGroup([1, 2, 3].map(() => async (tx) => add(tx, await read(tx, id))));
    const amounts = outcomes.map((outcome) => resultOf(outcome).amount).sort();
    expect(amounts).toEqual([1, 2, 3]);
    const last = await things().findOne({ _id: id });
    await expectWhole(last as Thing);
    expect((await eventsOf(id)).map(({ data }) => data.amount)).toEqual([0, 1, 2, 3]);
  });

  it('read what they have decided themselves, and store a document that they change twice once', async () => {
    const { id } = await stored();
    const changed = await transact(systemContext('test'), async (tx) => {
      await add(tx, await read(tx, id));
      return add(tx, await read(tx, id), 10);
    });
    expect(changed).toMatchObject({ version: 3, amount: 11 });
    await expectWhole(changed);
  });

  it('wait for nobody whose decision takes long', async () => {
    let end: () => void = () => undefined;
    const slow = transact(
      systemContext('test'),
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await expectWhole(await stored());
    end();
    await slow;
  });

  it.each([
    ['has changed nothing', async (_: Transaction, seen: Thing) => seen],
    ['has changed what it read first', (tx: Transaction, seen: Thing) => add(tx, seen, 0)],
  ])(
    'do not answer from two moments: a refusal of one that %s counts only if nothing has changed since',
    async (_, go) => {
      const [first, second] = [await stored(), await stored()];
      let isFirst = true;
      const sums: number[] = [];
      const refused = transact(systemContext('test'), async (tx) => {
        const { amount } = await go(tx, await read(tx, first.id));
        if (isFirst) for (const one of [first, second]) await changeBeside(one);
        isFirst = false;
        sums.push(amount + (await read(tx, second.id)).amount);
        throw new RangeError('refused by a rule');
      });
      await expect(refused).rejects.toThrow('refused by a rule');
      expect(sums).toEqual([100, 200]);
    },
  );
});

describe.each(Object.keys(CULPRITS))('a command of a group that %s', (kind) => {
  it.each(['first', 'in the middle', 'last'] as const)('fails alone where it comes %s', async (place) => {
    const culprit = await CULPRITS[kind]?.();
    if (!culprit) throw new Error(kind);
    const works = [...(await others())];
    const at = { first: 0, 'in the middle': OTHERS / 2, last: OTHERS }[place];
    works.splice(at, 0, culprit.work);
    const { outcomes, runs } = await inOneGroup(works);
    await culprit.check(outcomes[at], runs[at] ?? 0);
    outcomes.splice(at, 1);
    for (const outcome of outcomes) await expectWhole(resultOf(outcome));
    runs.splice(at, 1);
    expect(runs).toEqual(Array(OTHERS).fill(1));
  });
});

it('commands of a group that fail each in its own way leave the others alone', async () => {
  const culprits = await Promise.all(Object.values(CULPRITS).map((make) => make()));
  const works = await others();
  const { outcomes, runs } = await inOneGroup([...works, ...culprits.map(({ work }) => work)]);
  for (const outcome of outcomes.slice(0, OTHERS)) await expectWhole(resultOf(outcome));
  expect(runs.slice(0, OTHERS)).toEqual(Array(OTHERS).fill(1));
  for (const [index, { check }] of culprits.entries())
    await check(outcomes[OTHERS + index], runs[OTHERS + index] ?? 0);
});

const LOST = { closeConnection: true };
const EFFECTIVE = { writeConcernError: { code: 91, errmsg: 'Replication is being shut down' } };
const COLLIDES = { errorCode: 112, errorLabels: ['TransientTransactionError'] };
/** The statements of a group, numbered by name. Those of the commit that it waits for count, too. */
const STATEMENTS: readonly (readonly [string, { command: string; skip: number }])[] = [
  ['insert of documents', { command: 'insert', skip: 0 }],
  ['update of documents', { command: 'update', skip: 0 }],
  ['insert of events', { command: 'insert', skip: 1 }],
  ['insert of rows', { command: 'insert', skip: 2 }],
  ['commit', { command: 'commitTransaction', skip: 0 }],
];
const FAILURES: readonly (readonly [string, Document])[] = [
  ['collides', COLLIDES],
  ['is lost', LOST],
  ['meets a server that shuts down', { errorCode: 91 }],
];
const FAULTS = [
  ...STATEMENTS.flatMap(([statement, at]) =>
    FAILURES.flatMap(([what, how]) =>
      [1, 3].map((times) => ({ name: `${statement} ${what} ${times} times`, ...at, how, times })),
    ),
  ),
  ...[1, 4].map((times) => ({
    name: `commit takes effect and answers ${times} errors`,
    command: 'commitTransaction',
    skip: 0,
    how: EFFECTIVE,
    times,
  })),
];

describe('a group', () => {
  it.each(someOf(FAULTS, 10))('is stored once where the $name', async ({ command, skip, how, times }) => {
    const works = await others();
    let isArmed = false;
    const armed: Work = async (tx) => {
      const opened = await open(tx);
      if (!isArmed)
        await direct.db('admin').command({
          configureFailPoint: 'failCommand',
          // Besides what the commit sends that the group waits for.
          mode: { times, skip: skip + (command === 'insert' ? 3 : command === 'update' ? 0 : 1) },
          data: { failCommands: [command], ...how },
        });
      isArmed = true;
      return opened;
    };
    const { outcomes } = await inOneGroup([...works, armed]);
    for (const outcome of outcomes) await expectWhole(resultOf(outcome));
  });
});

it('a member that another transaction holds up holds up nobody else of its group', async () => {
  const held = await stored();
  const works = await others();
  const session = direct.startSession();
  session.startTransaction();
  await things().updateOne({ _id: held.id }, { $inc: { version: 1 } }, { session });
  let isOver = false;
  const insist = (): Promise<Thing> =>
    transact(systemContext('test'), async (tx) => add(tx, await read(tx, held.id))).catch(
      // On a busy machine the others may take longer than a command may wait.
      (error) =>
        error instanceof GatewayError && error.statusCode === 503 ? insist() : Promise.reject(error),
    );
  const stuck = insist().finally(() => {
    isOver = true;
  });
  const { outcomes } = await inOneGroup(works);
  for (const outcome of outcomes) await expectWhole(resultOf(outcome));
  expect(isOver).toBe(false);
  await session.abortTransaction();
  await session.endSession();
  expect(await stuck).toMatchObject({ version: 2, amount: 1 });
});

/** The most transactions of commands that were in flight together while `work` ran. */
const mostAtOnce = async (work: () => Promise<void>): Promise<number> => {
  let underWay = 0;
  let most = 0;
  const count = ({ command }: CommandStartedEvent): void => {
    if (command.startTransaction) underWay += 1;
    most = Math.max(most, underWay);
  };
  const discount = ({ commandName }: CommandSucceededEvent): void => {
    if (commandName === 'commitTransaction') underWay -= 1;
  };
  client.on('commandStarted', count).on('commandSucceeded', discount);
  try {
    await work();
  } finally {
    client.off('commandStarted', count).off('commandSucceeded', discount);
  }
  return most;
};

describe('commands of several tenants that come at once', () => {
  const openAll = async (store: Transact): Promise<readonly Thing[]> =>
    Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        store(systemContext('test'), (tx) => open(tx, { merchantId: `mer_${index % 3}`, masterId: null })),
      ),
    );

  it('share transactions on a replica set', async () => {
    const before = transactions().length;
    for (const made of await openAll(transact)) await expectWhole(made);
    expect(transactions().length).toBeGreaterThan(before);
  });

  it('share them within a tenant only where commits are grouped so, and all are stored', async () => {
    const before = transactions().length;
    statements = [];
    const made = await openAll(transactByTenant);
    const commits = statements.filter((name) => name === 'commitTransaction').length;
    for (const one of made) await expectWhole(one);
    expect(transactions()).toHaveLength(before);
    expect(commits).toBeLessThan(made.length);
  });

  it('wait for the group of their own tenant, and for no other, where commits are grouped so', async () => {
    const openAfter = async (pauseMs: number): Promise<Thing> => {
      await sleep(pauseMs);
      return transactByTenant(systemContext('test'), (tx) =>
        open(tx, { merchantId: 'mer_0', masterId: null }),
      );
    };
    const ofOneTenant = await mostAtOnce(async () => {
      for (const one of await Promise.all(Array.from({ length: 60 }, (_, index) => openAfter(index))))
        await expectWhole(one);
    });
    expect(ofOneTenant).toBe(1);
    expect(await mostAtOnce(async () => void (await openAll(transactByTenant)))).toBe(3);
  });
});

describe('commands with the limits of a replica set', () => {
  it('store in several transactions at once, and lose none of their changes', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => stored()));
    const addAfter = async (pauseMs: number): Promise<void> => {
      await sleep(pauseMs);
      await transactWide(systemContext('test'), async (tx) =>
        add(tx, await read(tx, all[pauseMs % all.length]?.id ?? '')),
      );
    };
    const most = await mostAtOnce(
      async () => void (await Promise.all(Array.from({ length: 100 }, (_, index) => addAfter(index)))),
    );
    expect(most).toBeGreaterThan(1);
    for (const { id } of all)
      expect(await things().findOne({ id })).toMatchObject({ version: 21, amount: 20 });
  });
});
