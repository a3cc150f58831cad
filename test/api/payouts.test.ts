import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { systemContext } from '../../src/kernel/event.ts';
import { newId } from '../../src/kernel/ids.ts';
import { postJournal } from '../../src/modules/ledger/write/ledger.store.ts';
import { MERCHANTS, type Merchant } from '../../src/modules/merchants/write/merchant.ts';
import { merchantsMigrations } from '../../src/modules/merchants/write/merchants.store.ts';
import { divideReversals } from '../../src/modules/payouts/write/divide-reversals.store.ts';
import { undividedReversalJournal } from '../../src/modules/payouts/write/payout.journal.ts';
import { PAYOUT_REQUESTS, reportTransfer } from '../../src/modules/payouts/write/payout-request.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { leasesEnd } from '../../src/platform/write-store/leases.ts';
import { aCardRequest, aPayoutFee, aPixRequest } from '../builders.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey, withToken } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'payout-requests=4,statement=4' });
const { balanceOf, differences } = createLedgerTools(gateway);

const TAX_ID = '11222333000181';
const FEES = [aPayoutFee(150, 1.5)];

type Sub = Awaited<ReturnType<typeof createSubMerchant>>;

let admin: Client;
let approver: Client;
let master: TestMerchant;
let sub: Sub;
let masterUser: Client;
let subUser: Client;

const put = (path: string, body: unknown) => admin.call('put', path, body).expect(200);
const fees = (merchantId: string, definitions: unknown = FEES) =>
  put(`/v1/admin/merchants/${merchantId}/fee-definitions`, definitions);
const connect = async (content: boolean): Promise<void> => {
  const { status } = await admin.post(`/v1/merchants/${master.id}/settings`, {
    name: 'enable_connect',
    content,
  });
  expect([200, 201]).toContain(status);
};
/** A token of a user of a merchant, in the test environment. */
const userOf = async (merchantId: string): Promise<Client> => {
  const user = { email: `${randomUUID()}@example.test`, password: 'correct horse battery' };
  await admin.post('/v1/admin/users', { ...user, merchantId, groups: [] }).expect(201);
  const { body } = await gateway()
    .call('post', '/v1/auth/login')
    .send({ ...user, environment: 'test' });
  return withToken(gateway, body.accessToken);
};
const change = (merchantId: string, changes: Partial<Merchant>): Promise<Merchant> =>
  gateway()
    .container.get(platform.services)
    .transact(systemContext('test'), async (tx) => {
      const merchant = await tx.get(MERCHANTS, merchantId);
      if (!merchant) throw new Error(`no merchant ${merchantId}`);
      return tx.record(MERCHANTS, merchant, {
        type: 'account.status_changed',
        data: { ...merchant, ...changes },
      });
    });
/** Money for a payout: an adjustment that a second operator approves. */
const give = async (merchantId: string, amount: number): Promise<void> => {
  const asked = { merchantId, amount, currency: 'BRL', reason: 'opening balance' };
  const { body } = await admin.post('/v1/admin/adjustments', asked).expect(201);
  await approver.post(`/v1/admin/adjustments/${body.id}/approve`).expect(200);
};
const code = ({ status, body }: Response): readonly [number, string | undefined] => [status, body.code];
const ask = async (amount: number, by: Client = withKey(gateway, sub.testKey)): Promise<string> =>
  (await by.post(`/v1/submerchants/${sub.id}/payout-requests`, { amount }).expect(201)).body.id;
const process = async (id: string, what: string, body?: object): Promise<Response> =>
  admin.post(`/v1/admin/payout-requests/${id}/${what}`, body);

beforeAll(async () => {
  admin = await operator(gateway, 'test');
  const second = { email: `${randomUUID()}@example.test`, password: 'correct horse battery' };
  await admin.post('/v1/admin/groups', { name: 'second', permissions: ['admin.adjustments.approve'] });
  await admin.post('/v1/admin/users', { ...second, merchantId: null, groups: ['second'] }).expect(201);
  const login = { ...second, environment: 'test' };
  const { body } = await gateway().call('post', '/v1/auth/login').send(login);
  approver = withToken(gateway, body.accessToken);
  master = await gateway().createMaster({ companyTaxId: TAX_ID });
  sub = await createSubMerchant(gateway, master, { companyTaxId: TAX_ID });
  await fees(sub.id);
  await fees(master.id);
  masterUser = await userOf(master.id);
  subUser = await userOf(sub.id);
}, 180_000);

