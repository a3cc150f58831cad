import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { type Client, operator, PATIENT, pollUntil, withToken } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { type BookedCharge, EXPONENTS, MEMBERS, type Member, offers } from '../support/quarter-books.ts';
import { createStory, decimal, PROVIDER_SECRET, type Quarter } from '../support/quarter-story.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway({ ...PATIENT, PROVIDER_SECRET });
const { differences } = createLedgerTools(gateway);

/** Quarters that are lived through side by side: one is mostly waiting. */
const AT_ONCE = 5;
/** `SEEDS=51-100` asks for those alone. */
const [FIRST = 1, LAST = volume({ usual: 3, proof: 200 })] =
  (process.env.SEEDS ?? '').match(/\d+/g)?.map(Number) ?? [];
const BATCHES = Array.from({ length: Math.ceil((LAST - FIRST + 1) / AT_ONCE) }, (_, index) => {
  const first = FIRST + index * AT_ONCE;
  return { first, last: Math.min(LAST, first + AT_ONCE - 1) };
});
const BRANDS = [
  'visa',
  'mastercard',
  'american-express',
  'elo',
  'hipercard',
  'discover',
  'diners-club',
  'jcb',
  'naranja',
  'cabal',
];

let admin: Client;
let receiver: Receiver;
let story: ReturnType<typeof createStory>;

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  receiver = await startReceiver();
  const user = { email: `${randomUUID()}@example.test`, password: 'correct horse battery' };
  await admin.post('/v1/admin/groups', { name: 'approvers', permissions: ['admin.adjustments.approve'] });
  await admin.post('/v1/admin/users', { ...user, merchantId: null, groups: ['approvers'] }).expect(201);
  const login = { ...user, environment: 'test' };
  const { body } = await gateway().call('post', '/v1/auth/login').send(login).expect(200);
  const second = withToken(gateway, body.accessToken);
  story = createStory({ gateway, admin, second, webhooksUrl: receiver.url });
});
afterAll(() => receiver.close());

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
    const { body } = await by
      .get(`${path}${path.includes('?') ? '&' : '?'}size=100&page=${page}`)
      .expect(200);
    rows.push(...body.data);
    if (page >= body.pages) return rows;
  }
};

/** A list or report as CSV: each row with its columns. */
const asCsv = async (by: Client, path: string): Promise<readonly Readonly<Record<string, string>>[]> => {
  // Two exports of a caller run at once, and the tests ask for more.
  const ask = async (): Promise<Response> => by.get(path).set('Accept', 'text/csv').buffer(true);
  const { status, text } = await pollUntil(ask, (answer) => answer.status !== 429);
  expect([path, status]).toEqual([path, 200]);
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
    (await by.get(`/v1/statement/summary?${query}`).expect(200)).body.data;
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
  const { body } = await admin.get(path).expect(200);
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

/** All reports about a member: as a whole, and of one of the three in every grouping. */
const checkReports = async ({ seed, books, accounts }: Quarter, member: Member): Promise<void> => {
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
    if (groupBy !== null && member !== MEMBERS[seed % MEMBERS.length]) continue;
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
    const fees = [
      ...['charge_spread', 'chargeback_alert_fee', 'anticipation_fee', 'payout_fee', 'payout_fee_reversal'],
    ];
    expect(revenue('amount')).toEqual(grouped(taken(...fees)));
    expect(revenue('chargebackAlertFees')).toEqual(grouped(taken('chargeback_alert_fee')));
    expect(revenue('anticipationFees')).toEqual(grouped(taken('anticipation_fee')));
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

/** Offers are those that the fee definitions allow, method by method, currency by currency and brand by brand. */
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

/** Anticipations, as the list shows them. */
const checkAnticipations = async ({ books, accounts }: Quarter): Promise<void> => {
  const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);
  const path = '/v1/anticipations?orderBy=createdAt';
  const rows = await allOf<Row>(accounts.market.key, path);
  expect(
    rows.map(({ id, merchantId, amount, fee, netAmount }) => [id, merchantId, amount, fee, netAmount]),
  ).toEqual(
    books.anticipations.map(({ id, of, charges }) => {
      const amount = sum(charges.map((taken) => taken.amount));
      const fee = sum(charges.map((taken) => taken.fee));
      return [id, accounts[of].id, ...[amount, fee, amount - fee].map((figure) => decimal(figure, 'BRL'))];
    }),
  );
};

/** Events that nobody asked for, as the lists show them. */
const checkStrays = async ({ books, accounts }: Quarter): Promise<void> => {
  for (const member of MEMBERS) {
    const own = books.strays.filter(({ charge }) => charge?.seller === member);
    const path = `/v1/admin/suspense-items?merchantId=${accounts[member].id}&orderBy=createdAt`;
    const rows = await allOf<Row>(admin, path);
    expect(rows.map(({ id, status, amount }) => [id, status, amount])).toEqual(
      own.map(({ id, status, amount, currency }) => [id, status, decimal(amount, currency)]),
    );
  }
};

/** The views hold everything, so that no further request has to wait for it. */
const viewsAreReady = async (): Promise<void> => {
  for (const view of [
    'charges',
    'admin/statement',
    'payout-requests',
    'anticipations',
    'admin/suspense-items',
  ])
    await admin.getAfter('latest', `/v1/${view}?size=1`);
};

const check = async (quarter: Quarter, middle: string): Promise<void> => {
  await Promise.all([
    checkCharges(quarter),
    checkWebhooks(quarter),
    checkPaymentMethods(quarter),
    checkAnticipations(quarter),
    checkStrays(quarter),
    ...MEMBERS.flatMap((member) => [checkStatement(quarter, member, middle), checkReports(quarter, member)]),
  ]);
};

describe('a quarter of a master, two sub-merchants and an operator', () => {
  const held: string[] = [];

  it.each(BATCHES)(
    'is to the cent what the contract makes of it (seeds $first to $last)',
    async ({ first, last }) => {
      const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const naming = (seed: number) => (error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
      };
      const lived = await Promise.all(
        seeds.map(async (seed) => {
          const quarter = await story.open(seed);
          return { quarter, middle: await story.live(quarter).catch(naming(seed)) };
        }),
      );
      await viewsAreReady();
      for (const { quarter, middle } of lived) await check(quarter, middle).catch(naming(quarter.seed));
      held.push(
        ...lived.flatMap(({ quarter }) =>
          quarter.books.strays.filter(({ status }) => status === 'held').map(({ id }) => id),
        ),
      );
    },
    600_000,
  );

  it('leaves nothing to reconcile but what is held for nobody', async () => {
    const { body } = await admin.getAfter('latest', '/v1/admin/reports/reconciliation');
    expect(body.data.map(({ subject }: { readonly subject: string }) => subject).sort()).toEqual(held.sort());
    expect(await differences()).toEqual([]);
  });
});
