import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/kernel/durations.ts';
import * as platform from '../../src/platform/platform.module.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { drained } from './creates.ts';
import type { Row } from './measure.ts';
import { processorTime } from './processor-time.ts';
import { chargeOf, costOf, inAll, NAMES, post, prepareSeller, SELLERS, type Seller } from './sellers.ts';
import type { Bench, Merchants } from './setting.ts';

const GOAL = 1.3;
const IDLE_MS = 10_000;
const IDLE_GOAL = 1.2;
/**
 * Processor time that an idle gateway with subscriptions may use more a second than one without, because clocks are
 * that coarse.
 */
const IDLE_NOISE_MS = 10;
const IDLING = 100_000;
const INSERTED_AT_ONCE = 1_000;

/**
 * Cycles that fall due in one minute against merchants that charge the same stored cards themselves, and the processor
 * time of a gateway with many subscriptions and nothing to do.
 */
export const measureSubscriptions = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const { db } = bench.container.get(platform.services);
  const count = Math.min(10_000, bench.charges);
  const sellers = await Promise.all(
    merchants.slice(0, SELLERS).map((authorization) => prepareSeller(bench, authorization)),
  );
  const idleBefore = await idleTime(bench);

  bench.say(`  ${count} subscriptions are made`);
  await inAll(count, (number) => post(bench, sellers[number % SELLERS], '/v1/subscriptions', subscriptionOf));
  await drained(bench);
  const charged = await costOf(bench, async () => {
    await inAll(count, (number) => post(bench, sellers[number % SELLERS], '/v1/charges', chargeOf));
    await drained(bench);
  });
  await makeDue(db);
  const collected = await costOf(bench, async () => {
    const paid = () => db.collection('subscription_cycles').countDocuments({ status: 'paid' });
    // Counting takes the store longer than a charge does.
    while ((await paid()) < count) await sleep(500);
    await drained(bench);
  });
  await multiply(db);
  const idleAfter = await idleTime(bench);
  const ratio = collected.ms / charged.ms;
  const isIdle = idleAfter <= idleBefore * IDLE_GOAL + IDLE_NOISE_MS;
  return [
    {
      what: `${count} cycles due at once, all charged`,
      gateway: `${(collected.ms / 1_000).toFixed(1)} s`,
      reference: `charges by merchants: ${(charged.ms / 1_000).toFixed(1)} s`,
      result: `${ratio.toFixed(2)} ×`,
      goal: `≤ ${GOAL} ×`,
      isMet: ratio <= GOAL,
    },
    ...NAMES.map((name): Row => {
      const [cycle, charge] = [collected.spent[name] / count, charged.spent[name] / count];
      return {
        what: `processor time of a cycle, ${name}`,
        gateway: `${cycle.toFixed(1)} ms`,
        reference: `a charge: ${charge.toFixed(1)} ms`,
        result: `${(cycle / charge).toFixed(2)} ×`,
        goal: '',
        isMet: null,
      };
    }),
    {
      what: `processor time of an idle second, ${IDLING} active subscriptions`,
      gateway: `${idleAfter.toFixed(0)} ms`,
      reference: `without: ${idleBefore.toFixed(0)} ms`,
      result: '',
      goal: `≤ ${IDLE_GOAL} × + ${IDLE_NOISE_MS} ms`,
      isMet: isIdle,
    },
  ];
};

const subscriptionOf = ({ customerId, paymentMethodId }: Seller): object => ({
  customerId,
  paymentMethodId,
  price: { amount: 49.9, currency: 'BRL', interval: 'month' },
  collection: 'automatic',
  trialDays: 1,
});

/** Makes all subscriptions due, as if the clock of each were two days ahead. */
const makeDue = async (db: Database): Promise<void> => {
  const reconcileAt = new Date().toISOString();
  await db.collection('subscriptions').updateMany({}, { $set: { offsetMs: 2 * DAY_MS, reconcileAt } });
};

/** Copies a running subscription until there are many. */
const multiply = async (db: Database): Promise<void> => {
  const subscriptions = db.collection<{ _id: string; id: string }>('subscriptions');
  const model = await subscriptions.findOne({ status: 'active' });
  if (!model) throw new Error('no subscription is active');
  for (let made = 0; made < IDLING; made += INSERTED_AT_ONCE) {
    const copies = Array.from({ length: INSERTED_AT_ONCE }, (_, number) => {
      const id = `sub_${String(made + number).padStart(32, '0')}`;
      return { ...model, _id: id, id };
    });
    await subscriptions.insertMany(copies);
  }
};

/** Milliseconds of processor time that the gateway uses in a second without requests. */
const idleTime = async (bench: Bench): Promise<number> => {
  await drained(bench);
  await sleep(IDLE_MS / 2);
  const before = processorTime(bench.processes.gateway) ?? 0;
  await sleep(IDLE_MS);
  return (((processorTime(bench.processes.gateway) ?? 0) - before) / IDLE_MS) * 1_000;
};
