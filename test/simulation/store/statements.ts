import { isDate } from 'node:util/types';
import fc from 'fast-check';
import type { ClientSession, Collection, Db, MongoClient } from 'mongodb';
import { Held } from './errors.ts';

type Thing = { _id: string; [name: string]: unknown };
type Things = Collection<Thing>;
type Options = { readonly session?: ClientSession };

/** A statement: its name, and how it is sent to a server. Its answer is compared. */
type Statement = { readonly name: string; send(db: Db, options: Options): Promise<unknown> };

/** A step of one of three callers: two with transactions, and one without. */
export type Step =
  | { readonly by: 0 | 1; readonly what: 'begin' | 'commit' | 'abort' }
  | { readonly by: 0 | 1 | 2; readonly what: Statement };

/** Collections of the test, and the unique index over a part of one of them. */
export const COLLECTIONS = ['differential_a', 'differential_b'] as const;
export const UNIQUE = {
  key: { owner: 1, ref: 1 },
  options: { unique: true, partialFilterExpression: { state: 'open' } },
} as const;

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const collection = fc.constantFrom(...COLLECTIONS);
const amount = fc.integer({ min: -3, max: 3 });
const state = fc.constantFrom('open', 'done', null);
const document = fc.record({
  _id: id,
  owner: fc.constantFrom('m', 'n'),
  ref: fc.constantFrom('r', 's', null),
  state,
  amount,
  tags: fc.subarray(['x', 'y', 'z']),
  at: fc.constantFrom(new Date(0), new Date(1_000), null),
  inner: fc.record({ amount }),
});
const bare = document.map(({ _id, ...fields }) => fields);

const condition = fc.oneof(
  id.map((_id) => ({ _id })),
  fc.subarray(['a', 'b', 'c', 'd', 'e'], { minLength: 1 }).map((ids) => ({ _id: { $in: ids } })),
  state.map((one) => ({ state: one })),
  amount.map((one) => ({ amount: { $gte: one } })),
  amount.map((one) => ({ 'inner.amount': { $lt: one } })),
  fc.constant({ at: { $gte: new Date(0), $lt: new Date(500) } }),
  fc.constant({ missing: { $exists: false } }),
  fc.constant({ state: { $ne: 'open' } }),
  fc.constantFrom('x', 'y').map((tag) => ({ tags: tag })),
  fc.constant({ tags: { $all: ['x', 'y'] } }),
  fc.constantFrom('m', 'n').map((owner) => ({ owner, state: 'open' })),
  fc.constant({ version: null }),
);
const update = fc.oneof(
  amount.map((one) => ({ $inc: { amount: one, 'inner.amount': 1 } })),
  state.map((one) => ({ $set: { state: one, 'inner.note': 'n' } })),
  amount.map((one) => ({ $max: { amount: one } })),
  fc.constant({ $unset: { ref: 1 } }),
  fc.constantFrom('x', 'w').map((tag) => ({ $addToSet: { tags: tag } })),
  fc.constant({ $addToSet: { tags: { $each: ['v', 'x'] } } }),
  fc.constant({ $pull: { tags: 'x' } }),
);
const upserts = fc.record({ _id: id, amount }).map(({ _id, amount: one }) => ({
  filter: { _id },
  update: { $set: { state: 'done' }, $setOnInsert: { owner: 'u', amount: one } },
}));

const inOrder = (found: readonly Thing[]) => [...found].sort((a, b) => (a._id < b._id ? -1 : 1));

const on = (
  name: string,
  of: string,
  send: (things: Things, options: Options) => Promise<unknown>,
): Statement => ({
  name: `${name} ${of}`,
  send: (db, options) => send(db.collection<Thing>(of), options),
});

