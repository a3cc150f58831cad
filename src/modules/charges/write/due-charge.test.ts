import fc from 'fast-check';
import {
  aPaymentState,
  aPixCharge,
  aPixRequest,
  countingIds,
  later,
  NOW,
} from '../../../../test/builders.ts';
import { sum } from '../../../kernel/money.ts';
import { amountsPossible, type DueTerms, expiryOfDue, pixDayOf } from '../../providers/pix/due-terms.ts';
import { entriesOfReturn, paidJournal } from './charge.journal.ts';
import { applyPaymentState, type Charge, grossOf, strayReason } from './charge.ts';
import { readChargeRequest } from './charge-request.ts';

const TERMS: DueTerms = {
  dueDate: '2026-06-30',
  daysAfterDue: 30,
  fine: { type: 'percentage', value: 2_00 },
  interest: { type: 'percentage', value: 1_00, per: 'month', days: 'calendar' },
  discounts: { type: 'amount', until: [{ date: '2026-06-20', value: 5_00 }] },
  rebate: null,
};
const aDueCharge = (changes: Partial<Charge> = {}): Charge =>
  aPixCharge({
    livemode: true,
    paymentMethod: { type: 'pix', due: TERMS },
    expiresAt: expiryOfDue(TERMS),
    ...changes,
  });
const paying = (amount: number, currency = 'BRL') => aPaymentState({ echo: { amount, currency } });
const { least, most } = amountsPossible(100_00, TERMS, pixDayOf(NOW));
const paidBy = (charge: Charge, amount: number): Charge => {
  const decision = applyPaymentState(charge, paying(amount), NOW);
  if (!decision) throw new Error('the payment is no news');
  return decision.data;
};

describe('a charge with a due date', () => {
  it.each([
    [95_00, null],
    [100_00, null],
    [most, null],
    [94_99, 'payment_of_other_amount'],
    [most + 1, 'payment_of_other_amount'],
  ])('that is paid with %d is of the reason %s', (amount, reason) => {
    expect(least).toBe(95_00);
    expect(strayReason(aDueCharge(), paying(amount))).toBe(reason);
  });

  it('is paid in its own currency only', () => {
    expect(strayReason(aDueCharge(), paying(100_00, 'USD'))).toBe('payment_of_other_amount');
  });

  it('waits for its own amount: nobody is sent to pay another one', () => {
    const waits = (amount: number) =>
      applyPaymentState(
        aDueCharge({ instructions: null }),
        aPaymentState({
          status: 'pending',
          instructions: { type: 'pix', endToEndId: null, copyPaste: '0002' },
          echo: { amount, currency: 'BRL' },
        }),
        NOW,
      );
    expect(waits(100_00)?.type).toBe('charge.pending');
    expect(waits(95_00)).toBeNull();
  });

  it('is asked about each day once it is older than a quarter of an hour, and at its end', () => {
    const asked = (charge: Charge, now: Date) =>
      applyPaymentState(charge, aPaymentState({ status: 'pending' }), now)?.data.reconcileAt;
    const waiting = aDueCharge({ reconcileAt: NOW.toISOString() });
    expect(asked(waiting, later(10))).toBe(later(15).toISOString());
    expect(asked(waiting, later(7_200))).toBe(later(7_200 + 86_400).toISOString());
    const almostOver = new Date(Date.parse(waiting.expiresAt ?? '') - 3_600_000);
    expect(asked(waiting, almostOver)).toBe(waiting.expiresAt);
  });

  it('has figures of what was paid, whose parts sum to it, and keeps its amount', () => {
    const percentages = fc.uniqueArray(fc.integer({ min: 1, max: 250_000 }), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.integer({ min: least, max: most }),
        fc.integer({ min: 0, max: 10_00 }),
        fc.integer({ min: 0, max: 9_9999 }),
        percentages,
        (paidAmount, fixed, percentage, parts) => {
          const split = parts.map((part, index) => ({
            merchantId: `mer_${index + 2}` as const,
            percentage: part / 10_000,
            amount: 0,
          }));
          const fee = { version: 1, fixed, percentage: percentage / 10_000 };
          const paid = paidBy(aDueCharge({ fee, split: split.length > 0 ? split : null }), paidAmount);
          expect([paid.amount, grossOf(paid)]).toEqual([100_00, paidAmount]);
          expect(paid.spread + paid.net).toBe(paidAmount);
          const given = sum((paid.split ?? []).map(({ amount }) => amount));
          expect(given >= 0 && given <= paid.net).toBe(true);
          const { postings } = paidJournal(paid, NOW, countingIds());
          expect(sum(postings.map(({ amount }) => amount))).toBe(0);
          const back = entriesOfReturn(paid, { own: 'refund', parts: 'refund_split' });
          expect(back.find(({ bucket }) => bucket === 'provider_clearing')?.amount).toBe(paidAmount);
          expect(sum(back.map(({ amount }) => amount))).toBe(0);
        },
      ),
    );
  });

  it('is no other where it has no due date', () => {
    const plain = aPixCharge();
    expect(paidBy(plain, 100_00)).not.toHaveProperty('paidAmount');
    expect(strayReason(plain, paying(95_00))).toBe('payment_of_other_amount');
  });
});

