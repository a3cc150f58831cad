import { MongoClient } from 'mongodb';
import type { Response } from 'supertest';
import { systemContext } from '../../src/kernel/event.ts';
import { newId } from '../../src/kernel/ids.ts';
import { modules } from '../../src/main/modules.ts';
import {
  CHARGES,
  chargeMigrations,
  createFindDuplicate,
} from '../../src/modules/charges/write/charge.store.ts';
import { type Charge, openCharge } from '../../src/modules/charges/write/charge.ts';
import type { AuthorizeRequest } from '../../src/modules/providers/provider.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { databaseOf } from '../../src/platform/write-store/database.ts';
import {
  aCard,
  aCardRequest,
  aCharge,
  aPayer,
  aPixRequest,
  aSpreadFee,
  aWalletRequest,
  later,
} from '../builders.ts';
import {
  type Client,
  createSubMerchant,
  operator,
  PATIENT,
  pollUntil,
  withKey,
  withToken,
} from '../support/client.ts';
import { startTestGateway, type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);
let merchant: TestMerchant;
let client: Client;
beforeAll(async () => {
  merchant = await gateway().createMerchant();
  client = withKey(gateway, merchant.testKey);
});

const create = async (request: object = aCardRequest(), by = client): Promise<Response['body']> =>
  (await by.post('/v1/charges', request).expect(201)).body;
const createByCard = (number: string): Promise<Response['body']> =>
  create(aCardRequest({}, { number, cvv: number.startsWith('37') ? '1234' : '123' }));
const read = async (id: string): Promise<Response['body']> =>
  (await client.get(`/v1/charges/${id}`).expect(200)).body;
const refuse = async (request: object, status: number, by = client): Promise<Response['body']> => {
  const before = await countCharges();
  const { body } = await by.post('/v1/charges', request).expect(status);
  expect(body).toMatchObject({ statusCode: status, message: expect.any(String) });
  expect(await countCharges()).toBe(before);
  return body;
};
const countCharges = (): Promise<number> => gateway().db.collection('charges').countDocuments({});
const countJournals = (id: string): Promise<number> =>
  gateway().db.collection('journals').countDocuments({ referenceId: id });
const pathsOf = (body: { errors?: { path: string }[] }): string[] =>
  (body.errors ?? []).map((fault) => fault.path);