const reading = fc.oneof(
  fc
    .tuple(collection, condition)
    .map(([of, filter]) =>
      on(`find ${JSON.stringify(filter)}`, of, async (things, options) =>
        inOrder(await things.find<Thing>(filter as object, options).toArray()),
      ),
    ),
  fc.tuple(collection, fc.integer({ min: 1, max: 3 })).map(([of, limit]) =>
    on(`find the first ${limit}`, of, (things, options) =>
      things
        .find({}, { ...options, limit, projection: { amount: 1, 'inner.amount': 1 } })
        .sort({ amount: 1, _id: 1 })
        .toArray(),
    ),
  ),
  fc
    .tuple(collection, condition)
    .map(([of, filter]) =>
      on('find without', of, async (things, options) =>
        inOrder(
          await things
            .find<Thing>(filter as object, { ...options, projection: { 'inner.amount': 0, tags: 0 } })
            .toArray(),
        ),
      ),
    ),
  fc
    .tuple(collection, condition)
    .map(([of, filter]) =>
      on(`count ${JSON.stringify(filter)}`, of, (things, options) =>
        things.countDocuments(filter as object, options),
      ),
    ),
  collection.map((of) =>
    on('distinct', of, async (things, options) =>
      (await things.distinct('owner', { amount: { $gte: 0 } }, options)).sort(),
    ),
  ),
  collection.map((of) =>
    on('oldest', of, (things, options) =>
      things
        .aggregate(
          [
            { $match: { state: { $in: ['open', 'done'] } } },
            { $group: { _id: null, oldest: { $min: '$at' } } },
          ],
          options,
        )
        .toArray(),
    ),
  ),
);

type Counts = {
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly upsertedCount: number;
};
const counts = ({ matchedCount, modifiedCount, upsertedCount }: Counts): Counts => ({
  matchedCount,
  modifiedCount,
  upsertedCount,
});

const writing = fc.oneof(
  fc
    .tuple(collection, document)
    .map(([of, one]) =>
      on(
        `insert ${one._id} ${one.owner} ${one.ref} ${one.state}`,
        of,
        async (things, options) => (await things.insertOne(one, options)).insertedId,
      ),
    ),
  fc
    .tuple(collection, fc.uniqueArray(document, { minLength: 1, maxLength: 3, selector: ({ _id }) => _id }))
    .map(([of, all]) =>
      on(
        `insert ${all.map(({ _id }) => _id)}`,
        of,
        async (things, options) => (await things.insertMany(all, options)).insertedCount,
      ),
    ),
  fc.tuple(collection, condition, update).map(([of, filter, change]) =>
    on(`update one ${JSON.stringify([filter, change])}`, of, async (things, options) => {
      // Which of several documents is the first is up to the server.
      const [first] = inOrder(await things.find<Thing>(filter as object, options).toArray());
      return first
        ? counts(await things.updateOne({ _id: first._id, ...filter } as object, change as object, options))
        : null;
    }),
  ),
  fc
    .tuple(collection, condition, update)
    .map(([of, filter, change]) =>
      on(`update many ${JSON.stringify([filter, change])}`, of, async (things, options) =>
        counts(await things.updateMany(filter as object, change as object, options)),
      ),
    ),
  fc
    .tuple(collection, upserts)
    .map(([of, one]) =>
      on(`upsert ${one.filter._id}`, of, async (things, options) =>
        counts(await things.updateOne(one.filter, one.update, { ...options, upsert: true })),
      ),
    ),
  fc
    .tuple(collection, id, bare)
    .map(([of, _id, fields]) =>
      on(`replace ${_id} ${fields.owner} ${fields.ref} ${fields.state}`, of, async (things, options) =>
        counts(await things.replaceOne({ _id }, fields, options)),
      ),
    ),
  fc
    .tuple(collection, id, update)
    .map(([of, _id, change]) =>
      on(`find and update ${_id} ${JSON.stringify(change)}`, of, (things, options) =>
        things.findOneAndUpdate({ _id }, change as object, { ...options, returnDocument: 'after' }),
      ),
    ),
  fc
    .tuple(collection, condition)
    .map(([of, filter]) =>
      on(
        `delete ${JSON.stringify(filter)}`,
        of,
        async (things, options) => (await things.deleteMany(filter as object, options)).deletedCount,
      ),
    ),
  fc
    .tuple(collection, id, id, update, bare)
    .map(([of, first, second, change, fields]) =>
      on(`bulk ${first} ${second} ${JSON.stringify(change)}`, of, async (things, options) =>
        counts(
          await things.bulkWrite(
            [
              { updateOne: { filter: { _id: first }, update: change as object } },
              { replaceOne: { filter: { _id: second }, replacement: fields } },
            ],
            options,
          ),
        ),
      ),
    ),
);

