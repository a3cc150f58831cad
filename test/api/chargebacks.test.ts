import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { Method } from '../support/call.ts';
import { PATIENT, pollUntil } from '../support/client.ts';
import { OPERATOR, type TestMerchant, useGateway } from '../support/gateway.ts';

jest.setTimeout(30_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'chargeback_alerts=4,manual_refund_requests=4' });
const PAID = '4242424242424242';
const PENDING_REFUND = '4000000000007726';
const REFUSED_REFUND = '4000000000005423';
const FAILED_REFUND = '4000000000003220';
const NO_REFUND_API = '4000000000006975';

let merchant: TestMerchant;
let other: TestMerchant;
let token: string;

beforeAll(async () => {
  token = await gateway().operatorToken('test');
  merchant = await gateway().createMerchant();
  other = await gateway().createMerchant({ legalName: 'Sem Tarifa SA', email: 'sem@example.test' });
  await admin('post', `/v1/merchants/${merchant.id}/settings`, {
    name: 'chargeback_alert_fee',
    content: { amount: 15.5, currency: 'USD' },
  });
}, 180_000);

const admin = async (method: Method, path: string, body?: object, bearer = token): Promise<Response> => {
  const request = gateway().call(method, path).auth(bearer, { type: 'bearer' });
  if (method === 'get') request.set('X-Consistency-Token', 'latest');
  return body === undefined ? request : request.send(body);
};
const asMerchant = async (method: Method, path: string, body?: object, by = merchant): Promise<Response> => {
  const request = gateway().call(method, path).auth(by.testKey, '');
  if (method === 'get') request.set('X-Consistency-Token', 'latest');
  return body === undefined ? request : request.send(body);
};

const charge = async (number = PAID, by = merchant): Promise<string> => {
  const { body } = await asMerchant(
    'post',
    '/v1/charges',
    {
      amount: 100,
      currency: 'BRL',
      customer: { name: 'Ana Souza', email: 'ana@example.test' },
      paymentMethod: {
        type: 'credit_card',
        installments: 1,
        number,
        holderName: 'Ana Souza',
        expirationMonth: '12',
        expirationYear: '2035',
        cvv: '123',
      },
    },
    by,
  );
  return body.id;
};
const statusOf = async (id: string): Promise<string> => (await admin('get', `/v1/charges/${id}`)).body.status;
const alert = (chargeId: string, fields: object = {}): Promise<Response> =>
  admin('post', '/v1/admin/chargeback-alerts', { chargeId, ...fields });
const balance = async (by = merchant): Promise<Record<string, { available: number; reserved: number }>> => {
  const { body } = await asMerchant('get', '/v1/balance', undefined, by);
  return Object.fromEntries(
    body.data.map(({ currency, available, reserved }: Record<string, never>) => [
      currency,
      { available, reserved },
    ]),
  );
};
const counts = async (): Promise<number[]> =>
  Promise.all(
    ['domain_events', 'journals', 'chargeback_alerts', 'refunds', 'manual_refund_requests', 'charges'].map(
      (name) => gateway().db.collection(name).countDocuments(),
    ),
  );
const journalsOf = (referenceId: string) =>
  gateway().db.collection('journals').find({ referenceId }).toArray();
const code = ({ status, body }: Response): readonly [number, string | undefined] => [status, body.code];

