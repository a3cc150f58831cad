import {
  aCharge,
  aPaidCharge,
  aPixCharge,
  aRefund,
  aRefundState,
  later,
  NOW,
} from '../../../../test/builders.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import { CHARGE_STATUSES, type Charge, type PaymentMethod } from '../../charges/write/charge.ts';
import {
  applyRefundState,
  assertRefundable,
  openRefund,
  REFUND_STATUSES,
  type Refund,
  type RefundStatus,
} from './refund.ts';

const codeOf = (charge: Charge, standing: Refund | null = null): string => {
  try {
    assertRefundable(charge, standing);
    return 'refundable';
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.statusCode).toBe(422);
    return error.code ?? 'no code';
  }
};

const identified = { identifyType: 'dni', identifyNumber: '12345678' };
const voucher: PaymentMethod = { type: 'voucher', ...identified };

describe('a charge', () => {
  it.each(CHARGE_STATUSES)('that is %s can be refunded only if that is paid', (status) => {
    expect(codeOf(aCharge({ status }))).toBe(status === 'paid' ? 'refundable' : 'CHARGE_NOT_REFUNDABLE');
  });

  it.each<[string, PaymentMethod, string]>([
    ['credit card', aCharge().paymentMethod, 'refundable'],
    ['Pix', { type: 'pix' }, 'refundable'],
    ['voucher', voucher, 'REFUND_NOT_SUPPORTED'],
    ['bank transfer', { type: 'banktransfer', bankName: 'Banco Um', ...identified }, 'REFUND_NOT_SUPPORTED'],
    ['QR code', { type: 'qrcode', ...identified }, 'REFUND_NOT_SUPPORTED'],
  ])('paid by %s answers %s', (_, paymentMethod, code) => {
    expect(codeOf(aPaidCharge({ paymentMethod }))).toBe(code);
  });

  it('with another refund cannot be refunded', () => {
    expect(codeOf(aPaidCharge({ refundId: 'ref_1' }))).toBe('REFUND_ALREADY_EXISTS');
  });

  it.each<[RefundStatus, string]>([
    ['pending', 'CHARGE_NOT_REFUNDABLE'],
    ['refunded', 'CHARGE_NOT_REFUNDABLE'],
    ['failed', 'CHARGE_NOT_REFUNDABLE'],
  ])('with an alert, the refund of which is %s, answers %s', (status, code) => {
    const charge = aCharge({ status: 'pre_chargeback', refundId: 'ref_1' });
    expect(codeOf(charge, aRefund({ id: 'ref_1', alertId: 'cba_1', status }))).toBe(code);
  });

  it('can be tried to be refunded twenty times; charges of former versions count from their next attempt on', () => {
    expect(codeOf(aPaidCharge())).toBe('refundable');
    expect(codeOf(aPaidCharge({ refundAttempts: 19 }))).toBe('refundable');
    expect(codeOf(aPaidCharge({ refundAttempts: 20 }))).toBe('REFUND_ATTEMPTS_EXHAUSTED');
    expect(codeOf(aCharge({ status: 'refunded', refundAttempts: 20 }))).toBe('CHARGE_NOT_REFUNDABLE');
  });

  it('that fails every check is refused by the first in their order', () => {
    const worst = aCharge({ paymentMethod: voucher, refundId: 'ref_1', status: 'refunded' });
    expect(codeOf(worst)).toBe('REFUND_NOT_SUPPORTED');
    expect(codeOf({ ...worst, paymentMethod: { type: 'pix' } })).toBe('REFUND_ALREADY_EXISTS');
    expect(codeOf({ ...worst, paymentMethod: { type: 'pix' }, refundId: null })).toBe(
      'CHARGE_NOT_REFUNDABLE',
    );
  });
});

describe('a new refund', () => {
  const request = { id: 'ref_1', reason: 'sent back', reconcileAt: later(15).toISOString() } as const;

  it('is of the full amount, pending, blocks any other, and is not booked yet', () => {
    const charge = aPaidCharge({ livemode: true, masterId: 'mer_0', amount: 12_34, spread: 0 });
    expect(openRefund(charge, null, request, NOW)).toEqual({
      type: 'refund.opened',
      data: {
        id: 'ref_1',
        alertId: null,
        version: 0,
        chargeId: 'chg_1',
        livemode: true,
        merchantId: 'mer_1',
        masterId: 'mer_0',
        status: 'pending',
        amount: 12_34,
        currency: 'BRL',
        merchantReason: 'sent back',
        reason: null,
        pspRefundRefId: null,
        blocking: true,
        booked: false,
        reconcileAt: request.reconcileAt,
        createdAt: NOW.toISOString(),
        updatedAt: NOW.toISOString(),
      },
    });
  });

  it('is not made of a charge that cannot be refunded', () => {
    expect(() => openRefund(aPixCharge(), null, request, NOW)).toThrow(GatewayError);
  });
});

/**
 * The outcome that a provider's answer leads to. `booked` says whether the money then counts as taken back, and
 * `blocking` whether another refund is impossible.
 */
