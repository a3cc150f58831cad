import type { Response } from 'supertest';
import { systemContext } from '../../src/kernel/event.ts';
import { newId } from '../../src/kernel/ids.ts';
import { modules } from '../../src/main/modules.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import { type Charge, reserveForRefund } from '../../src/modules/charges/write/charge.ts';
import { REFUNDS } from '../../src/modules/refunds/write/refund.store.ts';
import { openRefund } from '../../src/modules/refunds/write/refund.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { readResource } from '../../src/platform/write-store/read-resource.ts';
import { aCardRequest, aPixRequest, aSpreadFee } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { differencesWithin } from '../support/find-differences.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'refunds=4' });
const ACCEPTED = '4242424242424242';
const PENDING = '4000000000007726';
const REFUSED = '4000000000005423';
const FAILED = '4000000000003220';
const UNSUPPORTED = '4000000000006975';

let merchant: TestMerchant;
let client: Client;

/** A merchant whose card charges of 100.00 leave 97.00. */
const newMerchant = async (fields: object = {}): Promise<TestMerchant> => {
  const created = await gateway().createMerchant({ ...fields });
  await gateway().setFees(created.id, [aSpreadFee({ definition: { fixed: 0, percentages: [3, 3, 3] } })]);
  return created;
};
beforeAll(async () => {
  merchant = await newMerchant();
  client = withKey(gateway, merchant.testKey);
});

const charge = async (number: string, by = client): Promise<Response['body']> =>
  (await by.post('/v1/charges', aCardRequest({}, { number })).expect(201)).body;
const refund = (chargeId: string, by = client) => by.post('/v1/refunds', { chargeId, reason: 'sent back' });
const readCharge = async (id: string): Promise<Response['body']> =>
  (await client.get(`/v1/charges/${id}`).expect(200)).body;
const help = (id: string, helper: string, by = client) => by.post(`/v1/test-helpers/refunds/${id}/${helper}`);
const balanceOf = async (by: Client): Promise<{ available: number; reserved: number }> => {
  const { body } = await by.get('/v1/balance').expect(200);
  const { available, reserved } = body.data.find(
    ({ currency }: { currency: string }) => currency === 'BRL',
  ) ?? {
    available: 0,
    reserved: 0,
  };
  return { available, reserved };
};
const movementsOf = async (refundId: string): Promise<string[]> => {
  const journals = await gateway().db.collection('journals').find({ referenceId: refundId }).toArray();
  return journals.map((journal) => journal.postings[0].movement_type);
};
/** A merchant of its own, with one paid charge, so that balances tell one story. */
const withPaidCharge = async (number: string) => {
  const by = withKey(gateway, (await newMerchant()).testKey);
  const { id } = await charge(number, by);
  return { by, id, read: async () => (await by.get(`/v1/charges/${id}`).expect(200)).body };
};

const dateTime = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const PAID = { available: 0, reserved: 97 };
const GIVEN_BACK = { available: -3, reserved: 0 };

describe('a refund as it is answered', () => {
  let answer: Response['body'];
  let chargeId: string;
  beforeAll(async () => {
    chargeId = (await charge(ACCEPTED)).id;
    answer = (await refund(chargeId).expect(201)).body;
  });

  it.each([
    ['id', () => expect.stringMatching(/^ref_[0-9a-f]{32}$/)],
    ['chargeId', () => chargeId],
    ['status', () => 'refunded'],
    ['amount', () => 100],
    ['currency', () => 'BRL'],
    ['merchantId', () => merchant.id],
    ['merchantReason', () => 'sent back'],
    ['reason', () => null],
    ['pspRefundRefId', () => expect.any(String)],
    ['createdAt', () => dateTime],
    ['updatedAt', () => dateTime],
  ])('has %s', (field, expected) => {
    expect(answer[field]).toEqual(expected());
  });

  it('has these fields and no others', () => {
    expect(Object.keys(answer).sort()).toEqual([
      'amount',
      'chargeId',
      'createdAt',
      'currency',
      'id',
      'merchantId',
      'merchantReason',
      'pspRefundRefId',
      'reason',
      'status',
      'updatedAt',
    ]);
  });

  it('is read by id as it was created', async () => {
    expect((await client.get(`/v1/refunds/${answer.id}`).expect(200)).body).toEqual(answer);
  });

  it('stands in the list in the same form, and sorts there by every field that lists name', async () => {
    for (const orderBy of ['-updatedAt', 'amount,id', 'currency', 'merchantId,-createdAt']) {
      const query = `chargeId=${chargeId}&currency=BRL&merchantId=${merchant.id}&orderBy=${orderBy}`;
      expect((await client.getAfter('latest', `/v1/refunds?${query}`)).body.data).toEqual([answer]);
    }
    await client.get(`/v1/refunds?merchantId=${(await newMerchant()).id}`).expect(403);
  });
});

