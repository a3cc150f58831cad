import { createHmac } from 'node:crypto';
import type { MerchantId } from '../../src/kernel/ids.ts';
import {
  MERCHANT_PERMISSIONS,
  type MerchantPrincipal,
  OPERATOR_PERMISSIONS,
} from '../../src/kernel/principal.ts';
import type { Subscription } from '../../src/modules/subscriptions/write/subscription.ts';
import {
  aCard,
  aCardRequest,
  aMerchantPrincipal,
  anOperatorPrincipal,
  aPayoutFee,
  aPixRequest,
  aSpreadFee,
} from '../builders.ts';
import { type Answer, type Ask, createAsk } from './world/clients.ts';
import { PROVIDER_SECRET, type World } from './world/world.ts';

const OPERATOR = anOperatorPrincipal({ permissions: OPERATOR_PERMISSIONS });

/** Answers that the gateway gave, which it has to keep; and answers that nothing explains. */
export type Promised = {
  /** Charges by the reference that only one request ever has. */
  readonly charges: Map<string, { readonly id: string; readonly status: string }>;
  readonly refunds: Map<string, { readonly chargeId: string; readonly status: string }>;
  readonly alerts: Map<string, { readonly chargeId: string }>;
  readonly payouts: Set<string>;
  readonly unexpected: string[];
};

/** Cards and how often they are used: mostly accepted, and every way in which payment or refund can go otherwise. */
const CARDS = [
  ...Array.from({ length: 7 }, () => '4242424242424242'),
  '4000000000000002', // refused
  '4000000000000119', // failed
  '4000000000007726', // its refund stays pending
  '4000000000005423', // its refund is refused
  '4000000000003220', // its refund fails
  '4000000000006975', // it cannot be refunded
  '4000000000004954', // the provider does not answer
];

/**
 * Where an earlier try may have got through whose answer was lost, or somebody else was faster, or the state forbids
 * it.
 */
const EXPLAINED = [400, 404, 409, 422];

type Context = {
  readonly world: World;
  readonly ask: Ask;
  readonly promised: Promised;
  readonly merchants: MerchantPrincipal[];
  readonly charges: { readonly id: string; readonly by: MerchantPrincipal; readonly isPix: boolean }[];
  readonly refunds: { readonly id: string; readonly by: MerchantPrincipal }[];
  /** Charges with live keys, which the institution takes. */
  readonly live: { readonly id: string; readonly by: MerchantPrincipal }[];
  /** Refunds whose money a bank has sent back. */
  readonly returned: Set<string>;
  readonly subscribers: readonly Subscriber[];
  readonly subscriptions: { readonly id: string; readonly by: MerchantPrincipal }[];
};

/** A customer of a merchant with a stored card. */
type Subscriber = {
  readonly by: MerchantPrincipal;
  readonly customerId: string;
  readonly paymentMethodId: string;
};

const expectKnown = ({ promised }: Context, what: string, answer: Answer | null): void => {
  if (!answer || answer.status === 503 || answer.status < 300) return;
  if (!EXPLAINED.includes(answer.status) || (answer.status === 400 && what !== 'anticipate'))
    promised.unexpected.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
};

const textOf = (answer: Answer, name: string): string => String(answer.body[name]);

/** Mostly one of the latest, so that several requests are about the same. */
const lateOneOf = <T>({ world: { random } }: Context, list: readonly T[]): T =>
  random.oneOf(random.happens(0.6) ? list.slice(-3) : list);

const createCharge = async (context: Context): Promise<void> => {
  const { world, ask, promised, merchants, charges } = context;
  const by = world.random.oneOf(merchants);
  const reference = `ref-${charges.length}-${promised.charges.size}-${world.random.below(1e9)}`;
  const changes = { reference, amount: (1_000 + world.random.below(9_000)) / 100 };
  const isPix = world.random.happens(0.25);
  const request = isPix ? aPixRequest(changes) : aCardRequest(changes, { number: world.random.oneOf(CARDS) });
  const answer = await ask('createCharge', by, { body: request });
  expectKnown(context, 'charge', answer);
  if (answer?.status !== 201) return;
  const id = textOf(answer, 'id');
  promised.charges.set(reference, { id, status: textOf(answer, 'status') });
  charges.push({ id, by, isPix });
};

