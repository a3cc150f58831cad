import type { Document } from 'mongodb';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Chain } from '../../src/modules/ledger/write/fold-balances.ts';
import {
  type ChainHead,
  chainOf,
  EMPTY_CHAIN,
  placeLines,
  STATEMENT_LINES,
} from '../../src/modules/ledger/write/statement-line.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { migrate, platformMigrations } from '../../src/platform/write-store/migrate.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { createHistories } from '../seed/histories.ts';
import { createMerchants } from '../seed/merchants.ts';
import { findOperator, seedCharges, seededIds } from '../seed/seed-charges.ts';
import { chainsOf, documentsOf } from '../seed/write-batch.ts';
import { alternate, elapsed, type Row } from './measure.ts';
import type { Bench } from './setting.ts';

const CHARGES_A_TURN = 2_000;
const GOAL = 0.9;

/** Adds charges until there are as many as the measurement of lists needs. */
export const seedUpTo = async (
  bench: Bench,
  total: number,
  onProgress: (done: number) => void,
): Promise<void> => {
  const there = await bench.container
    .get(platform.services)
    .db.collection(CHARGES.collection)
    .estimatedDocumentCount();
  const charges = total - there;
  if (charges > 0)
    await seedCharges(bench.container, { charges, merchants: 8, seed: 1, until: new Date(), onProgress });
};

/** The lines of a batch as documents; `heads` gets the new ends of the statements. */
const linesOf = (heads: Map<string, ChainHead>, chains: readonly Chain[]): readonly Document[] =>
  chains.flatMap(({ owner, currency, masterId, journals }) => {
    const id = chainOf(owner, currency);
    const placed = placeLines(heads.get(id) ?? EMPTY_CHAIN, journals, { key: owner, masterId }, currency);
    heads.set(id, placed.head);
    return placed.lines.map((line) => ({ ...line, _id: line.id }));
  });

/** `make seed` against insertMany of the same documents, in the same collections with the same indexes. */
export const measureSeed = async (bench: Bench): Promise<Row[]> => {
  const { container, rounds } = bench;
  const raw = openWriteStore(bench.config.mongodbUri, 'raw-seed');
  try {
    await migrate(
      raw.db,
      [...platformMigrations, ...container.getAll(platform.migrations).flat()],
      container.get(platform.services).logger,
    );
    const charges = Math.min(CHARGES_A_TURN, bench.charges);
    let run = 1_000;
    const bySeed = async (): Promise<number> => {
      const options = { charges, merchants: 8, seed: 2, until: new Date(), onProgress: () => undefined };
      return charges / ((await elapsed(() => seedCharges(container, options))) / 1000);
    };
    const byInsertMany = async (): Promise<number> => {
      run += 1;
      const until = new Date();
      const from = new Date(until.getTime() - 180 * DAY_MS);
      const newIdAt = seededIds(2, run);
      const clock = () => from;
      const made = { merchants: 8, seed: 2, run, clock, newIdAt };
      const merchants = await createMerchants(container, made);
      const operatorId = await findOperator(container);
      const holder = 'bench';
      const options = { merchants, charges, from, until, seed: 2, run, newIdAt, operatorId, holder };
      const histories = createHistories(options);
      const heads = new Map<string, ChainHead>();
      let ms = 0;
      for await (const batch of histories.batches()) {
        const lines = linesOf(heads, chainsOf(batch.booked.folded, merchants));
        ms += await elapsed(async () => {
          for (const [name, all] of [
            ...documentsOf(batch, merchants),
            [STATEMENT_LINES.collection, lines] as const,
          ])
            if (all.length > 0) await raw.db.collection(name).insertMany([...all]);
        });
      }
      return charges / (ms / 1000);
    };
    const { a, b, ratio } = await alternate(rounds, bySeed, byInsertMany);
    return [
      {
        what: 'charges seeded per second (make seed)',
        gateway: a.toFixed(0),
        reference: `bare insertMany: ${b.toFixed(0)}`,
        result: `${ratio.toFixed(2)} ×`,
        goal: `≥ ${GOAL} ×`,
        isMet: ratio >= GOAL,
      },
    ];
  } finally {
    await raw.client.close();
  }
};
