import { type ClientSession, MongoBulkWriteError, MongoServerError } from 'mongodb';
import { createCursor, type MemoryCursor, type Reading } from './cursor.ts';
import { type Engine, indexOf, type Transaction } from './engine.ts';
import { Held } from './errors.ts';
import type { Kind, Link } from './link.ts';
import { aggregated, projected, sorted } from './pipeline.ts';
import { updated } from './updates.ts';
import {
  copyOf,
  copyOfFields,
  type Fields,
  isEqual,
  isFields,
  NotSimulated,
  type Value,
  valuesAt,
} from './values.ts';

type Options = {
  readonly session?: ClientSession;
  readonly upsert?: boolean;
  readonly ordered?: boolean;
  readonly projection?: object;
  readonly sort?: object;
  readonly limit?: number;
  readonly batchSize?: number;
  readonly returnDocument?: 'before' | 'after';
  readonly readConcern?: object;
};

const KNOWN = new Set([
  ...[
    'session',
    'upsert',
    'ordered',
    'projection',
    'sort',
    'limit',
    'batchSize',
    'returnDocument',
    'readConcern',
  ],
]);

const assertKnown = (options: object): void => {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw new NotSimulated(`the option ${unknown}`);
};

type Updated = {
  readonly acknowledged: true;
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly upsertedCount: number;
  readonly upsertedId: Value;
};

type BulkOperation = {
  readonly insertOne?: { readonly document: object };
  readonly updateOne?: { readonly filter: object; readonly update: object; readonly upsert?: boolean };
  readonly updateMany?: { readonly filter: object; readonly update: object; readonly upsert?: boolean };
  readonly replaceOne?: { readonly filter: object; readonly replacement: object; readonly upsert?: boolean };
  readonly deleteOne?: { readonly filter: object };
};

export type MemoryCollection = {
  readonly collectionName: string;
  find(filter?: object, options?: Options): MemoryCursor;
  findOne(filter?: object, options?: Options): Promise<Fields | null>;
  findOneAndUpdate(filter: object, update: object, options?: Options): Promise<Fields | null>;
  distinct(path: string, filter?: object, options?: Options): Promise<Value[]>;
  countDocuments(filter?: object, options?: Options): Promise<number>;
  aggregate(stages: readonly object[], options?: Options): MemoryCursor;
  insertOne(
    document: object,
    options?: Options,
  ): Promise<{ readonly acknowledged: true; readonly insertedId: Value }>;
  insertMany(documents: readonly object[], options?: Options): Promise<{ readonly insertedCount: number }>;
  updateOne(filter: object, update: object, options?: Options): Promise<Updated>;
  updateMany(filter: object, update: object, options?: Options): Promise<Updated>;
  replaceOne(filter: object, replacement: object, options?: Options): Promise<Updated>;
  deleteOne(filter: object, options?: Options): Promise<{ readonly deletedCount: number }>;
  deleteMany(filter: object, options?: Options): Promise<{ readonly deletedCount: number }>;
  bulkWrite(
    operations: readonly BulkOperation[],
    options?: Options,
  ): Promise<
    Omit<Updated, 'upsertedId' | 'acknowledged'> & {
      readonly insertedCount: number;
      readonly deletedCount: number;
    }
  >;
  createIndex(key: object, options?: object): Promise<string>;
  createIndexes(indexes: readonly ({ readonly key: object } & object)[]): Promise<string[]>;
  dropIndex(name: string): Promise<void>;
  indexes(): Promise<Fields[]>;
};

/** The fields of a new document that an upsert makes: those that its filter names. */
const seedOf = (filter: Fields): Fields =>
  Object.fromEntries(
    Object.entries(filter).filter(
      ([, value]) => !isFields(value) || !Object.keys(value).some((name) => name.startsWith('$')),
    ),
  );

/** One change in a transaction. */
const change = (
  {
    engine,
    name,
    transaction,
  }: { readonly engine: Engine; readonly name: string; readonly transaction: Transaction },
  filter: Fields,
  how: {
    readonly update?: Fields;
    readonly replacement?: Fields;
    readonly upsert?: boolean;
    readonly limit: number;
  },
): Updated & { readonly after: Fields | null } => {
  const changed = (fields: Fields, isNew: boolean): Fields => {
    if (how.update) return updated(fields, how.update, isNew);
    const { _id = null } = fields;
    return { ...(isNew && fields._id === undefined ? {} : { _id }), ...how.replacement };
  };
  const all = engine.change(transaction, name, filter, how.limit, (fields) => changed(fields, false));
  const base = { acknowledged: true, upsertedCount: 0, upsertedId: null } as const;
  const [first] = all;
  if (first || !how.upsert) {
    const modifiedCount = all.filter(({ before, after }) => !isEqual(before, after)).length;
    return { ...base, matchedCount: all.length, modifiedCount, after: first?.after ?? null };
  }
  const made = changed(seedOf(filter), true);
  const upsertedId = engine.insert(transaction, name, made);
  return {
    ...base,
    matchedCount: 0,
    modifiedCount: 0,
    upsertedCount: 1,
    upsertedId,
    after: { _id: upsertedId, ...made },
  };
};

