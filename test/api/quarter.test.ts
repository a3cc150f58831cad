import { randomUUID } from 'node:crypto';
import { aCardRequest, aPixRequest } from '../builders.ts';
import { type Client, operator, PATIENT, pollUntil, withKey, withToken } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { parseCsv } from '../support/parse-csv.ts';
import {
  ALERT_FEE,
  type BookedCharge,
  type Books,
  createBooks,
  EXPONENTS,
  feeDefinitions,
  MEMBERS,
  type Member,
  offers,
  type RefundResult,
  type Sale,
} from '../support/quarter-books.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway(PATIENT);
const { differences } = createLedgerTools(gateway);

const DAYS = 92;
const DAY_MS = 86_400_000;
const SEEDS = Array.from({ length: volume({ usual: 5, proof: 200 }) }, (_, index) => index + 1);
const BRANDS = [
  'visa',
  'mastercard',
  'american-express',
  'elo',
  'hipercard',
  'discover',
  'diners-club',
  'jcb',
];

/** Cards that are paid, and given back at once. */
const CARDS: Readonly<Record<'visa' | 'mastercard', string>> = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
};
/** Further cards of `visa`: by what becomes of their refunds, and of the charge itself. */
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

/** Numbers that look random and are the same for the same seed (mulberry32). */
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
type Quarter = {
  readonly books: Books;
  readonly accounts: Readonly<Record<Member, Account>>;
  readonly dice: Dice;
  /** Refunds that wait for the bank. */
  readonly open: { readonly charge: BookedCharge; readonly refundId: string; readonly isOfAlert: boolean }[];
  /** The outcome of a refund by the charge's card. */
  readonly refunds: Map<string, RefundResult>;
  day: number;
};

let admin: Client;
let second: Client;
let receiver: Receiver;

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  receiver = await startReceiver();
  const user = { email: `${randomUUID()}@example.test`, password: 'correct horse battery' };
  await admin.post('/v1/admin/groups', { name: 'approvers', permissions: ['admin.adjustments.approve'] });
  await admin.post('/v1/admin/users', { ...user, merchantId: null, groups: ['approvers'] }).expect(201);
  const login = { ...user, environment: 'test' };
  const { body } = await gateway().call('post', '/v1/auth/login').send(login).expect(200);
  second = withToken(gateway, body.accessToken);
});
afterAll(() => receiver.close());

const decimal = (amount: number, currency: string): number =>
  Number((amount / 10 ** (EXPONENTS[currency] ?? 2)).toFixed(EXPONENTS[currency] ?? 2));

/** A market with its fees, a bakery and a florist that it onboards, and two endpoints: for all of them, and the bakery's. */
const open = async (seed: number): Promise<Quarter> => {
  const created = await gateway().createMerchant({ role: 'MerchantMaster', companyTaxId: '11222333000181' });
  const key = withKey(gateway, created.testKey);
  await admin.call('put', `/v1/admin/merchants/${created.id}/fee-definitions`, feeDefinitions()).expect(200);
  for (const [name, content] of [
    ['enable_connect', true],
    ['chargeback_alert_fee', { amount: ALERT_FEE / 100, currency: 'BRL' }],
  ] as const)
    await admin.post(`/v1/merchants/${created.id}/settings`, { name, content }).expect(201);
  const listen = (by: Client, path: string, includeSubmerchants: boolean) =>
    by.post('/v1/webhook-endpoints', {
      url: `${receiver.url}/${path}`,
      events: ['*'],
      enabled: true,
      includeSubmerchants,
    });
  await listen(key, `${created.id}/all`, true).expect(201);

  const books = createBooks();
  const onboard = async (member: Member, companyTaxId: string): Promise<Account> => {
    const fields = { legalName: member, companyTaxId, email: 'loja@example.test' };
    const { body } = await key.post('/v1/submerchants', fields).expect(201);
    await admin.post(`/v1/admin/submerchants/${body.id}/status`, { status: 'active' }).expect(200);
    books.tell(member, 'account.approved', body.id);
    const keys = await key.get(`/v1/submerchants/${body.id}/api-keys`).expect(200);
    return { id: body.id, key: withKey(gateway, keys.body.secretKey) };
  };
  const bakery = await onboard('bakery', '11444777000161');
  const florist = await onboard('florist', '52998224725');
  await listen(bakery.key, `${created.id}/own`, false).expect(201);
  return {
    books,
    accounts: { market: { id: created.id, key }, bakery, florist },
    dice: createDice(seed),
    open: [],
    refunds: new Map(),
    day: 0,
  };
};

