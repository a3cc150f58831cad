import { systemContext } from '../../src/kernel/event.ts';
import { type MerchantId, newId } from '../../src/kernel/ids.ts';
import { adjustmentJournal } from '../../src/modules/adjustments/write/adjustment.journal.ts';
import {
  ADJUSTMENTS,
  type Adjustment,
  openAdjustment,
} from '../../src/modules/adjustments/write/adjustment.ts';
import { postJournal } from '../../src/modules/ledger/write/ledger.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aPayoutFee } from '../builders.ts';
import { type Client, createSubMerchant, operator, pollUntil, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { volume } from '../support/volume.ts';

const gateway = useGateway();
const { balanceOf, differences } = createLedgerTools(gateway);

jest.setTimeout(volume({ usual: 300_000, proof: 3_600_000 }));

const TAX_ID = '11222333000181';
const ROUNDS = volume({ usual: 4, proof: 200 });
/** In cents; together far more than a round's balance. */
const AMOUNTS = [6_000, 5_000, 3_000, 2_000, 1_000] as const;
const COVERED = 10_000;

let admin: Client;
beforeAll(async () => {
  admin = await operator(gateway, 'test');
}, 180_000);

/** A sub-merchant that may ask for payouts and pays nothing for them but a cent. */
type Payee = { readonly id: string; readonly testKey: string; readonly masterId: string };

const aPayee = async (): Promise<Payee> => {
  const master = await gateway().createMaster();
  const payee = await createSubMerchant(gateway, master, { companyTaxId: TAX_ID });
  await gateway().setFees(payee.id, [aPayoutFee(1)]);
  return { ...payee, masterId: master.id };
};

/** Money that is posted and not folded, as that of a charge settled a moment ago. */
const credit = async ({ id: merchantId, masterId }: Payee, amount: number): Promise<void> => {
  const now = new Date();
  const given: Adjustment = {
    ...openAdjustment(
      { merchantId: merchantId as MerchantId, amount: amount / 100, currency: 'BRL', reason: 'a test' },
      { id: newId('adj'), masterId: masterId as MerchantId, userId: newId('usr'), livemode: false },
      now,
    ).data,
    status: 'approved',
  };
  await gateway()
    .container.get(platform.services)
    .transact(systemContext('test'), async (tx) => {
      await tx.record(ADJUSTMENTS, null, { type: 'adjustment.approved', data: given });
      await postJournal(tx, adjustmentJournal(given, now, newId));
    });
};

/** Approves as an operator would: again where the stores were too busy to take it. */
const approve = async (id: string): Promise<readonly [number, string | undefined]> => {
  const ask = async () => admin.post(`/v1/admin/payout-requests/${id}/approve`);
  const { status, body } = await pollUntil(ask, (answer) => answer.status !== 503);
  return [status, body.code];
};

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

describe('payout requests that are approved at once', () => {
  it('never overdraw, and each is paid at most once', async () => {
    const payee = await aPayee();
    let paid = 0;
    let credited = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const requests: { readonly id: string; readonly amount: number }[] = [];
      for (const amount of AMOUNTS) {
        const path = `/v1/submerchants/${payee.id}/payout-requests`;
        const { body } = await withKey(gateway, payee.testKey).post(path, { amount }).expect(201);
        requests.push({ id: body.id, amount });
      }
      const before = (await balanceOf(payee.testKey)).available;
      await credit(payee, COVERED - before);
      credited += COVERED - before;

      // Each twice, by two operators who do not know of each other.
      const answers = await Promise.all([...requests, ...requests].map(({ id }) => approve(id)));
      requests.forEach((_, index) => {
        const both = [answers[index], answers[index + requests.length]].map((answer) => answer?.[0]);
        expect(both.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      });
      for (const [status, code] of answers)
        if (status !== 200)
          expect([status, code]).toEqual([
            422,
            expect.stringMatching(/^(INSUFFICIENT_BALANCE|PAYOUT_REQUEST_ALREADY_PROCESSED)$/),
          ]);

      // The store counts, and not the answers: one may have been lost on its way.
      const stored = await gateway()
        .db.collection<{ _id: string; status: string }>('payout_requests')
        .find({ _id: { $in: requests.map(({ id }) => id) } })
        .toArray();
      const done = new Set(stored.filter(({ status }) => status === 'approved').map(({ _id }) => _id));
      const approved = requests.filter(({ id }) => done.has(id));
      const taken = sum(approved.map(({ amount }) => amount));
      paid += taken;
      expect(taken).toBeLessThanOrEqual(COVERED);
      expect(await balanceOf(payee.testKey)).toEqual({ available: COVERED - taken, reserved: 0 });
      // The rest covers none of the refused payouts: nobody was refused for money that was there.
      for (const { id, amount } of requests) {
        if (done.has(id)) continue;
        expect(amount).toBeGreaterThan(COVERED - taken);
        expect(await approve(id)).toEqual([422, 'INSUFFICIENT_BALANCE']);
        await admin
          .post(`/v1/admin/payout-requests/${id}/reject`, { rejectionReason: 'not covered' })
          .expect(200);
      }
    }
    expect(await balanceOf(payee.testKey)).toEqual({ available: credited - paid, reserved: 0 });
    const debited = await gateway()
      .db.collection('journals')
      .find({ referenceType: 'payout_request' })
      .toArray();
    expect(new Set(debited.map(({ referenceId }) => referenceId)).size).toBe(debited.length);
    expect(await differences()).toEqual([]);
  });
});
