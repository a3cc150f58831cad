import type { Fields } from './values.ts';

/** Results that come in batches, all of them as they were when the first batch was read. */
export type MemoryCursor = AsyncIterable<Fields> & {
  sort(by: object): MemoryCursor;
  limit(count: number): MemoryCursor;
  batchSize(count: number): MemoryCursor;
  toArray(): Promise<Fields[]>;
  next(): Promise<Fields | null>;
  hasNext(): Promise<boolean>;
  readBufferedDocuments(): Fields[];
  close(): Promise<void>;
};

export type Reading = {
  readonly sort: object | null;
  readonly limit: number;
  readonly batchSize: number;
};

const FIRST_BATCH = 101;

/** `read` runs the statement; `more` stands for the way of each later batch. */
export const createCursor = (
  given: Partial<Reading>,
  read: (how: Reading) => Promise<readonly Fields[]>,
  more: () => Promise<void>,
): MemoryCursor => {
  let how: Reading = { sort: null, limit: 0, batchSize: 0, ...given };
  let rest: Fields[] | null = null;
  let buffer: Fields[] = [];
  const fetch = async (): Promise<void> => {
    if (rest === null) rest = [...(await read(how))];
    else if (rest.length > 0) await more();
    buffer = rest.splice(0, how.batchSize > 0 ? how.batchSize : FIRST_BATCH);
  };
  const hasNext = async (): Promise<boolean> => {
    if (buffer.length === 0) await fetch();
    return buffer.length > 0;
  };
  const cursor: MemoryCursor = {
    sort(by) {
      how = { ...how, sort: by };
      return cursor;
    },
    limit(count) {
      how = { ...how, limit: count };
      return cursor;
    },
    batchSize(count) {
      how = { ...how, batchSize: count };
      return cursor;
    },
    async toArray() {
      const all: Fields[] = [];
      while (await hasNext()) all.push(...buffer.splice(0));
      return all;
    },
    async next() {
      return (await hasNext()) ? (buffer.shift() ?? null) : null;
    },
    hasNext,
    readBufferedDocuments: () => buffer.splice(0),
    async close() {
      rest = [];
      buffer = [];
    },
    async *[Symbol.asyncIterator]() {
      for (let next = await cursor.next(); next; next = await cursor.next()) yield next;
    },
  };
  return cursor;
};
