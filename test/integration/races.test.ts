import type { Response } from 'supertest';
import type { Journal } from '../../src/modules/ledger/write/journal.ts';
import { LEASE_MS } from '../../src/platform/write-store/leases.ts';
import { aCardRequest, aPixRequest, aSpreadFee } from '../builders.ts';
import { callAt, type Method } from '../support/call.ts';
import { type Client, PATIENT, withKey } from '../support/client.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { BY_TENANT, startTestGateway, type TestGateway, useGateway } from '../support/gateway.ts';
import { eventually } from '../support/program.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway({ ...PATIENT, ...BY_TENANT });
jest.setTimeout(300_000);
let key: string;
let client: Client;
/** A second process on the same stores, as far as one process can be two. */
let second: TestGateway;
beforeAll(async () => {
  key = (await gateway().createMerchant()).testKey;
  client = withKey(gateway, key);
  second = await startTestGateway(gateway().variables);
});
afterAll(async () => {
  await second.stop({ keepData: true });
});

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const countBy = (values: readonly (string | number)[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};
const outcomesOf = (answers: readonly Response[]): Record<string, number> =>
  countBy(answers.map(({ status, body }) => `${status} ${body.code ?? body.status}`));

/** Sends to either process by turns, all at once. */
const postAtOnce = (requests: readonly { path: string; body?: object }[]): Promise<Response[]> =>
  Promise.all(
    requests.map(({ path, body }, index) =>
      callAt(index % 2 === 0 ? gateway().url : second.url, 'post', path)
        .auth(key, '')
        .send(body)
        .then((answer) => answer),
    ),
  );
const refundAtOnce = (chargeId: string, count: number): Promise<Response[]> =>
  postAtOnce(times(count, (index) => ({ path: '/v1/refunds', body: { chargeId, reason: `try ${index}` } })));

const createByCard = async (number = '4242424242424242'): Promise<string> =>
  (await client.post('/v1/charges', aCardRequest({}, { number })).expect(201)).body.id;
const createPix = async (): Promise<string> =>
  (await client.post('/v1/charges', aPixRequest()).expect(201)).body.id;
const read = async (id: string): Promise<Response['body']> =>
  (await client.get(`/v1/charges/${id}`).expect(200)).body;
const refundsOf = ({ db }: TestGateway, chargeId: string) =>
  db.collection('refunds').find({ chargeId }).toArray();
const journalsOf = (chargeId: string): Promise<Journal[]> =>
  gateway().db.collection<Journal>('journals').find({ chargeId }).toArray();

describe('a key that is used all the time in two processes', () => {
  it('fails in both once its revocation is answered, and keeps the permissions of its merchant', async () => {
    const merchant = await gateway().createMerchant();
    const token = await gateway().operatorToken('test');
    const admin = (method: Method, path: string, body?: object) =>
      gateway().call(method, path).auth(token, { type: 'bearer' }).send(body);
    const path = `/v1/admin/merchants/${merchant.id}`;
    const keys = await admin('post', `${path}/api-keys`, { livemode: false }).expect(201);
    const { id, secretKey } = keys.body;
    let isOver = false;
    const answers: { readonly startedAt: number; readonly status: number }[] = [];
    const use = async (url: string): Promise<void> => {
      while (!isOver) {
        const startedAt = performance.now();
        const { status } = await callAt(url, 'get', '/v1/balance').auth(secretKey, '');
        answers.push({ startedAt, status });
      }
    };
    const users = [gateway().url, second.url].map(use);
    const statusesAfter = async (command: () => PromiseLike<unknown>): Promise<number[]> => {
      await command();
      const answeredAt = performance.now();
      const later = () => answers.filter(({ startedAt }) => startedAt > answeredAt);
      await eventually('twenty more calls', () => later().length > 20);
      return [...new Set(later().map(({ status }) => status))];
    };
    const give = (permissions: readonly string[]) => () => admin('patch', path, { permissions }).expect(200);
    expect(await statusesAfter(give(['charges.read']))).toEqual([403]);
    expect(await statusesAfter(give(['statement.read']))).toEqual([200]);
    expect(await statusesAfter(() => admin('delete', `${path}/api-keys/${id}`).expect(204))).toEqual([401]);
    isOver = true;
    await Promise.all(users);
  });
});

describe('terms of a merchant that charges all the time in two processes', () => {
  it('are the new ones in both once their change is answered', async () => {
    const { id, testKey } = await gateway().createMerchant();
    let isOver = false;
    const charges: { readonly startedAt: number; readonly spread: number | undefined }[] = [];
    const charge = async (url: string): Promise<void> => {
      while (!isOver) {
        const startedAt = performance.now();
        const { body } = await callAt(url, 'post', '/v1/charges').auth(testKey, '').send(aCardRequest());
        charges.push({ startedAt, spread: body.spread });
      }
    };
    const chargers = [gateway().url, second.url].map(charge);
    for (const percent of [4, 5]) {
      const sentAt = performance.now();
      await gateway().setFees(id, [aSpreadFee({ definition: { fixed: 0, percentages: [percent] } })]);
      const answeredAt = performance.now();
      expect(answeredAt - sentAt).toBeGreaterThan(LEASE_MS);
      const later = () => charges.filter(({ startedAt }) => startedAt > answeredAt);
      await eventually('more charges', () => later().length > 10);
      expect([...new Set(later().map(({ spread }) => spread))]).toEqual([percent]);
    }
    isOver = true;
    await Promise.all(chargers);
  });
});

describe('many refunds of one charge at once', () => {
  const CHARGES = volume({ usual: 2, proof: 20 });
  const AT_ONCE = volume({ usual: 40, proof: 200 });

  it.each(times(CHARGES, (round) => round + 1))('give it back once (charge %d)', async () => {
    const chargeId = await createByCard();
    const answers = await refundAtOnce(chargeId, AT_ONCE);
    expect(outcomesOf(answers)).toEqual({ '201 refunded': 1, '422 REFUND_ALREADY_EXISTS': AT_ONCE - 1 });

    const refunds = await refundsOf(gateway(), chargeId);
    expect(refunds).toHaveLength(1);
    expect(refunds[0]?.id).toBe(answers.find(({ status }) => status === 201)?.body.id);
    const journals = await journalsOf(chargeId);
    expect(journals.map(({ referenceType }) => referenceType).sort()).toEqual(['charge', 'refund']);
    expect(journals.flatMap(({ postings }) => postings).reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
    expect(
      await gateway().db.collection('simulator_refunds').countDocuments({ paymentReference: chargeId }),
    ).toBe(1);
    expect((await read(chargeId)).status).toBe('refunded');
  });

  it('leave it paid and the books untouched where the provider refuses each of them', async () => {
    const chargeId = await createByCard('4000000000005423');
    const outcomes = outcomesOf(await refundAtOnce(chargeId, volume({ usual: 20, proof: 100 })));
    expect(Object.keys(outcomes).sort()).toEqual(['201 refused', '422 REFUND_ALREADY_EXISTS']);
    expect(await refundsOf(gateway(), chargeId)).toHaveLength(outcomes['201 refused'] ?? 0);
    expect(await journalsOf(chargeId)).toHaveLength(1);
    expect((await read(chargeId)).status).toBe('paid');
  });
});

describe('the end of a pending refund told many times at once', () => {
  it('is one of them, and booked or reversed once', async () => {
    for (let round = 0; round < volume({ usual: 1, proof: 5 }); round += 1) {
      const chargeId = await createByCard('4000000000007726');
      const { body: refund } = await client.post('/v1/refunds', { chargeId, reason: 'x' }).expect(201);
      const helpers = times(30, (index) => ['complete', 'refuse', 'fail'][index % 3]);
      const answers = await postAtOnce(
        helpers.map((helper) => ({ path: `/v1/test-helpers/refunds/${refund.id}/${helper}` })),
      );
      expect(countBy(answers.map(({ status }) => status))).toEqual({ 200: 1, 422: 29 });
      const { status } = answers.find((answer) => answer.status === 200)?.body ?? {};
      const isDone = status === 'refunded';
      expect((await read(chargeId)).status).toBe(isDone ? 'refunded' : 'paid');
      expect(await journalsOf(chargeId)).toHaveLength(isDone ? 2 : 3);
    }
  });
});

describe('a Pix charge that is paid and expires at once', () => {
  it('does one of both, is booked once or never, and both processes say the same', async () => {
    for (let round = 0; round < volume({ usual: 3, proof: 20 }); round += 1) {
      const chargeId = await createPix();
      const helpers = times(12, (index) => (index % 3 === round % 3 ? 'pay' : 'expire'));
      const answers = await postAtOnce(
        helpers.map((helper) => ({ path: `/v1/test-helpers/charges/${chargeId}/${helper}` })),
      );
      // Image and settlements come with create and read only.
      const { settlements: _, ...charge } = await read(chargeId);
      const { qrCode: __, ...paymentDetails } = charge.paymentDetails;
      const isPaid = charge.status === 'paid';
      answers.forEach(({ status, body }, index) => {
        expect([200, 422]).toContain(status);
        if (status === 200) {
          expect(helpers[index]).toBe(isPaid ? 'pay' : 'expire');
          expect(body).toEqual({ ...charge, paymentDetails });
        } else expect(body.code).toBe('TRANSITION_NOT_ALLOWED');
      });
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      if (!isPaid) expect(charge).toMatchObject({ status: 'failed', failureReason: 'expired', paidAt: null });
      expect(await journalsOf(chargeId)).toHaveLength(isPaid ? 1 : 0);
    }
  });
});

describe('a Pix charge that is paid and cancelled at once', () => {
  it('does one of both, and whoever asked for the other is refused', async () => {
    for (let round = 0; round < volume({ usual: 3, proof: 20 }); round += 1) {
      const chargeId = await createPix();
      const paths = times(12, (index) =>
        index % 3 === round % 3
          ? `/v1/test-helpers/charges/${chargeId}/pay`
          : `/v1/charges/${chargeId}/cancel`,
      );
      const answers = await postAtOnce(paths.map((path) => ({ path })));
      const charge = await read(chargeId);
      const isPaid = charge.status === 'paid';
      answers.forEach(({ status, body }, index) => {
        expect([200, 422]).toContain(status);
        const isCancel = paths[index]?.endsWith('/cancel') ?? false;
        if (status === 200) expect(isCancel).toBe(!isPaid);
        else expect(body.code).toBe(isCancel ? 'CHARGE_NOT_CANCELLABLE' : 'TRANSITION_NOT_ALLOWED');
      });
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      if (!isPaid)
        expect(charge).toMatchObject({ status: 'failed', failureReason: 'cancelled', paidAt: null });
      expect(await journalsOf(chargeId)).toHaveLength(isPaid ? 1 : 0);
    }
  });
});

describe('many charges of one merchant at once', () => {
  it('are all taken and all counted in its balance', async () => {
    const own = withKey(gateway, (await gateway().createMerchant()).testKey);
    const amounts = times(volume({ usual: 30, proof: 100 }), (index) => index + 1);
    await Promise.all(
      amounts.map((amount) => own.post('/v1/charges', aCardRequest({ amount, currency: 'USD' })).expect(201)),
    );
    const { body } = await own.get('/v1/balance').expect(200);
    expect(body.data).toEqual([
      { currency: 'USD', available: 0, reserved: amounts.reduce((sum, amount) => sum + amount, 0) },
    ]);
  });

  it('are in its balance from the moment of the answer, whatever is being folded', async () => {
    const own = withKey(gateway, (await gateway().createMerchant()).testKey);
    for (let count = 1; count <= volume({ usual: 8, proof: 30 }); count += 1) {
      await own.post('/v1/charges', aCardRequest({ amount: 1 })).expect(201);
      const { body } = await own.get('/v1/balance').expect(200);
      expect(body.data).toEqual([{ currency: 'BRL', available: 0, reserved: count }]);
    }
  });
});

describe('a balance that is asked for while it is folded', () => {
  it('counts no entry twice and none not at all', async () => {
    const own = withKey(gateway, (await gateway().createMerchant()).testKey);
    let [sent, answered, isOver] = [0, 0, false];
    const ask = async (): Promise<void> => {
      while (!isOver) {
        const atLeast = answered;
        const { body } = await own.get('/v1/balance').expect(200);
        const reserved = body.data[0]?.reserved ?? 0;
        expect(reserved).toBeGreaterThanOrEqual(atLeast);
        expect(reserved).toBeLessThanOrEqual(sent);
      }
    };
    const pay = async (): Promise<void> => {
      for (let count = 0; count < volume({ usual: 10, proof: 40 }); count += 1) {
        sent += 1;
        await own.post('/v1/charges', aCardRequest({ amount: 1 })).expect(201);
        answered += 1;
      }
    };
    const paying = Promise.all(times(4, pay)).finally(() => {
      isOver = true;
    });
    await Promise.all([paying, ...times(4, ask)]);
    const { body } = await own.get('/v1/balance').expect(200);
    expect(body.data).toEqual([{ currency: 'BRL', available: 0, reserved: sent }]);
  });
});

describe('after all of this', () => {
  it('every currency sums to zero, balances are the sums of postings, and views, events and provider agree', async () => {
    expect(await differencesWithin(gateway(), 60_000)).toEqual([]);
  });
});
