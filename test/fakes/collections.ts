import type { Database } from '../../src/platform/write-store/database.ts';

type Stored = Readonly<Record<string, unknown>> & { readonly _id: string };
type Change = { readonly $set?: object; readonly $setOnInsert?: object };

const isIn = (wanted: unknown, value: unknown): boolean =>
  typeof wanted === 'object' && wanted !== null && '$in' in wanted && Array.isArray(wanted.$in)
    ? wanted.$in.includes(value)
    : wanted === value;

/** A database in memory for connectors with records of their own. Filters select by members, equal or one of several. */
export const createFakeCollections = (): Pick<Database, 'collection'> => {
  const collections = new Map<string, Map<string, Stored>>();
  const collection = (name: string) => {
    const all = collections.get(name) ?? new Map<string, Stored>();
    collections.set(name, all);
    const found = (filter: object): readonly Stored[] =>
      [...all.values()].filter((one) =>
        Object.entries(filter).every(([key, value]) => isIn(value, one[key])),
      );
    const update = (filter: { readonly _id: string }, change: Change, upsert: boolean): void => {
      const [known] = found(filter);
      if (known) all.set(known._id, { ...known, ...change.$set });
      else if (upsert) all.set(filter._id, { ...filter, ...change.$setOnInsert, ...change.$set });
    };
    return {
      async updateOne(filter: { readonly _id: string }, change: Change, { upsert = false } = {}) {
        update(filter, change, upsert);
      },
      async findOneAndUpdate(filter: { readonly _id: string }, change: Change, { upsert = false } = {}) {
        update(filter, change, upsert);
        return found(filter)[0] ?? null;
      },
      async deleteOne(filter: object) {
        for (const { _id } of found(filter).slice(0, 1)) all.delete(_id);
      },
      findOne: async (filter: object) => found(filter)[0] ?? null,
      find: (filter: object) => ({ toArray: async () => found(filter) }),
    };
  };
  return { collection: collection as never };
};