const refund = async (context: Context): Promise<void> => {
  const { world, ask, promised, charges, refunds } = context;
  if (charges.length === 0) return;
  const { id: chargeId, by } = lateOneOf(context, charges);
  const twice = world.random.happens(0.3) ? 2 : 1;
  const telling = world.random.happens(0.5) ? tellAtOnce(context, chargeId) : null;
  await Promise.all(
    Array.from({ length: twice }, async () => {
      const answer = await ask('createRefund', by, { body: { chargeId, reason: 'sent back' } });
      expectKnown(context, 'refund', answer);
      if (answer?.status !== 201) return;
      const id = textOf(answer, 'id');
      promised.refunds.set(id, { chargeId, status: textOf(answer, 'status') });
      refunds.push({ id, by });
    }),
  );
  await telling;
};

const alert = async (context: Context): Promise<void> => {
  const { ask, promised, charges } = context;
  if (charges.length === 0) return;
  const { id: chargeId } = lateOneOf(context, charges);
  const answer = await ask('createChargebackAlert', OPERATOR, { body: { chargeId } });
  expectKnown(context, 'alert', answer);
  if (answer?.status === 201) promised.alerts.set(textOf(answer, 'id'), { chargeId });
};

const chargeback = async (context: Context): Promise<void> => {
  const { ask, charges } = context;
  if (charges.length === 0) return;
  const { id, by } = lateOneOf(context, charges);
  expectKnown(context, 'chargeback', await ask('confirmTestChargeback', by, { params: { id } }));
};

/** Plays payers and banks, whom the test helpers stand for. */
const decide = async (context: Context): Promise<void> => {
  const { world, ask, charges, refunds } = context;
  if (world.random.happens(0.4) && refunds.length > 0) {
    const { id, by } = lateOneOf(context, refunds);
    const operation = world.random.oneOf(['completeTestRefund', 'refuseTestRefund', 'failTestRefund']);
    expectKnown(context, 'decide on a refund', await ask(operation, by, { params: { id } }));
    return;
  }
  const open = charges.filter(({ isPix }) => isPix);
  if (open.length === 0) return;
  const { id, by } = world.random.oneOf(open);
  const operation = world.random.oneOf([
    'payTestCharge',
    'payTestCharge',
    'expireTestCharge',
    'cancelCharge',
  ]);
  expectKnown(context, 'decide on a charge', await ask(operation, by, { params: { id } }));
};

type Simulated = { readonly _id: string; readonly [name: string]: unknown };

/** The message that the provider sends about a payment or a refund; null where it has nothing to say. */
const messageAbout = ({ world }: Context, one: Simulated, isRefund: boolean): object | null => {
  const order = (isRefund ? one : one.order) as { readonly amount: number; readonly currency: string } | null;
  // A payment that was cancelled before it arrived has none, and the provider tells nobody of it.
  if (!order) return null;
  const { amount, currency } = order;
  return {
    id: `news-${world.random.below(1e9)}`,
    livemode: false,
    type: isRefund ? 'refund' : 'payment',
    reference: one._id,
    amount,
    currency,
    status: one.status,
    pspRefId: isRefund ? one.pspRefundRefId : one.pspRefId,
    reason: isRefund ? one.reason : one.failureReason,
    ...(isRefund ? {} : { paidAt: one.paidAt }),
  };
};

const tell = async ({ world, ask, promised }: Context, body: object, isForged: boolean): Promise<void> => {
  const seconds = Math.floor(world.scheduler.now / 1_000);
  const secret = isForged ? 'a secret that somebody else has made up for it' : PROVIDER_SECRET;
  const signature = createHmac('sha256', secret)
    .update(`${seconds}.${JSON.stringify(body)}`)
    .digest('hex');
  const headers = { 'x-provider-signature': `t=${seconds},v1=${signature}` };
  const asked = { params: { provider: 'simulator' }, body, headers };
  const answer = await ask('receiveProviderNotification', OPERATOR, asked);
  if (isForged ? answer?.status === 200 : answer !== null && ![200, 401, 503].includes(answer.status))
    promised.unexpected.push(`notification: ${JSON.stringify([answer, body, isForged])}`);
};

