import type { Response } from 'supertest';
import { aCardRequest, aPixRequest } from '../builders.ts';
import { type Client, operator, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

jest.setTimeout(60_000);

const gateway = useGateway();
const DECLINED = '4000000000000002';
let merchant: TestMerchant;
let client: Client;
beforeAll(async () => {
  merchant = await gateway().createMerchant();
  client = withKey(gateway, merchant.testKey);
});

const put = async (path: string, content: unknown): Promise<Response> => {
  const admin = await operator(gateway);
  return admin.post(path, { name: 'unique_references', content });
};
const turn = async (content: boolean): Promise<void> => {
  expect((await put(`/v1/merchants/${merchant.id}/settings`, content)).status).toBeLessThan(202);
};
const charge = async (reference: string | undefined, card = {}, by = client): Promise<Response> =>
  by.post('/v1/charges', { ...aCardRequest({}, card), ...(reference ? { reference } : {}) });

describe('references with the setting `unique_references`', () => {
  it('may repeat without it, and the content is true or false', async () => {
    expect((await charge('order-1')).status).toBe(201);
    expect((await charge('order-1')).status).toBe(201);
    expect((await put('/v1/admin/settings', 'yes')).status).toBe(400);
  });

  it('are refused where a charge has them, also one from before the setting, and name that charge', async () => {
    const { body: before } = await charge('order-2');
    await turn(true);
    const { body: since } = await charge('order-3');
    for (const [reference, holder] of [
      ['order-2', before],
      ['order-3', since],
    ]) {
      const again = await charge(reference);
      expect(again.status).toBe(422);
      expect(again.body).toMatchObject({ code: 'REFERENCE_ALREADY_USED', chargeId: holder.id });
    }
    const count = { reference: 'order-3', merchantId: merchant.id };
    expect(await gateway().db.collection('charges').countDocuments(count)).toBe(1);
  });

  it('are free again once the charge is refused or failed, and taken by the next', async () => {
    expect((await charge('order-4', { number: DECLINED })).body.status).toBe('refused');
    const pix = await client.post('/v1/charges', { ...aPixRequest(), reference: 'order-4' });
    expect(pix.body.status).toBe('pending');
    expect((await charge('order-4')).body).toMatchObject({ chargeId: pix.body.id });
    await client.post(`/v1/test-helpers/charges/${pix.body.id}/expire`).expect(200);
    expect((await charge('order-4')).body.status).toBe('paid');
    expect((await charge('order-4')).status).toBe(422);
  });

  it('have one winner among twelve at the same time, whether they were free or had been used', async () => {
    await charge('race-2', { number: DECLINED });
    for (const reference of ['race-1', 'race-2']) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => charge(reference)));
      const won = answers.filter(({ status }) => status === 201);
      expect(won).toHaveLength(1);
      const lost = answers.filter(({ status }) => status === 422);
      expect(lost).toHaveLength(11);
      for (const { body } of lost) expect(body.chargeId).toBe(won[0]?.body.id);
    }
  });

  it('belong to one merchant in one environment, and a charge needs none', async () => {
    const other = withKey(gateway, (await gateway().createMerchant()).testKey);
    expect((await charge('order-3', {}, other)).status).toBe(201);
    expect((await charge(undefined)).status).toBe(201);
    expect((await charge(undefined)).status).toBe(201);
  });

  it('may repeat again once it is off', async () => {
    await turn(false);
    expect((await charge('order-3')).status).toBe(201);
  });
});

describe('a request with `Idempotency-Key`', () => {
  it('is told that the key was not used, in refusals too', async () => {
    const ask = (path: string) =>
      gateway().call('get', path).auth(merchant.testKey, '').set('Idempotency-Key', 'a-key');
    expect((await ask('/v1/balance')).headers['x-idempotency-key']).toBe('not-used');
    expect((await ask('/v1/charges/chg_0')).headers['x-idempotency-key']).toBe('not-used');
    const without = await gateway().call('get', '/v1/balance').auth(merchant.testKey, '');
    expect(without.headers['x-idempotency-key']).toBeUndefined();
  });
});
