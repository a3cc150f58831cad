import fc from 'fast-check';
import { aMerchant, later, NOW } from '../../../../test/builders.ts';
import { MAX_AMOUNT } from '../../../kernel/money.ts';
import type { Journal } from '../../ledger/write/journal.ts';
import type { PayoutFee } from '../../merchants/write/fees.ts';
import * as journals from './payout.journal.ts';
import {
  approvePayoutRequest,
  openPayoutRequest,
  type PayoutRequest,
  payoutFeeOf,
  rejectPayoutRequest,
  reportTransfer,
} from './payout-request.ts';

const merchant = aMerchant({ masterId: 'mer_master', companyTaxId: '11222333000181' });
const feesOf = (fixed: number, variable: number) => ({
  version: 4,
  definitions: [{ fee_type: 'payout', currency_code: 'BRL', definition: { fixed, variable } } as PayoutFee],
});
const command = { id: 'po_1', livemode: false, amount: 10_000 } as const;
const pending = (changes: Partial<PayoutRequest> = {}): PayoutRequest => ({
  ...openPayoutRequest(command, merchant, feesOf(150, 1.5), NOW).data,
  ...changes,
});
const approved = (): PayoutRequest => approvePayoutRequest(pending(), merchant, NOW).data;
const refusal = (code: string) => expect.objectContaining({ statusCode: 422, code });

describe('the approval of a payout request', () => {
  it.each(['blocked', 'rejected', 'pre_approved'] as const)('waits while its merchant is %s', (status) => {
    expect(() => approvePayoutRequest(pending(), { status }, NOW)).toThrow(refusal('MERCHANT_NOT_ACTIVE'));
  });

  it('is refused once it was processed, whatever its merchant is', () => {
    expect(() => approvePayoutRequest(approved(), { status: 'blocked' }, NOW)).toThrow(
      refusal('PAYOUT_REQUEST_ALREADY_PROCESSED'),
    );
  });
});

describe('a new payout request', () => {
  it('has its fee computed, and the tax id as its Pix key', () => {
    expect(openPayoutRequest(command, merchant, feesOf(150, 1.5), NOW)).toMatchObject({
      type: 'payout.requested',
      data: {
        merchantId: merchant.id,
        masterId: 'mer_master',
        amount: 10_000,
        payoutFee: 300,
        netAmount: 9_700,
        currency: 'BRL',
        fee: { version: 4, fixed: 150, variable: 1.5 },
        status: 'pending',
        externalAccountDetails: { type: 'pix', pixKey: '11222333000181' },
        transferStatus: null,
        processedAt: null,
      },
    });
  });

  it.each([
    [1_000, 100, 2.5, 125],
    [100, 0, 0.5, 1],
    [99, 0, 0.5, 0],
    [333, 10, 33.3333, 121],
    [MAX_AMOUNT, 0, 0.0001, 1_000_000],
  ])('of %d pays %d + %d %%: %d', (amount, fixed, variable, fee) => {
    expect(payoutFeeOf(amount, { fixed, variable })).toBe(fee);
  });

  it('divides into fee and net amount exactly, the fee within half a cent of what it says', () => {
    const anyFee = fc.record({ fixed: fc.nat(1_000), variable: fc.nat(1_000_000) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_AMOUNT }), anyFee, (amount, { fixed, variable }) => {
        const fee = payoutFeeOf(amount, { fixed, variable: variable / 10_000 });
        const off = 2n * (BigInt(fee - fixed) * 1_000_000n - BigInt(amount) * BigInt(variable));
        expect(off > -1_000_000n && off <= 1_000_000n).toBe(true);
      }),
    );
  });

  it('is refused for one reason after the other, in the order that the API promises', () => {
    const open = (changes: Partial<typeof merchant>, fees: ReturnType<typeof feesOf> | null) => () =>
      openPayoutRequest(command, { ...merchant, ...changes }, fees, NOW);
    const tooDear = feesOf(10_000, 0);
    expect(open({ status: 'blocked', companyTaxId: null }, null)).toThrow(refusal('MERCHANT_NOT_ACTIVE'));
    expect(open({ companyTaxId: null }, null)).toThrow(refusal('COMPANY_TAX_ID_MISSING'));
    expect(open({}, null)).toThrow(refusal('PAYOUT_FEE_NOT_CONFIGURED'));
    expect(open({}, { version: 1, definitions: [] })).toThrow(refusal('PAYOUT_FEE_NOT_CONFIGURED'));
    expect(open({}, tooDear)).toThrow(refusal('PAYOUT_AMOUNT_TOO_LOW'));
    expect(open({}, feesOf(9_999, 0))().data.netAmount).toBe(1);
  });
});

