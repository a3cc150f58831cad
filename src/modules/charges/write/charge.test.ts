import {
  aCharge,
  aPaidCharge,
  aPaymentState,
  aPixCharge,
  later,
  NOW,
  PIX_INSTRUCTIONS,
} from '../../../../test/builders.ts';
import type { Decision } from '../../../kernel/event.ts';
import { PAYMENT_STATUSES } from '../../providers/provider.ts';
import {
  applyPaymentState,
  CHARGE_STATUSES,
  type Charge,
  type ChargeStatus,
  expired,
  markChargeback,
  markPreChargeback,
  markRefunded,
  mayMove,
  openCharge,
  releaseFromRefund,
  reserveForRefund,
  strayReason,
} from './charge.ts';

/**
 * Transitions of a charge. A row is the status before, a column the status
 * after, in the order of the rows; `x` is a move, everything else is refused.
 */
const MOVES = `
  pending                 . x x x . x x . .
  paid                    . . . . x . . x x
  refused                 . . . . . . . . .
  failed                  . . . . . . . . .
  refunded                . . . . . . . . .
  in_analysis             . x x x . . . . .
  authentication_required . x x x . . . . .
  pre_chargeback          . . . . . . . . x
  chargeback              . . . . . . . . .
`;

const rows = MOVES.trim()
  .split('\n')
  .map((row) => row.trim().split(/\s+/));
const statuses = rows.map(([status]) => status as ChargeStatus);
const moves = rows.flatMap(([from, ...marks]) =>
  statuses.map((to, index) => ({ from: from as ChargeStatus, to, isMove: marks[index] === 'x' })),
);

describe('the transition table of a charge', () => {
  it('has every status of the API', () => {
    expect([...statuses].sort()).toEqual([...CHARGE_STATUSES].sort());
    expect(moves).toHaveLength(81);
  });

  it.each(moves.filter(({ isMove }) => isMove))('lets $from become $to', ({ from, to }) => {
    expect(mayMove(from, to)).toBe(true);
  });

  it.each(moves.filter(({ isMove }) => !isMove))('refuses that $from becomes $to', ({ from, to }) => {
    expect(mayMove(from, to)).toBe(false);
  });

  const words = statuses.flatMap((from) => PAYMENT_STATUSES.map((word) => ({ from, word })));

  it.each(words)(
    "with the provider's word $word does to a $from charge what the table says",
    ({ from, word }) => {
      const charge = aCharge({ status: from });
      const decision = applyPaymentState(charge, aPaymentState({ status: word }), NOW);
      const isMove = moves.some((move) => move.from === from && move.to === word && move.isMove);
      expect(decision?.data.status ?? 'unchanged').toBe(isMove ? word : 'unchanged');
      if (decision) expect(decision.type).toBe(`charge.${word}`);
    },
  );

  const OTHERS: Readonly<Record<string, (charge: Charge) => Decision<Charge>>> = {
    refunded: (charge) => markRefunded(charge, NOW),
    pre_chargeback: (charge) => markPreChargeback(charge, 'ref_1', NOW),
    chargeback: (charge) => markChargeback(charge, NOW),
  };
  const others = statuses.flatMap((from) => Object.keys(OTHERS).map((to) => ({ from, to })));

  it('has for each of its columns somebody who makes the move', () => {
    expect([...PAYMENT_STATUSES, ...Object.keys(OTHERS)].sort()).toEqual([...CHARGE_STATUSES].sort());
  });

  it.each(others)('lets a refund, an alert or the acquirer make $to of $from as it says', ({ from, to }) => {
    const isMove = moves.some((move) => move.from === from && move.to === to && move.isMove);
    const move = () => OTHERS[to]?.(aCharge({ status: from }));
    if (isMove) expect(move()).toMatchObject({ type: `charge.${to}`, data: { status: to } });
    else expect(move).toThrow(new RegExp(`${from}.* cannot become ${to}`));
  });

  it.each(statuses)('lets no word of the provider move a %s charge twice', (from) => {
    for (const word of PAYMENT_STATUSES) {
      const first = applyPaymentState(aCharge({ status: from }), aPaymentState({ status: word }), NOW);
      if (first) expect(applyPaymentState(first.data, aPaymentState({ status: word }), NOW)).toBeNull();
    }
  });
});

/**
 * The provider's word `paid` against every status: `paid` where the charge becomes paid, `-` for the payment that is
 * known, else the reason for suspense. Columns: the payment that the charge knows, another payment, one of another
 * amount.
 */
const PAYMENTS = `
  pending                 paid                     paid                     payment_of_other_amount
  in_analysis             paid                     paid                     payment_of_other_amount
  authentication_required paid                     paid                     payment_of_other_amount
  paid                    -                        second_payment           -
  refunded                -                        second_payment           -
  pre_chargeback          -                        second_payment           -
  chargeback              -                        second_payment           -
  refused                 payment_of_closed_charge payment_of_closed_charge payment_of_other_amount
  failed                  payment_of_closed_charge payment_of_closed_charge payment_of_other_amount
`;

