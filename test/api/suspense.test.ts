import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { systemContext } from '../../src/kernel/event.ts';
import { type MerchantId, newId } from '../../src/kernel/ids.ts';
import { approveClearing } from '../../src/modules/suspense/write/clearing.ts';
import { holdMoney } from '../../src/modules/suspense/write/hold-money.ts';
import { SUSPENSE_ITEMS, suspenseMigrations } from '../../src/modules/suspense/write/suspense.store.ts';
import type { StrayMoney } from '../../src/modules/suspense/write/suspense.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCardRequest } from '../builders.ts';
import { operator, PATIENT, pollUntil } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { anOperator, type TestOperator } from '../support/operators.ts';
import { parseCsv } from '../support/parse-csv.ts';

jest.setTimeout(60_000);

const gateway = useGateway({ ...PATIENT, VIEW_SHARDS: 'suspense-items=4' });
const { balanceOf, differences } = createLedgerTools(gateway);

let merchant: TestMerchant;
let author: TestOperator;
let approver: TestOperator;

beforeAll(async () => {
  merchant = await gateway().createMerchant();
  author = await anOperator(gateway, ['admin.adjustments.create', 'admin.adjustments.approve']);
  approver = await anOperator(gateway, ['admin.adjustments.approve']);
}, 180_000);

/** Money that came a second time for a charge with this card; its provider gives it back as the card says. */
const stray = async (changes: Partial<StrayMoney> = {}, number = '4242424242424242'): Promise<string> => {
  const { body } = await gateway()
    .call('post', '/v1/charges')
    .auth(merchant.testKey, '')
    .send(aCardRequest({}, { number }));
  const { id } = await gateway()
    .container.get(platform.services)
    .transact(systemContext('test'), (tx) =>
      holdMoney(
        tx,
        {
          livemode: false,
          provider: 'simulator',
          reason: 'second_payment',
          reference: body.id,
          pspRefId: `psp_${randomUUID()}`,
          direction: 'in',
          amount: 100_00,
          currency: 'BRL',
          chargeId: body.id,
          accountOwnerId: null,
          merchantId: merchant.id as MerchantId,
          ...changes,
        },
        new Date(),
        newId,
      ),
    );
  return id;
};
const PATH = '/v1/admin/suspense-items';
const propose = async (id: string, body: object): Promise<Response> =>
  author.post(`${PATH}/${id}/clearing`, { reason: 'seen with the payer', ...body });
const approve = async (id: string, by = approver): Promise<Response> =>
  by.post(`${PATH}/${id}/clearing/approve`);
/** Leaves an item as it is after a crash between the approval and what follows it. */
const approveAndDie = (id: string, at: Date) =>
  gateway()
    .container.get(platform.services)
    .transact(systemContext('test'), async (tx) => {
      const item = await tx.get(SUSPENSE_ITEMS, id);
      if (!item) throw new Error('the item is gone');
      return tx.record(SUSPENSE_ITEMS, item, approveClearing(item, `usr_${'0'.repeat(32)}`, at));
    });
const itemsStored = () => gateway().db.collection<{ _id: string }>(SUSPENSE_ITEMS.collection);
const codeOf = ({ status, body }: Response): readonly unknown[] => [status, body.code];
const toMerchant = () => ({ method: 'merchant', merchantId: merchant.id });

