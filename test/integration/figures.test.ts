import fc from 'fast-check';
import type { MerchantId } from '../../src/kernel/ids.ts';
import { JOURNALS, type Journal } from '../../src/modules/ledger/write/journal.ts';
import { type Client, operator, PATIENT, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { anyStep, type Step, walk } from '../support/money-model.ts';
import { volume } from '../support/volume.ts';

jest.setTimeout(480_000);
const gateway = useGateway(PATIENT);
const { aGroup, createDriver, differences, statementOf } = createLedgerTools(gateway);

/** The movements by which the gateway earns, and gives back what it has earned. */
const FEES = [
  'charge_spread',
  'chargeback_alert_fee',
  'payout_fee',
  'payout_fee_reversal',
  'anticipation_fee',
];
const PAYOUTS = ['payout', 'payout_fee', 'payout_reversal', 'payout_fee_reversal'];

/** Begins every history, so that no figure is nothing: two payouts, one of which the bank sends back. */
const BEGINNING: readonly Step[] = [
  { step: 'pay', amount: 123_45, installments: 1, share: 33.33, answer: 'refunded' },
  { step: 'wait', days: 40 },
  { step: 'settle' },
  { step: 'payout', who: 'merchant', part: 20, fails: false },
  { step: 'payout', who: 'merchant', part: 30, fails: true },
  { step: 'payout', who: 'partner', part: 100, fails: true },
];

type Amounts = Readonly<Record<string, number>>;
type Sources = { readonly key: string; readonly id: string; readonly admin: Client };

/** Sums by movement, in cents, from the entries of the statement. */
const fromStatement = async ({ key, id }: Sources): Promise<Amounts> => {
  const sums: Record<string, number> = {};
  for (const line of (await statementOf(key, id)) as unknown as readonly {
    readonly movement_type: string;
    readonly amount: number;
  }[])
    sums[line.movement_type] = (sums[line.movement_type] ?? 0) + Math.round(line.amount * 100);
  return sums;
};

const fromSummary = async ({ key }: Sources): Promise<Amounts> => {
  const { body } = await withKey(gateway, key).getAfter('latest', '/v1/statement/summary');
  return Object.fromEntries(
    (body.data[0]?.movements ?? []).map((of: { movement_type: string; total: number }) => [
      of.movement_type,
      Math.round(of.total * 100),
    ]),
  );
};

/** Sums by movement that the ledger has booked for the gateway because of these merchants. */
const fromLedger = async (ids: readonly string[]): Promise<Amounts> => {
  const sums: Record<string, number> = {};
  const journals = gateway()
    .db.collection<Journal>(JOURNALS)
    .find({ 'postings.merchantId': { $in: ids as MerchantId[] } });
  for await (const { postings } of journals)
    for (const { bucket, movement_type, amount } of postings)
      if (bucket === 'revenue') sums[movement_type] = (sums[movement_type] ?? 0) + amount;
  return sums;
};

const fromReport = async (name: string, { admin, id }: Sources, groupBy = ''): Promise<Amounts> => {
  const path = `/v1/admin/reports/${name}?merchantId=${id}${groupBy && `&groupBy=${groupBy}`}`;
  const { body } = await admin.getAfter('latest', path);
  const { currency: _, count: __, ...amounts } = body.totals[0] ?? {};
  return Object.fromEntries(
    Object.entries(amounts).map(([column, amount]) => [column, Math.round(Number(amount) * 100)]),
  );
};

const add = (amounts: Amounts, names: readonly string[]): number =>
  names.reduce((total, name) => total + (amounts[name] ?? 0), 0);

describe('earnings and payouts of the gateway', () => {
  it('is one figure in statements, summaries, reports and the ledger, after random histories', async () => {
    const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31);
    process.stderr.write(`figures over HTTP: FC_SEED=${seed}\n`);
    const histories = fc.sample(fc.array(anyStep, { minLength: 8, maxLength: 14 }), {
      numRuns: volume({ usual: 2, proof: 30 }),
      seed,
    });
    const admin = await operator(gateway, 'test');
    for (const steps of histories) {
      const group = await aGroup();
      await walk(createDriver(group), [...BEGINNING, ...steps]);
      const earned: Record<string, number> = {};
      for (const { id, testKey: key } of [group.merchant, group.partner]) {
        const sources = { key, id, admin };
        const statement = await fromStatement(sources);
        expect(await fromSummary(sources)).toEqual(statement);
        for (const name of FEES) earned[name] = (earned[name] ?? 0) - (statement[name] ?? 0);
        const revenue = await fromReport('revenue', sources);
        const payouts = await fromReport('payouts', sources);
        const payoutFees = 0 - add(statement, ['payout_fee', 'payout_fee_reversal']);
        expect(revenue).toMatchObject({
          amount: 0 - add(statement, FEES),
          spread: 0 - add(statement, ['charge_spread']),
          chargebackAlertFees: 0 - add(statement, ['chargeback_alert_fee']),
          payoutFees,
          anticipationFees: 0 - add(statement, ['anticipation_fee']),
        });
        expect(payouts).toEqual({
          amount: 0 - add(statement, ['payout', 'payout_fee']),
          fees: 0 - add(statement, ['payout_fee']),
          reversed: add(statement, ['payout_reversal', 'payout_fee_reversal']),
          feesReversed: add(statement, ['payout_fee_reversal']),
          net: 0 - add(statement, PAYOUTS),
        });
        expect([payouts.fees, payouts.feesReversed].every((amount) => Number(amount) > 0)).toBe(true);
        for (const groupBy of ['currency', 'merchantId']) {
          expect(await fromReport('revenue', sources, groupBy)).toEqual(revenue);
          expect(await fromReport('payouts', sources, groupBy)).toEqual(payouts);
        }
      }
      const booked = await fromLedger([group.merchant.id, group.partner.id]);
      expect(earned).toEqual(Object.fromEntries(FEES.map((name) => [name, booked[name] ?? 0])));
      expect(add(booked, FEES)).toBe(add(booked, Object.keys(booked)));
    }
    expect(await differences()).toEqual([]);
  });
});
