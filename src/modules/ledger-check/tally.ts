import { createHash } from 'node:crypto';

const BUCKETS = 2 ** 16;
/** 32-bit sums of a bucket: 128 bits together. */
const LANES = 4;

/**
 * Compares two sides without looking anything up. Amounts that one side adds and the other takes, in any order, leave
 * every bucket even. A bucket is for the things of some keys; one that is uneven casts doubt on all of them.
 */
type Tally = {
  add(key: string, thing: string): void;
  take(key: string, thing: string): void;
  isEven(key: string): boolean;
  areAllEven(): boolean;
};

export const createTally = (): Tally => {
  // Sums wrap around, which is what a hash may do.
  const sums = new Uint32Array(BUCKETS * LANES);

  const count = (key: string, thing: string, sign: 1 | -1): void => {
    const hash = createHash('sha256').update(`${key} ${thing}`).digest();
    const place = bucketOf(key) * LANES;
    for (let lane = 0; lane < LANES; lane += 1) {
      const sum = sums[place + lane] ?? 0;
      sums[place + lane] = sum + sign * hash.readUInt32LE(lane * 4);
    }
  };

  const isBucketEven = (bucket: number): boolean =>
    sums.subarray(bucket * LANES, (bucket + 1) * LANES).every((sum) => sum === 0);

  return {
    add: (key, thing) => count(key, thing, 1),
    take: (key, thing) => count(key, thing, -1),
    isEven: (key) => isBucketEven(bucketOf(key)),
    areAllEven: () => sums.every((sum) => sum === 0),
  };
};

/** FNV-1a. */
const bucketOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) % BUCKETS;
};

/** Tally of both sides in the sweep of a full check. */
export type Tallies = {
  /** Postings of journals against lines of statements, by journal. */
  readonly lines: Tally;
  /** Journals about payment and settlement against what charges lead one to expect, by charge. */
  readonly payments: Tally;
  /** Journals whose id is not below this are too young to be swept: others may still be on their way. */
  readonly youngFrom: string;
};
