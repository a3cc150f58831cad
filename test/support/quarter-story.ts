import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { signatureOf } from '../../src/modules/providers/simulator/signature.ts';
import { aCard, aCardRequest, aPixRequest } from '../builders.ts';
import { type Client, withKey } from './client.ts';
import type { TestGateway } from './gateway.ts';
import {
  ALERT_FEE,
  type Anticipation,
  type BookedCharge,
  type Books,
  createBooks,
  EXPONENTS,
  feeDefinitions,
  MEMBERS,
  type Member,
  type RefundResult,
  type Sale,
  type Stray,
  type Wish,
} from './quarter-books.ts';
import { aSubscriber, subscribe as subscribeWith } from './subscribers.ts';

const DAYS = 92;
export const PROVIDER_SECRET = 'the secret of the provider that is long enough';

/** Cards that are paid, and refunded at once. */
const CARDS: Readonly<Record<'visa' | 'mastercard', string>> = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
};
/** Further `visa` cards, by the outcome of their refunds and of the charge itself. */
const OUTCOMES: Readonly<Record<string, RefundResult>> = {
  '4000000000007726': 'pending',
  '4000000000005423': 'refused',
  '4000000000003220': 'failed',
  '4000000000006975': 'failed',
};
const REFUSALS: Readonly<Record<string, 'refused' | 'failed'>> = {
  '4000000000000002': 'refused',
  '4000000000000119': 'failed',
};

/** Random-looking numbers that are the same for the same seed (mulberry32). */
const createDice = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    isOnce: (inSoMany: number): boolean => next() < 1 / inSoMany,
    pick: <T>(all: readonly T[]): T => all[between(0, all.length - 1)] as T,
  };
};
type Dice = ReturnType<typeof createDice>;

type Account = { readonly id: string; readonly key: Client };

/** A master with two sub-merchants, what they did, and the money that they should have. */
export type Quarter = {
  readonly seed: number;
  readonly books: Books;
  readonly accounts: Readonly<Record<Member, Account>>;
  readonly dice: Dice;
  /** Refunds that wait for the bank. */
  readonly open: { readonly charge: BookedCharge; readonly refundId: string; readonly isOfAlert: boolean }[];
  /** The outcome of a refund, by the charge's card. */
  readonly refunds: Map<string, RefundResult>;
  day: number;
};

export const decimal = (amount: number, currency: string): number =>
  Number((amount / 10 ** (EXPONENTS[currency] ?? 2)).toFixed(EXPONENTS[currency] ?? 2));