describe('a chargeback alert', () => {
  it('refunds the charge, debits the fee in its own currency and moves the charge', async () => {
    const before = await balance();
    const chargeId = await charge();
    const { status, body } = await alert(chargeId, {
      reason: 'fraud',
      externalId: 'ext-1',
      receivedAt: '2026-06-01T12:00:00-03:00',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^cba_/),
      chargeId,
      merchantId: merchant.id,
      status: 'registered',
      externalId: 'ext-1',
      reason: 'fraud',
      receivedAt: '2026-06-01T15:00:00.000Z',
      refund: {
        id: expect.stringMatching(/^ref_/),
        mode: 'automatic',
        status: 'refunded',
        reason: null,
        pspRefundRefId: expect.any(String),
      },
      fee: { amount: 15.5, currency: 'USD', ledgerEntryId: expect.stringMatching(/^led_/) },
      charge: { id: chargeId, status: 'pre_chargeback' },
      manualRefundRequestId: null,
      createdAt: expect.any(String),
    });
    expect(await statusOf(chargeId)).toBe('pre_chargeback');
    const after = await balance();
    expect(after.USD?.available).toBeCloseTo((before.USD?.available ?? 0) - 15.5);
    expect(after.BRL).toEqual(before.BRL ?? { available: 0, reserved: 0 });

    const journals = await journalsOf(body.id);
    const fee = journals
      .flatMap((journal) => journal.postings)
      .find((one) => one.id === body.fee.ledgerEntryId);
    expect(fee).toMatchObject({ movement_type: 'chargeback_alert_fee', amount: -1550, bucket: 'available' });
    expect(journals.map(({ currency, referenceType }) => [currency, referenceType])).toEqual([
      ['BRL', 'chargeback_alert'],
      ['USD', 'chargeback_alert'],
    ]);

    expect((await admin('get', `/v1/admin/chargeback-alerts/${body.id}`)).body).toEqual(body);
    for (const query of [`chargeId=${chargeId}`, `merchantId=${merchant.id}&chargeId=${chargeId}`])
      expect((await admin('get', `/v1/admin/chargeback-alerts?${query}`)).body.data).toEqual([body]);
    const { body: refund } = await asMerchant('get', `/v1/refunds/${body.refund.id}`);
    expect(refund).toMatchObject({ chargeId, status: 'refunded' });
  });

  it('is refused in the order of the checks, and then changes nothing', async () => {
    const fresh = await charge(PAID, other);
    const alerted = await charge();
    expect((await alert(alerted)).status).toBe(201);
    const refunding = await charge(PENDING_REFUND);
    await asMerchant('post', '/v1/refunds', { chargeId: refunding, reason: 'returned' });
    const refunded = await charge();
    await asMerchant('post', '/v1/refunds', { chargeId: refunded, reason: 'returned' });
    const before = await counts();
    expect(code(await alert(`chg_${'0'.repeat(32)}`))).toEqual([404, 'NOT_FOUND']);
    expect(code(await alert(alerted))).toEqual([422, 'CHARGEBACK_ALERT_ALREADY_REGISTERED']);
    expect(code(await alert(refunding))).toEqual([422, 'REFUND_ALREADY_EXISTS']);
    expect(code(await alert(refunded))).toEqual([422, 'CHARGE_NOT_PAID']);
    expect(code(await alert(fresh))).toEqual([400, 'CHARGEBACK_ALERT_FEE_NOT_CONFIGURED']);
    // The environment of the token is that of the charge.
    const live = await gateway().operatorToken('live');
    expect((await admin('post', '/v1/admin/chargeback-alerts', { chargeId: fresh }, live)).status).toBe(404);
    expect(await counts()).toEqual(before);

    // After a failed refund an alert is possible again.
    const [pending] = (await asMerchant('get', `/v1/refunds?chargeId=${refunding}`)).body.data;
    await asMerchant('post', `/v1/test-helpers/refunds/${pending.id}/refuse`);
    expect((await alert(refunding)).body.refund).toMatchObject({ mode: 'automatic', status: 'pending' });
    expect(code(await asMerchant('post', '/v1/refunds', { chargeId: alerted, reason: 'again' }))).toEqual([
      422,
      'CHARGE_NOT_REFUNDABLE',
    ]);
    // The merchant is told of the alert, and not why an operator registered it.
    const suspected = await charge();
    const words = { chargeId: suspected, reason: 'INTERNAL suspicion' };
    expect((await admin('post', '/v1/admin/chargeback-alerts', words)).status).toBe(201);
    const [told] = (await asMerchant('get', `/v1/refunds?chargeId=${suspected}`)).body.data;
    expect(told.merchantReason).toBe('chargeback alert');
  });

  it.each<[string, object]>([
    ['without a charge', {}],
    ['with an unknown field', { chargeId: 'chg_1', amount: 1 }],
    ['with a time that is none', { chargeId: 'chg_1', receivedAt: '2026-02-30T10:00:00Z' }],
    ['with a time without a zone', { chargeId: 'chg_1', receivedAt: '2026-02-20T10:00:00' }],
    ['with an object as the charge', { chargeId: { $gt: '' } }],
  ])('%s is refused', async (_, body) => {
    expect((await admin('post', '/v1/admin/chargeback-alerts', body)).status).toBe(400);
  });

  it('takes the gateway-wide fee where the merchant has none', async () => {
    const chargeId = await charge(PAID, other);
    await admin('post', '/v1/admin/settings', {
      name: 'chargeback_alert_fee',
      content: { amount: 2000, currency: 'CLP' },
    });
    expect((await alert(chargeId)).body.fee).toMatchObject({ amount: 2000, currency: 'CLP' });
    expect((await balance(other)).CLP).toEqual({ available: -2000, reserved: 0 });
  });

  it.each([
    [REFUSED_REFUND, 'refund_refused'],
    [FAILED_REFUND, 'refund_failed'],
    [NO_REFUND_API, 'refund_not_supported'],
  ])(
    'whose refund the provider does not make (%s: %s) is debited and queued for finance',
    async (card, reason) => {
      const before = await balance();
      const chargeId = await charge(card);
      const { status, body } = await alert(chargeId);
      expect([status, body.charge.status]).toEqual([201, 'pre_chargeback']);
      expect(body.refund).toMatchObject({ mode: 'manual', status: 'failed', reason });
      expect(body.manualRefundRequestId).toMatch(/^mrr_/);
      expect((await balance()).BRL).toEqual(before.BRL);
      const queue = await admin('get', `/v1/admin/manual-refund-requests?chargeId=${chargeId}`);
      expect(queue.body.data).toEqual([
        {
          id: body.manualRefundRequestId,
          chargeId,
          chargebackAlertId: body.id,
          merchant: { id: merchant.id, name: 'Loja Exemplo Ltda', email: 'loja@example.test' },
          amount: 100,
          currency: 'BRL',
          pspRefId: expect.any(String),
          status: 'pending',
          createdAt: expect.any(String),
          resolved_by_user_id: null,
          resolved_at: null,
          notes: null,
        },
      ]);
      // Its refund has come to nothing, so that it is the status that forbids another.
      expect(code(await asMerchant('post', '/v1/refunds', { chargeId, reason: 'again' }))).toEqual([
        422,
        'CHARGE_NOT_REFUNDABLE',
      ]);
    },
  );

  it.each([
    ['complete', { mode: 'automatic', status: 'refunded' }, false],
    ['refuse', { mode: 'manual', status: 'failed' }, true],
    ['fail', { mode: 'manual', status: 'failed' }, true],
  ])(
    'whose refund is pending hears of its end later (%s), and the charge stays',
    async (end, refund, isQueued) => {
      const chargeId = await charge(PENDING_REFUND);
      const { body } = await alert(chargeId);
      expect(body.refund).toMatchObject({ mode: 'automatic', status: 'pending' });
      const before = await balance();
      expect((await asMerchant('post', `/v1/test-helpers/refunds/${body.refund.id}/${end}`)).status).toBe(
        200,
      );
      const { body: closed } = await admin('get', `/v1/admin/chargeback-alerts/${body.id}`);
      expect(closed.refund).toMatchObject(refund);
      expect(closed.manualRefundRequestId !== null).toBe(isQueued);
      expect(await statusOf(chargeId)).toBe('pre_chargeback');
      expect(await balance()).toEqual(before);
      expect(await gateway().db.collection('manual_refund_requests').countDocuments({ chargeId })).toBe(
        isQueued ? 1 : 0,
      );
    },
  );

  it('asked for many times at once is registered once', async () => {
    const chargeId = await charge(NO_REFUND_API);
    const answers = await Promise.all(Array.from({ length: 8 }, () => alert(chargeId)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(code(answer)).toEqual([422, 'CHARGEBACK_ALERT_ALREADY_REGISTERED']);
    const { db } = gateway();
    expect(await db.collection('chargeback_alerts').countDocuments({ chargeId })).toBe(1);
    expect(await db.collection('manual_refund_requests').countDocuments({ chargeId })).toBe(1);
    expect(await db.collection('journals').countDocuments({ chargeId })).toBe(3);
  });
});

describe('the manual refund queue', () => {
  const queued = async (): Promise<string> =>
    (await alert(await charge(NO_REFUND_API))).body.manualRefundRequestId;
  const list = async (query = ''): Promise<Response['body']> =>
    (await admin('get', `/v1/admin/manual-refund-requests${query}`)).body;

  it('shows what waits, and counts it whatever is asked for', async () => {
    const [first, second] = [await queued(), await queued()];
    const waiting = await list('?size=1');
    expect(waiting.pendingCount).toBe(waiting.total);
    expect(waiting.data.map(({ id }: { id: string }) => id)).toEqual([second]);
    expect((await list('?status=resolved')).pendingCount).toBe(waiting.total);

    const before = [await balance(), await gateway().db.collection('journals').countDocuments()];
    const { status, body } = await admin('post', `/v1/admin/manual-refund-requests/${first}/resolve`, {
      notes: 'paid by TED',
    });
    expect([status, body.status, body.notes]).toEqual([200, 'resolved', 'paid by TED']);
    expect(body.resolved_at).toEqual(expect.any(String));
    const operator = await gateway().db.collection('users').findOne({ email: OPERATOR.email });
    expect(body.resolved_by_user_id).toBe(operator?._id);
    expect([await balance(), await gateway().db.collection('journals').countDocuments()]).toEqual(before);

    expect((await list('?status=resolved')).data).toEqual([body]);
    expect((await list()).pendingCount).toBe(waiting.total - 1);
    expect((await list('?status=all')).total).toBe(waiting.total);
    expect((await list('?merchantId=mer_nobody')).pendingCount).toBe(waiting.total - 1);
  });

  it('is resolved once, however many try', async () => {
    const id = await queued();
    const resolve = (): Promise<Response> => admin('post', `/v1/admin/manual-refund-requests/${id}/resolve`);
    const answers = await Promise.all([resolve(), resolve(), resolve(), resolve()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const late = await resolve();
    expect(code(late)).toEqual([422, 'MANUAL_REFUND_REQUEST_ALREADY_RESOLVED']);
    expect(late.body.message).toMatch(`The manual refund request was resolved by ${OPERATOR.email} at 20`);
  });

  it('refuses what it does not know', async () => {
    const id = await queued();
    const unknown = `mrr_${'0'.repeat(32)}`;
    expect((await admin('post', `/v1/admin/manual-refund-requests/${unknown}/resolve`)).status).toBe(404);
    const path = `/v1/admin/manual-refund-requests/${id}/resolve`;
    expect((await admin('post', path, { note: 'x' })).status).toBe(400);
    expect((await admin('post', path, {}, await gateway().operatorToken('live'))).status).toBe(404);
    expect((await admin('get', '/v1/admin/manual-refund-requests?status=done')).status).toBe(400);
  });
});

describe('the confirmation of a chargeback', () => {
  const confirm = (id: string): Promise<Response> => admin('post', `/v1/admin/charges/${id}/chargeback`);

  const outTwice = async (chargeId: string): Promise<readonly object[]> =>
    (await admin('get', `/v1/admin/suspense-items?chargeId=${chargeId}`)).body.data;

  it('after an alert waits for its refund, and then moves the charge without another debit', async () => {
    const chargeId = await charge(PENDING_REFUND);
    const { body } = await alert(chargeId);
    const before = await balance();
    expect(code(await confirm(chargeId))).toEqual([422, 'REFUND_PENDING']);
    const helper = `/v1/test-helpers/charges/${chargeId}/chargeback`;
    expect(code(await asMerchant('post', helper))).toEqual([422, 'REFUND_PENDING']);
    await asMerchant('post', `/v1/test-helpers/refunds/${body.refund.id}/refuse`);
    const { status, body: confirmed } = await confirm(chargeId);
    expect([status, confirmed.status]).toEqual([200, 'chargeback']);
    expect(await balance()).toEqual(before);
    expect((await admin('get', `/v1/admin/chargeback-alerts/${body.id}`)).body).toMatchObject({
      refund: { status: 'failed' },
      charge: { id: chargeId, status: 'chargeback' },
    });
    expect(await outTwice(chargeId)).toEqual([]);
    expect(code(await alert(chargeId))).toEqual([422, 'CHARGEBACK_ALERT_ALREADY_REGISTERED']);
  });

  it('closes an open manual refund request, with who did so and why', async () => {
    const chargeId = await charge(NO_REFUND_API);
    const { body } = await alert(chargeId);
    await confirm(chargeId);
    const resolved = await admin('get', '/v1/admin/manual-refund-requests?status=resolved&size=100');
    const operator = await gateway().db.collection('users').findOne({ email: OPERATOR.email });
    expect(
      resolved.body.data.find(({ id }: { id: string }) => id === body.manualRefundRequestId),
    ).toMatchObject({
      chargeId,
      status: 'resolved',
      resolved_by_user_id: operator?._id,
      resolved_at: expect.any(String),
      notes: 'Nothing is to be paid by hand: the chargeback was confirmed.',
    });
    const again = await admin(
      'post',
      `/v1/admin/manual-refund-requests/${body.manualRefundRequestId}/resolve`,
    );
    expect(code(again)).toEqual([422, 'MANUAL_REFUND_REQUEST_ALREADY_RESOLVED']);
    expect(await outTwice(chargeId)).toEqual([]);
  });

  it.each([
    ['the provider had refunded it', PAID],
    ['finance had paid it by hand', NO_REFUND_API],
  ])('is a difference in reconciliation until it is cleared where %s', async (_, card) => {
    const chargeId = await charge(card);
    const { body } = await alert(chargeId);
    const request = body.manualRefundRequestId;
    if (request) await admin('post', `/v1/admin/manual-refund-requests/${request}/resolve`, { notes: 'TED' });
    expect((await confirm(chargeId)).body.status).toBe('chargeback');
    const [held, ...others] = await outTwice(chargeId);
    expect([held, others]).toMatchObject([
      { reason: 'unexpected_chargeback', direction: 'out', amount: 100, status: 'held', chargeId },
      [],
    ]);
    const differences = async (): Promise<readonly object[]> => {
      // On a busy machine the check may take longer than the report waits for it: 503.
      const report = await pollUntil(
        async () => admin('get', '/v1/admin/reports/reconciliation'),
        ({ status }) => status === 200,
      );
      return report.body.data.filter(
        ({ subject }: { subject: string }) => subject === (held as { id: string }).id,
      );
    };
    expect(await differences()).toMatchObject([{ kind: 'suspense', amount: 100, merchantId: merchant.id }]);
  });

  it('of a paid charge debits it, for the test helper too', async () => {
    for (const act of [
      confirm,
      (id: string) => asMerchant('post', `/v1/test-helpers/charges/${id}/chargeback`),
    ]) {
      const before = await balance();
      const chargeId = await charge();
      const { status, body } = await act(chargeId);
      expect([status, body.status]).toEqual([200, 'chargeback']);
      expect((await balance()).BRL).toEqual(before.BRL);
      const [, journal] = await journalsOf(chargeId);
      expect(journal).toMatchObject({ referenceType: 'chargeback' });
      expect(new Set(journal?.postings.map((one: { movement_type: string }) => one.movement_type))).toEqual(
        new Set(['chargeback']),
      );
      expect(code(await act(chargeId))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
      expect(code(await alert(chargeId))).toEqual([422, 'CHARGE_NOT_PAID']);
    }
  });

  it('is refused where it cannot follow', async () => {
    const refused = await charge('4000000000000002');
    expect(code(await confirm(refused))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
    const refunding = await charge(PENDING_REFUND);
    await asMerchant('post', '/v1/refunds', { chargeId: refunding, reason: 'returned' });
    expect(code(await confirm(refunding))).toEqual([422, 'REFUND_PENDING']);
    expect(code(await confirm(`chg_${'0'.repeat(32)}`))).toEqual([404, 'NOT_FOUND']);
    const path = `/v1/test-helpers/charges/${refused}/chargeback`;
    expect((await gateway().call('post', path).auth(merchant.liveKey, '')).status).toBe(403);
    expect((await gateway().call('post', path).auth(other.testKey, '')).status).toBe(404);
  });
});

describe('admin.refunds.manual', () => {
  it('brings what alerts and the queue need, and no more', async () => {
    const group = `finance ${randomUUID()}`;
    await admin('post', '/v1/admin/groups', { name: group, permissions: ['admin.refunds.manual'] });
    const user = { email: `${randomUUID()}@example.test`, password: 'correct horse battery' };
    await admin('post', '/v1/admin/users', { ...user, merchantId: null, groups: [group] });
    const login = await gateway()
      .call('post', '/v1/auth/login')
      .send({ ...user, environment: 'test' });
    const bearer = login.body.accessToken;
    const chargeId = await charge(NO_REFUND_API);
    const { status, body } = await admin('post', '/v1/admin/chargeback-alerts', { chargeId }, bearer);
    expect(status).toBe(201);
    expect((await admin('get', '/v1/admin/manual-refund-requests', undefined, bearer)).status).toBe(200);
    const resolve = `/v1/admin/manual-refund-requests/${body.manualRefundRequestId}/resolve`;
    expect((await admin('post', resolve, {}, bearer)).status).toBe(200);
    expect((await admin('post', `/v1/admin/charges/${chargeId}/chargeback`, {}, bearer)).status).toBe(403);
  });
});
