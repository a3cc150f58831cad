import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { businessDayFrom, dateOfDay, dayOf, isBusinessDay } from '../../src/kernel/business-days.ts';
import { pixDayOf } from '../../src/modules/providers/pix/due-terms.ts';
import { devolucaoIdOf, txidOf } from '../../src/modules/providers/pix-api/references.ts';
import { aSpreadFee } from '../builders.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { pixVariables } from '../support/doubles/settings.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { type PixInstitution, startPixInstitution } from '../support/pix-api/institution.ts';

const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const directory = mkdtempSync(join(tmpdir(), 'portico-due-'));

let institution: PixInstitution;
let running: TestGateway;
const gateway = () => running;
let test: Client;
let live: Client;
let master: Client;
let participant: string;

const today = pixDayOf(new Date());
/** A business day after another one: terms that end the day before then end on that very day. */
const dueFrom = (day: number): number =>
  isBusinessDay(day - 1) && isBusinessDay(day) ? day : dueFrom(day + 1);
const DUE = dueFrom(today + 20);
const dueDate = dateOfDay(DUE);
/** The first business day after the due date that comes ten days later at the earliest. */
const LATE = businessDayFrom(DUE + 10);

jest.setTimeout(180_000);
beforeAll(async () => {
  institution = await startPixInstitution();
  // Holidays of the whole country are known to both sides.
  for (let day = today; day < today + 100; day += 1)
    if (!isBusinessDay(day)) institution.holidays.add(dateOfDay(day));
  running = await startTestGateway({
    ...PATIENT,
    LIVE_PROVIDERS: 'pix=pix-api,credit_card=simulator',
    ...pixVariables(institution, { callbackSecret: SECRET, directory }),
  });
  const seller = await running.createMerchant();
  const owner = await running.createMaster();
  participant = (await createSubMerchant(gateway, owner)).id;
  [test, live, master] = [seller.testKey, seller.liveKey, owner.testKey].map((key) =>
    withKey(gateway, key),
  ) as [Client, Client, Client];
  const fee = aSpreadFee({ payment_method: 'pix', definition: { fixed: 1, percentages: [2] } });
  for (const { id } of [seller, owner]) await running.setFees(id, [fee]);
}, 180_000);
afterAll(async () => {
  await running?.stop();
  await institution?.stop();
  rmSync(directory, { recursive: true });
}, 120_000);
afterEach(() => institution.troubleWith(() => null));

type Body = Response['body'];

const CUSTOMER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  document: { type: 'cpf', id: '529.982.247-25' },
  address: {
    country: 'BR',
    line1: 'Rua das Flores 80',
    city: 'Recife',
    state: 'pe',
    postalCode: '50010-000',
  },
};
const TERMS = {
  dueDate,
  daysAfterDue: 30,
  fine: { type: 'percentage', value: 2 },
  interest: { type: 'percentage', value: 1, per: 'month' },
  discounts: {
    type: 'amount',
    until: [
      { date: dateOfDay(DUE - 10), value: 10 },
      { date: dateOfDay(DUE - 1), value: 2.5 },
    ],
  },
} as const;
const request = (terms: object = {}, changes: object = {}): object => ({
  amount: 333.33,
  currency: 'BRL',
  customer: CUSTOMER,
  paymentMethod: { type: 'pix', installments: 1, ...TERMS, ...terms },
  ...changes,
});
const create = async (by: Client, terms?: object, changes?: object): Promise<Body> =>
  (await by.post('/v1/charges', request(terms, changes)).expect(201)).body;
const read = async (by: Client, id: string): Promise<Body> =>
  (await by.get(`/v1/charges/${id}`).expect(200)).body;
const payOn = async (by: Client, id: string, day: number): Promise<Body> =>
  (await by.post(`/v1/test-helpers/charges/${id}/pay`, { on: dateOfDay(day) }).expect(200)).body;
const differencesOf = async (id: string) =>
  (await checkLedger(running)).filter(({ subject }) => subject === id).map(({ aspect }) => aspect);
const cents = (amount: number): number => Math.round(amount * 100);
/** The fee of 1.00 and 2 per cent, rounded half up. */
const spreadOf = (amount: number): number => Math.floor((cents(amount) * 2 + 50) / 100) / 100 + 1;
const noonOf = (day: number): Date => new Date(`${dateOfDay(day)}T15:00:00.000Z`);

