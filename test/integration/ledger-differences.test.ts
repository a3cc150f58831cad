import { systemContext } from '../../src/kernel/event.ts';
import { newId } from '../../src/kernel/ids.ts';
import { adjustmentJournal } from '../../src/modules/adjustments/write/adjustment.journal.ts';
import { ADJUSTMENTS, openAdjustment } from '../../src/modules/adjustments/write/adjustment.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { postJournal } from '../../src/modules/ledger/write/ledger.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import type { Answer } from '../support/money-model.ts';
import { aSubscriber, subscribe } from '../support/subscribers.ts';

jest.setTimeout(240_000);
const gateway = useGateway();
const { aGroup, createDriver, differences, statementOf } = createLedgerTools(gateway);

describe('the check of the ledger', () => {
  it('finds one difference of each kind that is planted, and none before', async () => {
    const { container, db } = gateway();
    const { merchant, partner } = await aGroup();
    const driver = createDriver({ merchant, partner });
    const pay = (answer: Answer): Promise<string> =>
      driver.pay({ step: 'pay', amount: 100_00, installments: 2, share: 10, answer });
    const [paid, refunded, alerted, charged] = [
      await pay('refunded'),
      await pay('refunded'),
      await pay('refunded'),
      await pay('refunded'),
    ];
    await driver.settle(31);
    await driver.refund(refunded);
    await driver.alert(alerted);
    await driver.chargeback(charged);
    const adjustment = {
      ...openAdjustment(
        { merchantId: merchant.id as Charge['merchantId'], amount: 5, currency: 'BRL', reason: 'goodwill' },
        { id: newId('adj'), masterId: null, userId: 'usr_1', livemode: false },
        new Date(),
      ).data,
      status: 'approved' as const,
    };
    await container.get(platform.services).transact(systemContext('test'), async (tx) => {
      await tx.record(ADJUSTMENTS, null, { type: 'adjustment.approved', data: adjustment });
      await postJournal(tx, adjustmentJournal(adjustment, new Date(), newId));
    });
    const shop = withKey(gateway, merchant.testKey);
    const { id: subscriptionId, latestChargeId } = await subscribe(shop, await aSubscriber(shop), {
      trialDays: 0,
    });
    await statementOf(merchant.testKey, merchant.id);
    expect(await differences()).toEqual([]);

    /** Changes one document behind the gateway's back, checks, and puts it back. */
    const plant = async (
      collection: string,
      filter: object,
      change: (document: Record<string, unknown>) => Record<string, unknown> | null,
    ): Promise<string> => {
      const documents = db.collection(collection);
      const before = await documents.findOne(filter);
      if (!before) throw new Error(`nothing in ${collection} is like ${JSON.stringify(filter)}`);
      const after = change(structuredClone({ ...before, _id: String(before._id) }));
      if (after === null) await documents.deleteOne({ _id: before._id });
      else if (after._id === String(before._id))
        await documents.replaceOne({ _id: before._id }, { ...after, _id: before._id });
      else await documents.insertOne(after as never);
      const found = (await differences()).join('\n');
      if (after !== null && after._id !== String(before._id))
        await documents.deleteOne({ _id: after._id as never });
      else if (after === null) await documents.insertOne(before);
      else await documents.replaceOne({ _id: before._id }, before);
      return found;
    };
    const chain = `${merchant.id}:test:BRL`;
    const more = (document: Record<string, unknown>, field: string) => ({
      ...document,
      [field]: Number(document[field]) + 1,
    });
    const secondAmount = (document: Record<string, unknown>) => {
      const postings = document.postings as { amount: number }[];
      return {
        ...document,
        postings: postings.map((of, n) => (n === 1 ? { ...of, amount: of.amount + 1 } : of)),
      };
    };

    expect(await plant('balances', { _id: chain }, (of) => more(of, 'available'))).toMatch(
      /^balance: available is/m,
    );
    expect(await plant('balances', { _id: chain }, (of) => more(of, 'reserved'))).toMatch(
      /^balance: reserved is/m,
    );
    const line = { chain, seq: 3 };
    expect(await plant('statement_lines', line, (of) => more(of, 'amount'))).toMatch(
      /^statement: line 3 .* is not what was posted\nstatement: the hash chain is broken at line 3/m,
    );
    expect(await plant('statement_lines', line, (of) => more(of, 'balanceAfter'))).toMatch(
      /^statement: line 3 .* says .* after it/m,
    );
    expect(
      await plant('statement_lines', line, (of) => ({ ...of, createdAt: '2020-01-01T00:00:00.000Z' })),
    ).toMatch(/^statement: the hash chain is broken at line 3/m);
    expect(await plant('statement_lines', line, () => null)).toMatch(/^statement: line 3 is missing/m);
    expect(
      await plant('statement_lines', line, (of) => ({
        ...of,
        _id: 'led_planted',
        id: 'led_planted',
        seq: 9_999,
      })),
    ).toBe('statement: line 9999 lies beyond its end');
    const beyond = (await db.collection('statement_lines').countDocuments({ chain })) + 1;
    expect(
      await plant('statement_lines', line, (of) => ({
        ...of,
        _id: 'led_planted',
        id: 'led_planted',
        seq: beyond,
      })),
    ).toBe(`statement: line ${beyond} lies beyond its end`);
    const journalOf = (chargeId: string, referenceType: string) => ({ chargeId, referenceType });
    expect(await plant('journals', journalOf(paid, 'charge'), secondAmount)).toMatch(
      /journal: its postings sum to 1/,
    );
    expect(await plant('journals', journalOf(paid, 'charge'), () => null)).toMatch(
      /charge: charge .* \(paid\): the charge is not booked/,
    );
    expect(await plant('journals', journalOf(paid, 'settlement'), () => null)).toMatch(
      /settlement: .*the settlement of part 1 is not booked/,
    );
    expect(
      await plant('journals', journalOf(refunded, 'refund'), (of) => ({ ...of, _id: 'jrn_planted' })),
    ).toMatch(/refund: .*the refund is booked 2 times/);
    expect(await plant('journals', journalOf(charged, 'chargeback'), () => null)).toMatch(
      /chargeback: .*the chargeback is not booked/,
    );
    expect(
      await plant(
        'journals',
        { chargeId: alerted, 'postings.movement_type': 'chargeback_alert_fee' },
        secondAmount,
      ),
    ).toMatch(/chargeback_alert: .*the chargeback_alert_fee is booked as/);
    expect(await plant('chargeback_alerts', { chargeId: alerted }, () => null)).toMatch(
      /chargeback_alert: .*the chargeback_alert_fee is booked and should not be/,
    );
    expect(await plant('refunds', { chargeId: refunded }, (of) => ({ ...of, booked: false }))).toMatch(
      /refund: .*the refund_reversal is not booked/,
    );
    expect(await plant('charges', { id: paid }, (of) => ({ ...of, status: 'pending' }))).toMatch(
      /charge: .*\(pending\): the charge is booked and should not be/,
    );
    expect(await plant('charges', { id: paid }, () => null)).toMatch(
      /charge: journal .* is about it, and it does not exist/,
    );
    expect(await plant('adjustments', { id: adjustment.id }, (of) => more(of, 'amount'))).toMatch(
      /^adjustment: is approved, booked is \[.* 500 BRL\] and should be \[.* 501 BRL\]/m,
    );
    const cycle = { subscriptionId };
    expect(await plant('subscription_cycles', cycle, (of) => ({ ...of, attempts: [] }))).toMatch(
      /^charge: .*\(paid\): cycle 1 of sub_\w+ has 0 attempts with it/m,
    );
    expect(await plant('subscription_cycles', cycle, (of) => ({ ...of, status: 'open' }))).toMatch(
      /^charge: .*\(paid\): cycle 1 of sub_\w+ is open, and its attempt paid/m,
    );
    expect(await plant('subscription_cycles', cycle, (of) => more(of, 'amount'))).toMatch(
      /^charge: .*cycle 1 of sub_\w+ has another price/m,
    );
    expect(await plant('charges', { id: latestChargeId }, () => null)).toMatch(
      /^charge: cycle sub_\w+_1 was attempted with it, and it does not exist/m,
    );
    expect(await differences()).toEqual([]);
  });
});
