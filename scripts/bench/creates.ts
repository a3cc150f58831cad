import { setTimeout as sleep } from 'node:timers/promises';
import * as platform from '../../src/platform/platform.module.ts';
import { migrate, platformMigrations } from '../../src/platform/write-store/migrate.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { countLiveRows } from '../../src/platform/write-store/outbox.ts';
import { alternate, type Row, rate, ratioRow } from './measure.ts';
import { createRawCharges, type RawCharges, readTemplate } from './raw-store.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const CLIENTS = 16;
const RAW_GOAL = 0.6;
const HOT_CLIENTS = 64;
const HOT_GOAL = 0.9;
const WARM_UP_SECONDS = 3;
const DRAINED_WITHIN_MS = 60_000;

/** Runs work with the bare transactions of a charge that the gateway has made, in a separate database. */
export const withRaw = async <T>(
  { call, container, config }: Bench,
  [authorization = '']: Merchants,
  measure: (raw: RawCharges) => Promise<T>,
): Promise<T> => {
  const template = await readTemplate(
    container.get(platform.services).db,
    await createCharge(call, authorization),
  );
  const raw = openWriteStore(config.mongodbUri, 'raw', { layout: { outboxShards: config.outboxShards } });
  try {
    const migrations = [...platformMigrations, ...container.getAll(platform.migrations).flat()];
    await migrate(raw.db, migrations, container.get(platform.services).logger);
    return await measure(createRawCharges(raw, template, container.get(platform.consumers)));
  } finally {
    await raw.client.close();
  }
};

/** Charges over HTTP against the two bare transactions of each, both with 16 clients. */
export const measureCreate = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call, seconds, rounds } = bench;
  const authorizationOf = spread(merchants);
  const create = async (): Promise<void> => {
    await createCharge(call, authorizationOf());
  };
  await rate(CLIENTS, WARM_UP_SECONDS, create);
  return withRaw(bench, merchants, async ({ alone }) => {
    await rate(CLIENTS, 1, alone);
    const compared = await alternate(
      rounds,
      () => rate(CLIENTS, seconds, create),
      async () => {
        await drained(bench);
        return rate(CLIENTS, seconds, alone);
      },
    );
    const what = `charges created per second, ${CLIENTS} clients`;
    return [ratioRow(what, compared, 'bare transactions', RAW_GOAL)];
  });
};

/** All charges for one merchant against charges spread over all of them. */
export const measureMerchants = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call, seconds, rounds } = bench;
  const [hot = ''] = merchants;
  const authorizationOf = spread(merchants);
  const run = (choose: () => string): Promise<number> =>
    rate(HOT_CLIENTS, seconds, async () => {
      await createCharge(call, choose());
    });
  await run(authorizationOf);
  const compared = await alternate(
    rounds,
    () => run(() => hot),
    () => run(authorizationOf),
  );
  const what = `charges created per second, one hot merchant, ${HOT_CLIENTS} clients`;
  return [ratioRow(what, compared, `${merchants.length} merchants`, HOT_GOAL)];
};

/** Takes the merchants in turn. */
export const spread = (merchants: Merchants): (() => string) => {
  let next = 0;
  return () => {
    next += 1;
    return merchants[next % merchants.length] ?? '';
  };
};

/**
 * Waits until the workers are idle, because their work belongs to the gateway's turn and must not slow the other one.
 */
export const drained = async ({ container }: Bench): Promise<void> => {
  const { db } = container.get(platform.services).writeStore;
  const until = Date.now() + DRAINED_WITHIN_MS;
  while ((await countLiveRows(db)) > 0) {
    if (Date.now() > until) throw new Error('the outbox is not drained');
    await sleep(100);
  }
};