describe('a Pix with a due date', () => {
  it('says what is due on which day, and shows its terms as they were sent', async () => {
    const charge = await create(test);
    expect(charge).toMatchObject({ status: 'pending', amount: 333.33, paidAmount: null });
    expect(charge.customer.address).toEqual({ country: 'BR' });
    expect(charge.paymentMethod).toEqual({
      type: 'pix',
      ...TERMS,
      interest: { ...TERMS.interest, days: 'calendar' },
      rebate: null,
    });
    const { amountsDue, qrCode, payUrl } = charge.paymentDetails;
    expect(qrCode).toMatch(/^data:image\/png/);
    expect(payUrl).toMatch(new RegExp(`/pay/${charge.id}/[\\w-]{32}$`));
    expect(amountsDue[0]).toMatchObject({ from: dateOfDay(today), amount: 323.33 });
    expect(amountsDue.map(({ amount }: Body) => amount)).toContain(333.33);
    expect(amountsDue.at(-1).until).toBe(dateOfDay(businessDayFrom(DUE + 30)));
    // Midnight in São Paulo after the last payable day, and five days more.
    expect(charge.expiresAt).toBe(`${dateOfDay(businessDayFrom(DUE + 30) + 6)}T03:00:00.000Z`);
    expect(await read(test, charge.id)).toEqual(charge);
  });

  it('leaves a Pix without one as it was', async () => {
    const { body } = await test
      .post('/v1/charges', {
        ...request(),
        paymentMethod: { type: 'pix', installments: 1 },
        customer: { name: 'Ana', email: 'a@example.com' },
      })
      .expect(201);
    expect(body.paymentMethod).toEqual({ type: 'pix' });
    expect(body).not.toHaveProperty('paidAmount');
    expect(Object.keys(body.paymentDetails).sort()).toEqual([
      'copyPaste',
      'endToEndId',
      'expiresAt',
      'payUrl',
      'qrCode',
    ]);
  });

  it.each([
    ['early, with the discount', DUE - 12, 323.33],
    ['a day early, with the smaller discount', DUE - 1, 330.83],
    ['on the day', DUE, 333.33],
  ])('is booked to the cent where it is paid %s', async (_, day, paid) => {
    const { id } = await create(test);
    const charge = await payOn(test, id, Math.max(day, today));
    const spread = spreadOf(paid);
    expect(charge).toMatchObject({ status: 'paid', amount: 333.33, paidAmount: paid, spread });
    expect(cents(charge.net)).toBe(cents(paid) - cents(spread));
    expect(charge.paidAt.slice(0, 10)).toBe(dateOfDay(Math.max(day, today)));
    const { body } = await test.getAfter('latest', `/v1/statement?chargeId=${id}&size=100`);
    const gross = body.data.find(({ movement_type }: Body) => movement_type === 'charge');
    expect(gross.amount).toBe(paid);
    const explained = await test.get(`/v1/statement/${gross.id}/explain`).expect(200);
    expect(explained.body.charge.gross).toBe(paid);
    expect(await differencesOf(id)).toEqual([]);
  });

  it('that is paid late has fine and interest, and a refund gives all of it back', async () => {
    const { id } = await create(test);
    const charge = await payOn(test, id, LATE);
    // 2 % at once, and 1 % a month for each day since, each rounded half up.
    const fine = Math.floor((33_333 * 200 + 5_000) / 10_000);
    const interest = Math.floor((33_333 * 100 * (LATE - DUE) + 150_000) / 300_000);
    const paid = (33_333 + fine + interest) / 100;
    expect(charge).toMatchObject({
      status: 'paid',
      amount: 333.33,
      paidAmount: paid,
      spread: spreadOf(paid),
    });
    const { body: refund } = await test
      .post('/v1/refunds', { chargeId: id, reason: 'sent back' })
      .expect(201);
    expect(refund).toMatchObject({ status: 'refunded', amount: paid });
    expect(await read(test, id)).toMatchObject({ status: 'refunded', paidAmount: paid });
    expect(await checkLedger(running)).toEqual([]);
  });

  it('is split by what was paid, and the parts sum to it', async () => {
    const split = [{ merchantId: participant, percentage: 33.3333 }];
    const { id, split: planned } = await create(master, {}, { split });
    const charge = await payOn(master, id, LATE);
    const [part] = charge.split;
    expect(part.amount).toBeGreaterThan(planned[0].amount);
    expect(Math.abs(part.amount - (charge.net * 33.3333) / 100)).toBeLessThan(0.01);
    const { body } = await master.getAfter('latest', `/v1/statement?chargeId=${id}&size=100`);
    const own = body.data
      .filter(({ movement_type }: Body) => movement_type !== 'settlement')
      .map(({ amount }: Body) => cents(amount));
    const sum = own.reduce((total: number, amount: number) => total + amount, 0);
    expect(sum + cents(part.amount)).toBe(cents(charge.net));
    expect(await checkLedger(running)).toEqual([]);
  });

  it('is in lists, CSV and reports with what was paid', async () => {
    const { id } = await create(test, {}, { reference: 'due-in-lists' });
    const { paidAmount } = await payOn(test, id, LATE);
    const { body } = await test.getAfter('latest', '/v1/charges?reference=due-in-lists');
    expect(body.data).toMatchObject([{ id, paidAmount, paymentMethod: { dueDate } }]);
    expect(body.data[0].paymentDetails).not.toHaveProperty('amountsDue');
    const csv = await test.get('/v1/charges?reference=due-in-lists').set('Accept', 'text/csv').expect(200);
    const [titles = [], row = []] = parseCsv(csv.text);
    expect(row[titles.indexOf('paidAmount')]).toBe(String(paidAmount));
    expect(row[titles.indexOf('paymentMethod.dueDate')]).toBe(dueDate);
    const volume = await test.getAfter('latest', '/v1/reports/volume');
    const totals = volume.body.totals.find(({ currency }: Body) => currency === 'BRL');
    expect(cents(totals.paidAmount)).toBe(cents(totals.net) + cents(totals.spread));
  });

  it('takes the payer from a customer, and says which fact of it is missing', async () => {
    const { body: whole } = await test.post('/v1/customers', CUSTOMER).expect(201);
    const charge = await create(test, {}, { customer: undefined, customerId: whole.id });
    expect(charge.customer).toMatchObject({ id: whole.id, address: { country: 'BR' } });
    const { body: bare } = await test
      .post('/v1/customers', { name: 'Rui', email: 'rui@example.com' })
      .expect(201);
    const { body } = await test
      .post('/v1/charges', request({}, { customer: undefined, customerId: bare.id }))
      .expect(400);
    expect(body.errors.map(({ path }: Body) => path)).toEqual(['customerId', 'customerId']);
  });

  it('is no duplicate of one that is due on another day', async () => {
    const customer = { ...CUSTOMER, document: { type: 'cpf', id: '11144477735' } };
    await create(test, {}, { customer });
    const other = await test.post('/v1/charges', request({ dueDate: dateOfDay(DUE + 30) }, { customer }));
    expect(other.headers).not.toHaveProperty('x-possible-duplicate-of');
    const same = await test.post('/v1/charges', request({}, { customer }));
    expect(same.headers).toHaveProperty('x-possible-duplicate-of');
  });
});