/** Settles what is due by the story's day, for all three of them. */
const settle = async ({ accounts, books, day }: Quarter): Promise<void> => {
  const until = new Date(Date.now() + (day + 0.5) * DAY_MS).toISOString();
  await accounts.market.key.post('/v1/test-helpers/settlements/run', { until }).expect(200);
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
    // It is due at once, so that the worker may settle it at any time.
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

/** A charge that can still be given back. */
const anyPaid = ({ books, dice }: Quarter): BookedCharge | undefined =>
  dice.pick(books.charges.filter(({ status, isRefundPending }) => status === 'paid' && !isRefundPending));

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
  quarter.books.alert(charge);
  const result = quarter.refunds.get(charge.id) ?? 'refunded';
  if (result === 'pending') quarter.open.push({ charge, refundId: body.refund.id, isOfAlert: true });
  if (result === 'refused' || result === 'failed')
    quarter.books.tell(charge.seller, 'refund.failed', body.refund.id);
};

const chargeback = async ({ books, dice }: Quarter): Promise<void> => {
  const may = books.charges.filter(
    ({ status, isRefundPending }) => !isRefundPending && (status === 'paid' || status === 'pre_chargeback'),
  );
  const charge = dice.pick(may);
  if (!charge) return;
  await admin.post(`/v1/admin/charges/${charge.id}/chargeback`).expect(200);
  books.chargeback(charge);
};

/** The bank decides on a refund that waits for it. */
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

const ACTS = [
  sell,
  sell,
  sell,
  sell,
  sell,
  refund,
  refund,
  finish,
  alert,
  chargeback,
  payOut,
  payOut,
  adjust,
];

/** Lives through the quarter; returns an instant in the middle of it. */
const live = async (quarter: Quarter): Promise<string> => {
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
};

type Line = Record<'id' | 'movement_type' | 'bucket' | 'currency' | 'createdAt' | 'description', string> & {
  readonly amount: number;
  readonly balanceAfter: number;
  readonly chargeId: string | null;
};
type Row = Readonly<Record<string, string | number | null>>;

const minor = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** (EXPONENTS[currency] ?? 2));

/** All rows of a list. */
const allOf = async <T>(by: Client, path: string): Promise<readonly T[]> => {
  const rows: T[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await by.getAfter(
      'latest',
      `${path}${path.includes('?') ? '&' : '?'}size=100&page=${page}`,
    );
    rows.push(...body.data);
    if (page >= body.pages) return rows;
  }
};

/** The same list or report as CSV: each row with its columns. */
const asCsv = async (by: Client, path: string): Promise<readonly Readonly<Record<string, string>>[]> => {
  const { text } = await by
    .get(path)
    .set('Accept', 'text/csv')
    .set('X-Consistency-Token', 'latest')
    .buffer(true)
    .expect(200);
  const [titles = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(titles.map((title, column) => [title, row[column] ?? ''])));
};
const asText = (rows: readonly Row[]): readonly Readonly<Record<string, string>>[] =>
  rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
  );

/** The sums of amounts by a name. */
const sumsOf = <T>(all: readonly T[], nameOf: (one: T) => string, amountOf: (one: T) => number) => {
  const sums: Record<string, number> = {};
  for (const one of all) sums[nameOf(one)] = (sums[nameOf(one)] ?? 0) + amountOf(one);
  return Object.fromEntries(Object.entries(sums).sort(([left], [right]) => (left < right ? -1 : 1)));
};
const countsOf = <T>(all: readonly T[], nameOf: (one: T) => string) => sumsOf(all, nameOf, () => 1);
const without = (sums: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));