describe('a payout request', () => {
  it('is asked for by the master or the sub-merchant, and read with a token by both', async () => {
    const byMaster = await ask(10_000, withKey(gateway, master.testKey));
    const bySub = await ask(20_000, subUser);
    const { body } = await masterUser.get(`/v1/payout-requests/${byMaster}`).expect(200);
    expect(body).toEqual({
      id: byMaster,
      merchantId: sub.id,
      livemode: false,
      amount: 10_000,
      currency: 'BRL',
      payoutFee: 300,
      netAmount: 9_700,
      status: 'pending',
      externalAccountDetails: { type: 'pix', pixKey: TAX_ID },
      rejectionReason: null,
      transferStatus: null,
      transferReference: null,
      transferFailureReason: null,
      processedAt: null,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    });
    for (const reader of [masterUser, subUser, admin])
      await reader.get(`/v1/payout-requests/${bySub}`).expect(200);
    for (const id of [byMaster, bySub]) await process(id, 'reject', { rejectionReason: 'a test' });
  });

  it('is not found by others, in the other environment, or where there is none', async () => {
    const id = await ask(10_000);
    const stranger = await userOf((await gateway().createMerchant()).id);
    const live = await operator(gateway, 'live');
    const missing = { statusCode: 404, message: 'Payout request not found', code: 'NOT_FOUND' };
    for (const reader of [stranger, live])
      expect((await reader.get(`/v1/payout-requests/${id}`).expect(404)).body).toEqual(missing);
    expect((await masterUser.get('/v1/payout-requests/po_unknown').expect(404)).body).toEqual(missing);
    expect((await live.post(`/v1/admin/payout-requests/${id}/approve`).expect(404)).body).toEqual(missing);
    await process(id, 'reject', { rejectionReason: 'a test' });
  });

  it('is read with a token only', async () => {
    for (const key of [sub.testKey, master.testKey]) {
      await withKey(gateway, key).get('/v1/payout-requests').expect(401);
      await withKey(gateway, key).get('/v1/payout-requests/po_1').expect(401);
    }
  });

  it('is refused for one reason after the other, and leaves nothing behind', async () => {
    const before = await gateway().db.collection('payout_requests').countDocuments({});
    const refused = async (amount = 10_000): Promise<readonly [number, string | undefined]> =>
      code(
        await withKey(gateway, master.testKey).post(`/v1/submerchants/${sub.id}/payout-requests`, { amount }),
      );
    const other = await gateway().createMerchant({ role: 'MerchantMaster' });
    const plain = await gateway().createMerchant();
    await connect(false);
    await change(sub.id, { status: 'blocked', companyTaxId: null });
    await fees(sub.id, []);
    for (const key of [other.testKey, master.liveKey, plain.testKey])
      await withKey(gateway, key)
        .post(`/v1/submerchants/${sub.id}/payout-requests`, { amount: 1 })
        .expect(404);
    for (const id of [master.id, plain.id, 'mer_unknown'])
      await withKey(gateway, master.testKey)
        .post(`/v1/submerchants/${id}/payout-requests`, { amount: 1 })
        .expect(404);
    expect(await refused()).toEqual([403, 'CONNECT_NOT_ENABLED']);
    await connect(true);
    expect(await refused()).toEqual([422, 'MERCHANT_NOT_ACTIVE']);
    await change(sub.id, { status: 'active' });
    expect(await refused()).toEqual([422, 'COMPANY_TAX_ID_MISSING']);
    await change(sub.id, { companyTaxId: TAX_ID });
    expect(await refused()).toEqual([422, 'PAYOUT_FEE_NOT_CONFIGURED']);
    await fees(sub.id);
    expect(await refused(152)).toEqual([422, 'PAYOUT_AMOUNT_TOO_LOW']);
    expect(await gateway().db.collection('payout_requests').countDocuments({})).toBe(before);
  });

  it.each([
    [{}],
    [{ amount: 0 }],
    [{ amount: -1 }],
    [{ amount: 1.5 }],
    [{ amount: '100' }],
    [{ amount: null }],
    [{ amount: 1e13 }],
    [{ amount: 100, currency: 'USD' }],
    [[]],
  ])('of %j is refused for its shape', async (body) => {
    for (const path of [`/v1/submerchants/${sub.id}/payout-requests`, '/v1/payout-requests'])
      await withKey(gateway, sub.testKey).post(path, body).expect(400);
  });

  it('needs the permission to ask, and the one to decide', async () => {
    const silent = await createSubMerchant(gateway, master, { permissions: ['charges.read'] });
    for (const path of [`/v1/submerchants/${silent.id}/payout-requests`, '/v1/payout-requests'])
      await withKey(gateway, silent.testKey).post(path, { amount: 10_000 }).expect(403);
    const id = await ask(10_000);
    for (const by of [masterUser, subUser, approver])
      await by.post(`/v1/admin/payout-requests/${id}/approve`).expect(403);
    await approver.get('/v1/payout-requests').expect(403);
    await process(id, 'reject', { rejectionReason: 'a test' });
  });

  it('is read with payouts.read only, and fees with fees.read, which merchants of before get', async () => {
    const reader = await createSubMerchant(gateway, master, { permissions: ['charges.read'] });
    const by = await userOf(reader.id);
    const reads = async () => [
      (await by.get('/v1/payout-requests')).status,
      (await by.get(`/v1/payout-requests/po_${'0'.repeat(32)}`)).status,
      (await withKey(gateway, reader.testKey).get('/v1/connect/sub-accounts/x/fees-info')).status,
    ];
    expect(await reads()).toEqual([403, 403, 403]);
    await change(reader.id, { permissions: ['payouts.read'] });
    expect(await reads()).toEqual([200, 404, 403]);
    const { db } = gateway();
    const before = { permissions: ['charges.read', 'payouts.create'] };
    await db.collection('merchants').updateOne({ id: reader.id }, { $set: before });
    const migration = merchantsMigrations.find(({ id }) => id === '171-payouts-and-fees-read');
    for (let times = 0; times < 2; times += 1) await migration?.up(db);
    expect(await db.collection('merchants').findOne({ id: reader.id })).toMatchObject({
      permissions: ['charges.read', 'payouts.create', 'payouts.read', 'fees.read'],
    });
    await leasesEnd();
    expect(await reads()).toEqual([200, 404, 200]);
  });
});