/** Plays quarters over HTTP, while the books compute the expected results. */
export const createStory = (deps: {
  readonly gateway: () => TestGateway;
  /** An operator with every permission, and a second one who approves adjustments and clearings. */
  readonly admin: Client;
  readonly second: Client;
  /** The address of the members' endpoints. */
  readonly webhooksUrl: string;
}) => {
  const { gateway, admin, second } = deps;

  /**
   * Opens a market with its fees, and a bakery and a florist that it onboards. One endpoint is for all of them, one is
   * the bakery's.
   */
  const open = async (seed: number): Promise<Quarter> => {
    const created = await gateway().createMerchant({
      role: 'MerchantMaster',
      companyTaxId: '11222333000181',
    });
    const key = withKey(gateway, created.testKey);
    await admin
      .call('put', `/v1/admin/merchants/${created.id}/fee-definitions`, feeDefinitions())
      .expect(200);
    // Half of them use the gateway's own delay of 30 days.
    const cardDelayDays = seed % 2 === 0 ? 30 : 21;
    const settings = {
      enable_connect: true,
      chargeback_alert_fee: { amount: ALERT_FEE / 100, currency: 'BRL' },
      ...(cardDelayDays === 30 ? {} : { settlement_delay_days: { credit_card: cardDelayDays } }),
    };
    for (const [name, content] of Object.entries(settings))
      await admin.post(`/v1/merchants/${created.id}/settings`, { name, content }).expect(201);
    const listen = (by: Client, path: string, includeSubmerchants: boolean) =>
      by.post('/v1/webhook-endpoints', {
        url: `${deps.webhooksUrl}/${path}`,
        events: ['*'],
        enabled: true,
        includeSubmerchants,
      });
    await listen(key, `${created.id}/all`, true).expect(201);

    const books = createBooks(cardDelayDays);
    const onboard = async (member: Member, companyTaxId: string): Promise<Account> => {
      const fields = { legalName: member, companyTaxId, email: 'loja@example.test' };
      const { body } = await key.post('/v1/submerchants', fields).expect(201);
      await admin.post(`/v1/admin/submerchants/${body.id}/status`, { status: 'active' }).expect(200);
      books.tell(member, 'account.approved', body.id);
      const keys = await key.get(`/v1/submerchants/${body.id}/api-keys`).expect(200);
      return { id: body.id, key: withKey(gateway, keys.body.secretKey) };
    };
    const [bakery, florist] = await Promise.all([
      onboard('bakery', '11444777000161'),
      onboard('florist', '52998224725'),
    ]);
    await listen(bakery.key, `${created.id}/own`, false).expect(201);
    return {
      seed,
      books,
      accounts: { market: { id: created.id, key }, bakery, florist },
      dice: createDice(seed),
      open: [],
      refunds: new Map(),
      day: 0,
    };
  };

  /** Settles everything that is due by the story's day, for all three of them. */
  const settle = async ({ accounts, books, day }: Quarter): Promise<void> => {
    const until = new Date(Date.now() + (day + 0.5) * DAY_MS).toISOString();
    const run = () => accounts.market.key.post('/v1/test-helpers/settlements/run', { until }).expect(200);
    while ((await run()).body.complete === false);
    books.settle(day);
  };

  const anySale = ({ dice }: Quarter): Sale => {
    const seller = dice.pick(MEMBERS);
    const type = dice.isOnce(4) ? 'pix' : 'credit_card';
    const currency = type === 'credit_card' && dice.isOnce(5) ? 'CLP' : 'BRL';
    const brand = type === 'pix' ? null : dice.pick(['visa', 'mastercard'] as const);
    const most = type === 'pix' || currency === 'CLP' ? 1 : brand === 'visa' ? 3 : 6;
    const others = MEMBERS.filter((member) => member !== seller);
    const split = dice.pick([[], others.slice(0, 1), others.slice(1), others, [...others].reverse()]);
    return {
      seller,
      type,
      brand,
      currency,
      amount: dice.isOnce(4) ? dice.between(1, 99) : dice.between(100, 3_000_000),
      installments: dice.between(1, most),
      split: split.map((to) => ({ to, percentage: dice.pick([dice.between(1, 5_000) / 100, 50, 25]) })),
    };
  };

  const sell = async (quarter: Quarter): Promise<void> => {
    const { accounts, books, dice, refunds } = quarter;
    const sale = anySale(quarter);
    const split = sale.split.map(({ to, percentage }) => ({ merchantId: accounts[to].id, percentage }));
    const fields = { amount: decimal(sale.amount, sale.currency), currency: sale.currency };
    const { key } = accounts[sale.seller];
    if (sale.type === 'pix') {
      const { body } = await key.post('/v1/charges', { ...aPixRequest(fields), split }).expect(201);
      await key.post(`/v1/test-helpers/charges/${body.id}/pay`).expect(200);
      books.sell(sale, body.id, 'paid');
      refunds.set(body.id, 'refunded');
      // The charge is due at once, so the worker may settle it at any time.
      return settle(quarter);
    }
    const usual = CARDS[sale.brand ?? 'visa'];
    const special =
      sale.brand === 'visa' ? dice.pick([usual, ...Object.keys(OUTCOMES), ...Object.keys(REFUSALS)]) : usual;
    const request = aCardRequest(fields, { number: special });
    const paymentMethod = { ...request.paymentMethod, installments: sale.installments };
    const { body } = await key.post('/v1/charges', { ...request, paymentMethod, split }).expect(201);
    books.sell(sale, body.id, REFUSALS[special] ?? 'paid');
    refunds.set(body.id, OUTCOMES[special] ?? 'refunded');
  };

  /** A customer pays by a stored card for some months, and then stops. */
  const subscribe = async (quarter: Quarter): Promise<void> => {
    const { accounts, books, dice, refunds } = quarter;
    const brand = dice.pick(['visa', 'mastercard'] as const);
    const sale: Sale = { ...anySale(quarter), type: 'credit_card', brand, currency: 'BRL', installments: 1 };
    const { seller } = sale;
    const { key } = accounts[seller];
    const split = sale.split.map(({ to, percentage }) => ({ merchantId: accounts[to].id, percentage }));
    const price = { amount: decimal(sale.amount, 'BRL'), currency: 'BRL', interval: 'month' };
    const subscriber = await aSubscriber(key, aCard({ number: CARDS[brand] }));
    const { id } = await subscribeWith(key, subscriber, { price, trialDays: 0, split });
    const months = dice.between(0, 2);
    const until = new Date(Date.now() + 2 * DAY_MS);
    until.setUTCMonth(until.getUTCMonth() + months);
    await key.post(`/v1/test-helpers/subscriptions/${id}/advance`, { until }).expect(200);
    await key.post(`/v1/subscriptions/${id}/cancel`, { when: 'now' }).expect(200);
    const { body } = await key.get(`/v1/subscriptions/${id}/cycles`).expect(200);
    expect(body.data.map(({ status }: { readonly status: string }) => status)).toEqual(
      Array(months + 1).fill('paid'),
    );
    for (const { number, attempts } of body.data) {
      const [{ chargeId }] = attempts;
      books.sell(sale, chargeId, 'paid');
      refunds.set(chargeId, 'refunded');
      books.tell(seller, number === 1 ? 'subscription.activated' : 'subscription.renewed', id);
    }
    books.tell(seller, 'subscription.created', id);
    books.tell(seller, 'subscription.cancelled', id);
  };

  /** A charge that can still be refunded. */
  const anyPaid = ({ books, dice }: Quarter): BookedCharge | undefined =>
    dice.pick(books.charges.filter(books.isOpen));

  const refund = async (quarter: Quarter): Promise<void> => {
    const charge = anyPaid(quarter);
    if (!charge) return;
    const result = quarter.refunds.get(charge.id) ?? 'refunded';
    const { key } = quarter.accounts[quarter.dice.pick(['market', charge.seller] as const)];
    const { body } = await key.post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' }).expect(201);
    expect(body).toMatchObject({
      status: result,
      merchantId: quarter.accounts[charge.seller].id,
      amount: decimal(charge.amount, charge.currency),
      currency: charge.currency,
      merchantReason: 'sent back',
    });
    quarter.books.refund(charge, body.id, result);
    if (result === 'pending') quarter.open.push({ charge, refundId: body.id, isOfAlert: false });
  };

  const alert = async (quarter: Quarter): Promise<void> => {
    const charge = anyPaid(quarter);
    if (!charge) return;
    const { body } = await admin.post('/v1/admin/chargeback-alerts', { chargeId: charge.id }).expect(201);
    const result = quarter.refunds.get(charge.id) ?? 'refunded';
    quarter.books.alert(charge, result);
    if (result === 'pending') quarter.open.push({ charge, refundId: body.refund.id, isOfAlert: true });
    if (result === 'refused' || result === 'failed')
      quarter.books.tell(charge.seller, 'refund.failed', body.refund.id);
  };

  const chargeback = async ({ books, dice }: Quarter): Promise<void> => {
    const charge = dice.pick(
      books.charges.filter((one) => books.isOpen(one) || one.status === 'pre_chargeback'),
    );
    if (!charge) return;
    const path = `/v1/admin/charges/${charge.id}/chargeback`;
    if (charge.alertRefund === 'pending') {
      const { body } = await admin.post(path).expect(422);
      expect(body.code).toBe('REFUND_PENDING');
      return;
    }
    await admin.post(path).expect(200);
    books.chargeback(charge);
    if (charge.alertRefund !== 'refunded') return;
    // Both the refund and the acquirer gave the payer the money.
    const { body } = await admin.getAfter(
      'latest',
      `/v1/admin/suspense-items?chargeId=${charge.id}&direction=out`,
    );
    const { amount, currency } = charge;
    expect(body.data).toMatchObject([{ reason: 'unexpected_chargeback', amount: decimal(amount, currency) }]);
    books.stray({ id: body.data[0].id, direction: 'out', amount, currency, charge });
  };

  /** Lets the bank decide on a refund that waits for it. */
  const finish = async ({ accounts, books, dice, open: waiting }: Quarter): Promise<void> => {
    const next = waiting.shift();
    if (!next) return;
    const { charge, refundId, isOfAlert } = next;
    const [helper, result] = dice.pick([
      ['complete', 'refunded'],
      ['refuse', 'refused'],
      ['fail', 'failed'],
    ] as const);
    await accounts[charge.seller].key.post(`/v1/test-helpers/refunds/${refundId}/${helper}`).expect(200);
    if (isOfAlert) {
      charge.alertRefund = result;
      if (result !== 'refunded') books.tell(charge.seller, 'refund.failed', refundId);
    } else if (result === 'refunded') books.complete(charge);
    else books.takeBackRefund(charge, refundId, result);
  };

  const payOut = async ({ accounts, books, dice }: Quarter): Promise<void> => {
    const of = dice.pick(MEMBERS);
    const available = books.available(of);
    const amount = Math.max(1_000, Math.floor((available * dice.between(10, 110)) / 100));
    const { id: merchantId, key } = accounts[of];
    const path = of === 'market' ? '/v1/payout-requests' : `/v1/submerchants/${merchantId}/payout-requests`;
    const { body } = await key.post(path, { amount }).expect(201);
    const decide = (what: string, fields?: object) =>
      admin.post(`/v1/admin/payout-requests/${body.id}/${what}`, fields);
    if (dice.isOnce(6)) return;
    if (amount > available || dice.isOnce(6)) {
      if (amount > available) await decide('approve').expect(422);
      await decide('reject', { rejectionReason: 'not now' }).expect(200);
      return books.tell(of, 'payout.rejected', body.id);
    }
    await decide('approve').expect(200);
    books.payOut(of, body.id, amount);
    if (dice.isOnce(2)) {
      await decide('transfer', { status: 'sent' }).expect(200);
      books.tell(of, 'payout.sent', body.id);
    }
    if (dice.isOnce(3)) {
      await decide('transfer', { status: 'failed' }).expect(200);
      books.returnPayout(of, body.id, amount);
    }
  };

  const adjust = async ({ accounts, books, dice }: Quarter): Promise<void> => {
    const of = dice.pick(MEMBERS);
    const amount = dice.between(1, 50_000) * dice.pick([1, -1]);
    const fields = { merchantId: accounts[of].id, amount: decimal(amount, 'BRL'), currency: 'BRL' };
    const { body } = await admin.post('/v1/admin/adjustments', { ...fields, reason: 'by hand' }).expect(201);
    const decision = dice.pick(['approve', 'approve', 'reject']);
    await second.post(`/v1/admin/adjustments/${body.id}/${decision}`).expect(200);
    if (decision === 'approve') books.adjust(of, amount);
  };

  /** Everything that is left of a charge, or a part of the reserved amount; now and then more than there is. */
  const anyWish = ({ books, dice }: Quarter): { readonly of: Member; readonly wish: Wish } => {
    const charge = dice.isOnce(2) ? dice.pick(books.charges) : undefined;
    if (charge) return { of: dice.pick(charge.shares.map((share) => share.of)), wish: { charge } };
    const of = dice.pick(MEMBERS);
    const amount = Math.max(1, Math.floor((books.reserved(of) * dice.between(1, 110)) / 100));
    return { of, wish: { amount } };
  };

  const anticipate = async (quarter: Quarter): Promise<void> => {
    const { accounts, books } = quarter;
    const { of, wish } = anyWish(quarter);
    const { key } = accounts[of];
    const asked =
      'charge' in wish
        ? { chargeId: wish.charge.id }
        : { amount: decimal(wish.amount, 'BRL'), currency: 'BRL' };
    const expected = books.quote(of, wish);
    const quoted = await key.get(`/v1/anticipations/quote?${new URLSearchParams(asked as never)}`);
    const made = await key.post('/v1/anticipations', asked);
    if (typeof expected === 'string') {
      const refusal = { status: 422, code: expected };
      expect([quoted, made].map(({ status, body }) => ({ status, code: body.code }))).toEqual([
        refusal,
        refusal,
      ]);
      return;
    }
    expect([quoted.status, made.status]).toEqual([200, 201]);
    expect(made.body).toMatchObject(quoted.body);
    expect(takenBy(made.body)).toEqual(expectedOf(expected));
    books.anticipate(made.body.id, expected);
  };

  /** Lets the provider report unexpected money: a second payment of a charge, or a refund that nobody asked for. */
  const stray = async ({ books, dice }: Quarter): Promise<Stray | null> => {
    const charge = dice.pick(books.charges.filter((one) => one.isPaid && one.type === 'credit_card'));
    if (!charge) return null;
    const isPayment = dice.isOnce(2);
    const amount = dice.pick([charge.amount, dice.between(1, 100_000)]);
    const { currency } = charge;
    const pspRefId = `psp_${randomUUID()}`;
    const reference = isPayment ? charge.id : `ref_${randomUUID()}`;
    const moved = { id: randomUUID(), livemode: false, reference, amount, currency, pspRefId, reason: null };
    await notify(
      isPayment
        ? { ...moved, type: 'payment', status: 'paid', paidAt: new Date().toISOString() }
        : { ...moved, type: 'refund', status: 'refunded' },
    );
    const { body } = await admin.getAfter(
      'latest',
      `/v1/admin/suspense-items?status=held&currency=${currency}&direction=${isPayment ? 'in' : 'out'}` +
        `${isPayment ? `&chargeId=${charge.id}` : ''}&size=100`,
    );
    const found = body.data.find((item: { readonly reference: string; readonly pspRefId: string }) =>
      [item.reference, item.pspRefId].every((value, index) => value === [reference, pspRefId][index]),
    );
    expect(found).toMatchObject({
      amount: decimal(amount, currency),
      chargeId: isPayment ? charge.id : null,
    });
    const direction = isPayment ? 'in' : 'out';
    return books.stray({ id: found.id, direction, amount, currency, charge: isPayment ? charge : null });
  };

  const notify = async (message: object): Promise<void> => {
    const body = JSON.stringify(message);
    const signature = signatureOf(PROVIDER_SECRET, Math.floor(Date.now() / 1_000), Buffer.from(body));
    await gateway()
      .call('post', '/v1/providers/simulator/notifications')
      .set('X-Provider-Signature', signature)
      .type('json')
      .send(body)
      .expect(200);
  };

  /** One operator proposes where stray money goes, and the other one approves or rejects it. */
  const clear = async (quarter: Quarter, item: Stray): Promise<void> => {
    const { accounts, books, dice, refunds } = quarter;
    // A bank that leaves refunds pending answers days later.
    const canReturn = item.charge !== null && refunds.get(item.charge.id) !== 'pending';
    const method = dice.pick(['merchant', 'gateway', ...(canReturn ? ['give_back', 'give_back'] : [])]);
    const to = method === 'merchant' ? dice.pick(MEMBERS) : null;
    const path = `/v1/admin/suspense-items/${item.id}/clearing`;
    const fields = { method, ...(to ? { merchantId: accounts[to].id } : {}), reason: 'seen with the bank' };
    await admin.post(path, fields).expect(200);
    await admin.post(`${path}/approve`).expect(403);
    const decision = dice.isOnce(5) ? 'reject' : 'approve';
    const { body } = await second.post(`${path}/${decision}`).expect(200);
    const isReturned = item.charge !== null && refunds.get(item.charge.id) === 'refunded';
    if (decision === 'approve' && method !== 'give_back') books.bookStray(item, to);
    if (decision === 'approve' && method === 'give_back' && isReturned) books.returnStray(item);
    expect(body.status).toBe(item.status);
  };

  const placeStray = async (quarter: Quarter): Promise<void> => {
    const item = await stray(quarter);
    if (item === null) return;
    // Some items stay held; a rejected clearing, or a return that the provider refuses, is decided on again.
    for (let tries = quarter.dice.between(0, 3); tries > 0 && item.status === 'held'; tries -= 1)
      await clear(quarter, item);
  };

  const ACTS = [
    ...[sell, sell, sell, sell, sell, refund, refund, finish, alert, chargeback, payOut, payOut, adjust],
    ...[anticipate, anticipate, anticipate, placeStray, subscribe],
  ];

  return {
    open,

    /** Plays the quarter; returns an instant in the middle of it. */
    async live(quarter: Quarter): Promise<string> {
      let middle: string | null = null;
      for (const act of [sell, sell, sell]) await act(quarter);
      while (quarter.day < DAYS) {
        await quarter.dice.pick(ACTS)(quarter);
        if (quarter.dice.isOnce(2)) quarter.day += quarter.dice.between(1, 12);
        if (quarter.dice.isOnce(3)) await settle(quarter);
        if (quarter.day > DAYS / 2) middle ??= new Date().toISOString();
      }
      await settle(quarter);
      return middle ?? new Date().toISOString();
    },
  };
};

type AnsweredCharge = {
  readonly chargeId: string;
  readonly amount: number;
  readonly fee: number;
  readonly parts: readonly { readonly part: number }[];
};

const takenBy = ({ charges }: { readonly charges: readonly AnsweredCharge[] }): readonly string[] =>
  charges.map(({ chargeId, amount, fee, parts }) => [chargeId, parts.at(-1)?.part, amount, fee].join(' '));

const expectedOf = ({ charges }: Anticipation): readonly string[] =>
  charges.map(({ charge, parts, amount, fee }) =>
    [charge.id, parts, ...[amount, fee].map((figure) => decimal(figure, charge.currency))].join(' '),
  );