describe('a refund request', () => {
  it.each([
    [{ reason: 'x' }, 'chargeId'],
    [{ chargeId: 'chg_1' }, 'reason'],
    [{ chargeId: 1, reason: 'x' }, 'chargeId'],
    [{ chargeId: 'chg_1', reason: '' }, 'reason'],
    [{ chargeId: 'chg_1', reason: null }, 'reason'],
    [{ chargeId: 'chg_1', reason: 'wrong card 4242 4242 4242 4242' }, 'reason'],
    [{ chargeId: 'chg_1', reason: 'x', amount: 1 }, 'amount'],
    [{ chargeId: ['chg_1'], reason: 'x' }, 'chargeId'],
    [{ chargeId: { $ne: 1 }, reason: 'x' }, 'chargeId'],
  ])('like %j is refused and names %s', async (body, path) => {
    const { body: refusal } = await client.post('/v1/refunds', body).expect(400);
    expect(refusal.errors.map((fault: { path: string }) => fault.path)).toContain(path);
  });
});

describe('the four results of a refund', () => {
  it('refunds the charge and takes the money back, but returns no spread', async () => {
    const { by, id, read } = await withPaidCharge(ACCEPTED);
    expect(await balanceOf(by)).toEqual(PAID);
    const { body } = await refund(id, by).expect(201);
    expect(body).toMatchObject({ status: 'refunded', reason: null, pspRefundRefId: expect.any(String) });
    expect(await read()).toMatchObject({ status: 'refunded', refundedAt: dateTime });
    expect(await balanceOf(by)).toEqual(GIVEN_BACK);
    expect(await movementsOf(body.id)).toEqual(['refund']);
  });

  it('leaves the charge paid while pending, and takes the money back already', async () => {
    const { by, id, read } = await withPaidCharge(PENDING);
    const { body } = await refund(id, by).expect(201);
    expect(body).toMatchObject({ status: 'pending', reason: null });
    expect(await read()).toMatchObject({ status: 'paid', refundedAt: null });
    expect(await balanceOf(by)).toEqual(GIVEN_BACK);
  });

  it.each([
    ['refused', REFUSED, 'refund_refused'],
    ['failed', FAILED, 'refund_failed'],
    ['failed', UNSUPPORTED, 'refund_not_supported'],
  ])(
    '%s (%s): the reason is said, charge and balances are as before, another may be tried',
    async (status, number, reason) => {
      const { by, id, read } = await withPaidCharge(number);
      const before = await read();
      const { body } = await refund(id, by).expect(201);
      expect(body).toMatchObject({ status, reason });
      expect({ ...(await read()), updatedAt: null }).toEqual({ ...before, updatedAt: null });
      expect(await balanceOf(by)).toEqual(PAID);
      expect(await movementsOf(body.id)).toEqual([]);
      const { body: again } = await refund(id, by).expect(201);
      expect(again.id).not.toBe(body.id);
      expect(await balanceOf(by)).toEqual(PAID);
    },
  );

  it('a Pix charge is refunded as well', async () => {
    const { body: pix } = await client.post('/v1/charges', aPixRequest()).expect(201);
    await client.post(`/v1/test-helpers/charges/${pix.id}/pay`).expect(200);
    expect((await refund(pix.id).expect(201)).body.status).toBe('refunded');
    expect((await readCharge(pix.id)).status).toBe('refunded');
  });
});

