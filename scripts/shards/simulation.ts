/** A tenant: its share of all charges, as a fraction of 1. */
export type Tenant = { readonly id: number; readonly share: number };

/** A range of the shard key: whole tenants, or a part of a large one. New documents of a tenant go to its last part. */
type Range = { readonly data: number; readonly writes: number };

export type Load = {
  /** Data of the fullest shard, as a multiple of the mean. */
  readonly data: number;
  readonly writes: number;
  /** Writes of the largest tenant, as a fraction of all writes. */
  readonly largestTenant: number;
};

/** A generator of numbers from 0 to below 1 that repeats itself for the same seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Tenants whose sizes follow Zipf's law, in the order of their ids, which is independent of their size. */
export const zipfTenants = (count: number, exponent: number, seed: number): readonly Tenant[] => {
  const weights = Array.from({ length: count }, (_, rank) => 1 / (rank + 1) ** exponent);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const random = randomFrom(seed);
  return weights
    .map((weight) => ({ share: weight / all, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ share }, id) => ({ id, share }));
};

/** Divides the data into ranges of at most this size, at the boundaries of tenants where tenants are smaller. */
export const rangesOf = (tenants: readonly Tenant[], size: number): readonly Range[] => {
  const ranges: Range[] = [];
  let open: Range = { data: 0, writes: 0 };
  const close = (): void => {
    if (open.data > 0) ranges.push(open);
    open = { data: 0, writes: 0 };
  };
  for (const { share } of tenants) {
    if (open.data + share > size) close();
    const parts = Math.max(1, Math.ceil(share / size));
    for (let part = 1; part < parts; part += 1) ranges.push({ data: share / parts, writes: 0 });
    open = { data: open.data + share / parts, writes: open.writes + share };
  }
  close();
  return ranges;
};

/** The shard of each range. */
type Placement = readonly number[];

/**
 * Moves ranges from the fullest shard to the emptiest until they differ by less than three, as MongoDB's balancer does.
 * New ranges begin on the first shard.
 */
export const balance = (
  ranges: readonly Range[],
  shards: number,
  size: number,
  before: Placement,
): Placement => {
  const placement = ranges.map((_, range) => before[range] ?? 0);
  const held: number[][] = Array.from({ length: shards }, () => []);
  const data = Array.from({ length: shards }, () => 0);
  ranges.forEach((range, index) => {
    const shard = placement[index] ?? 0;
    held[shard]?.push(index);
    data[shard] = (data[shard] ?? 0) + range.data;
  });
  for (;;) {
    const fullest = data.indexOf(Math.max(...data));
    const emptiest = data.indexOf(Math.min(...data));
    if ((data[fullest] ?? 0) - (data[emptiest] ?? 0) < 3 * size) return placement;
    const moved = held[fullest]?.pop();
    if (moved === undefined) return placement;
    const weight = ranges[moved]?.data ?? 0;
    held[emptiest]?.push(moved);
    data[fullest] = (data[fullest] ?? 0) - weight;
    data[emptiest] = (data[emptiest] ?? 0) + weight;
    placement[moved] = emptiest;
  }
};

const fullestOf = (values: readonly number[]): number =>
  (Math.max(...values) * values.length) / values.reduce((sum, value) => sum + value, 0);

export const loadOf = (
  tenants: readonly Tenant[],
  ranges: readonly Range[],
  placement: Placement,
  shards: number,
): Load => {
  const data = Array.from({ length: shards }, () => 0);
  const writes = Array.from({ length: shards }, () => 0);
  ranges.forEach((range, index) => {
    const shard = placement[index] ?? 0;
    data[shard] = (data[shard] ?? 0) + range.data;
    writes[shard] = (writes[shard] ?? 0) + range.writes;
  });
  return {
    data: fullestOf(data),
    writes: fullestOf(writes),
    largestTenant: Math.max(...tenants.map(({ share }) => share)),
  };
};

/** The fraction of the data that moves from one placement to the other. */
export const movedBetween = (ranges: readonly Range[], from: Placement, to: Placement): number =>
  ranges.reduce((sum, { data }, range) => sum + (from[range] === to[range] ? 0 : data), 0);

const SHARDS = [4, 8, 16, 32, 64];
/** Number of ranges: MongoDB moves ranges of 128 MB, and this many are a terabyte. */
const RANGES = 8_192;

type Step = { readonly shards: number; readonly load: Load; readonly moved: number };

/** Doubles the shards of a cluster repeatedly; returns the load for each number of shards, and the data that moves. */
export const growCluster = (
  tenantCount: number,
  exponent: number,
  seed: number,
): { readonly ranges: number; readonly steps: readonly Step[] } => {
  const tenants = zipfTenants(tenantCount, exponent, seed);
  const ranges = rangesOf(tenants, 1 / RANGES);
  const steps: Step[] = [];
  let before = balance(ranges, 2, 1 / RANGES, []);
  for (const shards of SHARDS) {
    const placement = balance(ranges, shards, 1 / RANGES, before);
    const moved = movedBetween(ranges, before, placement);
    steps.push({ shards, load: loadOf(tenants, ranges, placement, shards), moved });
    before = placement;
  }
  return { ranges: ranges.length, steps };
};