const payments = PAYMENTS.trim()
  .split('\n')
  .flatMap((row) => {
    const [status, known, another, other] = row.trim().split(/\s+/);
    return [
      { status, payment: 'the payment that it knows', pspRefId: 'psp_1', amount: 100_00, expected: known },
      { status, payment: 'another payment', pspRefId: 'psp_2', amount: 100_00, expected: another },
      { status, payment: 'another amount', pspRefId: 'psp_1', amount: 99_99, expected: other },
    ];
  });

describe('a payment that the provider confirms', () => {
  it('is tried for every status', () => {
    expect(new Set(payments.map(({ status }) => status)).size).toBe(CHARGE_STATUSES.length);
  });

  it.each(payments)(
    'as $payment of a $status charge leads to $expected',
    ({ status, pspRefId, amount, expected }) => {
      const wasPaid = ['paid', 'refunded', 'pre_chargeback', 'chargeback'].includes(status ?? '');
      const charge = aCharge({
        status: status as ChargeStatus,
        pspRefId: 'psp_1',
        paidAt: wasPaid ? NOW.toISOString() : null,
      });
      const state = aPaymentState({ pspRefId, echo: { amount: amount ?? 0, currency: 'BRL' } });
      const stray = strayReason(charge, state);
      const isPaid = stray === null && applyPaymentState(charge, state, NOW)?.data.status === 'paid';
      expect(stray ?? (isPaid ? 'paid' : '-')).toBe(expected);
    },
  );

  it('in another currency is none of the charge', () => {
    const echo = { amount: 100_00, currency: 'USD' };
    expect(strayReason(aCharge(), aPaymentState({ echo }))).toBe('payment_of_other_amount');
  });

  it('for another amount is not waited for, and no payer is sent there', () => {
    const waiting = aPaymentState({ status: 'pending', instructions: PIX_INSTRUCTIONS });
    const intent = aPixCharge({ instructions: null });
    const echo = { amount: intent.amount - 1, currency: intent.currency };
    expect(applyPaymentState(intent, { ...waiting, echo }, NOW)).toBeNull();
    expect(applyPaymentState(intent, waiting, NOW)?.type).toBe('charge.pending');
  });

  it('is no matter where the provider says anything else', () => {
    for (const status of PAYMENT_STATUSES.filter((word) => word !== 'paid'))
      for (const from of CHARGE_STATUSES)
        expect(strayReason(aCharge({ status: from }), aPaymentState({ status }))).toBeNull();
  });
});

describe('a new charge', () => {
  it('is the pending intent to take a payment, with its net amount', () => {
    const { type, data } = openCharge(aCharge({ amount: 100_00, spread: 3_00 }), NOW);
    expect(type).toBe('charge.created');
    expect(data).toMatchObject({
      version: 0,
      status: 'pending',
      net: 97_00,
      instructions: null,
      pspRefId: null,
      refundId: null,
      failureReason: null,
      paidAt: null,
      refundedAt: null,
      createdAt: NOW.toISOString(),
      updatedAt: NOW.toISOString(),
    });
  });

  it('is settled in one part for each installment of a card, and in one part otherwise', () => {
    const card = aCharge().paymentMethod;
    if (card.type !== 'credit_card') throw new Error('a card is expected');
    const inTwelve = aCharge({ paymentMethod: { ...card, installments: 12 } });
    expect(openCharge(inTwelve, NOW).data.settlement).toEqual({ parts: 12, settled: 0 });
    expect(openCharge(aPixCharge(), NOW).data.settlement).toEqual({ parts: 1, settled: 0 });
  });
});

describe('the word of the provider', () => {
  it('given a pending charge, when it is paid, then reference and payment time are kept and nobody asks again', () => {
    const paidAt = later(-5).toISOString();
    const decision = applyPaymentState(aCharge(), aPaymentState({ pspRefId: 'psp_9', paidAt }), later(1));
    expect(decision).toEqual({
      type: 'charge.paid',
      data: {
        ...aCharge(),
        status: 'paid',
        pspRefId: 'psp_9',
        paidAt,
        reconcileAt: null,
        updatedAt: later(1).toISOString(),
      },
    });
  });

  it('given no payment time, then the charge is paid now', () => {
    const decision = applyPaymentState(aCharge(), aPaymentState({ paidAt: null }), later(1));
    expect(decision?.data.paidAt).toBe(later(1).toISOString());
  });

  it.each(['refused', 'failed'] as const)('given %s, then its reason is kept', (status) => {
    const state = aPaymentState({ status, failureReason: 'card_declined' });
    expect(applyPaymentState(aCharge(), state, NOW)?.data).toMatchObject({
      status,
      failureReason: 'card_declined',
      paidAt: null,
      reconcileAt: null,
    });
  });

  it.each(['in_analysis', 'authentication_required'] as const)(
    'given %s, then it is asked again later',
    (status) => {
      const decision = applyPaymentState(aCharge(), aPaymentState({ status }), NOW);
      expect(decision?.data.reconcileAt).toBe(later(3_600).toISOString());
    },
  );

  it('given a pending Pix, then its QR code is kept and nobody asks again before it expires', () => {
    const expiresAt = later(600).toISOString();
    const charge = aPixCharge({ instructions: null, expiresAt });
    const state = aPaymentState({ status: 'pending', instructions: PIX_INSTRUCTIONS });
    expect(applyPaymentState(charge, state, NOW)).toMatchObject({
      type: 'charge.pending',
      data: { status: 'pending', instructions: PIX_INSTRUCTIONS, reconcileAt: expiresAt },
    });
  });

  it('given the same pending Pix again, then nothing changes', () => {
    const state = aPaymentState({ status: 'pending', instructions: PIX_INSTRUCTIONS });
    expect(applyPaymentState(aPixCharge(), state, NOW)).toBeNull();
  });

  it('given a payment, then the QR code that was shown stays', () => {
    const decision = applyPaymentState(aPixCharge(), aPaymentState({ instructions: null }), NOW);
    expect(decision?.data.instructions).toEqual(PIX_INSTRUCTIONS);
  });

  it('never changes amounts, customer, fees or split', () => {
    const charge = aCharge({ split: [{ merchantId: 'mer_2', percentage: 10, amount: 9_70 }] });
    for (const status of PAYMENT_STATUSES) {
      const data = applyPaymentState(charge, aPaymentState({ status }), NOW)?.data ?? charge;
      const { amount, spread, net, split, fee, customer, settlement } = charge;
      expect(data).toMatchObject({ amount, spread, net, split, fee, customer, settlement });
    }
  });
});