/** News of the provider about a payment or a refund as it stands there: twice at times, late, and forged at times. */
const notify = async (context: Context): Promise<void> => {
  const { world } = context;
  const isRefund = world.random.happens(0.4);
  const all = await world.db
    .collection<Simulated>(isRefund ? 'simulator_refunds' : 'simulator_payments')
    .find({})
    .toArray();
  if (all.length === 0) return;
  const body = messageAbout(context, world.random.oneOf(all), isRefund);
  if (!body) return;
  const isForged = world.random.happens(0.15);
  const send = (): Promise<void> => tell(context, body, isForged);
  await Promise.all(Array.from({ length: world.random.happens(0.4) ? 2 : 1 }, send));
};

const LOOKS_FOR_REFUND = 40;

/** The provider tells of a refund while the request for it is still under way, several times at almost the same moment. */
const tellAtOnce = async (context: Context, paymentReference: string): Promise<void> => {
  const { world } = context;
  const refunds = world.db.collection<Simulated>('simulator_refunds');
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => void world.scheduler.plan(world.random.next() * ms, resolve, 'world'));
  for (let look = 0; look < LOOKS_FOR_REFUND; look += 1) {
    const [known] = await refunds.find({ paymentReference }).toArray();
    if (known) {
      const send = async (): Promise<void> => {
        await pause(4);
        const body = messageAbout(context, known, true);
        if (body) await tell(context, body, false);
      };
      await Promise.all([send(), send(), send()]);
      return;
    }
    await pause(5);
  }
};

/** The payer's bank sends back the money of a refund that had succeeded. The news of it may come only in the end. */
const sendBack = async (context: Context): Promise<void> => {
  const { world, returned } = context;
  const refunds = world.db.collection<Simulated>('simulator_refunds');
  const done = await refunds.find({ status: 'refunded' }).toArray();
  if (done.length === 0) return;
  const { _id } = world.random.oneOf(done);
  await refunds.updateOne({ _id }, { $set: { status: 'failed', reason: 'account_closed' } });
  returned.add(_id);
  const [now] = await refunds.find({ _id }).toArray();
  const body = now && messageAbout(context, now, true);
  if (body && world.random.happens(0.7)) await tell(context, body, false);
};

/** Tells once more of each refund that has failed after its success, because nobody asks about such a one. */
const tellOfReturned = async (context: Context): Promise<void> => {
  for (const _id of context.returned) {
    const [now] = await context.world.db.collection<Simulated>('simulator_refunds').find({ _id }).toArray();
    const body = now && messageAbout(context, now, true);
    if (body) await tell(context, body, false);
  }
};

const payOut = async (context: Context): Promise<void> => {
  const { world, ask, promised, merchants } = context;
  const waiting = [...promised.payouts];
  if (waiting.length > 0 && world.random.happens(0.6)) {
    const id = lateOneOf(context, waiting);
    const operation = world.random.oneOf([
      'approvePayoutRequest',
      'approvePayoutRequest',
      'recordPayoutTransfer',
    ]);
    const body = { status: world.random.oneOf(['sent', 'failed']) };
    const operator = { ...OPERATOR, livemode: false };
    const asked = operation === 'recordPayoutTransfer' ? { params: { id }, body } : { params: { id } };
    expectKnown(context, operation, await ask(operation, operator, asked));
    return;
  }
  const answer = await ask('createPayoutRequest', world.random.oneOf(merchants), {
    body: { amount: 500 + world.random.below(5_000) },
  });
  expectKnown(context, 'payout', answer);
  if (answer?.status === 201) promised.payouts.add(textOf(answer, 'id'));
};

const anticipate = async (context: Context): Promise<void> => {
  const { world, ask, charges } = context;
  if (charges.length === 0) return;
  const { id: chargeId, by } = world.random.oneOf(charges);
  expectKnown(context, 'anticipate', await ask('createAnticipation', by, { body: { chargeId } }));
};

/** Finance pays a payer whom the provider did not pay for an alert. */
const payByHand = async (context: Context): Promise<void> => {
  const { world, ask } = context;
  const open = await world.db
    .collection<Simulated>('manual_refund_requests')
    .find({ status: 'pending' })
    .toArray();
  if (open.length === 0) return;
  const { _id: id } = world.random.oneOf(open);
  const body = { notes: 'paid by hand' };
  expectKnown(
    context,
    'pay by hand',
    await ask('resolveManualRefundRequest', OPERATOR, { params: { id }, body }),
  );
};

