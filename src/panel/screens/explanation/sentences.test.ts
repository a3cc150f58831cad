import type { Schemas } from '../../../client/client.ts';
import { MOVEMENTS } from '../../values.ts';
import { sentencesOf } from './sentences.ts';

type Explained = Schemas['StatementExplanation'];

const anEntry = (changes: Partial<Explained>): Explained => ({
  id: 'jnl_1_1',
  merchantId: 'mer_1',
  movement_type: 'charge',
  referenceType: 'charge',
  referenceId: 'chg_1',
  chargeId: 'chg_1',
  journalId: 'jnl_1',
  bucket: 'reserved',
  amount: 100,
  currency: 'BRL',
  balanceAfter: 148.42,
  place: 1,
  hash: 'a',
  previousHash: 'b',
  createdAt: '2026-11-25T12:00:00.000Z',
  charge: null,
  fee: null,
  split: null,
  passedTo: null,
  share: null,
  installments: null,
  reversed: null,
  given: null,
  calculation: '',
  ...changes,
});

const installments = {
  parts: 1,
  settled: 0,
  first: 97,
  each: 97,
  delayDays: 30,
  firstDueAt: '2026-12-25T12:00:00.000Z',
  daysBetween: 30,
};
const charge = {
  id: 'chg_1',
  gross: 100,
  spread: 3,
  net: 97,
  paymentMethod: 'pix',
  installments: 1,
} as const;
const split = {
  rule: 'largest_remainder',
  net: 97,
  parts: [{ merchantId: 'mer_2', percentage: 25, amount: 24.25, oddCent: false }],
  originator: null,
} as const;

describe('the explanation of an entry', () => {
  it.each<[string, Partial<Explained>]>([
    ['R$100.00 were paid by the payer. It becomes available on Dec 25, 2026.', { installments }],
    [
      'R$100.00 were paid by the payer. It becomes available in 3 parts, the first on Dec 25, 2026.',
      { installments: { ...installments, parts: 3 } },
    ],
    [
      'R$3.00 are the fee of the charge: R$0.50 and 2.5\u00a0% of R$100.00.',
      {
        movement_type: 'charge_spread',
        amount: -3,
        charge,
        fee: { definitionVersion: 1, fixed: 0.5, percentage: 2.5, rounding: 'half_up' },
      },
    ],
    ['R$3.00 are the fee of the charge.', { movement_type: 'charge_spread', amount: -3 }],
    [
      'R$24.25 go to a participant: 25\u00a0% of the R$97.00 that are left after the fee.',
      {
        movement_type: 'split_debit',
        amount: -24.25,
        passedTo: 'mer_2',
        split: { ...split, parts: [...split.parts] },
      },
    ],
    [
      'R$97.00 became available: part 1 of 1.',
      { movement_type: 'settlement', bucket: 'available', amount: 97, installments },
    ],
    [
      'R$5.00 take back what was booked before.',
      { movement_type: 'refund_reversal', amount: 5, reversed: { id: 'jnl_0', amount: -5 } },
    ],
  ])('says: %s', (said, changes) => {
    expect(sentencesOf(anEntry(changes)).slice(0, -1).join(' ')).toBe(said);
  });

  it('has a sentence for every movement, and the balance after it', () => {
    for (const movement_type of MOVEMENTS) {
      const reversed = movement_type === 'refund_reversal' ? { id: 'jnl_0', amount: -100 } : null;
      const [first = '', last] = sentencesOf(anEntry({ movement_type, reversed }));
      expect(first).toMatch(/^R\$100\.00 [a-z].*\.$/);
      expect(last).toBe('The reserved balance was R$148.42 afterwards.');
    }
  });
});