const statement = fc.oneof({ weight: 2, arbitrary: reading }, { weight: 3, arbitrary: writing });
const statementBy = (by: 0 | 1 | 2) => statement.map((what): Step => ({ by, what }));
const ending = (by: 0 | 1) =>
  fc
    .constantFrom<Step['what'] & string>('commit', 'commit', 'commit', 'abort')
    .map((what): Step => ({ by, what }) as Step);

/** Interleaved steps: each of the two callers has transactions of up to six statements, one after the other. */
const transactionOf = (by: 0 | 1) =>
  fc
    .tuple(fc.array(statementBy(by), { minLength: 1, maxLength: 6 }), ending(by))
    .map(([statements, end]): readonly Step[] => [{ by, what: 'begin' }, ...statements, end]);
const merged = (queues: readonly (readonly Step[])[], choices: readonly number[]): readonly Step[] => {
  const left = queues.map((queue) => [...queue]);
  const steps: Step[] = [];
  for (let turn = 0; left.some((queue) => queue.length > 0); turn += 1) {
    const open = left.filter((queue) => queue.length > 0);
    const next = open[(choices[turn % choices.length] ?? 0) % open.length]?.shift();
    if (next) steps.push(next);
  }
  return steps;
};
/** Two transactions that overlap, and statements of somebody without one. */
export const story = fc
  .tuple(
    transactionOf(0),
    transactionOf(1),
    fc.array(statementBy(2), { maxLength: 4 }),
    fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 16, maxLength: 16 }),
    fc.array(statementBy(2), { minLength: 3, maxLength: 8 }),
  )
  .map(([first, second, others, choices, before]) => [
    ...before,
    ...merged([first, second, others], choices),
  ]);

/** A result with its fields in the order of their names: servers add new fields in an order of their own. */
const inNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inNames);
  if (typeof value !== 'object' || value === null || isDate(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, inNames(one)]),
  );
};

/** How a step ended, in words that are the same for the same end. */
export type Outcome = string;

const wordsOf = (error: unknown): string => {
  const { code, errorLabels } = error as { code?: unknown; errorLabels?: readonly string[] };
  const labels = [...(errorLabels ?? [])].filter((label) => label.endsWith('TransactionError')).sort();
  if (code === undefined) throw error;
  return `refused ${code} ${labels}`;
};

/** Somebody who takes steps on a server; the outcomes of two on different servers are compared. */
export const createPlayer = (client: MongoClient, db: Db) => {
  const sessions: (ClientSession | null)[] = [null, null];
  const end = async (by: 0 | 1): Promise<void> => {
    await sessions[by]?.endSession();
    sessions[by] = null;
  };
  return {
    /** Null for a statement that would wait for a transaction of the other caller. */
    async take({ by, what }: Step): Promise<Outcome | null> {
      try {
        if (what === 'begin') {
          sessions[by] = client.startSession();
          sessions[by]?.startTransaction({
            readConcern: { level: 'snapshot' },
            writeConcern: { w: 'majority' },
          });
          return 'begun';
        }
        const session = by === 2 ? null : sessions[by];
        if (typeof what !== 'string')
          return JSON.stringify(inNames(await what.send(db, session ? { session } : {})));
        if (what === 'commit') await session?.commitTransaction();
        else await session?.abortTransaction();
        await end(by);
        return `${what} done`;
      } catch (error) {
        if (error instanceof Held) return null;
        return wordsOf(error);
      }
    },
    async finish(): Promise<void> {
      await end(0);
      await end(1);
    },
  };
};