/** Sells with live keys by Pix, whose payer pays at once or not at all, or gives such money back. */
const liveSale = async (context: Context): Promise<void> => {
  const { world, ask, promised, live } = context;
  const { random, institution } = world;
  if (live.length > 0 && random.happens(0.6)) {
    const { id: chargeId, by } = lateOneOf(context, live);
    const answer = await ask('createRefund', by, { body: { chargeId, reason: 'sent back' } });
    expectKnown(context, 'live refund', answer);
    if (answer?.status === 201)
      promised.refunds.set(textOf(answer, 'id'), { chargeId, status: textOf(answer, 'status') });
    return;
  }
  const by: MerchantPrincipal = { ...random.oneOf(context.merchants), livemode: true };
  const reference = `live-${live.length}-${random.below(1e9)}`;
  const answer = await ask('createCharge', by, {
    body: aPixRequest({ reference, amount: (1_000 + random.below(9_000)) / 100 }),
  });
  expectKnown(context, 'live charge', answer);
  if (answer?.status !== 201) return;
  const id = textOf(answer, 'id');
  promised.charges.set(reference, { id, status: textOf(answer, 'status') });
  live.push({ id, by });
  if (random.happens(0.9)) institution.pay(id.slice('chg_'.length));
};

/** Ends a subscription, now or after its week, perhaps while an attempt to charge it is being made. */
const unsubscribe = async (context: Context): Promise<void> => {
  const { world, ask, subscriptions } = context;
  if (subscriptions.length === 0) return;
  const { id, by } = lateOneOf(context, subscriptions);
  const body = { when: world.random.oneOf(['now', 'now', 'period_end']) };
  const answer = await ask('cancelSubscription', by, { params: { id }, body });
  expectKnown(context, 'cancel a subscription', answer);
};

/** Sells something that is charged each week, at once or from tomorrow on. */
const subscribe = async (context: Context): Promise<void> => {
  const { world, subscribers } = context;
  const trial = world.random.happens(0.6) ? { trialDays: 1 } : {};
  await begin(context, world.random.oneOf(subscribers), trial);
};

const begin = async (context: Context, of: Subscriber, trial: object): Promise<void> => {
  const { by, customerId, paymentMethodId } = of;
  const price = { amount: 49.9, currency: 'BRL', interval: 'week' };
  const body = { customerId, paymentMethodId, price, collection: 'automatic', ...trial };
  const answer = await context.ask('createSubscription', by, { body });
  expectKnown(context, 'subscribe', answer);
  if (answer?.status === 201) context.subscriptions.push({ id: textOf(answer, 'id'), by });
};

/**
 * Waits until a cycle begins or a refused card is tried again, and ends the subscription while that is being done. Some
 * more begin, for the next time.
 */
const endAsCharged = async (context: Context): Promise<void> => {
  const { world, ask, subscribers, subscriptions } = context;
  const { db, scheduler, random } = world;
  const running = await db.collection<Subscription>('subscriptions').find({ endedAt: null }).toArray();
  const dueAt = ({ reconcileAt }: Subscription): number =>
    reconcileAt ? Date.parse(reconcileAt) : Number.POSITIVE_INFINITY;
  const first = Math.min(...running.map(dueAt));
  if (first < Number.POSITIVE_INFINITY) scheduler.leap(Math.max(0, first - scheduler.now));
  await Promise.all(
    subscriptions.map(async ({ id, by }) => {
      const own = running.find((one) => one.id === id);
      if (!own || dueAt(own) > scheduler.now) return;
      await new Promise<void>((resolve) => scheduler.plan(random.next() * 200, resolve, 'world'));
      const asked = { params: { id }, body: { when: 'now' } };
      expectKnown(context, 'end as it is charged', await ask('cancelSubscription', by, asked));
    }),
  );
  for (let more = 0; more < 3; more += 1) await begin(context, random.oneOf(subscribers), { trialDays: 1 });
};

/** Actions of merchants, operators, payers and banks, as often as they come. */
const ACTIONS = [
  ...Array.from({ length: 8 }, () => createCharge),
  ...Array.from({ length: 4 }, () => refund),
  ...[alert, alert, chargeback, decide, decide, decide, notify, notify, notify, payOut, payOut, anticipate],
  ...[subscribe, subscribe, unsubscribe, sendBack, payByHand, liveSale, liveSale, liveSale, liveSale],
];