describe('a suspense item', () => {
  it('is booked to a merchant when a second operator approves it, and is in its statement', async () => {
    const before = await balanceOf(merchant.testKey);
    const id = await stray();
    const reserved = before.reserved + 100_00;
    const proposed = await propose(id, toMerchant());
    expect([proposed.status, proposed.body.status, proposed.body.clearing.status]).toEqual([
      200,
      'held',
      'pending',
    ]);
    expect(codeOf(await approve(id, author))).toEqual([403, 'APPROVAL_BY_AUTHOR']);
    expect(codeOf(await propose(id, toMerchant()))).toEqual([422, 'CLEARING_ALREADY_PROPOSED']);
    expect(await balanceOf(merchant.testKey)).toEqual({ available: before.available, reserved });
    const pending = await approver.getAfter(
      'latest',
      `${PATH}?clearingStatus=pending&orderBy=-amount,createdAt`,
    );
    expect(pending.body.data).toEqual([proposed.body]);
    const csv = await approver.get(`${PATH}?clearingStatus=pending`).set('Accept', 'text/csv').expect(200);
    const [titles = [], row = [], ...others] = parseCsv(csv.text);
    expect(others).toEqual([]);
    expect(Object.fromEntries(titles.map((title, column) => [title, row[column]]))).toMatchObject({
      id,
      status: 'held',
      direction: 'in',
      amount: '100',
      merchantId: merchant.id,
      clearingStatus: 'pending',
      clearingMethod: 'merchant',
      clearingReason: 'seen with the payer',
    });

    const approved = await approve(id);
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { status: 'booked', clearing: { status: 'approved' } },
    ]);
    expect(await balanceOf(merchant.testKey)).toEqual({ available: before.available + 100_00, reserved });
    const { body } = await gateway()
      .call('get', `/v1/statement?referenceType=suspense&referenceId=${id}`)
      .auth(merchant.testKey, '')
      .set('X-Consistency-Token', 'latest');
    expect(body.data).toMatchObject([
      { movement_type: 'suspense_clearing', amount: 100, bucket: 'available', referenceId: id },
    ]);
    const explained = await gateway()
      .call('get', `/v1/statement/${body.data[0].id}/explain`)
      .auth(merchant.testKey, '');
    expect(explained.body.calculation).toBe(
      `100.00 BRL by suspense item ${id} (seen with the payer): 100.00 BRL.`,
    );
    expect((await author.get(`${PATH}/${id}`)).body).toEqual(approved.body);
    expect(await differences()).toEqual([]);
  });

  it('that left the provider is taken from the merchant, or is a loss of the gateway', async () => {
    const [first, second] = [await stray({ direction: 'out' }), await stray({ direction: 'out' })];
    const { available } = await balanceOf(merchant.testKey);
    expect(codeOf(await propose(first, { method: 'give_back' }))).toEqual([
      422,
      'SUSPENSE_ITEM_NOT_RETURNABLE',
    ]);
    await propose(first, toMerchant());
    await propose(second, { method: 'gateway' });
    for (const id of [first, second]) expect((await approve(id)).body.status).toBe('booked');
    expect((await balanceOf(merchant.testKey)).available).toBe(available - 100_00);
    expect(await differences()).toEqual([]);
  });

  it('of nobody, or of another tenant, is booked to a merchant and stays with its own tenant', async () => {
    const other = await gateway().createMerchant();
    const ids = [await stray({ reason: 'unknown_payment', chargeId: null, merchantId: null }), await stray()];
    for (const id of ids) {
      await propose(id, { method: 'merchant', merchantId: other.id });
      expect((await approve(id)).body.status).toBe('booked');
    }
    expect((await balanceOf(other.testKey)).available).toBe(200_00);
    const own = { tenantId: { $in: ['gateway', merchant.id] } };
    const named = { _id: { $in: ids } };
    expect(await itemsStored().countDocuments({ ...named, ...own })).toBe(2);
    const booked = gateway().db.collection('journals');
    expect(await booked.countDocuments({ referenceId: { $in: ids }, tenantId: other.id })).toBe(2);
    const { body } = await gateway()
      .call('get', `/v1/statement?referenceType=suspense`)
      .auth(other.testKey, '')
      .set('X-Consistency-Token', 'latest');
    for (const { id } of body.data)
      await gateway().call('get', `/v1/statement/${id}/explain`).auth(other.testKey, '').expect(200);
    expect(body.total).toBe(2);
    expect(await differences()).toEqual([]);
  });

  it('is given back by the provider, and is held again where that refuses', async () => {
    const [first, second] = [await stray(), await stray({}, '4000000000005423')];
    for (const id of [first, second]) await propose(id, { method: 'give_back' });
    expect((await approve(first)).body).toMatchObject({
      status: 'returned',
      pspRefundRefId: expect.any(String),
      clearing: { status: 'approved' },
    });
    expect((await approve(second)).body).toMatchObject({
      status: 'held',
      returnFailure: expect.any(String),
      clearing: { status: 'failed' },
    });
    expect(codeOf(await propose(first, { method: 'gateway' }))).toEqual([422, 'SUSPENSE_ITEM_NOT_HELD']);
    // It was the second payment: the first can still be given back.
    const { chargeId } = (await author.get(`${PATH}/${first}`)).body;
    const refund = await gateway()
      .call('post', '/v1/refunds')
      .auth(merchant.testKey, '')
      .send({ chargeId, reason: 'sent back' });
    expect([refund.status, refund.body.status]).toEqual([201, 'refunded']);
    // The provider is asked anew: under the first reference it would repeat what it said.
    await propose(second, { method: 'give_back' });
    expect((await approve(second)).body.clearing.status).toBe('failed');
    const asked = gateway().db.collection<{ _id: string; paymentReference: string }>('simulator_refunds');
    const { reference } = (await author.get(`${PATH}/${second}`)).body;
    expect(await asked.countDocuments({ paymentReference: reference })).toBe(2);
    await propose(second, { method: 'gateway' });
    expect((await approve(second)).body.status).toBe('booked');
    expect(await differences()).toEqual([]);
  });

  it('is given back by the reconciler where nobody was left to ask the provider', async () => {
    const id = await stray();
    await propose(id, { method: 'give_back' });
    await approveAndDie(id, new Date(Date.now() - 30_000));
    for (;;) {
      const { body } = await author.get(`${PATH}/${id}`);
      if (body.status === 'returned') break;
      await sleep(100);
    }
    const given = gateway().db.collection<{ _id: string }>('simulator_refunds');
    expect(await given.countDocuments({ _id: id })).toBe(1);
    expect(await differences()).toEqual([]);
  });

  it('is booked once by the reconciler where a crash came before its journal, or after it', async () => {
    const [before, after] = [await stray(), await stray()];
    const { available } = await balanceOf(merchant.testKey);
    for (const id of [before, after]) await propose(id, toMerchant());
    const approvedAt = new Date(Date.now() - 30_000);
    await approveAndDie(before, approvedAt);
    await approve(after);
    const left = { status: 'booking', reconcileAt: approvedAt.toISOString() };
    await itemsStored().updateOne({ _id: after }, { $set: left });
    for (const id of [before, after]) {
      const isBooked = ({ body }: Response) => body.status === 'booked';
      const { body } = await pollUntil(() => author.get(`${PATH}/${id}`), isBooked);
      expect(body.status).toBe('booked');
    }
    expect((await balanceOf(merchant.testKey)).available).toBe(available + 200_00);
    expect(await differences()).toEqual([]);
  });

  it('is decided on once, however many approve and reject at once', async () => {
    const others = await Promise.all([1, 2].map(() => anOperator(gateway, ['admin.adjustments.approve'])));
    for (const method of ['merchant', 'give_back', 'gateway'] as const) {
      const id = await stray();
      await propose(id, method === 'merchant' ? toMerchant() : { method });
      const answers = await Promise.all([
        ...[approver, ...others].map((by) => approve(id, by)),
        author.post(`${PATH}/${id}/clearing/reject`),
      ]);
      expect(answers.map(codeOf).sort()).toEqual([
        [200, undefined],
        ...Array(3).fill([422, 'CLEARING_NOT_PENDING']),
      ]);
    }
    expect(await differences()).toEqual([]);
  });

  it('of an older version has no clearing, and the reference of a return that was asked for', async () => {
    const [untouched, refused] = [await stray(), await stray({}, '4000000000005423')];
    await propose(refused, { method: 'give_back' });
    await approve(refused);
    const { db } = gateway();
    const items = db.collection<{ _id: string }>(SUSPENSE_ITEMS.collection);
    const before = await items.find({ _id: { $in: [untouched, refused] } }).toArray();
    await items.updateOne({ _id: untouched }, { $unset: { clearing: true, returnReference: true } });
    await items.updateOne({ _id: refused }, { $unset: { returnReference: true } });
    for (let times = 0; times < 2; times += 1)
      for (const { id, up } of suspenseMigrations) if (id !== '210-suspense') await up(db);
    expect(await items.find({ _id: { $in: [untouched, refused] } }).toArray()).toEqual(before);
    expect((await propose(untouched, { method: 'gateway' })).status).toBe(200);
  });

  it('stays where a clearing is rejected, and where it makes no sense', async () => {
    const id = await stray();
    expect(codeOf(await approve(id))).toEqual([422, 'CLEARING_NOT_PENDING']);
    await propose(id, { method: 'gateway' });
    const rejected = await approver.post(`${PATH}/${id}/clearing/reject`, {
      rejectionReason: 'it is ours',
    });
    expect(rejected.body).toMatchObject({
      status: 'held',
      clearing: { status: 'rejected', rejectionReason: 'it is ours' },
    });
    for (const body of [
      { method: 'merchant' },
      { method: 'gateway', merchantId: merchant.id },
      { method: 'burn' },
      { method: 'gateway', reason: 4 },
    ])
      expect((await propose(id, body)).status).toBe(400);
    expect((await propose(id, { method: 'merchant', merchantId: 'mer_0' })).status).toBe(404);
    expect((await propose('sus_0', { method: 'gateway' })).status).toBe(404);
    expect((await (await operator(gateway, 'live')).get(`${PATH}/${id}`)).status).toBe(404);
    expect((await author.get(`${PATH}/${id}`)).body).toEqual(rejected.body);
  });
});
