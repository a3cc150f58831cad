import type { ClientSession, Db, MongoClient } from 'mongodb';
import { databaseOf, type Layout } from '../../../src/platform/write-store/database.ts';
import type { WriteStore } from '../../../src/platform/write-store/mongo.ts';
import { createCollection, type MemoryCollection } from './collection.ts';
import type { Engine, Transaction } from './engine.ts';
import { COLLECTION_EXISTS, noTransaction, serverError } from './errors.ts';
import type { Link } from './link.ts';
import { copyOf, NotSimulated } from './values.ts';

/** A session as far as the gateway uses one: one transaction after the other. */
type MemorySession = {
  readonly transaction: () => Transaction | null;
  startTransaction(): void;
  commitTransaction(): Promise<void>;
  abortTransaction(): Promise<void>;
  endSession(): Promise<void>;
};

const createSession = (engine: Engine, link: Link): MemorySession => {
  let transaction: Transaction | null = null;
  const current = (): Transaction => {
    if (!transaction) throw noTransaction();
    return transaction;
  };
  return {
    transaction: () => transaction,
    startTransaction() {
      transaction = engine.begin();
    },
    async commitTransaction() {
      const committed = current();
      await link.send('commit', 'commit', () => engine.commit(committed));
    },
    async abortTransaction() {
      const aborted = current();
      await link.send('transaction', 'abort', () => engine.abort(aborted));
    },
    // The server ends by itself what nobody has committed or aborted.
    async endSession() {
      transaction = null;
    },
  };
};

const isOfMemory = (session: object): session is MemorySession =>
  'transaction' in session && typeof session.transaction === 'function';

/** The transaction of a session that this store has made. */
export const transactionOf = (session: ClientSession | undefined): Transaction | null => {
  if (!session) return null;
  if (!isOfMemory(session)) throw new NotSimulated('a session of another client');
  return session.transaction();
};

type Admin = { command(given: { readonly hello?: 1 }): Promise<{ readonly localTime: Date }> };

const createDb = (engine: Engine, link: Link, now: () => number, client: () => MongoClient) => {
  const collections = new Map<string, MemoryCollection>();
  const collection = (name: string): MemoryCollection => {
    const known = collections.get(name) ?? createCollection(engine, link, name, transactionOf);
    collections.set(name, known);
    return known;
  };
  return {
    get client() {
      return client();
    },
    databaseName: 'memory',
    collection,
    createCollection: (name: string) =>
      link.send('statement', `create ${name}`, () => {
        if (engine.collections.has(name)) throw serverError(COLLECTION_EXISTS, `${name} exists`);
        engine.collection(name);
      }),
    command: async (given: Parameters<Admin['command']>[0]) => {
      if (given.hello !== 1) throw new NotSimulated(`the command ${JSON.stringify(copyOf(given))}`);
      return link.send('statement', 'hello', () => ({ localTime: new Date(now()) }));
    },
  };
};

/**
 * The write store of a process, in memory. Only what the gateway does is there, and everything else throws, so the
 * driver's types are claimed for it here and nowhere else.
 */
export const openMemoryStore = (
  engine: Engine,
  link: Link,
  now: () => number,
  layout: Partial<Layout> = {},
): WriteStore => {
  const client = {
    startSession: () => createSession(engine, link),
    db: () => db,
    on: () => undefined,
    close: async () => undefined,
  } as unknown as MongoClient;
  const db = createDb(engine, link, now, () => client);
  return { client, db: databaseOf(db as unknown as Db, layout) };
};
