import { setTimeout as sleep } from 'node:timers/promises';
import * as platform from '../../src/platform/platform.module.ts';
import { consumerOf } from '../../src/platform/read-store/projector.ts';
import { migrate, platformMigrations } from '../../src/platform/write-store/migrate.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { countLiveRows } from '../../src/platform/write-store/outbox.ts';
import { alternate, type Row, rate } from './measure.ts';
import { createRawCharge, readTemplate } from './raw-store.ts';
import { type Bench, createCharge, type Merchants } from './setting.ts';

const CLIENTS = 16;
const RAW_GOAL = 0.6;
const HOT_GOAL = 0.8;
const WARM_UP_SECONDS = 3;
const DRAINED_WITHIN_MS = 60_000;

/** Charges over HTTP against the bare two transactions of each, both with 16 clients. */
export const measureCreate = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call, container, seconds, rounds } = bench;
  const authorizationOf = spread(merchants);
  const create = async (): Promise<void> => {
    await createCharge(call, authorizationOf());
  };
  await rate(CLIENTS, WARM_UP_SECONDS, create);
  const template = await readTemplate(
    container.get(platform.db),
    await createCharge(call, authorizationOf()),
  );
  const raw = openWriteStore(bench.config.mongodbUri, 'raw');
  try {
    await migrate(
      raw.db,
      [...platformMigrations, ...container.getAll(platform.migrations).flat()],
      container.get(platform.logger),
    );
    const consumers = [
      ...container.getAll(platform.views).map(consumerOf),
      ...container.getAll(platform.consumers),
    ];
    const createRaw = createRawCharge(raw, template, consumers);
    await rate(CLIENTS, 1, createRaw);
    const { a, b, ratio } = await alternate(
      rounds,
      () => rate(CLIENTS, seconds, create),
      async () => {
        await drained(bench);
        return rate(CLIENTS, seconds, createRaw);
      },
    );
    return [
      {
        what: `charges created per second, ${CLIENTS} clients`,
        gateway: a.toFixed(1),
        reference: `bare transactions: ${b.toFixed(1)}`,
        result: `${ratio.toFixed(2)} ×`,
        goal: `≥ ${RAW_GOAL} ×`,
        isMet: ratio >= RAW_GOAL,
      },
    ];
  } finally {
    await raw.client.close();
  }
};

/** All charges for one merchant against charges spread over all of them. */
export const measureMerchants = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { call, seconds, rounds } = bench;
  const [hot = ''] = merchants;
  const authorizationOf = spread(merchants);
  const run = (choose: () => string): Promise<number> =>
    rate(CLIENTS, seconds, async () => {
      await createCharge(call, choose());
    });
  await run(authorizationOf);
  const { a, b, ratio } = await alternate(
    rounds,
    () => run(() => hot),
    () => run(authorizationOf),
  );
  return [
    {
      what: 'charges created per second, one hot merchant',
      gateway: a.toFixed(1),
      reference: `${merchants.length} merchants: ${b.toFixed(1)}`,
      result: `${ratio.toFixed(2)} ×`,
      goal: `≥ ${HOT_GOAL} ×`,
      isMet: ratio >= HOT_GOAL,
    },
  ];
};

/** Takes the merchants in turn. */
export const spread = (merchants: Merchants): (() => string) => {
  let next = 0;
  return () => {
    next += 1;
    return merchants[next % merchants.length] ?? '';
  };
};

/** Waits until the workers are idle: their work belongs to the gateway's turn and must not slow the other one. */
export const drained = async ({ container }: Bench): Promise<void> => {
  const { db } = container.get(platform.writeStore);
  const until = Date.now() + DRAINED_WITHIN_MS;
  while ((await countLiveRows(db)) > 0) {
    if (Date.now() > until) throw new Error('the outbox is not drained');
    await sleep(100);
  }
};