const TABLE: readonly {
  before: string;
  word: RefundStatus;
  after: RefundStatus | 'unchanged';
  booked?: boolean;
  blocking?: boolean;
}[] = [
  { before: 'asked for', word: 'pending', after: 'pending', booked: true, blocking: true },
  { before: 'asked for', word: 'refunded', after: 'refunded', booked: true, blocking: true },
  { before: 'asked for', word: 'refused', after: 'refused', booked: false, blocking: false },
  { before: 'asked for', word: 'failed', after: 'failed', booked: false, blocking: false },
  { before: 'accepted', word: 'pending', after: 'unchanged' },
  { before: 'accepted', word: 'refunded', after: 'refunded', booked: true, blocking: true },
  { before: 'accepted', word: 'refused', after: 'refused', booked: false, blocking: false },
  { before: 'accepted', word: 'failed', after: 'failed', booked: false, blocking: false },
  { before: 'refunded', word: 'failed', after: 'failed', booked: false, blocking: false },
  ...(['refunded', 'refused', 'failed'] as const).flatMap((before) =>
    REFUND_STATUSES.filter((word) => before !== 'refunded' || word !== 'failed').map((word) => ({
      before,
      word,
      after: 'unchanged' as const,
    })),
  ),
];

const refundThatIs = (before: string) => {
  if (before === 'asked for') return aRefund();
  if (before === 'accepted') return aRefund({ booked: true });
  const isDone = before === 'refunded';
  return aRefund({ status: before as RefundStatus, booked: isDone, blocking: isDone, reconcileAt: null });
};

describe('a refund that the provider processes', () => {
  const accepted = aRefundState({ status: 'pending', pspRefundRefId: 'psp_ref_1' });
  const livePending = (reconcileAt: string) =>
    aRefund({ livemode: true, booked: true, pspRefundRefId: 'psp_ref_1', reconcileAt });

  it.each([
    [0, 2],
    [2, 5],
    [5, 15],
    [15, 60],
    [60, 120],
    [3_000, 6_000],
    [7_200, 10_800],
  ])('is asked about again at the age of %i s, and then at %i s', (age, next) => {
    const decision = applyRefundState(livePending(later(age).toISOString()), accepted, later(age));
    expect(decision).toMatchObject({
      type: 'refund.asked',
      data: { status: 'pending', reconcileAt: later(next).toISOString() },
    });
  });

  it('is not asked about before its time', () => {
    expect(applyRefundState(livePending(later(5).toISOString()), accepted, later(4))).toBeNull();
  });
});

describe('a live refund that is done', () => {
  const HOUR = 3_600;
  const DAY = 24 * HOUR;
  const done = aRefundState({ status: 'refunded', pspRefundRefId: 'psp_ref_1' });
  const pending = aRefund({ livemode: true, booked: true, pspRefundRefId: 'psp_ref_1' });

  it.each([
    [1, HOUR],
    [HOUR, DAY],
    [DAY, 3 * DAY],
    [3 * DAY + 60, 7 * DAY],
    [7 * DAY, 8 * DAY],
    [8 * DAY, null],
  ])('at the age of %i s is asked about again at %p s', (age, next) => {
    const reconcileAt = next === null ? null : later(next).toISOString();
    expect(applyRefundState(pending, done, later(age))?.data).toMatchObject({
      status: 'refunded',
      reconcileAt,
    });
    const due = { ...pending, status: 'refunded' as const, reconcileAt: later(age).toISOString() };
    expect(applyRefundState(due, done, later(age))).toMatchObject({
      type: 'refund.asked',
      data: { status: 'refunded', booked: true, reconcileAt },
    });
    expect(applyRefundState(due, done, later(age - 1))).toBeNull();
    expect(applyRefundState(due, aRefundState({ status: 'failed' }), later(age))).toMatchObject({
      type: 'refund.failed',
      data: { booked: false, reconcileAt: null },
    });
  });
});

it.each([
  [60, 3_660],
  [7_200, 14_400],
])(
  'a refund of the test environment is asked about again at the age of %i s, and then at %i s',
  (age, next) => {
    const due = { ...refundThatIs('pending'), ...{ booked: true, pspRefundRefId: 'psp_ref_1' } };
    const accepted = aRefundState({ status: 'pending', pspRefundRefId: 'psp_ref_1' });
    const decision = applyRefundState(
      { ...due, reconcileAt: later(age).toISOString() },
      accepted,
      later(age),
    );
    expect(decision?.data.reconcileAt).toBe(later(next).toISOString());
  },
);

describe("the provider's word about a refund", () => {
  it.each(TABLE)('that is $before: $word makes it $after', ({ before, word, after, booked, blocking }) => {
    const decision = applyRefundState(refundThatIs(before), aRefundState({ status: word }), later(1));
    if (after === 'unchanged') {
      expect(decision).toBeNull();
      return;
    }
    expect(decision?.type).toBe(`refund.${word}`);
    expect(decision?.data).toMatchObject({
      status: after,
      booked,
      blocking,
      updatedAt: later(1).toISOString(),
      reconcileAt: after === 'pending' ? later(3_601).toISOString() : null,
    });
  });

  it.each(['refused', 'failed'] as const)(
    'leaves the debit of an alert booked, and blocks others (%s)',
    (status) => {
      const decision = applyRefundState(
        aRefund({ alertId: 'cba_1', booked: true }),
        aRefundState({ status }),
        NOW,
      );
      expect(decision?.data).toMatchObject({ status: 'failed', booked: true, blocking: true });
    },
  );

  it("keeps the provider's reason and reference, and the merchant's reason apart from it", () => {
    const state = aRefundState({ status: 'refused', reason: 'refund_refused', pspRefundRefId: 'pspr_9' });
    expect(applyRefundState(aRefund(), state, NOW)?.data).toMatchObject({
      reason: 'refund_refused',
      pspRefundRefId: 'pspr_9',
      merchantReason: 'the customer sent it back',
    });
  });

  it('given a refund that came to nothing, then another may be opened', () => {
    expect(codeOf(aPaidCharge({ refundId: null }))).toBe('refundable');
  });
});