describe('an operator', () => {
  it('approves what the balance covers, once, and leaves pending what it does not', async () => {
    const id = await ask(10_000);
    await give(sub.id, 99.99);
    expect(code(await process(id, 'approve'))).toEqual([422, 'INSUFFICIENT_BALANCE']);
    expect((await subUser.get(`/v1/payout-requests/${id}`)).body).toMatchObject({
      status: 'pending',
      processedAt: null,
    });
    expect(await balanceOf(sub.testKey)).toEqual({ available: 99_99, reserved: 0 });

    await give(sub.id, 0.51);
    const approved = await process(id, 'approve');
    expect([approved.status, approved.body]).toEqual([
      200,
      expect.objectContaining({ status: 'approved', transferStatus: 'pending', rejectionReason: null }),
    ]);
    expect(approved.body.processedAt).toBe(approved.body.updatedAt);
    expect(await balanceOf(sub.testKey)).toEqual({ available: 50, reserved: 0 });
    for (const [what, body] of [['approve'], ['reject', { rejectionReason: 'too late' }]] as const)
      expect(code(await process(id, what, body))).toEqual([422, 'PAYOUT_REQUEST_ALREADY_PROCESSED']);
    expect(await balanceOf(sub.testKey)).toEqual({ available: 50, reserved: 0 });
  });

  it('does not pay out a merchant that was blocked since it asked; the request waits', async () => {
    const id = await ask(1_000);
    await give(sub.id, 10);
    const before = await balanceOf(sub.testKey);
    const status = (to: string) => admin.post(`/v1/admin/submerchants/${sub.id}/status`, { status: to });
    await status('blocked').expect(200);
    expect(code(await process(id, 'approve'))).toEqual([422, 'MERCHANT_NOT_ACTIVE']);
    expect((await subUser.get(`/v1/payout-requests/${id}`)).body.status).toBe('pending');
    expect(await balanceOf(sub.testKey)).toEqual(before);
    await status('active').expect(200);
    expect((await process(id, 'approve')).status).toBe(200);
  });

  it('blocks a master: it reads and refunds, and neither sells, nor asks for payouts, nor admits others', async () => {
    const { body: charge } = await withKey(gateway, master.testKey)
      .post('/v1/charges', aCardRequest())
      .expect(201);
    const block = (status: string) =>
      admin.call('patch', `/v1/admin/merchants/${master.id}`, { status, reason: `is ${status}` }).expect(200);
    expect((await block('blocked')).body).toMatchObject({ status: 'blocked', statusReason: 'is blocked' });
    const by = withKey(gateway, master.testKey);
    const blocked = [403, 'MERCHANT_NOT_ACTIVE'] as const;
    expect(code(await by.post('/v1/charges', aCardRequest()))).toEqual(blocked);
    expect(code(await by.post('/v1/payout-requests', { amount: 100 }))).toEqual([422, blocked[1]]);
    expect(code(await by.post(`/v1/submerchants/${sub.id}/payout-requests`, { amount: 100 }))).toEqual([
      422,
      blocked[1],
    ]);
    const another = { legalName: 'Banca', email: 'banca@example.test' };
    expect(code(await by.post('/v1/submerchants', another))).toEqual(blocked);
    expect(code(await by.call('patch', `/v1/submerchants/${sub.id}`, { phone: '1' }))).toEqual(blocked);
    expect((await by.get('/v1/payment-methods').expect(200)).body).toEqual({ data: [] });
    await by.get(`/v1/charges/${charge.id}`).expect(200);
    await by.post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' }).expect(201);
    await block('active');
    await by.post('/v1/charges', aCardRequest()).expect(201);
  });

  it('rejects with a reason, and nothing is booked', async () => {
    const id = await ask(10_000);
    const before = await balanceOf(sub.testKey);
    for (const body of [
      {},
      { rejectionReason: '' },
      { rejectionReason: 'x'.repeat(1025) },
      { rejectionReason: 'card 4111 1111 1111 1111' },
      { reason: 'no' },
    ])
      expect((await process(id, 'reject', body)).status).toBe(400);
    const { status, body } = await process(id, 'reject', { rejectionReason: 'unknown account' });
    expect([status, body.status, body.rejectionReason]).toEqual([200, 'rejected', 'unknown account']);
    expect(body.processedAt).toEqual(expect.any(String));
    expect(await balanceOf(sub.testKey)).toEqual(before);
    expect(code(await process(id, 'transfer', { status: 'sent' }))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
  });

  it('reports a transfer; one that fails gives the whole amount back', async () => {
    const id = await ask(10_000);
    await give(sub.id, 100);
    expect(code(await process(id, 'transfer', { status: 'sent' }))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
    await process(id, 'approve');
    const before = await balanceOf(sub.testKey);
    for (const body of [{ status: 'lost' }, { status: 'failed', reason: 'card 4111111111111111' }])
      expect((await process(id, 'transfer', body)).status).toBe(400);
    const sent = await process(id, 'transfer', { status: 'sent', reference: 'E123' });
    expect(sent.body).toMatchObject({
      status: 'approved',
      transferStatus: 'sent',
      transferReference: 'E123',
    });
    expect(await balanceOf(sub.testKey)).toEqual(before);
    expect(code(await process(id, 'transfer', { status: 'sent' }))).toEqual([422, 'TRANSITION_NOT_ALLOWED']);
    const answers = await Promise.all(
      [1, 2, 3].map(() => process(id, 'transfer', { status: 'failed', reason: 'account closed' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const { body } = await subUser.get(`/v1/payout-requests/${id}`);
    expect(body).toMatchObject({
      status: 'approved',
      transferStatus: 'failed',
      transferReference: 'E123',
      transferFailureReason: 'account closed',
    });
    expect(await balanceOf(sub.testKey)).toEqual({ ...before, available: before.available + 100_00 });

    const statement = await withKey(gateway, sub.testKey).getAfter(
      'latest',
      `/v1/statement?referenceId=${id}&orderBy=createdAt`,
    );
    expect(
      statement.body.data.map(
        (line: { movement_type: string; referenceType: string; amount: number; bucket: string }) =>
          `${line.referenceType} ${line.movement_type} ${line.bucket} ${line.amount}`,
      ),
    ).toEqual([
      'payout_request payout available -97',
      'payout_request payout_fee available -3',
      'payout_request payout_reversal available 97',
      'payout_request payout_fee_reversal available 3',
    ]);
    expect(await differences()).toEqual([]);
  });
});

describe('a payout request that its merchant cancels', () => {
  const cancel = (id: string, by: Client) => by.post(`/v1/payout-requests/${id}/cancel`);
  const CANCELLED = {
    status: 'rejected',
    rejectionReason: 'cancelled by the merchant',
    transferStatus: null,
  };

  it('is rejected, by the merchant itself or by its master, and nothing is booked', async () => {
    const before = await balanceOf(sub.testKey);
    for (const by of [withKey(gateway, sub.testKey), withKey(gateway, master.testKey), subUser]) {
      const id = await ask(1_000);
      expect((await cancel(id, by).expect(200)).body).toMatchObject({ id, ...CANCELLED });
      expect(code(await cancel(id, by))).toEqual([422, 'PAYOUT_REQUEST_ALREADY_PROCESSED']);
      expect(code(await admin.post(`/v1/admin/payout-requests/${id}/approve`))).toEqual([
        422,
        'PAYOUT_REQUEST_ALREADY_PROCESSED',
      ]);
    }
    expect(await balanceOf(sub.testKey)).toEqual(before);
  });

  it("is nobody else's to cancel", async () => {
    const id = await ask(1_000);
    const stranger = await gateway().createMerchant();
    await cancel(id, withKey(gateway, stranger.testKey)).expect(404);
    await cancel(id, admin).expect(403);
    expect((await masterUser.get(`/v1/payout-requests/${id}`).expect(200)).body.status).toBe('pending');
  });

  it('is approved or cancelled, where both are asked for at once', async () => {
    await give(sub.id, 100);
    for (let round = 0; round < 5; round += 1) {
      const id = await ask(1_000);
      const answers = await Promise.all([
        cancel(id, withKey(gateway, sub.testKey)),
        admin.post(`/v1/admin/payout-requests/${id}/approve`),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
    expect(await differences()).toEqual([]);
  });
});

describe('payouts as finance sees them', () => {
  it('explains every line, and counts no fee that was given back', async () => {
    const merchant = await gateway().createMerchant({ companyTaxId: TAX_ID });
    const key = withKey(gateway, merchant.testKey);
    await fees(merchant.id);
    await give(merchant.id, 300);
    const ids: string[] = [];
    for (const amount of [10_000, 20_000]) {
      const { body } = await key.post('/v1/payout-requests', { amount }).expect(201);
      ids.push(body.id);
      await process(body.id, 'approve');
    }
    const [kept = '', failed = ''] = ids;
    await process(failed, 'transfer', { status: 'failed' });

    const { body } = await key.getAfter('latest', '/v1/statement?referenceType=payout_request&size=100');
    expect(body.data).toHaveLength(6);
    for (const { id, amount, movement_type, referenceId } of body.data) {
      const explanation = (await key.get(`/v1/statement/${id}/explain`).expect(200)).body;
      expect(explanation).toMatchObject({ amount, movement_type, given: { amount, currency: 'BRL' } });
      expect(explanation.given.from).toContain(referenceId);
      if (movement_type === 'payout_fee')
        expect(explanation.given.from).toContain(
          `(1.50 + 1.5 % of ${referenceId === kept ? '100.00' : '200.00'}, rounded half up`,
        );
    }
    const totals = async (report: string) =>
      (await admin.getAfter('latest', `/v1/admin/reports/${report}?merchantId=${merchant.id}`)).body.totals;
    expect(await totals('payouts')).toEqual([
      { currency: 'BRL', count: 2, amount: 300, fees: 7.5, reversed: 200, feesReversed: 4.5, net: 100 },
    ]);
    expect(await totals('revenue')).toEqual([
      {
        currency: 'BRL',
        count: 3,
        amount: 3,
        spread: 0,
        chargebackAlertFees: 0,
        payoutFees: 3,
        anticipationFees: 0,
      },
    ]);
  });

  it('tells apart the fee that an older version gave back as part of the amount', async () => {
    const merchant = await gateway().createMerchant({ companyTaxId: TAX_ID });
    const key = withKey(gateway, merchant.testKey);
    await fees(merchant.id);
    await give(merchant.id, 100);
    const { body: asked } = await key.post('/v1/payout-requests', { amount: 10_000 }).expect(201);
    await process(asked.id, 'approve');
    const { db, container } = gateway();
    const { transact } = container.get(platform.services);
    await transact(systemContext('test'), async (tx) => {
      const request = await tx.get(PAYOUT_REQUESTS, asked.id);
      if (!request) throw new Error(`no payout request ${asked.id}`);
      const report = { status: 'failed', reference: null, reason: null } as const;
      await tx.record(PAYOUT_REQUESTS, request, reportTransfer(request, report, new Date()));
      await postJournal(tx, undividedReversalJournal(request, new Date(), newId));
    });
    expect(await differences()).toHaveLength(1);

    // As often as there are processes that start, and again where one of them was interrupted.
    const { up } = divideReversals({ db, transact });
    const scans = container.get(platform.services).scanStore.db;
    await Promise.all([up(scans), up(scans)]);
    await up(scans);
    expect(await differences()).toEqual([]);
    const { body } = await key.getAfter('latest', `/v1/statement?referenceId=${asked.id}&orderBy=createdAt`);
    expect(
      body.data.map(({ movement_type, amount }: { movement_type: string; amount: number }) => [
        movement_type,
        amount,
      ]),
    ).toEqual([
      ['payout', -97],
      ['payout_fee', -3],
      ['payout_reversal', 100],
      ['payout_reversal', -3],
      ['payout_fee_reversal', 3],
    ]);
    const { body: payouts } = await admin.getAfter(
      'latest',
      `/v1/admin/reports/payouts?merchantId=${merchant.id}`,
    );
    expect(payouts.totals).toEqual([
      { currency: 'BRL', count: 1, amount: 100, fees: 3, reversed: 100, feesReversed: 3, net: 0 },
    ]);
  });

  it('names a payout that is booked and should not be, and one that is not booked', async () => {
    const reconcile = async (): Promise<readonly string[]> => {
      await checkLedger(gateway());
      const { body } = await admin.get('/v1/admin/reports/reconciliation?status=open').expect(200);
      return body.data.map(({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`);
    };
    expect(await reconcile()).toEqual([]);
    const id = await ask(10_000);
    const requests = gateway().db.collection<{ _id: string }>('payout_requests');
    await requests.updateOne({ _id: id }, { $set: { status: 'approved', transferStatus: 'pending' } });
    expect(await reconcile()).toEqual([`payout_request ${id}`]);
    await requests.updateOne({ _id: id }, { $set: { status: 'pending', transferStatus: null } });
    await give(sub.id, 100);
    await process(id, 'approve');
    expect(await reconcile()).toEqual([]);
    await requests.updateOne({ _id: id }, { $set: { status: 'rejected' } });
    expect(await reconcile()).toEqual([`payout_request ${id}`]);
    await requests.updateOne({ _id: id }, { $set: { status: 'approved' } });
  });
});

describe('a merchant that is no sub-merchant', () => {
  it('is paid out under the same rules', async () => {
    const plain = await gateway().createMerchant();
    const key = withKey(gateway, plain.testKey);
    expect(code(await key.post('/v1/payout-requests', { amount: 1_000 }))).toEqual([
      422,
      'COMPANY_TAX_ID_MISSING',
    ]);
    await admin.call('patch', `/v1/admin/merchants/${plain.id}`, { companyTaxId: TAX_ID }).expect(200);
    expect(code(await key.post('/v1/payout-requests', { amount: 1_000 }))).toEqual([
      422,
      'PAYOUT_FEE_NOT_CONFIGURED',
    ]);
    await fees(plain.id);
    const { body } = await key.post('/v1/payout-requests', { amount: 1_000 }).expect(201);
    await give(plain.id, 10);
    expect((await process(body.id, 'approve')).body).toMatchObject({
      merchantId: plain.id,
      payoutFee: 165,
      netAmount: 835,
      status: 'approved',
    });
    expect(await balanceOf(plain.testKey)).toEqual({ available: 0, reserved: 0 });
  });
});

describe('the list of payout requests', () => {
  it('shows each reader its own, filtered, sorted and paged, and as CSV for the bank run', async () => {
    const other = await gateway().createMaster();
    const [first, second] = [
      await createSubMerchant(gateway, other, { companyTaxId: TAX_ID }),
      await createSubMerchant(gateway, other, { companyTaxId: '529.982.247-25'.replaceAll(/\D/g, '') }),
    ];
    for (const { id } of [first, second]) await fees(id);
    await give(first.id, 1_000);
    const key = withKey(gateway, other.testKey);
    const ids: string[] = [];
    for (const [{ id }, amount] of [
      [first, 30_000],
      [second, 10_000],
      [first, 20_000],
    ] as const)
      ids.push((await key.post(`/v1/submerchants/${id}/payout-requests`, { amount }).expect(201)).body.id);
    const [a, b, c] = ids;
    await process(a ?? '', 'approve');
    await process(b ?? '', 'reject', { rejectionReason: '=1+1' });

    const reader = await userOf(other.id);
    const firstReader = await userOf(first.id);
    const list = async (query: string, by: Client = reader): Promise<readonly string[]> =>
      (await by.getAfter('latest', `/v1/payout-requests?${query}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list('')).toEqual([c, b, a]);
    expect(await list('', firstReader)).toEqual([c, a]);
    expect(await list(`merchantId=${second.id}`)).toEqual([b]);
    expect(await list('status=approved')).toEqual([a]);
    expect(await list('transferStatus=pending')).toEqual([a]);
    expect(await list('orderBy=amount')).toEqual([b, c, a]);
    expect(await list('orderBy=-status,amount')).toEqual([b, c, a]);
    expect(await list('orderBy=-processedAt&size=1&page=3')).toEqual([c]);
    expect(await list('currency=BRL&processedAt[gte]=2026-01-01&orderBy=processedAt')).toEqual([a, b]);
    expect(await list('createdAt[lt]=2026-01-01')).toEqual([]);
    expect(await list('currency=USD')).toEqual([]);
    expect(await list(`merchantId=${first.id}&status=pending`, admin)).toEqual([c]);
    await firstReader.get(`/v1/payout-requests?merchantId=${second.id}`).expect(403);
    await subUser.get(`/v1/payout-requests?merchantId=${first.id}`).expect(403);
    for (const query of ['status=paid', 'size=0', 'orderBy=pixKey', 'amount=1', 'createdAt=yesterday'])
      await reader.get(`/v1/payout-requests?${query}`).expect(400);

    const { text } = await reader
      .get('/v1/payout-requests?orderBy=amount&size=1')
      .set('Accept', 'text/csv')
      .set('X-Consistency-Token', 'latest')
      .expect(200)
      .expect('Content-Type', /^text\/csv/);
    const [head, ...lines] = text.trim().split('\r\n');
    expect(head).toBe(
      'id,merchantId,amount,payoutFee,netAmount,currency,status,accountType,pixKey,transferStatus,' +
        'transferReference,rejectionReason,processedAt,createdAt',
    );
    expect(lines.map((line) => line.split(',').slice(0, 9).join(','))).toEqual([
      `${b},${second.id},10000,300,9700,BRL,rejected,pix,52998224725`,
      `${c},${first.id},20000,450,19550,BRL,pending,pix,${TAX_ID}`,
      `${a},${first.id},30000,600,29400,BRL,approved,pix,${TAX_ID}`,
    ]);
    expect(lines[0]).not.toContain(',=1+1');
  });
});

describe('the split of charges', () => {
  let owner: TestMerchant;
  let first: Sub;
  let second: Sub;
  const key = (secret: string) => withKey(gateway, secret);
  const entry = (to: { readonly id: string }, percentage: number) => ({ merchantId: to.id, percentage });
  const split = (body: unknown, of: { readonly id: string } = owner) =>
    admin.call('put', `/v1/admin/merchants/${of.id}/split`, body);
  /** The parts of a paid charge of 100.01 BRL, fees 0. */
  const sell = async (by: string, changes: object = {}): Promise<Response['body']> => {
    const { body } = await key(by)
      .post('/v1/charges', { ...aCardRequest({ amount: 100.01 }), ...changes })
      .expect(201);
    return body;
  };
  const parts = (charge: { split: readonly { merchantId: string; amount: number }[] | null }) =>
    charge.split?.map(({ merchantId, amount }) => [merchantId, amount]) ?? null;
  /** Lines that a charge's payment left in the statement of a merchant. */
  const lines = async (by: string, chargeId: string): Promise<readonly string[]> =>
    (
      await key(by).getAfter('latest', `/v1/statement?referenceId=${chargeId}&orderBy=createdAt`)
    ).body.data.map(
      (line: { merchantId: string; movement_type: string; amount: number; bucket: string }) =>
        `${line.merchantId} ${line.movement_type} ${line.bucket} ${line.amount}`,
    );

  beforeAll(async () => {
    owner = await gateway().createMerchant({ role: 'MerchantMaster' });
    first = await createSubMerchant(gateway, owner);
    second = await createSubMerchant(gateway, owner);
  }, 180_000);

  it('by default is stored, read and replaced as a whole', async () => {
    const path = `/v1/admin/merchants/${owner.id}/split`;
    const none = { merchantId: owner.id, default: [], byPaymentMethod: {}, updatedAt: null };
    expect((await admin.get(path).expect(200)).body).toEqual(none);
    const body = { default: [entry(first, 33.3333)], byPaymentMethod: { pix: [entry(second, 100)] } };
    const stored = await split(body).expect(200);
    expect(stored.body).toEqual({ ...none, ...body, updatedAt: expect.any(String) });
    expect((await admin.get(path).expect(200)).body).toEqual(stored.body);
    expect((await key(owner.testKey).get('/v1/default-split').expect(200)).body).toEqual(stored.body);
    const ofSub = `/v1/default-split?merchantId=${first.id}`;
    expect((await key(owner.testKey).get(ofSub).expect(200)).body).toEqual({ ...none, merchantId: first.id });
    await key(first.testKey).get(`/v1/default-split?merchantId=${owner.id}`).expect(403);
    expect((await split({ default: [] }).expect(200)).body).toMatchObject({
      default: [],
      byPaymentMethod: {},
    });
    await split({ default: [] }, { id: 'mer_unknown' }).expect(404);
    await admin.get('/v1/admin/merchants/mer_unknown/split').expect(404);
  });

  it('is refused where it is wrong, by default and in a charge, and changes nothing', async () => {
    const stranger = await gateway().createMerchant();
    const blocked = await createSubMerchant(gateway, owner, { status: 'blocked' });
    await split({ default: [entry(first, 1)] }).expect(200);
    const before = await gateway().db.collection('charges').countDocuments({});
    const shapes: readonly unknown[] = [
      [entry(first, 0)],
      [entry(first, -1)],
      [entry(first, 100.5)],
      [entry(first, 1.00001)],
      [entry(first, 60), entry(second, 40.0001)],
      [entry(first, 10), entry(first, 10)],
      [{ merchantId: first.id }],
      [{ ...entry(first, 10), amount: 5 }],
      [{ merchantId: first.id, percentage: '10' }],
      { merchantId: first.id, percentage: 10 },
    ];
    for (const wrong of shapes) {
      await split({ default: wrong }).expect(400);
      await split({ byPaymentMethod: { pix: wrong } }).expect(400);
      await key(owner.testKey)
        .post('/v1/charges', { ...aCardRequest(), split: wrong })
        .expect(400);
    }
    for (const wrong of [{}, { byPaymentMethod: { cash: [] } }, { default: null }, []])
      await split(wrong).expect(400);
    for (const to of [stranger, blocked, owner, { id: 'mer_unknown' }]) {
      const refusals = [
        await split({ default: [entry(to, 10)] }),
        await key(owner.testKey).post('/v1/charges', { ...aCardRequest(), split: [entry(to, 10)] }),
      ];
      for (const refusal of refusals) expect(code(refusal)).toEqual([422, 'SPLIT_NOT_ALLOWED']);
    }
    await key(owner.testKey)
      .call('put', `/v1/admin/merchants/${owner.id}/split`, { default: [] })
      .expect(403);
    expect(await gateway().db.collection('charges').countDocuments({})).toBe(before);
    expect((await admin.get(`/v1/admin/merchants/${owner.id}/split`)).body.default).toEqual([
      entry(first, 1),
    ]);
  });

  it('by default applies to later charges, by payment method, and a charge may ask for another', async () => {
    await split({
      default: [entry(first, 50), entry(second, 25)],
      byPaymentMethod: { pix: [entry(second, 10)] },
    }).expect(200);
    const card = await sell(owner.testKey);
    expect(parts(card)).toEqual([
      [first.id, 50.01],
      [second.id, 25],
    ]);
    expect(await lines(owner.testKey, card.id)).toEqual(
      expect.arrayContaining([
        `${owner.id} charge reserved 100.01`,
        `${owner.id} split_debit reserved -50.01`,
        `${owner.id} split_debit reserved -25`,
      ]),
    );
    expect(await lines(first.testKey, card.id)).toEqual([`${first.id} split_credit reserved 50.01`]);
    expect(await lines(second.testKey, card.id)).toEqual([`${second.id} split_credit reserved 25`]);
    expect(parts(await sell(owner.testKey, aPixRequest({ amount: 100.01 })))).toEqual([[second.id, 10]]);
    expect(parts(await sell(owner.testKey, { split: [entry(second, 1)] }))).toEqual([[second.id, 1]]);
    expect(parts(await sell(owner.testKey, { split: [] }))).toBeNull();
    // Inherited by nobody: a sub-merchant has its own.
    expect(parts(await sell(first.testKey))).toBeNull();
  });

  it('by default leaves the part of one who is blocked with the originator', async () => {
    await split({ default: [entry(first, 50), entry(second, 25)] }).expect(200);
    await change(second.id, { status: 'blocked' });
    expect(parts(await sell(owner.testKey))).toEqual([[first.id, 50.01]]);
    await change(second.id, { status: 'active' });
    expect(parts(await sell(owner.testKey))).toHaveLength(2);
  });

  it('goes from a sub-merchant to its master and to another of the group', async () => {
    await split({ default: [entry(owner, 5), entry(second, 5)] }, first).expect(200);
    const charge = await sell(first.testKey);
    expect(parts(charge)).toEqual([
      [owner.id, 5],
      [second.id, 5],
    ]);
    expect(await lines(first.testKey, charge.id)).toEqual([
      `${first.id} charge reserved 100.01`,
      `${first.id} split_debit reserved -5`,
      `${first.id} split_debit reserved -5`,
    ]);
  });
});
