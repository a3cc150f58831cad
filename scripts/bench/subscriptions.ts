import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import * as platform from '../../src/platform/platform.module.ts';
import { drained } from './creates.ts';
import { elapsed, type Row } from './measure.ts';
import { processorTime } from './processor-time.ts';
import type { Bench, Merchants } from './setting.ts';

const SELLERS = 20;
const AT_ONCE = 64;
const GOAL = 1.3;
const DAY_MS = 86_400_000;
const IDLE_MS = 10_000;
const IDLE_GOAL = 1.2;
/** An idle gateway may compute so much more of a second than one without subscriptions: clocks are that coarse. */
const IDLE_NOISE_MS = 10;
const IDLING = 100_000;
const INSERTED_AT_ONCE = 1_000;

type Seller = {
  readonly authorization: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
};

/**
 * Cycles that fall due at one minute against merchants that charge the same stored cards themselves, and the processor
 * time of a gateway that has many subscriptions and nothing to do.
 */
export const measureSubscriptions = async (bench: Bench, merchants: Merchants): Promise<Row[]> => {
  const db = bench.container.get(platform.db);
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
    while ((await paid()) < count) await sleep(100);
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

const NAMES = ['gateway', 'write store', 'Elasticsearch'] as const;

/** Milliseconds that work takes, and the processor time that each process spends meanwhile. */
const costOf = async (bench: Bench, work: () => Promise<void>) => {
  const spent = () => NAMES.map((name) => processorTime(bench.processes[name]) ?? 0);
  const before = spent();
  const ms = await elapsed(work);
  const after = spent();
  const [gateway, store, search] = after.map((time, index) => time - (before[index] ?? 0));
  return {
    ms,
    spent: { gateway: gateway ?? 0, 'write store': store ?? 0, Elasticsearch: search ?? 0 },
  };
};

const send = async (
  bench: Bench,
  authorization: string,
  path: string,
  body: object,
): Promise<{ id: string }> => {
  const answer = await bench.call('POST', path, authorization, body);
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as { id: string };
};

const post = async (
  bench: Bench,
  seller: Seller | undefined,
  path: string,
  bodyOf: (seller: Seller) => object,
): Promise<void> => {
  if (seller) await send(bench, seller.authorization, path, bodyOf(seller));
};

const prepareSeller = async (bench: Bench, authorization: string): Promise<Seller> => {
  const customer = { name: 'Ana Souza', email: 'ana@example.test' };
  const { id: customerId } = await send(bench, authorization, '/v1/customers', customer);
  const { id: token } = await send(bench, authorization, '/v1/card-tokens', {
    number: '4242424242424242',
    holderName: 'ANA SOUZA',
    expirationMonth: '12',
    expirationYear: String(new Date().getUTCFullYear() + 3),
    cvv: '123',
  });
  const path = `/v1/customers/${customerId}/payment-methods`;
  const stored = { token, consentAt: new Date().toISOString() };
  const { id: paymentMethodId } = await send(bench, authorization, path, stored);
  return { authorization, customerId, paymentMethodId };
};

const subscriptionOf = ({ customerId, paymentMethodId }: Seller): object => ({
  customerId,
  paymentMethodId,
  price: { amount: 49.9, currency: 'BRL', interval: 'month' },
  collection: 'automatic',
  trialDays: 1,
});

const chargeOf = ({ customerId, paymentMethodId }: Seller): object => ({
  amount: 49.9,
  currency: 'BRL',
  customerId,
  initiator: 'merchant',
  paymentMethod: { type: 'credit_card', installments: 1, id: paymentMethodId },
});

/** Does work so often, some at once. */
const inAll = async (count: number, work: (number: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
};

/** As if the clock of each subscription were two days ahead. */
const makeDue = async (db: Db): Promise<void> => {
  const reconcileAt = new Date().toISOString();
  await db.collection('subscriptions').updateMany({}, { $set: { offsetMs: 2 * DAY_MS, reconcileAt } });
};

/** Copies a subscription that runs until there are many. */
const multiply = async (db: Db): Promise<void> => {
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