describe('the end of a charge with a due date', () => {
  it.each([
    // The due date is a Tuesday, thirty days on a Thursday: midnight in São Paulo after it, and five days.
    ['2026-06-30', 30, '2026-08-05T03:00:00.000Z'],
    ['2026-02-14', 0, '2026-02-24T03:00:00.000Z'],
  ])('of %s and %d days is %s', (dueDate, daysAfterDue, end) => {
    expect(expiryOfDue({ ...TERMS, dueDate, daysAfterDue })).toBe(end);
  });
});

describe('a request for a charge with a due date', () => {
  const merchant = { id: 'mer_1', livemode: false } as const;
  const customer = {
    name: 'Ana Souza',
    email: 'ana@example.test',
    document: { type: 'CPF', id: '529.982.247-25' },
    address: {
      country: 'BR',
      line1: 'Rua das Flores 80',
      line2: 'Apto 7',
      city: 'Recife',
      state: 'pe',
      postalCode: '50.010-000',
    },
  };
  const due = { type: 'pix', installments: 1, dueDate: '2026-06-30' } as const;

  it('has the defaults of the API Pix, and tells the provider where the payer lives', () => {
    const asked = readChargeRequest(aPixRequest({ customer, paymentMethod: due }), merchant, NOW);
    const terms = { ...TERMS, fine: null, interest: null, discounts: null };
    expect(asked).toMatchObject({
      paymentMethod: { type: 'pix', due: terms },
      instrument: { type: 'pix', due: terms, expiresAt: asked.expiresAt },
      customer: { address: { country: 'BR' } },
      payerAddress: {
        line: 'Rua das Flores 80, Apto 7',
        city: 'Recife',
        state: 'PE',
        postalCode: '50010000',
      },
    });
    expect(asked.customer.address).toEqual({ country: 'BR' });
  });

  it('sorts discounts by their days', () => {
    const until = [
      { date: '2026-06-25', value: 1 },
      { date: '2026-06-18', value: 2.5 },
    ];
    const paymentMethod = { ...due, discounts: { type: 'amount', until } } as const;
    const asked = readChargeRequest(aPixRequest({ customer, paymentMethod }), merchant, NOW);
    expect(asked.paymentMethod).toMatchObject({
      due: {
        discounts: {
          until: [
            { date: '2026-06-18', value: 2_50 },
            { date: '2026-06-25', value: 1_00 },
          ],
        },
      },
    });
  });

  it('may be due today by the clock of São Paulo, where it is still yesterday in UTC', () => {
    const night = new Date('2026-07-01T02:00:00.000Z');
    const asked = readChargeRequest(aPixRequest({ customer, paymentMethod: due }), merchant, night);
    expect(asked.paymentMethod).toMatchObject({ due: { dueDate: '2026-06-30' } });
  });
});