describe('a request for a Pix with a due date', () => {
  const { document, address, ...nobody } = CUSTOMER;
  it.each<[string, object, object, string]>([
    ['expiresIn beside it', { expiresIn: 600 }, {}, 'paymentMethod.expiresIn'],
    ['a day of the past', { dueDate: dateOfDay(today - 1) }, {}, 'paymentMethod.dueDate'],
    ['a day that is far away', { dueDate: dateOfDay(today + 800) }, {}, 'paymentMethod.dueDate'],
    ['no day at all', { dueDate: '2026-02-30' }, {}, 'paymentMethod.dueDate'],
    ['another currency', {}, { currency: 'USD' }, 'currency'],
    ['days below zero', { daysAfterDue: -1 }, {}, 'paymentMethod.daysAfterDue'],
    ['a fine without a value', { fine: { type: 'amount' } }, {}, 'paymentMethod.fine.value'],
    ['a fine of no kind', { fine: { type: 'tithe', value: 1 } }, {}, 'paymentMethod.fine.type'],
    [
      'more than two decimals',
      { fine: { type: 'percentage', value: 1.234 } },
      {},
      'paymentMethod.fine.value',
    ],
    [
      'interest without its period',
      { interest: { type: 'percentage', value: 1 } },
      {},
      'paymentMethod.interest.per',
    ],
    [
      'an amount of interest for a month',
      { interest: { type: 'amount', value: 1, per: 'month' } },
      {},
      'paymentMethod.interest.per',
    ],
    ['a rebate of everything', { rebate: { type: 'percentage', value: 100 } }, {}, 'paymentMethod.rebate'],
    [
      'a discount of everything',
      { discounts: { type: 'amount', value: 333.33, days: 'calendar' } },
      {},
      'paymentMethod.discounts',
    ],
    [
      'a discount after the due date',
      { discounts: { type: 'amount', until: [{ date: dateOfDay(DUE + 1), value: 1 }] } },
      {},
      'paymentMethod.discounts.until',
    ],
    [
      'discounts that rise',
      {
        discounts: {
          type: 'amount',
          until: [
            { date: dateOfDay(DUE - 5), value: 1 },
            { date: dateOfDay(DUE), value: 2 },
          ],
        },
      },
      {},
      'paymentMethod.discounts.until',
    ],
    ['a payer without a document', {}, { customer: { ...nobody, address } }, 'customer.document'],
    [
      'a payer with a document of another country',
      {},
      { customer: { ...CUSTOMER, document: { type: 'dni', id: '12345678' } } },
      'customer.document',
    ],
    ['a payer without an address', {}, { customer: { ...nobody, document } }, 'customer.address'],
    [
      'a payer with half an address',
      {},
      { customer: { ...CUSTOMER, address: { country: 'BR', city: 'Recife' } } },
      'customer.address',
    ],
    ['terms without the day', { dueDate: undefined, expiresIn: undefined }, {}, 'paymentMethod.daysAfterDue'],
  ])('with %s is refused', async (_, terms, changes, path) => {
    const before = await gateway().db.collection('charges').countDocuments({});
    const { body } = await test.post('/v1/charges', request(terms, changes)).expect(400);
    expect(body.errors.map((fault: Body) => fault.path)).toContain(path);
    expect(await gateway().db.collection('charges').countDocuments({})).toBe(before);
  });

  it('without a due date takes no more of an address than before', async () => {
    const paymentMethod = { type: 'pix', installments: 1 };
    const { body } = await test.post('/v1/charges', request({}, { paymentMethod })).expect(400);
    expect(body.errors.map((fault: Body) => fault.path)).toContain('customer.address.line1');
  });

  it('is paid on no day before it was made or after its last one, and no other charge on a day', async () => {
    const { id } = await create(test);
    for (const day of [today - 1, businessDayFrom(DUE + 30) + 1]) {
      const { body } = await test
        .post(`/v1/test-helpers/charges/${id}/pay`, { on: dateOfDay(day) })
        .expect(400);
      expect(body.errors).toMatchObject([{ path: 'on' }]);
    }
    const { body: plain } = await test
      .post('/v1/charges', {
        amount: 1,
        currency: 'BRL',
        customer: { name: 'Ana', email: 'a@example.com' },
        paymentMethod: { type: 'pix', installments: 1 },
      })
      .expect(201);
    await test.post(`/v1/test-helpers/charges/${plain.id}/pay`, { on: dateOfDay(today) }).expect(400);
    await test.post(`/v1/test-helpers/charges/${plain.id}/pay`).expect(200);
    expect((await read(test, id)).status).toBe('pending');
  });
});

