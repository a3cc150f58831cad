import fc from 'fast-check';
import { aPaidCharge, countingIds, NOW } from '../../../../test/builders.ts';
import { exponentOf, MAX_AMOUNT, percentOf } from '../../../kernel/money.ts';
import {
  alertFeeJournal,
  alertRefundJournal,
  chargebackJournal,
} from '../../chargebacks/write/alert.journal.ts';
import { paidJournal, refundJournal } from '../../charges/write/charge.journal.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { divide } from '../../charges/write/split.ts';
import { type Journal, ownersOf, reversed } from '../../ledger/write/journal.ts';
import { EMPTY_CHAIN, placeLines, type StatementLine } from '../../ledger/write/statement-line.ts';
import { settlementJournal } from '../../settlement/write/settlement.journal.ts';
import { type Explanation, explain, type Source } from './explain.ts';

/** Paid charges of any amount, fee, split and number of installments, in currencies of 0, 2 and 3 decimals. */
const anyCharge: fc.Arbitrary<Charge> = fc
  .record({
    currency: fc.constantFrom('BRL', 'CLP', 'KWD'),
    amount: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: MAX_AMOUNT })),
    fixed: fc.integer({ min: 0, max: 500 }),
    percentage: fc.integer({ min: 0, max: 1_000_000 }).map((scaled) => scaled / 10_000),
    shares: fc.array(fc.integer({ min: 1, max: 250_000 }), { maxLength: 4 }),
    parts: fc.integer({ min: 1, max: 12 }),
  })
  .map(({ currency, amount, fixed, percentage, shares, parts }) => {
    const spread = Math.min(amount, fixed + percentOf(amount, percentage));
    const fee = { version: 3, fixed, percentage };
    const charge = aPaidCharge({ currency, amount, spread, fee, settlement: { parts, settled: 0 } });
    const entries = shares.map((share, index) => ({
      merchantId: `mer_part${index}` as const,
      percentage: share / 10_000,
    }));
    return { ...charge, split: entries.length > 0 ? divide(charge.net, entries) : null };
  });

type Explained = { readonly line: StatementLine; readonly explanation: Explanation };

/** Every line that the life of a charge can leave, with its explanation. */
const explainedLines = (charge: Charge, settled: number, ending: string): readonly Explained[] => {
  const newId = countingIds();
  const stage = (count: number): Charge => ({
    ...charge,
    settlement: { ...charge.settlement, settled: count },
  });
  const journals: Journal[] = [paidJournal(charge, NOW, newId)];
  for (let part = 0; part < settled; part += 1) journals.push(settlementJournal(stage(part), NOW, newId));
  const given = stage(settled);
  const fee = { amount: 15_50, currency: 'BRL' };
  const original = refundJournal(given, 'ref_1', NOW, newId);
  if (ending === 'refund' || ending === 'reversal') journals.push(original);
  if (ending === 'reversal')
    journals.push(reversed(original, 'refund_reversal', { ...original }, NOW, newId));
  if (ending === 'alert')
    journals.push(
      alertRefundJournal(given, 'cba_1', NOW, newId),
      alertFeeJournal(given, 'cba_1', fee, NOW, newId),
    );
  if (ending === 'chargeback') journals.push(chargebackJournal(given, NOW, newId));

  const sourceOf = (line: StatementLine): Source => {
    const journal = journals.find(({ _id }) => _id === line.journalId);
    const index = journal?.postings.findIndex(({ id }) => id === line.id) ?? -1;
    const posting = original.postings[index];
    return {
      passedTo:
        line.movement_type === 'split_debit' ? (journal?.postings[index + 1]?.merchantId ?? null) : null,
      reversed:
        line.movement_type === 'refund_reversal' && posting
          ? { id: posting.id, amount: posting.amount }
          : null,
      given:
        line.movement_type === 'chargeback_alert_fee'
          ? { from: 'the setting', amount: -fee.amount, currency: fee.currency }
          : null,
    };
  };
  return [...new Set(journals.flatMap(ownersOf))].flatMap((key) =>
    [...new Set(journals.map(({ currency }) => currency))].flatMap((currency) =>
      placeLines(EMPTY_CHAIN, journals, { key, masterId: null }, currency).lines.map((line) => ({
        line,
        explanation: JSON.parse(
          JSON.stringify(explain(line, charge, sourceOf(line), line.merchantId === charge.merchantId)),
        ),
      })),
    ),
  );
};

/** An amount of an explanation in minor units, and back again. */
const scaled = (amount: number, currency: string): bigint =>
  BigInt(amount.toFixed(exponentOf(currency)).replace('.', ''));