type Work<T> = (transaction: Transaction) => T;

/**
 * Runs writes in the transaction of the session, or in one of their own. A write
 * whose document another transaction holds is sent again until that one has ended.
 */
const createRun =
  (engine: Engine, link: Link, transactionOf: (session: ClientSession | undefined) => Transaction | null) =>
  async <T>(what: string, { session, ...options }: Options, work: Work<T>): Promise<T> => {
    assertKnown(options);
    const transaction = transactionOf(session);
    const kind: Kind = transaction ? 'transaction' : 'statement';
    const apply = (): T => {
      const own = transaction ?? engine.begin(true);
      try {
        const result = work(own);
        if (!transaction) engine.commit(own);
        return result;
      } catch (error) {
        // Writes of a bulk before its error stay, unless they are in a transaction.
        if (!transaction && error instanceof MongoBulkWriteError) engine.commit(own);
        else engine.abort(own);
        throw error;
      }
    };
    for (;;) {
      try {
        return await link.send(kind, what, apply);
      } catch (error) {
        if (!(error instanceof Held)) throw error;
        await link.held();
      }
    }
  };

/** Does one thing after the other, and reports the ones that failed as the driver does. */
const inBulk = <T>(
  items: readonly T[],
  isOrdered: boolean,
  transaction: Transaction,
  one: (item: T) => void,
): void => {
  const failed: { readonly index: number; readonly error: MongoServerError }[] = [];
  for (const [index, item] of items.entries()) {
    try {
      one(item);
    } catch (error) {
      const isLater = error instanceof MongoServerError && error.code === 11_000;
      if (!isLater) throw error;
      failed.push({ index, error });
      if (isOrdered || !transaction.isOwn) break;
    }
  }
  const [first] = failed;
  if (!first) return;
  throw new MongoBulkWriteError(
    {
      message: first.error.message,
      code: Number(first.error.code),
      writeErrors: failed.map(({ index, error }) => ({
        index,
        code: Number(error.code),
        errmsg: error.message,
      })),
    } as ConstructorParameters<typeof MongoBulkWriteError>[0],
    {} as ConstructorParameters<typeof MongoBulkWriteError>[1],
  );
};

type Context = {
  readonly engine: Engine;
  readonly link: Link;
  readonly name: string;
  readonly transactionOf: (session: ClientSession | undefined) => Transaction | null;
  readonly run: ReturnType<typeof createRun>;
};

const reads = ({ engine, link, name, transactionOf }: Context) => {
  const send = <T>(
    what: string,
    { session, ...options }: Options,
    work: (t: Transaction | null) => T,
  ): Promise<T> => {
    assertKnown(options);
    const transaction = transactionOf(session);
    return link.send(transaction ? 'transaction' : 'statement', `${what} ${name}`, () => work(transaction));
  };
  const found = (
    filter: object,
    options: Options,
    { sort, limit }: Reading,
    t: Transaction | null,
  ): readonly Fields[] => {
    const all = engine.find(t, name, copyOfFields(filter));
    const ordered = sort ? sorted(all, copyOfFields(sort)) : all;
    const cut = limit > 0 ? ordered.slice(0, limit) : ordered;
    const { projection } = options;
    const kept = projection && Object.keys(projection).length > 0 ? copyOfFields(projection) : null;
    return cut.map((fields) => copyOfFields(kept ? projected(fields, kept) : fields));
  };
  const again = () => link.send('statement', `getMore ${name}`, () => undefined);
  const find: MemoryCollection['find'] = (filter = {}, options = {}) => {
    const { sort, limit, batchSize } = options;
    return createCursor(
      { ...(sort ? { sort } : {}), ...(limit ? { limit } : {}), ...(batchSize ? { batchSize } : {}) },
      (how) => send('find', options, (t) => found(filter, options, how, t)),
      again,
    );
  };
  return {
    find,
    findOne: (filter: object = {}, options: Options = {}) => find(filter, { ...options, limit: 1 }).next(),
    aggregate: (stages: readonly object[], options: Options = {}) =>
      createCursor(
        {},
        () =>
          send('aggregate', options, (t) =>
            aggregated(engine.find(t, name, {}), stages.map(copyOfFields), (from) =>
              engine.find(t, from, {}),
            ).map(copyOfFields),
          ),
        again,
      ),
    countDocuments: (filter: object = {}, options: Options = {}) =>
      send('count', options, (t) => engine.find(t, name, copyOfFields(filter)).length),
    distinct: (path: string, filter: object = {}, options: Options = {}) =>
      send('distinct', options, (t) => {
        const values = engine
          .find(t, name, copyOfFields(filter))
          .flatMap((fields) => valuesAt(fields, path.split('.')))
          .flatMap((value) => (Array.isArray(value) ? value : [value ?? null]));
        return values
          .filter((value, place) => values.findIndex((one) => isEqual(one, value)) === place)
          .map(copyOf);
      }),
  };
};