describe('the page of a Pix with a due date', () => {
  const pageOf = async (charge: Body, language = 'en'): Promise<string> => {
    const { pathname } = new URL(charge.paymentDetails.payUrl);
    const { text } = await gateway().call('get', pathname).set('Accept-Language', language).expect(200);
    return text.replaceAll(/[\u00a0\u202f]/g, ' ');
  };

  it.each([
    ['en', 'What is due on which day', 'R$323.33'],
    ['pt-BR', 'Quanto pagar em cada dia', 'R$ 323,33'],
    ['es-AR', 'Cuánto pagar cada día', '323,33'],
  ])('shows in %s what is due when, with the code', async (language, heading, amount) => {
    const charge = await create(test);
    const html = await pageOf(charge, language);
    expect(html).toContain(heading);
    expect(html).toContain(amount);
    expect(html).toContain(charge.paymentDetails.copyPaste.slice(0, 20));
    expect(html.match(/<form/g)).toHaveLength(2);
  });

  it('takes what is due today in the test environment, and plays no payer of a live charge', async () => {
    const charge = await create(test);
    const { pathname } = new URL(charge.paymentDetails.payUrl);
    await gateway().call('post', `${pathname}/pay`).type('form').send({}).expect(303);
    expect(await read(test, charge.id)).toMatchObject({ status: 'paid', paidAmount: 323.33 });
    expect(await pageOf(charge)).toContain('R$323.33');
    const real = await create(live);
    const html = await pageOf(real);
    expect(html).not.toContain('<form');
    expect(html).not.toContain('Test environment');
    const { pathname: path } = new URL(real.paymentDetails.payUrl);
    await gateway().call('post', `${path}/pay`).type('form').send({}).expect(404);
    await gateway()
      .call('get', `${path.slice(0, -1)}`)
      .expect(404);
    expect((await read(live, real.id)).status).toBe('pending');
  });
});