describe('a pending refund', () => {
  it('that completes makes the charge refunded, without a second debit', async () => {
    const { by, id, read } = await withPaidCharge(PENDING);
    const { body: pending } = await refund(id, by).expect(201);
    const { body } = await help(pending.id, 'complete', by).expect(200);
    expect(body).toEqual({ ...pending, status: 'refunded', updatedAt: dateTime });
    expect(body.updatedAt >= pending.updatedAt).toBe(true);
    expect(await read()).toMatchObject({ status: 'refunded', refundedAt: dateTime });
    expect(await balanceOf(by)).toEqual(GIVEN_BACK);
    expect(await movementsOf(pending.id)).toEqual(['refund']);
  });

  it.each([
    ['refuse', 'refused'],
    ['fail', 'failed'],
  ])('that ends with %s is reversed, and another may be tried', async (helper, status) => {
    const { by, id, read } = await withPaidCharge(PENDING);
    const { body: pending } = await refund(id, by).expect(201);
    expect((await help(pending.id, helper, by).expect(200)).body).toMatchObject({
      id: pending.id,
      status,
      reason: expect.any(String),
    });
    expect(await read()).toMatchObject({ status: 'paid', refundedAt: null });
    expect(await balanceOf(by)).toEqual(PAID);
    expect((await movementsOf(pending.id)).sort()).toEqual(['refund', 'refund_reversal']);

    const { body: second } = await refund(id, by).expect(201);
    expect(second.status).toBe('pending');
    expect(await balanceOf(by)).toEqual(GIVEN_BACK);
    await help(second.id, 'complete', by).expect(200);
    expect((await read()).status).toBe('refunded');
  });

  it('blocks every other refund', async () => {
    const { id } = await charge(PENDING);
    await refund(id).expect(201);
    expect((await refund(id).expect(422)).body.code).toBe('REFUND_ALREADY_EXISTS');
  });
});

describe('the test helpers of refunds', () => {
  it('move nothing that is not pending', async () => {
    for (const number of [ACCEPTED, REFUSED, FAILED]) {
      const { id } = await charge(number);
      const { body } = await refund(id).expect(201);
      for (const helper of ['complete', 'refuse', 'fail'])
        expect((await help(body.id, helper).expect(422)).body).toMatchObject({
          statusCode: 422,
          code: 'TRANSITION_NOT_ALLOWED',
        });
    }
  });

  it("are not for live keys, and know nobody else's refunds", async () => {
    const { id } = await charge(PENDING);
    const { body } = await refund(id).expect(201);
    const stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
    for (const helper of ['complete', 'refuse', 'fail']) {
      await help(body.id, helper, withKey(gateway, merchant.liveKey)).expect(403);
      await help(body.id, helper, stranger).expect(404, {
        statusCode: 404,
        message: 'Refund not found',
        code: 'NOT_FOUND',
      });
    }
    expect((await client.get(`/v1/refunds/${body.id}`).expect(200)).body.status).toBe('pending');
  });
});

