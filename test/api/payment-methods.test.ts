import type { Response } from 'supertest';
import { aCardRequest } from '../builders.ts';
import { type Client, PATIENT, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);
let merchant: TestMerchant;
let client: Client;
beforeAll(async () => {
  merchant = await gateway().createMerchant();
  client = withKey(gateway, merchant.testKey);
});

type Method = 'voucher' | 'banktransfer' | 'qrcode';

const METHODS = [
  { type: 'voucher', urlField: 'paymentUrl', seconds: 3 * 86_400 },
  { type: 'banktransfer', urlField: 'payUrl', seconds: 86_400 },
  { type: 'qrcode', urlField: 'payUrl', seconds: 3_600 },
] as const;

const aRequest = (type: Method, changes: object = {}): object => ({
  ...aCardRequest({ amount: 1250.5, currency: 'ARS' }),
  paymentMethod: {
    type,
    installments: 1,
    identifyType: 'cuit',
    identifyNumber: '30500010912',
    ...(type === 'banktransfer' ? { bankName: 'Banco Um' } : {}),
    ...changes,
  },
});
const create = async (type: Method, by = client): Promise<Response['body']> =>
  (await by.post('/v1/charges', aRequest(type)).expect(201)).body;
const read = async (id: string): Promise<Response['body']> =>
  (await client.get(`/v1/charges/${id}`).expect(200)).body;
const help = (id: string, what: string, by = client) => by.post(`/v1/test-helpers/charges/${id}/${what}`);

describe.each(METHODS)('a charge by $type', ({ type, urlField, seconds }) => {
  it('waits for its payer, with what 2.2 and 2.3 say and the time that there is to pay', async () => {
    const charge = await create(type);
    const {
      type: _,
      installments,
      ...identified
    } = (aRequest(type) as { paymentMethod: object }).paymentMethod as Record<string, unknown>;
    expect(installments).toBe(1);
    expect(charge).toMatchObject({
      status: 'pending',
      amount: 1250.5,
      currency: 'ARS',
      paidAt: null,
      pspRefId: expect.stringMatching(/^sim_/),
    });
    expect(charge.paymentMethod).toEqual({ type, ...identified });
    const url = expect.stringContaining(`${gateway().url}/pay/${charge.id}/`);
    expect(charge.paymentDetails).toEqual(
      type === 'voucher'
        ? {
            barcode: expect.stringMatching(/^\d{38}$/),
            paymentCode: expect.stringMatching(/^\d{14}$/),
            paymentUrl: url,
          }
        : { [urlField]: url },
    );
    expect(Date.parse(charge.expiresAt) - Date.parse(charge.createdAt)).toBe(seconds * 1_000);
    expect(await read(charge.id)).toEqual(charge);
  });

  it('is paid once, reaches list and balance, and cannot be refunded', async () => {
    const payee = withKey(gateway, (await gateway().createMerchant()).testKey);
    const charge = await create(type, payee);
    const paid = await help(charge.id, 'pay', payee).expect(200);
    expect(paid.body).toMatchObject({ status: 'paid', paymentDetails: charge.paymentDetails });
    await help(charge.id, 'pay', payee).expect(422);
    const token = paid.headers['x-consistency-token'];
    const { body: list } = await payee.getAfter(token, `/v1/charges?paymentMethod=${type}`);
    expect(list.data).toEqual([paid.body]);
    expect((await payee.get('/v1/balance').expect(200)).body.data).toEqual([
      { currency: 'ARS', available: 0, reserved: 1250.5 },
    ]);
    const refused = await payee.post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' }).expect(422);
    expect(refused.body).toMatchObject({ code: 'REFUND_NOT_SUPPORTED' });
  });

  it.each([
    ['refuse', 'refused', 'refused_by_test_helper'],
    ['fail', 'failed', 'failed_by_test_helper'],
    ['expire', 'failed', 'expired'],
  ])('can %s: then it is %s with the reason %s, for good', async (helper, status, failureReason) => {
    const { id } = await create(type);
    expect((await help(id, helper).expect(200)).body).toMatchObject({ status, failureReason, paidAt: null });
    await help(id, 'pay').expect(422);
    expect(await read(id)).toMatchObject({ status, failureReason });
  });

  it.each([
    ['identifyType', undefined],
    ['identifyType', 'cpf'],
    ['identifyNumber', '1234567'],
    ['identifyNumber', '123456789012'],
    ['identifyNumber', 12345678],
    ['installments', 2],
    ['cvv', '123'],
    ['expiresIn', 60],
  ])('is refused where %s is %j, and nothing is stored', async (field, value) => {
    const count = () => gateway().db.collection('charges').countDocuments({});
    const before = await count();
    const { body } = await client.post('/v1/charges', aRequest(type, { [field]: value })).expect(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toContain(`paymentMethod.${field}`);
    expect(await count()).toBe(before);
  });

  it('needs the right check digit of a cuit with a live key only', async () => {
    const wrong = aRequest(type, { identifyNumber: '30500010913' });
    await client.post('/v1/charges', wrong).expect(201);
    const { body } = await withKey(gateway, merchant.liveKey).post('/v1/charges', wrong).expect(400);
    expect(body.errors).toEqual([
      { path: 'paymentMethod.identifyNumber', message: expect.stringContaining('check digits') },
    ]);
  });
});