describe('a live Pix with a due date', () => {
  const tell = (...endToEndIds: readonly string[]) =>
    gateway()
      .call('post', `/v1/providers/pix-api/notifications/${SECRET}/pix`)
      .type('json')
      .send(institution.callbackAbout(...endToEndIds).toString('utf8'))
      .expect(200);
  const ended = (id: string) =>
    pollUntil(
      () => read(live, id),
      ({ status }) => status !== 'pending',
    );
  const heldOf = (chargeId: string) =>
    gateway()
      .db.collection('suspense_items')
      .find({ chargeId }, { projection: { _id: 0 } })
      .toArray();

  it('is a cobv at the institution with payer, dates and modalities', async () => {
    const charge = await create(live, { rebate: { type: 'amount', value: 3.33 } });
    expect(charge).toMatchObject({ status: 'pending', pspRefId: txidOf(charge.id), livemode: true });
    expect(institution.cobvs.get(txidOf(charge.id))?.body).toEqual({
      calendario: { dataDeVencimento: dueDate, validadeAposVencimento: 30 },
      devedor: {
        cpf: '52998224725',
        nome: 'Ana Souza',
        logradouro: 'Rua das Flores 80',
        cidade: 'Recife',
        uf: 'PE',
        cep: '50010000',
      },
      valor: {
        original: '333.33',
        multa: { modalidade: 2, valorPerc: '2.00' },
        juros: { modalidade: 3, valorPerc: '1.00' },
        abatimento: { modalidade: 1, valorPerc: '3.33' },
        desconto: {
          modalidade: 1,
          descontoDataFixa: [
            { data: dateOfDay(DUE - 10), valorPerc: '10.00' },
            { data: dateOfDay(DUE - 1), valorPerc: '2.50' },
          ],
        },
      },
      chave: institution.key,
    });
  });

  it.each([
    ['early', DUE - 12, {}],
    ['on the day', DUE, {}],
    ['late', LATE, {}],
    [
      'early with a discount for each day',
      DUE - 12,
      { discounts: { type: 'percentage', value: 0.13, days: 'business' } },
    ],
    [
      'late with interest in business days',
      LATE,
      { interest: { type: 'percentage', value: 9, per: 'year', days: 'business' } },
    ],
    [
      'late with amounts',
      LATE,
      { fine: { type: 'amount', value: 7.77 }, interest: { type: 'amount', value: 0.33 } },
    ],
  ])('that is paid %s is booked as the institution says', async (_, day, terms) => {
    const { id } = await create(live, terms);
    const endToEndId = institution.pay(txidOf(id), { at: noonOf(Math.max(day, today)) });
    await tell(endToEndId);
    const valor = Number(institution.pixes.get(endToEndId)?.valor);
    const charge = await read(live, id);
    expect(charge).toMatchObject({ status: 'paid', amount: 333.33, paidAmount: valor, pspRefId: endToEndId });
    expect(charge.spread).toBe(spreadOf(valor));
    expect(cents(charge.net)).toBe(cents(valor) - cents(charge.spread));
    // The institution computes by itself, so that both rules agree.
    expect(await differencesOf(id)).toEqual([]);
  });

  it('whose callback is lost is found, and is paid once', async () => {
    const { id } = await create(live);
    const endToEndId = institution.pay(txidOf(id));
    expect(await ended(id)).toMatchObject({ status: 'paid', paidAmount: 323.33, pspRefId: endToEndId });
    await tell(endToEndId, endToEndId);
    expect(await gateway().db.collection('journals').countDocuments({ referenceId: id })).toBe(1);
  });

  it('that is refunded gives back what was paid', async () => {
    const { id } = await create(live);
    const endToEndId = institution.pay(txidOf(id), { at: noonOf(LATE) });
    await tell(endToEndId);
    const { paidAmount } = await read(live, id);
    const { body: refund } = await live.post('/v1/refunds', { chargeId: id, reason: 'no' }).expect(201);
    expect(refund).toMatchObject({ status: 'refunded', amount: paidAmount });
    expect(institution.pixes.get(endToEndId)?.devolucoes).toMatchObject([
      { id: devolucaoIdOf(refund.id), valor: paidAmount.toFixed(2), status: 'DEVOLVIDO' },
    ]);
    expect(await differencesOf(id)).toEqual([]);
  });

  it.each([
    ['less than with all discounts', 323_32],
    ['more than on the last payable day', 400_00],
  ])('is not paid by %s: that is in suspense', async (_, amount) => {
    const { id } = await create(live);
    await tell(institution.pay(txidOf(id), { force: true, amount, at: noonOf(LATE) }));
    expect((await read(live, id)).status).toBe('pending');
    expect(await heldOf(id)).toMatchObject([{ reason: 'payment_of_other_amount', amount, status: 'held' }]);
    expect(await differencesOf(id)).toEqual([]);
  });

  it('that is paid with another amount within the range is booked with it, and shown as a difference', async () => {
    const { id } = await create(live);
    // As where the payer's town has a holiday on the day after the due date.
    await tell(institution.pay(txidOf(id), { force: true, amount: 333_33, at: noonOf(LATE) }));
    expect(await read(live, id)).toMatchObject({ status: 'paid', paidAmount: 333.33 });
    expect(await differencesOf(id)).toEqual(['paid amount']);
    const admin = await operator(gateway, 'live');
    const seen = await pollUntil(
      async () => (await admin.getAfter('latest', '/v1/admin/reports/reconciliation')).body.data,
      (data: Body[]) => data.some(({ subject }) => subject === id),
    );
    expect(seen.find(({ subject }: Body) => subject === id)).toMatchObject({
      kind: 'charge',
      message: expect.stringContaining('33333 was paid on'),
    });
    await live.post('/v1/refunds', { chargeId: id, reason: 'no' }).expect(201);
    expect(await differencesOf(id)).toEqual([]);
  });

  it('whose answer got lost exists once, and can be cancelled', async () => {
    institution.troubleWith((call) => (call.startsWith('PUT /cobv/') ? 'lose' : null));
    const { id } = await create(live);
    institution.troubleWith(() => null);
    const past = new Date(Date.now() - 1_000).toISOString();
    await gateway()
      .db.collection('charges')
      .updateOne({ id }, { $set: { reconcileAt: past } });
    const known = await pollUntil(
      () => read(live, id),
      ({ paymentDetails }) => paymentDetails !== null,
    );
    expect(known).toMatchObject({ status: 'pending', pspRefId: txidOf(id) });
    await live.post(`/v1/charges/${id}/cancel`).expect(200);
    expect(institution.cobvs.get(txidOf(id))?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });

  it('that nobody pays is removed once its time is over', async () => {
    const { id } = await create(live);
    const past = new Date(Date.now() - 1_000).toISOString();
    await gateway()
      .db.collection('charges')
      .updateOne({ id }, { $set: { expiresAt: past, reconcileAt: past } });
    expect(await ended(id)).toMatchObject({ status: 'failed', failureReason: 'expired', paidAmount: null });
    expect(institution.cobvs.get(txidOf(id))?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });

  it('keeps the institution within its own rules', () => {
    expect(institution.ownFaults).toEqual([]);
    expect(dayOf(dueDate)).toBe(DUE);
  });
});