const checkCharges = async ({ books, accounts }: Quarter): Promise<void> => {
  const rows = await allOf<Row & { readonly paymentMethod: { readonly type: string } }>(
    accounts.market.key,
    '/v1/charges',
  );
  const shown = rows.map(({ id, merchantId, status, amount, spread, net, currency, paymentMethod }) =>
    [id, merchantId, status, amount, spread, net, currency, paymentMethod.type].join(' '),
  );
  const expected = books.charges.map(({ id, seller, status, amount, spread, net, currency, type }) =>
    [
      id,
      accounts[seller].id,
      status,
      ...[amount, spread, net].map((figure) => decimal(figure, currency)),
      currency,
      type,
    ].join(' '),
  );
  expect([...shown].sort()).toEqual([...expected].sort());
};

const checkStatement = async (
  { books, accounts }: Quarter,
  member: Member,
  middle: string,
): Promise<void> => {
  const { id, key } = accounts[member];
  const own = books.entries.filter(({ of }) => of === member);
  const path = '/v1/statement?orderBy=createdAt';
  const lines = await allOf<Line>(key, path);
  expect(
    countsOf(lines, (line) =>
      [line.movement_type, line.bucket, minor(line.amount, line.currency), line.currency, line.chargeId].join(
        ' ',
      ),
    ),
  ).toEqual(
    countsOf(own, ({ movement, bucket, amount, currency, chargeId }) =>
      [movement, bucket, amount, currency, chargeId].join(' '),
    ),
  );
  const balances: Record<string, number> = {};
  for (const { bucket, currency, amount, balanceAfter, movement_type, description } of lines) {
    const account = `${currency} ${bucket}`;
    balances[account] = (balances[account] ?? 0) + minor(amount, currency);
    expect(minor(balanceAfter, currency)).toBe(balances[account]);
    if (movement_type === 'adjustment') expect(description).toBe('by hand');
  }
  expect(await asCsv(key, path)).toEqual(asText(lines as unknown as readonly Row[]));
  const ofMaster = `/v1/statement?orderBy=createdAt&merchantId=${id}`;
  expect(await allOf<Line>(accounts.market.key, ofMaster)).toEqual(lines);
  expect(await allOf<Line>(admin, `/v1/admin/statement?orderBy=createdAt&merchantId=${id}`)).toEqual(lines);

  const total = sumsOf(
    own,
    ({ currency, bucket }) => `${currency} ${bucket}`,
    ({ amount }) => amount,
  );
  expect(without(balances)).toEqual(without(total));
  for (const by of [key, accounts.market.key]) {
    const { body } = await by.get(`/v1/balance?merchantId=${id}`).expect(200);
    const shown = body.data.flatMap((row: Record<string, never>) =>
      ['available', 'reserved'].map((bucket) => [
        `${row.currency} ${bucket}`,
        minor(Number(row[bucket]), String(row.currency)),
      ]),
    );
    expect(without(Object.fromEntries(shown))).toEqual(without(total));
  }
  await checkSummary(
    key,
    sumsOf(own, nameOfMovement, ({ amount }) => amount),
    middle,
  );
};
const nameOfMovement = ({ currency, movement }: { readonly currency: string; readonly movement: string }) =>
  `${currency} ${movement}`;

type Summary = {
  readonly data: readonly {
    readonly currency: string;
    readonly openingBalance: Readonly<Record<string, number>>;
    readonly closingBalance: Readonly<Record<string, number>>;
    readonly movements: readonly { readonly movement_type: string; readonly total: number }[];
  }[];
};

