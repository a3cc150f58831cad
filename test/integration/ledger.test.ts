import fc from 'fast-check';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Principal } from '../../src/kernel/principal.ts';
import { modules } from '../../src/main/modules.ts';
import { paidJournal } from '../../src/modules/charges/write/charge.journal.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { createFoldBalances, createFoldOwner } from '../../src/modules/ledger/write/fold-balances.ts';
import {
  createDebitAvailable,
  createFoldOutstanding,
} from '../../src/modules/ledger/write/fold-outstanding.ts';
import { journal } from '../../src/modules/ledger/write/journal.ts';
import { postJournal } from '../../src/modules/ledger/write/ledger.store.ts';
import {
  createFindMerchants,
  createFindTenant,
} from '../../src/modules/merchants/write/find-merchants.store.ts';
import type { PaymentProvider } from '../../src/modules/providers/provider.ts';
import { REFUNDS } from '../../src/modules/refunds/write/refund.store.ts';
import { createRefundCharge } from '../../src/modules/refunds/write/refund-charge.ts';
import { createSettleParts } from '../../src/modules/settlement/write/settle-due.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { readResource } from '../../src/platform/write-store/read-resource.ts';
import { aPaidCharge, aRefundState } from '../builders.ts';
import { PATIENT, pollUntil } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { anyStep, type Step, walk } from '../support/money-model.ts';
import { volume } from '../support/volume.ts';

jest.setTimeout(480_000);
const gateway = useGateway(PATIENT);

/** One statement's entries that are also explained over HTTP; the rest are left to the tests of the rules. */
const MOST_EXPLAINED = 20;
const STEPS = volume({ usual: 12, proof: 25 });
/** A multiple of ten. */
const RACES = volume({ usual: 20, proof: 200 });

const { aGroup, createDriver, differences, balanceOf, statementOf } = createLedgerTools(gateway);