describe('a charge that expired', () => {
  const expiredPix = aPixCharge({
    status: 'failed',
    failureReason: 'expired',
    expiresAt: later(600).toISOString(),
  });
  const paidAfter = (seconds: number) => aPaymentState({ paidAt: later(seconds).toISOString() });

  it('has failed with the reason expired', () => {
    const decision = applyPaymentState(aPixCharge(), expired(aPaymentState({ status: 'pending' })), NOW);
    expect(decision).toMatchObject({
      type: 'charge.failed',
      data: { status: 'failed', failureReason: 'expired', paidAt: null },
    });
  });

  it('is paid all the same when the payment was made before the expiry', () => {
    const decision = applyPaymentState(expiredPix, paidAfter(599.999), later(7_200));
    expect(strayReason(expiredPix, paidAfter(599.999))).toBeNull();
    expect(decision).toMatchObject({
      type: 'charge.paid',
      data: { status: 'paid', failureReason: null, paidAt: later(599.999).toISOString() },
    });
  });

  it.each([600, 600.001, 7_200])(
    'stays failed when the payment was made %d seconds after its creation',
    (seconds) => {
      expect(applyPaymentState(expiredPix, paidAfter(seconds), later(7_200))).toBeNull();
      expect(strayReason(expiredPix, paidAfter(seconds))).toBe('late_payment');
    },
  );

  it('is none any more once its merchant cancelled it, however early the payment was', () => {
    const cancelled = { ...expiredPix, failureReason: 'cancelled' };
    expect(applyPaymentState(cancelled, paidAfter(1), later(2))).toBeNull();
    expect(strayReason(cancelled, paidAfter(1))).toBe('late_payment');
  });

  it('stays failed when the provider does not say when the payment was made', () => {
    expect(applyPaymentState(expiredPix, aPaymentState({ paidAt: null }), later(7_200))).toBeNull();
  });

  it('is not the same as one that failed for another reason', () => {
    const failed = aPixCharge({ ...expiredPix, failureReason: 'processing_error' });
    expect(applyPaymentState(failed, paidAfter(1), later(7_200))).toBeNull();
  });

  it('takes no other word of the provider', () => {
    for (const status of PAYMENT_STATUSES.filter((word) => word !== 'paid'))
      expect(applyPaymentState(expiredPix, aPaymentState({ status }), NOW)).toBeNull();
  });
});

describe('the refund of a charge', () => {
  it('first marks the paid charge, so that no other refund can begin', () => {
    const { type, data } = reserveForRefund(aPaidCharge(), 'ref_1', later(1));
    expect(type).toBe('charge.refund_opened');
    expect(data).toMatchObject({ status: 'paid', refundId: 'ref_1', updatedAt: later(1).toISOString() });
  });

  it('that came to nothing leaves a paid charge as before, but for the count of attempts', () => {
    const marked = reserveForRefund(aPaidCharge(), 'ref_1', NOW).data;
    expect(releaseFromRefund(marked, NOW).data).toEqual(aPaidCharge({ refundAttempts: 1 }));
    const again = reserveForRefund(releaseFromRefund(marked, NOW).data, 'ref_2', NOW).data;
    expect(again.refundAttempts).toBe(2);
  });

  it('that is done makes it refunded, with the time', () => {
    const marked = reserveForRefund(aPaidCharge(), 'ref_1', NOW).data;
    expect(markRefunded(marked, later(2))).toMatchObject({
      type: 'charge.refunded',
      data: { status: 'refunded', refundId: 'ref_1', refundedAt: later(2).toISOString() },
    });
  });
});
