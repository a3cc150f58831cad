import { createHash } from 'node:crypto';

const BUCKETS = 2 ** 16;
/** Number of 32-bit sums in a bucket, which are 128 bits together. */
const LANES = 4;

/**
 * Compares two sets without looking anything up. Things that one side adds and the other takes, in any order, leave
 * every bucket at zero. Several keys share a bucket, and a bucket that is not zero casts doubt on all of them.
 */
type Tally = {
  add(key: string, thing: string): void;
  take(key: string, thing: string): void;
  isEven(key: string): boolean;
  areAllEven(): boolean;
};

export const createTally = (): Tally => {
  // The sums may wrap around, as those of a hash do.
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

/** The FNV-1a hash of the key. */
const bucketOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) % BUCKETS;
};

/** The tallies of a full check's sweep. */
export type Tallies = {
  /** Postings of journals against lines of statements, by journal. */
  readonly lines: Tally;
  /** Journals about payment and settlement against the journals that charges must have, by charge. */
  readonly payments: Tally;
  /** Journals whose id is not below this one are too young to be swept, because their lines may still be on the way. */
  readonly youngFrom: string;
};
