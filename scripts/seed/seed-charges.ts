import { createHash } from 'node:crypto';
import type { Container } from 'inversify';
import { v7 } from 'uuid';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { ConfigError } from '../../src/kernel/errors.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { newCommitId, type UserId } from '../../src/kernel/ids.ts';
import { CHARGEBACK_ALERTS } from '../../src/modules/chargebacks/write/chargebacks.store.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { USERS, type User } from '../../src/modules/identity/write/user.ts';
import { JOURNALS } from '../../src/modules/ledger/write/journal.ts';
import { MERCHANTS } from '../../src/modules/merchants/write/merchant.ts';
import { PAYOUT_REQUESTS } from '../../src/modules/payouts/write/payout-request.ts';
import { REFUNDS } from '../../src/modules/refunds/write/refund.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { holdRows } from '../../src/platform/write-store/holders.ts';
import { BATCH, type Batch, createHistories } from './histories.ts';
import { blockMerchants, createMerchants, emailOf, type SeededIds } from './merchants.ts';
import { createWriteBatch } from './write-batch.ts';

type SeedOptions = {
  readonly charges: number;
  readonly merchants: number;
  /** Equal numbers make equal charges; a second run with the same number makes different ones. */
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
  /** The number of charges in each status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly refunds: number;
  readonly alerts: number;
  readonly payouts: number;
  readonly journals: number;
};

const MONTHS_MS = 180 * DAY_MS;

/**
 * Adds charges of the past half year in bulk, and payouts between them. Documents, balances, statements and views are
 * as the gateway would leave them. The views must exist, so a worker must have run on this store.
 */
export const seedCharges = async (container: Container, options: SeedOptions): Promise<Seeded> => {
  const { charges, seed, until } = options;
  const from = new Date(until.getTime() - MONTHS_MS);
  const run = await nextRun(container, seed);
  const newIdAt = seededIds(seed, run);
  const clock = () => from;
  const operatorId = await findOperator(container);
  const merchants = await createMerchants(container, { ...options, run, clock, newIdAt });
  const holder = `seed-${newCommitId()}`;
  const histories = createHistories({ ...options, merchants, from, run, newIdAt, operatorId, holder });
  const write = createWriteBatch(container, merchants);
  const counts = createCounts();
  const hold = await holdRows(container.get(platform.services).db, holder, () => undefined);
  await writeAll(histories.batches(), write, (batch, done) => {
    counts.add(batch);
    options.onProgress(done);
  }).finally(() => hold.stop());
  await blockMerchants(container, merchants, () => until, systemContext('seed'));
  options.onProgress(charges);
  return {
    merchants: merchants.map(({ merchant: { id, legalName }, secretKey }) => ({
      id,
      legalName,
      testKey: secretKey,
    })),
    ...counts.result(),
  };
};

/** While one batch is projected, the next one is written, and the one after that is made. */
const writeAll = async (
  batches: AsyncIterable<Batch>,
  write: (batch: Batch) => Promise<() => Promise<void>>,
  onBatch: (batch: Batch, done: number) => void,
): Promise<void> => {
  let writing: Promise<void> = Promise.resolve();
  let projecting: Promise<void> = Promise.resolve();
  const writeNext = async (batch: Batch): Promise<void> => {
    const [project] = await Promise.all([write(batch), projecting]);
    projecting = project();
  };
  let done = 0;
  for await (const batch of batches) {
    await writing;
    onBatch(batch, done);
    writing = writeNext(batch);
    done += BATCH;
  }
  await writing;
  await projecting;
};

const createCounts = () => {
  const statuses: Record<string, number> = {};
  const others = { refunds: 0, alerts: 0, payouts: 0, journals: 0 };
  return {
    add({ recorded: { resources, appended } }: Batch): void {
      for (const { status } of (resources.get(CHARGES.collection) ?? []) as readonly Charge[])
        statuses[status] = (statuses[status] ?? 0) + 1;
      others.refunds += resources.get(REFUNDS.collection)?.length ?? 0;
      others.alerts += resources.get(CHARGEBACK_ALERTS.collection)?.length ?? 0;
      others.journals += appended.get(JOURNALS)?.length ?? 0;
      others.payouts += resources.get(PAYOUT_REQUESTS.collection)?.length ?? 0;
    },
    result: () => ({ statuses, ...others }),
  };
};

/** Any operator, who registers alerts and decides on payouts. */
export const findOperator = async (container: Container): Promise<UserId> => {
  const operator = await container
    .get(platform.services)
    .db.collection(USERS.collection)
    .findOne<Pick<User, 'id'>>({ merchantId: null }, { projection: { _id: 0, id: 1 } });
  if (!operator) throw new ConfigError('There is no operator yet: start the gateway once before seeding.');
  return operator.id;
};

/** How many runs with this seed the store has seen, counted by the first merchant of each. */
const nextRun = async (container: Container, seed: number): Promise<number> => {
  const merchants = container.get(platform.services).db.collection(MERCHANTS.collection);
  for (let run = 1; ; run += 1) {
    if ((await merchants.findOne({ email: emailOf(seed, run, 1) })) === null) return run;
  }
};

/** Ids in the usual form, whose random part is determined by seed and run. */
export const seededIds =
  (seed: number, run: number): SeededIds =>
  (clock, of = '') => {
    let made = 0;
    return (prefix) => {
      made += 1;
      const random = createHash('sha256').update(`${seed}/${run}/${of}${prefix}/${made}`).digest();
      const id = v7({ msecs: clock().getTime(), random, seq: random.readUInt32BE(16) });
      return `${prefix}_${id.replaceAll('-', '')}`;
    };
  };