/** The request with one member changed, by its path; undefined takes it out. */
const withMember = (request: object, path: string, value: unknown): object => {
  const copy = structuredClone(request);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce(
    (node, name) => node[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
};

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-f]{32}$`));
const dateTime = expect.stringMatching(DATE_TIME);

describe('a charge as it is answered', () => {
  let charge: Response['body'];
  beforeAll(async () => {
    charge = await create(
      aCardRequest({
        amount: 49.9,
        metadata: { order: { id: 7, tags: ['a', null] } },
        reference: 'order-7',
        postbackUrl: 'https://example.test/postback',
        items: [{ title: 'Café', type: 'product', description: '', unit_price: 24.95, quantity: 2 }],
      }),
    );
  });

  it.each([
    ['id', id('chg')],
    ['status', 'paid'],
    ['pspRefId', expect.any(String)],
    ['amount', 49.9],
    ['currency', 'BRL'],
    ['spread', 0],
    ['net', 49.9],
    [
      'customer',
      {
        id: expect.any(String),
        name: 'Ana Souza',
        email: 'ana@example.test',
        document: '52998224725',
        phone: null,
        address: null,
      },
    ],
    [
      'paymentMethod',
      {
        type: 'credit_card',
        brand: 'visa',
        firstSix: '424242',
        lastFour: '4242',
        expirationMonth: '12',
        expirationYear: '2035',
        holderName: 'Ana Souza',
        installments: 1,
      },
    ],
    ['merchantId', id('mer')],
    [
      'paymentDetails',
      {
        firstSix: '424242',
        lastFour: '4242',
        expirationMonth: '12',
        expirationYear: '2035',
        holderName: 'Ana Souza',
        installments: 1,
      },
    ],
    ['metadata', { order: { id: 7, tags: ['a', null] } }],
    ['paidAt', dateTime],
    ['createdAt', dateTime],
    ['updatedAt', dateTime],
    ['livemode', false],
    ['reference', 'order-7'],
    ['refundedAt', null],
    ['postbackUrl', 'https://example.test/postback'],
    ['items', [{ title: 'Café', type: 'product', description: '', unit_price: 24.95, quantity: 2 }]],
    ['split', null],
    ['expiresAt', null],
    ['failureReason', null],
  ])('has %s', (field, expected) => {
    expect(charge).toHaveProperty(field);
    expect(charge[field]).toEqual(expected);
  });

  it('has these fields and no others', () => {
    expect(Object.keys(charge).sort()).toEqual(
      [
        ...['id', 'status', 'pspRefId', 'amount', 'currency', 'spread', 'net', 'customer', 'paymentMethod'],
        ...['merchantId', 'paymentDetails', 'metadata', 'paidAt', 'createdAt', 'updatedAt', 'livemode'],
        ...['reference', 'refundedAt', 'postbackUrl', 'items', 'split', 'expiresAt', 'failureReason'],
        'settlements',
      ].sort(),
    );
    expect(charge.merchantId).toBe(merchant.id);
  });

  it('is null where a field does not apply', async () => {
    const customer = { name: 'Ana', email: 'ana@example.test' };
    expect(await create(aCardRequest({ customer }))).toMatchObject({
      metadata: null,
      reference: null,
      postbackUrl: null,
      items: null,
      customer: { document: null, phone: null, address: null },
    });
  });

  it('is read by id as it was created', async () => {
    expect(await read(charge.id)).toEqual(charge);
  });

  it('comes with a consistency token and a request id', async () => {
    const answer = await client.post('/v1/charges', aCardRequest()).expect(201);
    expect(answer.headers['x-consistency-token']).toMatch(/^[0-9a-f]{32}(\.[0-9a-f]{32})*$/);
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it.each([
    ['CLP', 1_500],
    ['BRL', 0.01],
    ['BRL', 1_234.56],
    ['KWD', 1.234],
  ])('in %s has its amount %d as it was sent', async (currency, amount) => {
    expect(await create(aCardRequest({ currency, amount }))).toMatchObject({ currency, amount, net: amount });
  });

  it('has metadata of any shape back as it was sent', async () => {
    const metadata = {
      $where: '1',
      'a.b': { constructor: 1, '': [[], {}] },
      ção: '💳',
      long: 'x'.repeat(10_000),
    };
    expect((await create(aCardRequest({ metadata }))).metadata).toEqual(metadata);
  });
});

describe('a charge request', () => {
  it.each([
    'amount',
    'currency',
    'customer.name',
    'customer.email',
    'paymentMethod',
    'paymentMethod.type',
    'paymentMethod.installments',
    'paymentMethod.number',
    'paymentMethod.holderName',
    'paymentMethod.expirationMonth',
    'paymentMethod.expirationYear',
    'paymentMethod.cvv',
  ])('needs %s', async (path) => {
    const body = await refuse(withMember(aCardRequest(), path, undefined), 400);
    expect(pathsOf(body)).toContain(path);
  });

  it.each([
    ['amount', '100'],
    ['amount', 0],
    ['amount', -5],
    ['amount', 1.001],
    ['amount', 10_000_000_000.01],
    ['currency', 'BRLL'],
    ['currency', 'XTS'],
    ['currency', 986],
    ['customer.name', 7],
    ['customer.email', 'nobody'],
    ['customer.document', '52998224725'],
    ['paymentMethod.type', 'cash'],
    ['paymentMethod.installments', 0],
    ['paymentMethod.installments', 13],
    ['paymentMethod.installments', 1.5],
    ['paymentMethod.installments', '1'],
    ['paymentMethod.number', 4_242_424_242_424_242],
    ['paymentMethod.number', '4242424242424241'],
    ['paymentMethod.expirationMonth', '13'],
    ['paymentMethod.expirationYear', '2020'],
    ['paymentMethod.cvv', '12'],
    ['items', {}],
    ['postbackUrl', 'ftp://example.test'],
    ['postbackUrl', 'https://user:secret@example.test'],
    ['metadata', 'text'],
    ['metadata', { text: 'x'.repeat(16_384) }],
    ['reference', 'x'.repeat(65)],
    ['split', [{ merchantId: 'mer_1', percentage: 0 }]],
    ['unknown', 1],
    ['customer.unknown', 1],
    ['paymentMethod.unknown', 1],
    ['paymentMethod.expiresIn', 600],
  ])('is refused where %s is %j', async (path, value) => {
    const body = await refuse(withMember(aCardRequest(), path, value), 400);
    expect(pathsOf(body).some((fault) => fault === path || fault.startsWith(`${path}.`))).toBe(true);
  });

  it.each([
    ['phone', '+55 11 99999-0000'],
    ['address', { country: 'BR' }],
    ['document', null],
  ])('may have customer.%s', async (name, value) => {
    const charge = await create(withMember(aCardRequest(), `customer.${name}`, value));
    expect(charge.customer[name]).toEqual(value);
  });

  it('is no JSON array, text or nothing', async () => {
    await refuse([], 400);
    await client.post('/v1/charges').expect(400);
    await client.post('/v1/charges').type('text').send('amount=1').expect(415);
  });

  it('may name an Idempotency-Key, which is ignored', async () => {
    const send = () => client.post('/v1/charges', aCardRequest()).set('Idempotency-Key', 'same').expect(201);
    expect((await send()).body.id).not.toBe((await send()).body.id);
  });

  describe('by device wallet', () => {
    const request = aWalletRequest();

    it('needs no card fields, and is refused while no wallet is configured', async () => {
      expect(await refuse(request, 422)).toMatchObject({ code: 'WALLET_NOT_CONFIGURED' });
    });

    it.each([
      ['paymentMethod.installments', undefined],
      ['paymentMethod.number', '4242424242424242'],
      ['paymentMethod.cvv', '123'],
      ['paymentMethod.wallet.type', 'other'],
      ['paymentMethod.wallet.token.paymentData.version', 'RSA_v1'],
      ['paymentMethod.wallet.token.paymentData.header.publicKeyHash', undefined],
      ['paymentMethod.wallet.token.paymentMethod.type', 'gold'],
      ['paymentMethod.wallet.token.transactionIdentifier', undefined],
    ])('is refused where %s is %j', async (path, value) => {
      expect(pathsOf(await refuse(withMember(request, path, value), 400))).toContain(path);
    });
  });

  describe('by voucher, bank transfer or QR code', () => {
    const identified = { installments: 1, identifyType: 'dni', identifyNumber: '12345678' };

    it.each([
      ['voucher', 'identifyType', undefined],
      ['voucher', 'identifyType', 'cpf'],
      ['voucher', 'identifyNumber', '123456'],
      ['voucher', 'identifyNumber', '123456789012'],
      ['voucher', 'bankName', 'Banco Um'],
      ['voucher', 'cvv', '123'],
      ['qrcode', 'identifyNumber', undefined],
      ['banktransfer', 'bankName', undefined],
      ['banktransfer', 'installments', 2],
      ['qrcode', 'installments', 2],
      ['pix', 'installments', 2],
      ['credit_cards', 'type', 'credit_cards'],
    ])('of type %s is refused where %s is %j', async (type, name, value) => {
      const paymentMethod = {
        type,
        ...identified,
        ...(type === 'banktransfer' ? { bankName: 'Banco Um' } : {}),
      };
      const request = { ...aCardRequest(), currency: 'ARS', paymentMethod };
      const path = `paymentMethod.${name}`;
      expect(pathsOf(await refuse(withMember(request, path, value), 400))).toContain(path);
    });
  });
});

describe('a charge by card, by each number of the simulator', () => {
  it.each([
    ['4242424242424242', 'paid', null],
    ['4111111111111111', 'paid', null],
    ['5555555555554444', 'paid', null],
    ['378282246310005', 'paid', null],
    ['6362970000457013', 'paid', null],
    ['6062825624254001', 'paid', null],
    ['4000000000000002', 'refused', 'card_declined'],
    ['4000000000009995', 'refused', 'insufficient_funds'],
    ['4000000000000119', 'failed', 'processing_error'],
    ['4000002500003155', 'authentication_required', null],
    ['4000000000005126', 'in_analysis', null],
    ['4000000000007726', 'paid', null],
    ['4000000000005423', 'paid', null],
    ['4000000000003220', 'paid', null],
    ['4000000000006975', 'paid', null],
  ])('%s is %s, reason %s', async (number, status, failureReason) => {
    const charge = await createByCard(number);
    expect(charge).toMatchObject({ status, failureReason, paidAt: status === 'paid' ? dateTime : null });
    expect(await countJournals(charge.id)).toBe(status === 'paid' ? 1 : 0);
  });

  it('4000000000004954 is pending after the time-out, and paid once, later, by the reconciler', async () => {
    const charge = await createByCard('4000000000004954');
    expect(charge).toMatchObject({ status: 'pending', pspRefId: null, paidAt: null });
    await gateway()
      .db.collection<{ _id: string }>('charges')
      .updateOne({ _id: charge.id }, { $set: { reconcileAt: new Date().toISOString() } });
    const resolved = await pollUntil(
      () => read(charge.id),
      ({ status }) => status !== 'pending',
    );
    expect(resolved).toMatchObject({ status: 'paid', pspRefId: expect.any(String), paidAt: dateTime });
    expect(await countJournals(charge.id)).toBe(1);
  });

  it.each(['4000002500003155', '4000000000005126'])(
    '%s is paid or refused by the test helper',
    async (number) => {
      const [first, second] = [await createByCard(number), await createByCard(number)];
      const paid = await client.post(`/v1/test-helpers/charges/${first.id}/pay`).expect(200);
      expect(paid.body).toMatchObject({ id: first.id, status: 'paid', paidAt: dateTime });
      const refused = await client.post(`/v1/test-helpers/charges/${second.id}/refuse`).expect(200);
      expect(refused.body).toMatchObject({
        status: 'refused',
        failureReason: expect.any(String),
        paidAt: null,
      });
    },
  );

  it('never answers with the number or the CVV', async () => {
    const { text } = await client.post('/v1/charges', aCardRequest({}, { cvv: '917' })).expect(201);
    expect(text).not.toContain('4242424242424242');
    // Quoted: an id, which is random, may well hold these three digits.
    expect(text).not.toContain('"917"');
  });
});

/** CRC-16/CCITT-FALSE, as the BR Code manual asks for. */
const crcOf = (text: string): string => {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

describe('a charge by Pix', () => {
  it('waits with a BR Code, its image, the end-to-end id and an expiry of one hour', async () => {
    const charge = await create(aPixRequest({ amount: 12.34 }));
    expect(charge).toMatchObject({ status: 'pending', paymentMethod: { type: 'pix' }, paidAt: null });
    expect(Object.keys(charge.paymentMethod)).toEqual(['type']);
    expect(Object.keys(charge.paymentDetails).sort()).toEqual([
      'copyPaste',
      'endToEndId',
      'expiresAt',
      'payUrl',
      'qrCode',
    ]);
    const { copyPaste, endToEndId, expiresAt, qrCode } = charge.paymentDetails;
    expect(endToEndId).toMatch(/^E[0-9A-Za-z]{31}$/);
    expect(copyPaste).toMatch(/^000201.*540512\.34/);
    expect(copyPaste.slice(-4)).toBe(crcOf(copyPaste.slice(0, -4)));
    expect(qrCode).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
    expect(expiresAt).toBe(charge.expiresAt);
    expect(Date.parse(expiresAt) - Date.parse(charge.createdAt)).toBe(3_600_000);
  });

  it('has its image in the answers of create and of read by id only', async () => {
    const { headers, body: charge } = await client
      .post('/v1/charges', aPixRequest({ reference: 'qr' }))
      .expect(201);
    expect((await read(charge.id)).paymentDetails.qrCode).toBe(charge.paymentDetails.qrCode);
    const { body: list } = await client.getAfter(headers['x-consistency-token'], '/v1/charges?reference=qr');
    const { qrCode: _, ...listed } = charge.paymentDetails;
    const { settlements: __, ...facts } = charge;
    const other = await create(aPixRequest());
    const paid = await client.post(`/v1/test-helpers/charges/${other.id}/pay`).expect(200);
    expect(paid.body.paymentDetails).toMatchObject({ copyPaste: other.paymentDetails.copyPaste });
    expect(paid.body.paymentDetails.qrCode).toBeUndefined();
    const { items: ___, ...inList } = facts;
    expect(list.data).toEqual([{ ...inList, paymentDetails: listed }]);
  });

  it('expires when expiresIn says so', async () => {
    const charge = await create(withMember(aPixRequest(), 'paymentMethod.expiresIn', 600));
    expect(Date.parse(charge.expiresAt) - Date.parse(charge.createdAt)).toBe(600_000);
  });

  it.each([
    ['currency', 'USD'],
    ['paymentMethod.installments', 2],
    ['paymentMethod.installments', undefined],
    ['paymentMethod.expiresIn', 59],
    ['paymentMethod.expiresIn', 1.5],
    ['paymentMethod.expiresIn', '600'],
    ['paymentMethod.number', '4242424242424242'],
  ])('is refused where %s is %j', async (path, value) => {
    expect(pathsOf(await refuse(withMember(aPixRequest(), path, value), 400))).toContain(path);
  });

  it('that nobody paid in time has failed as expired', async () => {
    const charge = await create(aPixRequest());
    const past = new Date(Date.now() - 1_000).toISOString();
    await gateway()
      .db.collection<{ _id: string }>('charges')
      .updateOne({ _id: charge.id }, { $set: { expiresAt: past, reconcileAt: past } });
    const expired = await pollUntil(
      () => read(charge.id),
      ({ status }) => status !== 'pending',
    );
    expect(expired).toMatchObject({ status: 'failed', failureReason: 'expired', paidAt: null });
    await client.post(`/v1/test-helpers/charges/${charge.id}/pay`).expect(422);
    expect(await countJournals(charge.id)).toBe(0);
  });
});

describe('a charge that its merchant cancels', () => {
  const cancel = (id: string, by = client) => by.post(`/v1/charges/${id}/cancel`);
  const NOT_CANCELLABLE = { statusCode: 422, code: 'CHARGE_NOT_CANCELLABLE' };

  it.each([
    ['a Pix', aPixRequest()],
    ['a card that waits for its holder', aCardRequest({}, { number: '4000002500003155' })],
  ])('as %s has failed, at the provider too, and is cancelled once', async (_, request) => {
    const charge = await create(request);
    const { body, headers } = await cancel(charge.id).expect(200);
    expect(body).toMatchObject({ id: charge.id, status: 'failed', failureReason: 'cancelled', paidAt: null });
    const { body: listed } = await client.getAfter(
      headers['x-consistency-token'],
      `/v1/charges?pspRefId=${charge.pspRefId}`,
    );
    const { items: __, ...inList } = body;
    expect(listed.data).toEqual([inList]);
    await client.post(`/v1/test-helpers/charges/${charge.id}/pay`).expect(422);
    expect((await cancel(charge.id).expect(422)).body).toMatchObject(NOT_CANCELLABLE);
    expect(await countJournals(charge.id)).toBe(0);
  });

  it('is none that has an outcome, or that an analyst has', async () => {
    for (const number of ['4242424242424242', '4000000000000002', '4000000000005126']) {
      const charge = await createByCard(number);
      expect((await cancel(charge.id).expect(422)).body).toMatchObject(NOT_CANCELLABLE);
      expect((await read(charge.id)).status).toBe(charge.status);
    }
  });

  it("is the caller's own or a sub-merchant's, and neither another's nor an operator's", async () => {
    const { id } = await create(aPixRequest());
    const stranger = await gateway().createMerchant();
    await cancel(id, withKey(gateway, stranger.testKey)).expect(404);
    await cancel(id, withKey(gateway, merchant.liveKey)).expect(404);
    await cancel(id, await operator(gateway)).expect(403);
    await cancel('chg_unknown').expect(404);
    expect((await read(id)).status).toBe('pending');
  });

  it('gives money that comes all the same back at once', async () => {
    const { id } = await create(aPixRequest());
    await cancel(id).expect(200);
    const { container } = gateway();
    const simulator = container.get(modules).providers.simulator;
    await simulator.payLate(id, new Date());
    const charge = await container
      .get(platform.services)
      .transact(systemContext('test'), (tx) => tx.get(CHARGES, id));
    const state = charge && (await simulator.describePayment({ ...charge, reference: id }));
    if (!charge || !state || state.status === 'unknown_until_notified')
      throw new Error('the payment is unknown');
    await container.get(modules).charges.recordPaymentOutcome(charge, state, systemContext('test'));
    const item = await gateway().db.collection('suspense_items').findOne({ chargeId: id });
    expect(item).toMatchObject({ reason: 'late_payment', status: 'returned' });
    expect(await read(id)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
  });
});

describe('the test helpers of charges', () => {
  const help = (chargeId: string, helper: string, by = client) =>
    by.post(`/v1/test-helpers/charges/${chargeId}/${helper}`);

  it.each([
    ['pay', { status: 'paid', failureReason: null, paidAt: dateTime }],
    ['refuse', { status: 'refused', failureReason: expect.any(String), paidAt: null }],
    ['fail', { status: 'failed', failureReason: expect.any(String), paidAt: null }],
    ['expire', { status: 'failed', failureReason: 'expired', paidAt: null }],
  ])('%s a waiting Pix charge, and no other helper moves it after that', async (helper, expected) => {
    const { id: chargeId } = await create(aPixRequest());
    const readAsListed = async (id: string): Promise<object> => {
      const { paymentDetails, settlements: __, ...charge } = await read(id);
      const { qrCode: _, ...details } = paymentDetails;
      return { ...charge, paymentDetails: details };
    };
    const { body } = await help(chargeId, helper).expect(200);
    expect(body).toMatchObject({ id: chargeId, ...expected });
    expect(await readAsListed(chargeId)).toEqual(body);
    for (const again of ['pay', 'refuse', 'fail', 'expire']) {
      const { body: refusal } = await help(chargeId, again).expect(422);
      expect(refusal).toMatchObject({ statusCode: 422, code: 'TRANSITION_NOT_ALLOWED' });
    }
    expect(await readAsListed(chargeId)).toEqual(body);
    expect(await countJournals(chargeId)).toBe(helper === 'pay' ? 1 : 0);
  });

  it('do not let a charge expire that has no expiry', async () => {
    const { id: chargeId } = await createByCard('4000000000005126');
    const { body } = await help(chargeId, 'expire').expect(422);
    expect(body.code).toBe('TRANSITION_NOT_ALLOWED');
  });

  it('are not for live keys', async () => {
    const { id: chargeId } = await create(aPixRequest());
    for (const helper of ['pay', 'refuse', 'fail', 'expire'])
      await help(chargeId, helper, withKey(gateway, merchant.liveKey)).expect(403, {
        statusCode: 403,
        message: 'Forbidden',
        code: 'TEST_ENVIRONMENT_ONLY',
      });
    expect((await read(chargeId)).status).toBe('pending');
  });

  it("do not know somebody else's charge", async () => {
    const { id: chargeId } = await create(aPixRequest());
    const other = await gateway().createMerchant();
    const notFound = { statusCode: 404, message: 'Charge not found', code: 'NOT_FOUND' };
    await help(chargeId, 'pay', withKey(gateway, other.testKey)).expect(404, notFound);
    await help('chg_unknown', 'pay').expect(404, notFound);
  });

  it('take no body', async () => {
    const { id: chargeId } = await create(aPixRequest());
    await client.post(`/v1/test-helpers/charges/${chargeId}/pay`, { status: 'paid' }).expect(400);
    expect((await read(chargeId)).status).toBe('pending');
  });
});

describe('spread and net', () => {
  let paying: TestMerchant;
  beforeAll(async () => {
    paying = await gateway().createMerchant();
    await gateway().setFees(paying.id, [
      aSpreadFee({ definition: { fixed: 0.39, percentages: [2.99, 3.4999] } }),
      aSpreadFee({ brand: 'elo', definition: { fixed: 1, percentages: [5] } }),
      aSpreadFee({ payment_method: 'pix', definition: { fixed: 0.05, percentages: [0.99] } }),
      aSpreadFee({ currency_code: 'CLP', definition: { fixed: 1, percentages: [2.5] } }),
      aSpreadFee({ currency_code: 'KWD', definition: { fixed: 0.001, percentages: [2.5] } }),
    ]);
  });
  const inInstallments = (installments: number, changes: object = {}) =>
    withMember(aCardRequest(changes), 'paymentMethod.installments', installments);

  it.each([
    ['the fee of the method', aCardRequest({ amount: 100 }), 3.38, 96.62],
    ['rounding half up', aCardRequest({ amount: 0.5 }), 0.4, 0.1],
    ['the percentage of two installments', inInstallments(2), 3.89, 96.11],
    ["the brand's own fee", aCardRequest({ amount: 100 }, { number: '6362970000457013' }), 6, 94],
    ['never above the amount', aCardRequest({ amount: 0.1 }), 0.1, 0],
    ['Pix', aPixRequest({ amount: 10 }), 0.15, 9.85],
    ['a currency without decimals', aCardRequest({ amount: 100, currency: 'CLP' }), 4, 96],
    ['a currency with three decimals', aCardRequest({ amount: 1, currency: 'KWD' }), 0.026, 0.974],
    ['a currency without a definition, with a test key', aCardRequest({ currency: 'USD' }), 0, 100],
  ])('of %s', async (_, request, spread, net) => {
    const charge = await create(request, withKey(gateway, paying.testKey));
    expect({ spread: charge.spread, net: charge.net }).toEqual({ spread, net });
  });

  it('are refused where that many installments are not offered', async () => {
    const by = withKey(gateway, paying.testKey);
    expect(await refuse(inInstallments(3), 422, by)).toMatchObject({ code: 'INSTALLMENTS_NOT_OFFERED' });
    const elo = inInstallments(2);
    const byElo = withMember(elo, 'paymentMethod.number', '6362970000457013');
    expect(await refuse(byElo, 422, by)).toMatchObject({ code: 'INSTALLMENTS_NOT_OFFERED' });
  });

  it('are refused where a live key has no definition', async () => {
    const live = withKey(gateway, paying.liveKey);
    expect(await create(aCardRequest(), live)).toMatchObject({ livemode: true, spread: 3.38 });
    expect(await refuse(aCardRequest({ currency: 'USD' }), 422, live)).toMatchObject({
      code: 'FEES_NOT_CONFIGURED',
    });
  });
});

describe('a charge that looks like another one', () => {
  /** A request that no other test makes. */
  const unique = (() => {
    let made = 0;
    return (changes: object = {}) => {
      made += 1;
      return aCardRequest({ customer: { name: 'Ana', email: `ana+${made}@example.test` }, ...changes });
    };
  })();
  type Made = { readonly id: string; readonly createdAt: string };
  /** Charges of one moment are ordered by their ids. */
  const byCreation = (a: Made, b: Made): number =>
    `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1;
  const duplicateOf = async (request: object, by = client) =>
    (await by.post('/v1/charges', request).expect(201)).headers['x-possible-duplicate-of'];

  it('is created all the same, and names the other one', async () => {
    const request = unique();
    const first = await client.post('/v1/charges', request).expect(201);
    expect(first.headers['x-possible-duplicate-of']).toBeUndefined();
    const second = await client.post('/v1/charges', { ...request, reference: 'again' }).expect(201);
    expect(second.headers['x-possible-duplicate-of']).toBe(first.body.id);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it.each([2, 6])('is told for %i made at once, for each but the first one', async (count) => {
    for (let round = 0; round < 6; round += 1) {
      const request = unique();
      const answers = await Promise.all(
        Array.from({ length: count }, () => client.post('/v1/charges', request).expect(201)),
      );
      const ids = answers
        .map(({ body }) => body)
        .sort(byCreation)
        .map(({ id }) => id);
      for (const { body, headers } of answers) {
        const place = ids.indexOf(body.id);
        expect([place, headers['x-possible-duplicate-of']]).toEqual([place, ids[place - 1]]);
      }
    }
  });

  it('is told for two that two processes make at once, for the later one only', async () => {
    const other = await startTestGateway(gateway().variables);
    try {
      const { db, container } = gateway();
      const stored = (email: string) => db.collection('charges').countDocuments({ 'customer.email': email });
      const authorize = { ...container.get(modules).providers.simulator }.authorize;
      for (let round = 0; round < 6; round += 1) {
        const request = unique();
        // Both are stored before one of them is paid: how fast either process is does not matter.
        for (const simulator of [gateway(), other].map(
          (one) => one.container.get(modules).providers.simulator,
        ))
          Object.assign(simulator, {
            authorize: async (asked: AuthorizeRequest) => {
              await pollUntil(
                () => stored(request.customer.email),
                (count) => count === 2,
              );
              return authorize(asked);
            },
          });
        const answers = await Promise.all(
          [gateway(), other].map((one) =>
            withKey(() => one, merchant.testKey)
              .post('/v1/charges', request)
              .expect(201),
          ),
        );
        const [first, last] = [...answers].sort((a, b) => byCreation(a.body, b.body));
        const named = [first, last].map((answer) => answer?.headers['x-possible-duplicate-of']);
        expect(named).toEqual([undefined, first?.body.id]);
      }
      Object.assign(container.get(modules).providers.simulator, { authorize });
    } finally {
      await other.stop({ keepData: true });
    }
  });

  it.each(['4000000000000002', '4000000000000119'])(
    'is none where the other one was refused or failed (%s): that was a second try',
    async (number) => {
      const request = unique();
      const declined = withMember(request, 'paymentMethod.number', number);
      await create(declined);
      expect(await duplicateOf(declined)).toBeUndefined();
    },
  );

  it('names the one that stands where another try was refused meanwhile', async () => {
    const request = aPixRequest({ customer: { name: 'Ana', email: 'pix-between@example.test' } });
    const { id } = await create(request);
    const second = await create(request);
    await client.post(`/v1/test-helpers/charges/${second.id}/expire`).expect(200);
    expect(await duplicateOf(request)).toBe(id);
  });

  it('by Pix is named as well', async () => {
    const customer = { name: 'Ana', email: 'pix-twice@example.test' };
    const { body } = await client.post('/v1/charges', aPixRequest({ customer })).expect(201);
    expect(await duplicateOf(aPixRequest({ customer }))).toBe(body.id);
  });

  it.each([
    ['amount', 100.01],
    ['currency', 'USD'],
    ['customer.email', 'other@example.test'],
    ['paymentMethod.number', '4111111111111111'],
    ['paymentMethod.expirationYear', '2034'],
  ])('is none where %s is %j', async (path, value) => {
    const request = unique();
    await create(request);
    expect(await duplicateOf(withMember(request, path, value))).toBeUndefined();
  });

  it("is none of another merchant's, or of the other environment's", async () => {
    const request = unique({ currency: 'EUR' });
    await create(request);
    const other = await gateway().createMerchant();
    expect(await duplicateOf(request, withKey(gateway, other.testKey))).toBeUndefined();
  });

  it('is none of one that is older than a minute', async () => {
    const request = unique();
    const { id: chargeId } = await create(request);
    const charges = gateway().db.collection<{ _id: string }>('charges');
    const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
    await charges.updateOne({ _id: chargeId }, { $set: { createdAt: secondsAgo(61) } });
    expect(await duplicateOf(request)).toBeUndefined();
    await charges.deleteMany({ _id: { $ne: chargeId }, 'customer.email': request.customer.email });
    await charges.updateOne({ _id: chargeId }, { $set: { createdAt: secondsAgo(30) } });
    expect(await duplicateOf(request)).toBe(chargeId);
  });

  it('is looked for without reading the older ones, however many there are', async () => {
    const { MONGODB_URI = '', MONGODB_DATABASE } = gateway().variables;
    const mongo = new MongoClient(MONGODB_URI, { monitorCommands: true });
    const db = databaseOf(mongo.db(`${MONGODB_DATABASE}-alike`));
    try {
      for (const { up } of chargeMigrations) await up(db);
      const at = (seconds: number) => later(seconds).toISOString();
      await db.collection<{ _id: string }>('charges').insertMany([
        ...Array.from({ length: 300 }, (_, index) => ({
          _id: `chg_old${index}`,
          duplicateKey: 'key',
          createdAt: at(-61 - index),
        })),
        { _id: 'chg_0', duplicateKey: 'key', createdAt: at(-30) },
        { _id: 'chg_1', duplicateKey: 'key', createdAt: at(0) },
      ]);
      let read = 0;
      mongo.on('commandSucceeded', ({ reply }) => {
        read += (reply as { cursor?: { firstBatch: object[] } }).cursor?.firstBatch.length ?? 0;
      });
      const find = createFindDuplicate(db);
      expect(await find(aCharge({ duplicateKey: 'key' }), later(-60))).toBe('chg_0');
      // Made before it, with an id that is a later one.
      const earlier = aCharge({ id: 'chg_9', duplicateKey: 'key', createdAt: at(-40) });
      expect(await find(earlier, later(-60))).toBeNull();
      expect(read).toBe(4);
    } finally {
      await db.dropDatabase();
      await mongo.close();
    }
  });
});

describe('permissions for charges', () => {
  const forbidden = (code: string, more: object = {}) => ({
    statusCode: 403,
    message: 'Forbidden',
    code,
    ...more,
  });
  const notFound = { statusCode: 404, message: 'Charge not found', code: 'NOT_FOUND' };
  const unauthorized = { statusCode: 401, message: 'Unauthorized', code: 'CREDENTIALS_MISSING' };

  it('is nobody without credentials', async () => {
    for (const [method, path] of [
      ['post', '/v1/charges'],
      ['get', '/v1/charges'],
      ['get', '/v1/charges/chg_1'],
      ['post', '/v1/test-helpers/charges/chg_1/pay'],
    ] as const)
      await gateway().call(method, path).expect(401, unauthorized).expect('WWW-Authenticate', /Basic/);
  });

  it('is nobody with a public key', async () => {
    const byPublicKey = withKey(gateway, merchant.publicKey);
    await byPublicKey.post('/v1/charges', aCardRequest()).expect(403, forbidden('SECRET_KEY_REQUIRED'));
    await byPublicKey.get('/v1/charges').expect(403, forbidden('SECRET_KEY_REQUIRED'));
  });

  it('is the merchant that made the charge, by key or by user, and no other', async () => {
    const charge = await create();
    const other = await gateway().createMerchant();
    await withKey(gateway, other.testKey).get(`/v1/charges/${charge.id}`).expect(404, notFound);
    await client.get('/v1/charges/chg_unknown').expect(404, notFound);
    await client.get(`/v1/charges/${charge.id.toUpperCase()}`).expect(404, notFound);

    const user = { email: `${newId('usr')}@example.test`, password: 'correct horse battery' };
    await (await operator(gateway))
      .post('/v1/admin/users', { ...user, merchantId: merchant.id, groups: [] })
      .expect(201);
    const { body: session } = await gateway()
      .call('post', '/v1/auth/login')
      .send({ ...user, environment: 'test' })
      .expect(200);
    const byUser = withToken(gateway, session.accessToken);
    expect((await byUser.get(`/v1/charges/${charge.id}`).expect(200)).body).toEqual(charge);
    expect(await create(aPixRequest(), byUser)).toMatchObject({ merchantId: merchant.id, livemode: false });
  });

  it("is its own environment's key only", async () => {
    const charge = await create();
    const live = withKey(gateway, merchant.liveKey);
    await live.get(`/v1/charges/${charge.id}`).expect(404, notFound);
    const { body } = await live.getAfter('latest', '/v1/charges');
    expect(body.data).toEqual([]);
  });

  it('is an operator who may read charges, in the environment of the login, and who never makes one', async () => {
    const charge = await create();
    const inTest = await operator(gateway, 'test');
    expect((await inTest.get(`/v1/charges/${charge.id}`).expect(200)).body).toEqual(charge);
    await (await operator(gateway, 'live')).get(`/v1/charges/${charge.id}`).expect(404, notFound);
    const refusal = forbidden('MERCHANTS_ONLY');
    await inTest.post('/v1/charges', aCardRequest()).expect(403, refusal);
    await inTest.post(`/v1/test-helpers/charges/${charge.id}/pay`).expect(403, refusal);
  });

  it.each([
    ['charges.create', 'post', '/v1/charges'],
    ['charges.read', 'get', '/v1/charges'],
    ['charges.read', 'get', '/v1/charges/chg_1'],
    ['charges.create', 'post', '/v1/test-helpers/charges/chg_1/pay'],
  ] as const)('is not a merchant without %s: %s %s', async (permission, method, path) => {
    const restricted = await gateway().createMerchant();
    const all = ['charges.create', 'charges.read', 'refunds.create', 'statement.read'];
    const permissions = all.filter((held) => held !== permission);
    await (await operator(gateway))
      .call('patch', `/v1/admin/merchants/${restricted.id}`, { permissions })
      .expect(200);
    const by = withKey(gateway, restricted.testKey);
    await by
      .call(method, path, method === 'post' ? aCardRequest() : undefined)
      .expect(403, forbidden('PERMISSION_MISSING', { permission }));
  });

  it('is a master for its sub-merchants, but no sub-merchant for its master or sisters', async () => {
    const master = await gateway().createMerchant({ role: 'MerchantMaster' });
    const first = await createSubMerchant(gateway, master);
    const second = await createSubMerchant(gateway, master);
    const byMaster = withKey(gateway, master.testKey);
    const byFirst = withKey(gateway, first.testKey);
    const own = await create(aCardRequest(), byMaster);
    const ofFirst = await create(aCardRequest(), byFirst);
    expect(ofFirst.merchantId).toBe(first.id);
    expect((await byMaster.get(`/v1/charges/${ofFirst.id}`).expect(200)).body).toEqual(ofFirst);
    await byFirst.get(`/v1/charges/${own.id}`).expect(404, notFound);
    await withKey(gateway, second.testKey).get(`/v1/charges/${ofFirst.id}`).expect(404, notFound);
  });

  it('is no merchant that is blocked, but it may still read', async () => {
    const master = await gateway().createMerchant({ role: 'MerchantMaster' });
    const blocked = await createSubMerchant(gateway, master, { status: 'blocked' });
    const by = withKey(gateway, blocked.testKey);
    await by.post('/v1/charges', aCardRequest()).expect(403, forbidden('MERCHANT_NOT_ACTIVE'));
    await by.get('/v1/charges').expect(200);
  });
});

describe('a split in the request', () => {
  let byMaster: Client;
  let first: { readonly id: string };
  let second: { readonly id: string };
  beforeAll(async () => {
    const master = await gateway().createMerchant({ role: 'MerchantMaster' });
    byMaster = withKey(gateway, master.testKey);
    first = await createSubMerchant(gateway, master);
    second = await createSubMerchant(gateway, master);
  });

  it('is answered with the amounts, the remainder of the originator not listed', async () => {
    const split = [
      { merchantId: first.id, percentage: 33.3333 },
      { merchantId: second.id, percentage: 10 },
    ];
    const charge = await create({ ...aCardRequest({ amount: 0.1 }), split }, byMaster);
    expect(charge.split).toEqual([
      { ...split[0], amount: 0.03 },
      { ...split[1], amount: 0.01 },
    ]);
  });

  it('may give all of it away', async () => {
    const split = [
      { merchantId: first.id, percentage: 99.9999 },
      { merchantId: second.id, percentage: 0.0001 },
    ];
    const charge = await create({ ...aCardRequest(), split }, byMaster);
    expect(charge.split).toMatchObject([{ amount: 100 }, { amount: 0 }]);
  });

  it.each([
    ['sums to more than 100', [60, 40.0001]],
    ['has five decimals', [33.33333]],
    ['is off four decimals by less than a rounding error', [33.33330000001]],
    ['is zero', [0]],
    ['is negative', [-1]],
    ['is a text', ['10']],
  ])('is refused where a percentage %s', async (_, percentages) => {
    const ids = [first.id, second.id];
    const split = percentages.map((percentage, index) => ({ merchantId: ids[index], percentage }));
    const { errors } = await refuse({ ...aCardRequest(), split }, 400, byMaster);
    expect(errors[0].path).toMatch(/^split/);
  });

  it.each<[string, unknown, string]>([
    ['nothing', null, 'split.0'],
    ['a number', 5, 'split.0'],
    ['an entry without percentage', { merchantId: 'mer_other' }, 'split.0.percentage'],
    ['a percentage of null', { merchantId: 'mer_other', percentage: null }, 'split.0.percentage'],
    ['five decimals', { merchantId: 'mer_other', percentage: 1.00001 }, 'split.0.percentage'],
  ])('is refused for %s with that fault only', async (_, entry, path) => {
    expect(pathsOf(await refuse({ ...aCardRequest(), split: [entry] }, 400, byMaster))).toEqual([path]);
  });

  it('is refused where a merchant comes twice', async () => {
    const split = [1, 2].map((percentage) => ({ merchantId: first.id, percentage }));
    await refuse({ ...aCardRequest(), split }, 400, byMaster);
  });

  it('is refused with merchants outside the group', async () => {
    for (const merchantId of [merchant.id, 'mer_unknown']) {
      const split = [{ merchantId, percentage: 10 }];
      expect(await refuse({ ...aCardRequest(), split }, 422, byMaster)).toMatchObject({
        code: 'SPLIT_NOT_ALLOWED',
      });
    }
  });
});

describe('a crash between the two transactions of a charge', () => {
  /** Stores the intent to take a payment as a process would that ends right after it. */
  const storeIntent = async (): Promise<Charge> => {
    const intent = aCharge({
      id: newId('chg'),
      merchantId: merchant.id as `mer_${string}`,
      provider: 'simulator',
      reconcileAt: new Date().toISOString(),
    });
    const { transact } = gateway().container.get(platform.services);
    return transact(systemContext('test'), (tx) => tx.record(CHARGES, null, openCharge(intent, new Date())));
  };
  const pay = ({ id: reference, amount, currency }: Charge) =>
    gateway()
      .container.get(modules)
      .providers.simulator.authorize({
        reference,
        amount,
        currency,
        merchantName: 'Loja',
        merchantTimeZone: 'America/Sao_Paulo',
        payer: aPayer(),
        returnUrl: null,
        instrument: { type: 'credit_card', card: aCard(), installments: 1 },
      });

  it('after the provider was paid, ends in the charge being paid and booked once', async () => {
    const intent = await storeIntent();
    const payment = await pay(intent);
    const resolved = await pollUntil(
      () => read(intent.id),
      ({ status }) => status !== 'pending',
    );
    expect(resolved).toMatchObject({ status: 'paid', pspRefId: payment.pspRefId, paidAt: payment.paidAt });
    expect(await countJournals(intent.id)).toBe(1);
  });

  it('before the call to the provider fails the charge, and nobody can pay it later', async () => {
    const intent = await storeIntent();
    const resolved = await pollUntil(
      () => read(intent.id),
      ({ status }) => status !== 'pending',
    );
    expect(resolved).toMatchObject({ status: 'failed', paidAt: null });
    expect(await pay(intent)).toMatchObject({ status: 'failed' });
    expect(await countJournals(intent.id)).toBe(0);
  });
});