/** The summary of all, and those of the two halves, which meet in the middle. */
const checkSummary = async (
  by: Client,
  expected: Readonly<Record<string, number>>,
  middle: string,
): Promise<void> => {
  const ask = async (query: string): Promise<Summary['data']> =>
    (await by.getAfter('latest', `/v1/statement/summary?${query}`)).body.data;
  const movementsOf = (summaries: Summary['data']): Readonly<Record<string, number>> =>
    without(
      sumsOf(
        summaries.flatMap(({ currency, movements }) =>
          movements.map((movement) => ({ currency, ...movement })),
        ),
        ({ currency, movement_type }) => `${currency} ${movement_type}`,
        ({ currency, total }) => minor(total, currency),
      ),
    );
  const [whole, first, last] = [await ask(''), await ask(`to=${middle}`), await ask(`from=${middle}`)];
  expect(movementsOf(whole)).toEqual(without(expected));
  expect(movementsOf([...first, ...last])).toEqual(without(expected));
  for (const { currency, openingBalance, closingBalance } of last) {
    const half = first.find((summary) => summary.currency === currency);
    expect(openingBalance).toEqual(half?.closingBalance ?? { available: 0, reserved: 0, total: 0 });
    expect(closingBalance).toEqual(whole.find((summary) => summary.currency === currency)?.closingBalance);
  }
};

/** A report of one merchant: the sums of a column by currency and group. Its CSV says the same. */
const reportOf = async (name: string, merchantId: string, groupBy: string | null) => {
  const path = `/v1/admin/reports/${name}?merchantId=${merchantId}${groupBy ? `&groupBy=${groupBy}` : ''}`;
  const { body } = await admin.getAfter('latest', path);
  if (groupBy === null) expect(await asCsv(admin, path)).toEqual(asText(body.data));
  return (column: string): Readonly<Record<string, number>> =>
    without(
      sumsOf(
        body.data as readonly (Row & { readonly currency: string })[],
        ({ currency, group }) => [currency, ...(groupBy ? [group] : [])].join(' '),
        (row) => (column === 'count' ? Number(row.count) : minor(Number(row[column]), row.currency)),
      ),
    );
};

const checkReports = async ({ books, accounts }: Quarter, member: Member): Promise<void> => {
  const { id } = accounts[member];
  const own = books.charges.filter(({ seller }) => seller === member);
  const paid = own.filter(({ isPaid }) => isPaid);
  const entries = books.entries.filter(({ of }) => of === member);
  const moved = (...movements: string[]) => entries.filter(({ movement }) => movements.includes(movement));
  const inCurrency = ({ currency }: { readonly currency: string }) => currency;
  const amountOf = ({ amount }: { readonly amount: number }) => amount;
  const taken = (...movements: string[]) =>
    without(sumsOf(moved(...movements), inCurrency, ({ amount }) => -amount));
  const given = (...movements: string[]) => without(sumsOf(moved(...movements), inCurrency, amountOf));

  for (const [groupBy, groupOf] of [
    [null, () => null],
    ['status', ({ status }: BookedCharge) => status],
    ['paymentMethod', ({ type }: BookedCharge) => type],
    ['currency', inCurrency],
    ['merchantId', () => id],
  ] as const) {
    const nameOf = (charge: BookedCharge) =>
      [charge.currency, ...(groupBy ? [groupOf(charge)] : [])].join(' ');
    const volumes = await reportOf('volume', id, groupBy);
    expect(volumes('count')).toEqual(countsOf(own, nameOf));
    expect(volumes('amount')).toEqual(sumsOf(own, nameOf, amountOf));
    expect(volumes('paidAmount')).toEqual(sumsOf(paid, nameOf, amountOf));
    const revenue = await reportOf('revenue', id, groupBy);
    expect(revenue('spread')).toEqual(without(sumsOf(paid, nameOf, ({ spread }) => spread)));
    if (groupBy === 'status' || groupBy === 'paymentMethod') continue;
    const grouped = (sums: Readonly<Record<string, number>>) =>
      groupBy === null
        ? sums
        : Object.fromEntries(
            Object.entries(sums).map(([currency, sum]) => [
              `${currency} ${groupBy === 'currency' ? currency : id}`,
              sum,
            ]),
          );
    const fees = ['charge_spread', 'chargeback_alert_fee', 'payout_fee', 'payout_fee_reversal'];
    expect(revenue('amount')).toEqual(grouped(taken(...fees)));
    expect(revenue('chargebackAlertFees')).toEqual(grouped(taken('chargeback_alert_fee')));
    expect(revenue('payoutFees')).toEqual(grouped(taken('payout_fee', 'payout_fee_reversal')));
    const payouts = await reportOf('payouts', id, groupBy);
    expect(payouts('amount')).toEqual(grouped(taken('payout', 'payout_fee')));
    expect(payouts('fees')).toEqual(grouped(taken('payout_fee')));
    expect(payouts('reversed')).toEqual(grouped(given('payout_reversal', 'payout_fee_reversal')));
    expect(payouts('feesReversed')).toEqual(grouped(given('payout_fee_reversal')));
    expect(payouts('net')).toEqual(
      grouped(taken('payout', 'payout_fee', 'payout_reversal', 'payout_fee_reversal')),
    );
    const balances = await reportOf('balances', id, groupBy);
    for (const bucket of ['available', 'reserved'])
      expect(balances(bucket)).toEqual(
        grouped(
          without(
            sumsOf(
              entries.filter((entry) => entry.bucket === bucket),
              inCurrency,
              amountOf,
            ),
          ),
        ),
      );
  }
};