describe('the ledger', () => {
  it('agrees with the model, its statement and its check after random commands over HTTP', async () => {
    const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31);
    process.stderr.write(`money model over HTTP: FC_SEED=${seed}\n`);
    const runs: readonly (readonly Step[])[] = fc.sample(
      fc.array(anyStep, { minLength: STEPS, maxLength: STEPS }),
      {
        numRuns: 1,
        seed,
      },
    );
    for (const steps of runs) {
      const group = await aGroup();
      await walk(createDriver(group), steps);
      for (const { id, testKey } of [group.merchant, group.partner]) {
        const sums = { available: 0, reserved: 0 };
        let explained = 0;
        for (const entry of await statementOf(testKey, id)) {
          const { amount, bucket, balanceAfter } = entry as unknown as {
            amount: number;
            bucket: 'available' | 'reserved';
            balanceAfter: number;
          };
          sums[bucket] += Math.round(amount * 100);
          expect(Math.round(balanceAfter * 100)).toBe(sums[bucket]);
          if (explained >= MOST_EXPLAINED) continue;
          explained += 1;
          const { body } = await gateway().call('get', `/v1/statement/${entry.id}/explain`).auth(testKey, '');
          expect([body.amount, body.calculation]).toEqual([amount, expect.stringMatching(/\.$/)]);
        }
        expect(await balanceOf(testKey)).toEqual(sums);
      }
    }
    expect(await differences()).toEqual([]);
  });

  it(`never lets a refund and a settlement take the same part, in ${RACES} races`, async () => {
    const { container, db } = gateway();
    const { transact, clock } = container.get(platform.services);
    const merchant = await gateway().createMerchant();
    const merchantId = merchant.id as Charge['merchantId'];
    const provider = { refund: async () => aRefundState() } as unknown as PaymentProvider;
    const settleParts = createSettleParts({ transact, clock, newId });
    const refundCharge = createRefundCharge({
      transact,
      findCharge: (id) => readResource(db, CHARGES, id),
      findRefund: (id) => readResource(db, REFUNDS, id),
      providerNamed: async () => provider,
      recordRefundOutcome: container.get(modules).refunds.recordRefundOutcome,
      clock,
      newId,
      intentGraceMs: 60_000,
    });
    const principal: Principal = {
      kind: 'merchant',
      actor: { kind: 'key', id: 'key_1' },
      credential: 'secret_key',
      merchantId,
      masterId: null,
      livemode: false,
      permissions: [],
    };
    const firstAt = new Date(Date.now() - 100 * DAY_MS).toISOString();
    const due = { delayDays: 0, firstAt, nextAt: firstAt };
    const payTen = (): Promise<readonly Charge[]> =>
      transact(systemContext('test'), async (tx) => {
        const charges: Charge[] = [];
        for (let paid = 0; paid < 10; paid += 1) {
          const charge = aPaidCharge({
            id: newId('chg'),
            merchantId,
            amount: 100_00,
            spread: 1_00,
            settlement: { parts: 3, settled: 0 },
            due,
          });
          charges.push(await tx.record(CHARGES, null, { type: 'charge.created', data: charge }));
          await postJournal(tx, paidJournal(charge, clock(), newId));
        }
        return charges;
      });
    const race = async ({ id }: Charge): Promise<number> => {
      await Promise.all([
        settleParts(id, clock(), systemContext('test')),
        refundCharge({ chargeId: id, reason: 'sent back', principal }, systemContext('test')),
      ]);
      const after = await readResource(db, CHARGES, id);
      expect(after).toMatchObject({ status: 'refunded', due: { nextAt: null } });
      return after?.settlement.settled ?? 0;
    };
    const settled = new Set<number>();
    for (let round = 0; round < RACES; round += 10)
      for (const parts of await Promise.all((await payTen()).map(race))) settled.add(parts);
    expect([...settled].every((parts) => parts === 0 || parts === 3)).toBe(true);
    expect(await balanceOf(merchant.testKey)).toEqual({ available: -RACES * 1_00, reserved: 0 });
    expect(await differences()).toEqual([]);
  });

  it('never overdraws by debits that need cover, and refuses none that the balance shows', async () => {
    const { container } = gateway();
    const { db, transact } = container.get(platform.services);
    const findMerchants = createFindMerchants(db);
    const findTenant = createFindTenant(findMerchants);
    const deps = { db, transact, findMerchants, findTenant, commitGroups: 'tenant' as const };
    const debitAvailable = createDebitAvailable({ ...deps, foldOwner: createFoldOwner(deps) });
    const foldOutstanding = createFoldOutstanding({ ...deps, fold: createFoldBalances(deps) });
    const merchant = await gateway().createMerchant();
    const merchantId = merchant.id as Charge['merchantId'];
    const about = { livemode: false, currency: 'BRL', chargeId: null } as const;
    const move = (amount: number) =>
      journal(
        { ...about, referenceType: 'payout_request', referenceId: newId('evt') },
        [
          { merchantId, bucket: 'available', movement_type: 'payout', amount },
          { merchantId: null, bucket: 'payouts_in_transit', movement_type: 'payout', amount: -amount },
        ],
        new Date(),
        newId,
      );
    const debit = async (amount: number): Promise<boolean> => {
      await foldOutstanding(merchantId, false);
      try {
        await transact.alone(systemContext('test'), (tx) => debitAvailable(tx, merchantId, move(-amount)));
        return true;
      } catch (error) {
        expect(error).toMatchObject({ statusCode: 422, code: 'INSUFFICIENT_BALANCE' });
        return false;
      }
    };
    expect(await debit(1)).toBe(false);
    for (let round = 0; round < volume({ usual: 4, proof: 15 }); round += 1) {
      await transact(systemContext('test'), (tx) => postJournal(tx, move(100)));
      const done = await Promise.all([debit(60), debit(60), debit(40), debit(40)]);
      const taken = [60, 60, 40, 40].reduce((sum, amount, index) => sum + (done[index] ? amount : 0), 0);
      expect([80, 100]).toContain(taken);
      if (taken === 80) expect(await debit(20)).toBe(true);
      expect(await balanceOf(merchant.testKey)).toEqual({ available: 0, reserved: 0 });
    }
  });

  it('puts what is folded together into the statement in the order in which it was booked', async () => {
    const { container, createMerchant, db } = gateway();
    const merchantId = (await createMerchant()).id as Charge['merchantId'];
    const amounts = Array.from({ length: 9 }, (_, index) => index + 1);
    await container.get(platform.services).transact(systemContext('test'), async (tx) => {
      for (const amount of amounts)
        await postJournal(
          tx,
          journal(
            {
              livemode: false,
              currency: 'BRL',
              chargeId: null,
              referenceType: 'adjustment',
              referenceId: newId('evt'),
            },
            [
              { merchantId, bucket: 'available', movement_type: 'adjustment', amount },
              { merchantId: null, bucket: 'adjustments', movement_type: 'adjustment', amount: -amount },
            ],
            new Date(),
            newId,
          ),
        );
    });
    const lines = () => db.collection('statement_lines').find({ merchantId }).sort({ seq: 1 }).toArray();
    const placed = await pollUntil(lines, ({ length }) => length === amounts.length);
    expect(placed.map(({ amount }) => amount)).toEqual(amounts);
  });
});
