import { createHash } from 'node:crypto';
import type { Container } from 'inversify';
import { v7 } from 'uuid';
import type { NewId } from '../../src/kernel/ids.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { MERCHANTS } from '../../src/modules/merchants/write/merchant.ts';
import { DB } from '../../src/platform/platform.module.ts';
import { createHistories, type Histories } from './histories.ts';
import { createMerchants, emailOf } from './merchants.ts';
import { type Batch, createWriteBatch } from './write-batch.ts';

export type SeedOptions = {
  readonly charges: number;
  readonly merchants: number;
  /** The same number makes the same charges; a second run with it makes others again. */
  readonly seed: number;
  /** End of the time in which the charges happened. */
  readonly until: Date;
  readonly onProgress: (done: number) => void;
};

export type Seeded = {
  readonly merchants: readonly {
    readonly id: string;
    readonly legalName: string;
    readonly testKey: string;
  }[];
  /** How many charges there are of each status. */
  readonly statuses: Readonly<Record<string, number>>;
};

const MONTHS_MS = 180 * 86_400_000;
/** Small enough that a batch does not hold up the other transactions of the store. */
const BATCH = 500;

/**
 * Adds charges of the past half year in bulk: documents, balances and views as the gateway would have left them.
 * The views must exist, so a worker must have run on this store.
 */
export const seedCharges = async (container: Container, options: SeedOptions): Promise<Seeded> => {
  const { charges, seed, until } = options;
  const from = new Date(until.getTime() - MONTHS_MS);
  const run = await nextRun(container, seed);
  const newIdAt = seededIds(seed, run);
  const clock = () => from;
  const merchants = await createMerchants(container, { ...options, run, clock, newId: newIdAt(clock) });
  const histories = createHistories({ ...options, merchants, from, run, newIdAt });
  const write = createWriteBatch(container);
  const statuses: Record<string, number> = {};
  let writing: Promise<void> = Promise.resolve();
  for (let done = 0; done < charges; ) {
    const next = Math.min(charges, done + BATCH);
    const batch = await playBatch(histories, done, next);
    count(batch, statuses);
    // The next batch is made while this one is written.
    await writing;
    options.onProgress(done);
    writing = write(batch);
    done = next;
  }
  await writing;
  options.onProgress(charges);
  return {
    merchants: merchants.map(({ merchant: { id, legalName }, secretKey }) => ({
      id,
      legalName,
      testKey: secretKey,
    })),
    statuses,
  };
};

export const playBatch = async (histories: Histories, from: number, to: number): Promise<Batch> => {
  for (let index = from; index < to; index += 1) await histories.play(index);
  return { recorded: histories.recorder.take(), simulated: histories.provider.take() };
};

const count = ({ recorded }: Batch, statuses: Record<string, number>): void => {
  for (const { status } of (recorded.resources.get(CHARGES.collection) ?? []) as readonly Charge[])
    statuses[status] = (statuses[status] ?? 0) + 1;
};

/** How many runs with this seed the store has seen, by the first merchant of each. */
const nextRun = async (container: Container, seed: number): Promise<number> => {
  const merchants = container.get(DB).collection(MERCHANTS.collection);
  for (let run = 1; ; run += 1) {
    if ((await merchants.findOne({ email: emailOf(seed, run, 1) })) === null) return run;
  }
};

/** Ids as everywhere, their random part decided by seed and run. */
export const seededIds =
  (seed: number, run: number) =>
  (clock: () => Date): NewId => {
    let made = 0;
    return (prefix) => {
      made += 1;
      const random = createHash('sha256').update(`${seed}/${run}/${prefix}/${made}`).digest();
      const id = v7({ msecs: clock().getTime(), random, seq: random.readUInt32BE(16) });
      return `${prefix}_${id.replaceAll('-', '')}`;
    };
  };