/** Each of the two endpoints got what concerns it, once, numbered without a gap. */
const checkWebhooks = async ({ books, accounts }: Quarter): Promise<void> => {
  const wanted = {
    all: books.events,
    own: books.events.filter(({ of, name }) => of === 'bakery' && name !== 'account.approved'),
  };
  for (const [endpoint, events] of Object.entries(wanted)) {
    const sent = () => receiver.received.filter(({ path }) => path === `/${accounts.market.id}/${endpoint}`);
    await pollUntil(
      async () => sent().length,
      (count) => count >= events.length,
    );
    const bodies = sent().map(({ body }) => JSON.parse(body));
    expect(countsOf(bodies, ({ event, data }) => `${event} ${data.id}`)).toEqual(
      countsOf(events, ({ name, about }) => `${name} ${about}`),
    );
    const numbers = sent().map(({ sequence }) => sequence ?? 0);
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
    for (const { event, data } of bodies.filter((body) => body.event === 'charge.paid')) {
      const charge = books.charges.find(({ id }) => id === data.id);
      const figures = [charge?.amount, charge?.spread, charge?.net].map((figure) =>
        decimal(figure ?? Number.NaN, data.currency),
      );
      expect([event, data.amount, data.spread, data.net]).toEqual(['charge.paid', ...figures]);
    }
  }
};

const isDefined = (type: string): boolean => type === 'credit_card' || type === 'pix';

/** What is offered is what the fee definitions allow, method by method, currency by currency and brand by brand. */
const checkPaymentMethods = async ({ accounts }: Quarter): Promise<void> => {
  for (const { key } of Object.values(accounts)) {
    const { body } = await key.get('/v1/payment-methods').expect(200);
    const offered: Record<string, number> = {};
    // Where there are no fee definitions, a test key is offered everything.
    for (const { type, currencies, brands, installments } of body.data)
      for (const currency of isDefined(type) ? currencies.filter((one: string) => one in EXPONENTS) : [])
        for (const brand of brands ?? [null])
          offered[[type, currency, ...(brand ? [brand] : [])].join(' ')] = installments.max;
    expect(offered).toEqual(offers(BRANDS));
  }
};

describe('a quarter of a master, two sub-merchants and an operator', () => {
  it.each(SEEDS)(
    'is to the cent what the contract makes of it (seed %d)',
    async (seed) => {
      const quarter = await open(seed);
      const middle = await live(quarter);
      await checkCharges(quarter);
      for (const member of MEMBERS) {
        await checkStatement(quarter, member, middle);
        await checkReports(quarter, member);
      }
      await checkWebhooks(quarter);
      await checkPaymentMethods(quarter);
    },
    600_000,
  );

  it('leaves nothing to reconcile', async () => {
    const { body } = await admin.getAfter('latest', '/v1/admin/reports/reconciliation');
    expect(body.data).toEqual([]);
    expect(await differences()).toEqual([]);
  });
});