describe('a pending payout request', () => {
  it('that is approved waits for its transfer', () => {
    expect(approvePayoutRequest(pending(), merchant, later(60))).toMatchObject({
      type: 'payout.approved',
      data: { status: 'approved', transferStatus: 'pending', processedAt: later(60).toISOString() },
    });
  });

  it('that is rejected says why', () => {
    expect(rejectPayoutRequest(pending(), 'unknown account', later(60))).toMatchObject({
      type: 'payout.rejected',
      data: {
        status: 'rejected',
        rejectionReason: 'unknown account',
        transferStatus: null,
        processedAt: later(60).toISOString(),
      },
    });
  });

  it.each(['approved', 'rejected'] as const)('that is %s stays so', (status) => {
    const already = refusal('PAYOUT_REQUEST_ALREADY_PROCESSED');
    expect(() => approvePayoutRequest(pending({ status }), merchant, NOW)).toThrow(already);
    expect(() => rejectPayoutRequest(pending({ status }), 'no', NOW)).toThrow(already);
  });
});

describe('the transfer of a payout request', () => {
  const report = (request: PayoutRequest, status: 'sent' | 'failed') =>
    reportTransfer(request, { status, reference: 'bank-1', reason: 'account closed' }, later(60));
  const sent = (): PayoutRequest => report(approved(), 'sent').data;

  it('is sent once, and may fail after it', () => {
    expect(report(approved(), 'sent')).toMatchObject({
      type: 'payout.transfer_sent',
      data: {
        status: 'approved',
        transferStatus: 'sent',
        transferFailureReason: null,
        sentAt: later(60).toISOString(),
        returnedAt: null,
      },
    });
    expect(report(sent(), 'failed')).toMatchObject({
      type: 'payout.transfer_failed',
      data: {
        status: 'approved',
        transferStatus: 'failed',
        transferReference: 'bank-1',
        transferFailureReason: 'account closed',
        sentAt: later(60).toISOString(),
        returnedAt: later(60).toISOString(),
      },
    });
    expect(report(approved(), 'failed').data.sentAt).toBeNull();
    const unnamed = reportTransfer(sent(), { status: 'failed', reference: null, reason: null }, later(60));
    expect(unnamed.data.transferReference).toBe('bank-1');
    expect(report(approved(), 'failed').data.transferStatus).toBe('failed');
  });

  it('makes no other move', () => {
    const failed = report(approved(), 'failed').data;
    const rejected = rejectPayoutRequest(pending(), 'no', NOW).data;
    for (const request of [pending(), rejected, failed])
      for (const status of ['sent', 'failed'] as const)
        expect(() => report(request, status)).toThrow(refusal('TRANSITION_NOT_ALLOWED'));
    expect(() => report(sent(), 'sent')).toThrow(refusal('TRANSITION_NOT_ALLOWED'));
  });
});

describe('the money of a payout', () => {
  const newId = <P extends string>(prefix: P): `${P}_${string}` => `${prefix}_1`;
  const linesOf = ({ postings }: ReturnType<typeof journals.payoutJournal>) =>
    postings.map(
      ({ merchantId, bucket, movement_type, amount }) =>
        `${merchantId ?? 'gateway'} ${bucket} ${movement_type} ${amount}`,
    );

  it('is debited at approval, the fee for the gateway and the rest on its way', () => {
    expect(linesOf(journals.payoutJournal(approved(), NOW, newId))).toEqual([
      'mer_1 available payout -9700',
      'mer_1 available payout_fee -300',
      'gateway payouts_in_transit payout 9700',
      'gateway revenue payout_fee 300',
    ]);
  });

  it('leaves the provider when the bank has taken it', () => {
    expect(linesOf(journals.transferSentJournal(approved(), NOW, newId))).toEqual([
      'gateway payouts_in_transit payout -9700',
      'gateway provider_clearing payout 9700',
    ]);
  });

  it.each([
    ['pending', null, 'payouts_in_transit'],
    ['sent', NOW.toISOString(), 'provider_clearing'],
  ])('comes back whole from where it is when a %s transfer fails', (_, sentAt, account) => {
    const request = { ...approved(), sentAt };
    expect(linesOf(journals.payoutReversalJournal(request, NOW, newId))).toEqual([
      `gateway ${account} payout_reversal -9700`,
      'mer_1 available payout_reversal 9700',
      'gateway revenue payout_fee_reversal -300',
      'mer_1 available payout_fee_reversal 300',
    ]);
  });

  it('that came back undivided is divided by a journal of its own, which leaves the same sums', () => {
    const sumsOf = (...journals: readonly Journal[]): Record<string, number> => {
      const sums: Record<string, number> = {};
      for (const { merchantId, bucket, movement_type, amount } of journals.flatMap(
        ({ postings }) => postings,
      )) {
        const name = `${merchantId ?? 'gateway'} ${bucket} ${movement_type}`;
        sums[name] = (sums[name] ?? 0) + amount;
      }
      return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
    };
    const undivided = journals.undividedReversalJournal(approved(), NOW, newId);
    expect(
      [undivided, journals.payoutReversalJournal(approved(), NOW, newId)].map(journals.isUndivided),
    ).toEqual([true, false]);
    expect(sumsOf(undivided, journals.divisionJournal(approved(), NOW, newId))).toEqual(
      sumsOf(journals.payoutReversalJournal(approved(), NOW, newId)),
    );
  });
});