const FEES = [
  aSpreadFee(),
  aSpreadFee({ payment_method: 'pix', definition: { fixed: 0.1, percentages: [1] } }),
  aPayoutFee(),
  aSpreadFee({ fee_type: 'anticipation', definition: { fixed: 0.1, percentages: [2, 3, 4] } }),
];

const created = (answer: Answer | null): Answer => {
  if (!answer || answer.status >= 300) throw new Error(`not created: ${JSON.stringify(answer)}`);
  return answer;
};

/** Merchants with fees and an endpoint each, made while nothing goes wrong. */
const openMerchants = async (world: World, ask: Ask): Promise<MerchantPrincipal[]> => {
  const merchants: MerchantPrincipal[] = [];
  const count = 1 + world.random.below(3);
  for (let place = 0; place < count; place += 1) {
    const body = {
      legalName: `Loja ${place} Ltda`,
      email: `loja${place}@example.test`,
      companyTaxId: '11.222.333/0001-81',
      role: 'Merchant',
    };
    const { body: merchant } = created(await ask('createMerchant', OPERATOR, { body }));
    const merchantId = String(merchant.id) as MerchantId;
    created(await ask('replaceFeeDefinitions', OPERATOR, { params: { id: merchantId }, body: FEES }));
    const fee = { name: 'chargeback_alert_fee', content: { amount: 5, currency: 'BRL' } };
    // Cards usually take a month, after which a run is over and nobody would pay anything out.
    const delay = {
      name: 'settlement_delay_days',
      content: { credit_card: world.random.oneOf([1, 2, 30]), pix: 0 },
    };
    for (const setting of [fee, delay])
      created(await ask('setMerchantSetting', OPERATOR, { params: { id: merchantId }, body: setting }));
    const principal = aMerchantPrincipal({
      merchantId,
      actor: { kind: 'key', id: `key_${place}` },
      permissions: MERCHANT_PERMISSIONS,
    });
    const url = `http://127.0.0.1:9/hooks/${place}`;
    created(await ask('createWebhookEndpoint', principal, { body: { url, events: ['*'] } }));
    merchants.push(principal);
  }
  return merchants;
};

/** Customers whose stored cards are accepted, or refused. */
const storeCards = async (
  ask: Ask,
  world: World,
  merchants: readonly MerchantPrincipal[],
): Promise<readonly Subscriber[]> => {
  const subscribers: Subscriber[] = [];
  for (const by of merchants)
    for (const number of ['4242424242424242', '4242424242424242', '4000000000000341']) {
      const facts = { name: 'Ana Souza', email: 'ana@example.test' };
      const customer = created(await ask('createCustomer', by, { body: facts }));
      const { body: token } = created(await ask('createCardToken', by, { body: aCard({ number }) }));
      const consentAt = new Date(world.scheduler.now).toISOString();
      const asked = { params: { id: textOf(customer, 'id') }, body: { token: token.id, consentAt } };
      const method = created(await ask('createCustomerPaymentMethod', by, asked));
      subscribers.push({ by, customerId: textOf(customer, 'id'), paymentMethodId: textOf(method, 'id') });
    }
  return subscribers;
};

type Workload = {
  readonly promised: Promised;
  /** Does so many things at about the same time. */
  burst(count: number): Promise<void>;
  /** Has a race of an attempt to collect a cycle and the end of its subscription. */
  endAsCharged(): Promise<void>;
  /** Does what must not be forgotten, once nothing goes wrong any more. */
  end(): Promise<void>;
};

export const createWorkload = async (world: World): Promise<Workload> => {
  const ask = createAsk(world);
  const promised: Promised = {
    charges: new Map(),
    refunds: new Map(),
    alerts: new Map(),
    payouts: new Set(),
    unexpected: [],
  };
  const merchants = await openMerchants(world, ask);
  const subscribers = await storeCards(ask, world, merchants);
  const context: Context = {
    world,
    ask,
    promised,
    merchants,
    charges: [],
    refunds: [],
    live: [],
    returned: new Set(),
    subscribers,
    subscriptions: [],
  };
  return {
    promised,
    endAsCharged: () => endAsCharged(context),
    end: () => tellOfReturned(context),
    async burst(count) {
      await Promise.all(
        Array.from({ length: count }, async () => {
          await new Promise<void>((resolve) => {
            world.scheduler.plan(world.random.next() ** 2 * 2_000, resolve, 'world');
          });
          await world.random.oneOf(ACTIONS)(context);
        }),
      );
    },
  };
};