const writes = ({ engine, name, run }: Context) => {
  const changing = (
    what: string,
    filter: object,
    options: Options,
    how: Omit<Parameters<typeof change>[2], 'upsert'>,
  ) =>
    run(`${what} ${name}`, options, (transaction) =>
      change({ engine, name, transaction }, copyOfFields(filter), {
        ...how,
        upsert: options.upsert === true,
      }),
    );
  const deleting = (filter: object, options: Options, limit: number) =>
    run(`delete ${name}`, options, (transaction) => ({
      deletedCount: engine.change(transaction, name, copyOfFields(filter), limit, () => null).length,
    }));
  return {
    insertOne: async (document: object, options: Options = {}) => ({
      acknowledged: true as const,
      insertedId: await run(`insert ${name}`, options, (t) => engine.insert(t, name, copyOfFields(document))),
    }),
    insertMany: (documents: readonly object[], options: Options = {}) =>
      run(`insert ${name}`, options, (t) => {
        inBulk(documents, options.ordered !== false, t, (document) =>
          engine.insert(t, name, copyOfFields(document)),
        );
        return { insertedCount: documents.length };
      }),
    updateOne: (filter: object, update: object, options: Options = {}) =>
      changing('update', filter, options, { update: copyOfFields(update), limit: 1 }),
    updateMany: (filter: object, update: object, options: Options = {}) =>
      changing('update', filter, options, { update: copyOfFields(update), limit: Number.POSITIVE_INFINITY }),
    replaceOne: (filter: object, replacement: object, options: Options = {}) =>
      changing('replace', filter, options, { replacement: copyOfFields(replacement), limit: 1 }),
    async findOneAndUpdate(filter: object, update: object, options: Options = {}) {
      if (options.returnDocument !== 'after') throw new NotSimulated('the document before a change');
      const { after } = await changing('update', filter, options, { update: copyOfFields(update), limit: 1 });
      return after && copyOfFields(after);
    },
    deleteOne: (filter: object, options: Options = {}) => deleting(filter, options, 1),
    deleteMany: (filter: object, options: Options = {}) =>
      deleting(filter, options, Number.POSITIVE_INFINITY),
  };
};

const bulk = ({ engine, name, run }: Context): Pick<MemoryCollection, 'bulkWrite'> => ({
  bulkWrite: (operations, options = {}) =>
    run(`bulk ${name}`, options, (transaction) => {
      const sum = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, upsertedCount: 0, deletedCount: 0 };
      const target = { engine, name, transaction };
      const add = (result: Updated): void => {
        sum.matchedCount += result.matchedCount;
        sum.modifiedCount += result.modifiedCount;
        sum.upsertedCount += result.upsertedCount;
      };
      inBulk(operations, options.ordered !== false, transaction, (operation) => {
        const { insertOne, updateOne, updateMany, replaceOne, deleteOne, ...others } = operation;
        if (Object.keys(others).length > 0) throw new NotSimulated(`the write ${Object.keys(others)[0]}`);
        const update = updateOne ?? updateMany;
        if (insertOne) {
          engine.insert(transaction, name, copyOfFields(insertOne.document));
          sum.insertedCount += 1;
        } else if (deleteOne) {
          sum.deletedCount += engine.change(
            transaction,
            name,
            copyOfFields(deleteOne.filter),
            1,
            () => null,
          ).length;
        } else if (update) {
          const limit = updateOne ? 1 : Number.POSITIVE_INFINITY;
          const { filter, upsert = false } = update;
          add(change(target, copyOfFields(filter), { update: copyOfFields(update.update), upsert, limit }));
        } else if (replaceOne) {
          const { filter, replacement, upsert = false } = replaceOne;
          add(
            change(target, copyOfFields(filter), {
              replacement: copyOfFields(replacement),
              upsert,
              limit: 1,
            }),
          );
        }
      });
      return sum;
    }),
});

const ofIndexes = ({ engine, link, name }: Context) => {
  const create = (key: object, options: object): string => {
    const index = indexOf(copyOfFields(key), copyOfFields(options));
    engine.createIndex(name, index);
    return index.name;
  };
  return {
    createIndex: (key: object, options: object = {}) =>
      link.send('statement', `index ${name}`, () => create(key, options)),
    createIndexes: (indexes: readonly ({ readonly key: object } & object)[]) =>
      link.send('statement', `index ${name}`, () =>
        indexes.map(({ key, ...options }) => create(key, options)),
      ),
    dropIndex: (index: string) =>
      link.send('statement', `index ${name}`, () => {
        engine.collection(name).indexes.delete(index);
      }),
    indexes: () =>
      link.send('statement', `index ${name}`, () =>
        [...engine.collection(name).indexes.values()].map((index) => ({
          name: index.name,
          key: index.key,
          unique: index.isUnique,
        })),
      ),
  };
};

export const createCollection = (
  engine: Engine,
  link: Link,
  name: string,
  transactionOf: (session: ClientSession | undefined) => Transaction | null,
): MemoryCollection => {
  const context: Context = { engine, link, name, transactionOf, run: createRun(engine, link, transactionOf) };
  return {
    collectionName: name,
    ...reads(context),
    ...writes(context),
    ...bulk(context),
    ...ofIndexes(context),
  };
};