/** Computes the amount from an explanation as with pencil and paper, without the gateway's own rules. */
const byHand = (told: Explanation): bigint => {
  const minor = (amount: number | null | undefined): bigint => scaled(amount ?? Number.NaN, told.currency);
  if (told.reversed) return -minor(told.reversed.amount);
  if (told.given) return minor(told.given.amount);
  const { charge, fee, split, installments } = told;
  if (!charge) throw new Error('nothing to compute with');
  const net = minor(charge.net);
  const spread = (): bigint => {
    const percentage = BigInt(Math.round((fee?.percentage ?? Number.NaN) * 10_000));
    const gross = minor(charge.gross);
    const twice = (2n * gross * percentage) / 1_000_000n;
    const sum = minor(fee?.fixed) + (twice + 1n) / 2n;
    return sum < gross ? sum : gross;
  };
  const partOf = (of: { readonly percentage: number; readonly oddCent: boolean }): bigint =>
    (net * BigInt(Math.round(of.percentage * 10_000))) / 1_000_000n + (of.oddCent ? 1n : 0n);
  const parts = split?.parts ?? [];
  const given = parts.reduce((sum, part) => sum + partOf(part), 0n);
  const mine = parts.find(({ merchantId }) => merchantId === told.merchantId);
  const share = mine ? partOf(mine) : net - given;
  const owed = mine ? share : minor(charge.gross) - given;
  const count = BigInt(charge.installments);
  const each = share / count;
  const settled = BigInt(installments?.settled ?? 0);
  const unsettled = settled === 0n ? share : each * (count - settled);
  switch (told.movement_type) {
    case 'charge':
      return minor(charge.gross);
    case 'charge_spread':
      return -spread();
    case 'split_credit':
      return share;
    case 'split_debit': {
      const receiver = parts.find(({ merchantId }) => merchantId === told.passedTo);
      if (!receiver) throw new Error('nobody got it');
      return -partOf(receiver);
    }
    case 'settlement': {
      const part = settled === 0n ? share - each * (count - 1n) : each;
      return told.bucket === 'available' ? part : -part;
    }
    default:
      return told.bucket === 'reserved' ? -unsettled : unsettled - owed;
  }
};

describe('the explanation of a statement line', () => {
  it('is enough to compute each of 10,000 random lines again without a difference', () => {
    const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31);
    const charges = fc.sample(
      fc.tuple(
        anyCharge,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('none', 'refund', 'reversal', 'alert', 'chargeback'),
      ),
      { numRuns: 1_200, seed },
    );
    let lines = 0;
    const kinds = new Set<string>();
    for (const [charge, settledPart, ending] of charges) {
      const settled = Math.floor((charge.settlement.parts + 0.99) * settledPart);
      for (const { line, explanation } of explainedLines(charge, settled, ending)) {
        const expected = byHand(explanation);
        if (expected !== BigInt(line.amount))
          throw new Error(
            `seed ${seed}: ${line.amount} is explained as ${expected}: ${explanation.calculation}`,
          );
        kinds.add(line.movement_type);
        lines += 1;
      }
    }
    expect(lines).toBeGreaterThanOrEqual(10_000);
    expect([...kinds].sort()).toEqual([
      'charge',
      'charge_spread',
      'chargeback',
      'chargeback_alert_fee',
      'chargeback_alert_refund',
      'refund',
      'refund_reversal',
      'refund_split',
      'settlement',
      'split_credit',
      'split_debit',
    ]);
  });

  it('shows a participant out of sight of the charge its own part, and no figure of anybody else', () => {
    const entries = [
      { merchantId: 'mer_part0' as const, percentage: 1 },
      { merchantId: 'mer_part1' as const, percentage: 33.3333 },
    ];
    const charge = aPaidCharge({ amount: 777_77, spread: 33_33, settlement: { parts: 3, settled: 0 } });
    const split = divide(charge.net, entries);
    const lines = explainedLines({ ...charge, split }, 2, 'chargeback');
    const own = lines.filter(({ line }) => line.merchantId === 'mer_part0');
    expect(own.map(({ line }) => line.movement_type)).toEqual(
      expect.arrayContaining(['split_credit', 'settlement', 'chargeback']),
    );
    for (const { explanation } of own) {
      expect(explanation.split).toMatchObject({
        net: 744.44,
        parts: [{ merchantId: 'mer_part0', percentage: 1, amount: 7.44 }],
        originator: null,
      });
      const told = JSON.stringify(explanation);
      for (const secret of ['777.77', '33.33', 'mer_part1', 'fixed', '248.1', '488.8'])
        expect([told.includes(secret), secret, told]).toEqual([false, secret, told]);
    }
  });
});