describe('the preconditions of a refund, in this order', () => {
  const codeOf = async (chargeId: string, by = client): Promise<unknown> => {
    const before = await gateway().db.collection('refunds').countDocuments({});
    const { status, body } = await refund(chargeId, by);
    expect(await gateway().db.collection('refunds').countDocuments({})).toBe(before);
    expect(body.message).toEqual(expect.any(String));
    return `${status} ${body.code ?? body.message}`;
  };
  /** Makes of a stored charge what no API can make here. */
  const change = async (id: string, changes: Partial<Charge>): Promise<void> => {
    const { container } = gateway();
    await container.get(platform.services).transact(systemContext('test'), async (tx) => {
      const charge = await tx.get(CHARGES, id);
      if (charge)
        await tx.record(CHARGES, charge, {
          type: 'charge.provider_changed',
          data: { ...charge, ...changes },
        });
    });
  };

  it('404: the charge is unknown, of the other environment, or not visible', async () => {
    const { id } = await charge(ACCEPTED);
    const stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
    expect(await codeOf('chg_unknown')).toBe('404 NOT_FOUND');
    expect(await codeOf(id, stranger)).toBe('404 NOT_FOUND');
    expect(await codeOf(id, withKey(gateway, merchant.liveKey))).toBe('404 NOT_FOUND');
  });

  it("404 also for a master's charge that its sub-merchant names; a master may refund its sub-merchants'", async () => {
    const master = await gateway().createMerchant({ role: 'MerchantMaster' });
    const sub = await createSubMerchant(gateway, master);
    const [byMaster, bySub] = [withKey(gateway, master.testKey), withKey(gateway, sub.testKey)];
    const [ofMaster, ofSub] = [await charge(ACCEPTED, byMaster), await charge(ACCEPTED, bySub)];
    expect(await codeOf(ofMaster.id, bySub)).toBe('404 NOT_FOUND');
    expect((await refund(ofSub.id, byMaster).expect(201)).body.status).toBe('refunded');
  });

  it('422 REFUND_NOT_SUPPORTED: the method is neither Pix nor card, whatever else is wrong', async () => {
    const { id } = await charge(ACCEPTED);
    await refund(id).expect(201);
    await change(id, { paymentMethod: { type: 'voucher', identifyType: 'dni', identifyNumber: '12345678' } });
    expect(await codeOf(id)).toBe('422 REFUND_NOT_SUPPORTED');
  });

  it('422 REFUND_ALREADY_EXISTS: another one is pending or done, although the charge is no longer paid', async () => {
    const { id } = await charge(ACCEPTED);
    await refund(id).expect(201);
    expect((await readCharge(id)).status).toBe('refunded');
    expect(await codeOf(id)).toBe('422 REFUND_ALREADY_EXISTS');
  });

  it.each(['4000000000000002', '4000000000000119', '4000002500003155', '4000000000005126'])(
    '422 CHARGE_NOT_REFUNDABLE: the charge (%s) is not paid',
    async (number) => {
      expect(await codeOf((await charge(number)).id)).toBe('422 CHARGE_NOT_REFUNDABLE');
    },
  );

  it.each(['pre_chargeback', 'chargeback'] as const)(
    '422 CHARGE_NOT_REFUNDABLE: the charge is in %s',
    async (status) => {
      const { id } = await charge(ACCEPTED);
      await change(id, { status });
      expect(await codeOf(id)).toBe('422 CHARGE_NOT_REFUNDABLE');
      await change(id, { status: 'paid' });
    },
  );
});

describe('the refund of a split charge', () => {
  it('takes back from each participant what it received, and from the originator the rest', async () => {
    const master = await newMerchant({ role: 'MerchantMaster' });
    const sub = await createSubMerchant(gateway, master);
    const [byMaster, bySub] = [withKey(gateway, master.testKey), withKey(gateway, sub.testKey)];
    const split = [{ merchantId: sub.id, percentage: 33.3333 }];
    const request = { ...aCardRequest({}, { number: PENDING }), split };
    const { body: made } = await byMaster.post('/v1/charges', request).expect(201);
    expect(await balanceOf(byMaster)).toEqual({ available: 0, reserved: 64.67 });
    expect(await balanceOf(bySub)).toEqual({ available: 0, reserved: 32.33 });

    const { body: first } = await refund(made.id, byMaster).expect(201);
    expect(await balanceOf(byMaster)).toEqual(GIVEN_BACK);
    expect(await balanceOf(bySub)).toEqual({ available: 0, reserved: 0 });
    await help(first.id, 'refuse', byMaster).expect(200);
    expect(await balanceOf(byMaster)).toEqual({ available: 0, reserved: 64.67 });
    expect(await balanceOf(bySub)).toEqual({ available: 0, reserved: 32.33 });
  });
});

describe('permission to refund', () => {
  it('is nobody without credentials, permission or merchant', async () => {
    const body = { chargeId: 'chg_1', reason: 'x' };
    await gateway().call('post', '/v1/refunds').send(body).expect(401);
    await withKey(gateway, merchant.publicKey).post('/v1/refunds', body).expect(403);
    await (await operator(gateway, 'test')).post('/v1/refunds', body).expect(403);
    const restricted = await gateway().createMerchant();
    await (await operator(gateway))
      .call('patch', `/v1/admin/merchants/${restricted.id}`, {
        permissions: ['charges.create', 'charges.read'],
      })
      .expect(200);
    await withKey(gateway, restricted.testKey).post('/v1/refunds', body).expect(403);
  });
});

describe('the list of refunds', () => {
  let by: Client;
  const refunds: Record<string, Response['body']> = {};
  const idsOf = async (search: string): Promise<string[]> => {
    const { body } = await by.get(`/v1/refunds${search}`).expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  beforeAll(async () => {
    by = withKey(gateway, (await newMerchant()).testKey);
    for (const [name, number] of Object.entries({
      done: ACCEPTED,
      pending: PENDING,
      refused: REFUSED,
      failed: FAILED,
    }))
      refunds[name] = (await refund((await charge(number, by)).id, by).expect(201)).body;
    refunds.again = (await refund(refunds.refused.chargeId, by).expect(201)).body;
    await by.getAfter('latest', '/v1/refunds');
  });

  it('is a page like any other, newest first, each as it is read by id', async () => {
    const { body } = await by.get('/v1/refunds').expect(200);
    expect(body).toEqual({
      data: [refunds.again, refunds.failed, refunds.refused, refunds.pending, refunds.done],
      page: 1,
      pages: 1,
      total: 5,
      size: 10,
    });
    expect(await idsOf('?page=2&size=2')).toEqual([refunds.refused.id, refunds.pending.id]);
  });

  it('filters by charge and by status', async () => {
    expect(await idsOf(`?chargeId=${refunds.refused.chargeId}`)).toEqual([
      refunds.again.id,
      refunds.refused.id,
    ]);
    expect(await idsOf('?status=pending')).toEqual([refunds.pending.id]);
    expect(await idsOf('?status=refused')).toEqual([refunds.again.id, refunds.refused.id]);
    expect(await idsOf(`?chargeId=${refunds.done.chargeId}&status=failed`)).toEqual([]);
    expect(await idsOf('?orderBy=status,id')).toEqual(
      ['failed', 'pending', 'done', 'refused', 'again'].map((name) => refunds[name].id),
    );
  });

  it.each(['status=done', 'reason=x', 'orderBy=reason', 'chargeId=', 'chargeId=a&chargeId=b'])(
    'is refused for ?%s',
    async (search) => {
      await by.get(`/v1/refunds?${search}`).expect(400);
    },
  );

  it('shows a refund as it stands after its command, with the token of that command', async () => {
    const answer = await help(refunds.pending.id, 'complete', by).expect(200);
    const { body } = await by.getAfter(
      answer.headers['x-consistency-token'],
      `/v1/refunds?chargeId=${refunds.pending.chargeId}`,
    );
    expect(body.data).toEqual([{ ...refunds.pending, status: 'refunded', updatedAt: dateTime }]);
  });

  it("never shows another merchant's", async () => {
    const stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
    const { body } = await stranger.get(`/v1/refunds?chargeId=${refunds.done.chargeId}`).expect(200);
    expect(body).toMatchObject({ data: [], total: 0 });
    await stranger
      .get(`/v1/refunds/${refunds.done.id}`)
      .expect(404, { statusCode: 404, message: 'Refund not found', code: 'NOT_FOUND' });
  });
});

describe('a crash between the two transactions of a refund', () => {
  const storeIntent = async (chargeId: string) => {
    const { container, db } = gateway();
    const paid = await readResource(db, CHARGES, chargeId);
    if (!paid) throw new Error('no charge');
    const now = new Date();
    const id = newId('ref');
    return container.get(platform.services).transact(systemContext('test'), async (tx) => {
      await tx.record(CHARGES, paid, reserveForRefund(paid, id, now));
      const request = { id, reason: 'x', reconcileAt: now.toISOString() };
      return tx.record(REFUNDS, null, openRefund(paid, null, request, now));
    });
  };

  it.each([
    ['before the provider heard of it', false],
    ['after the provider gave the money back', true],
  ])('%s, ends in one refund', async (_, isKnown) => {
    const { by, id, read } = await withPaidCharge(ACCEPTED);
    const intent = await storeIntent(id);
    if (isKnown)
      await gateway().container.get(modules).providers.simulator.refund({
        reference: intent.id,
        paymentReference: id,
        paymentPspRefId: null,
        openedAt: '2026-06-15T12:00:00.000Z',
        amount: intent.amount,
        currency: intent.currency,
      });
    expect((await refund(id, by).expect(422)).body.code).toBe('REFUND_ALREADY_EXISTS');
    expect(await pollUntil(read, ({ status }) => status === 'refunded')).toMatchObject({
      status: 'refunded',
    });
    expect(await balanceOf(by)).toEqual(GIVEN_BACK);
    expect(await movementsOf(intent.id)).toEqual(['refund']);
  });
});

describe('after all of this', () => {
  it('books, views, events and provider agree with each other', async () => {
    expect(await differencesWithin(gateway(), 30_000)).toEqual([]);
  });
});
