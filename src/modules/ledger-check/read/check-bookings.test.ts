import { aMerchant, countingIds, NOW } from '../../../../test/builders.ts';
import type { Journal } from '../../ledger/write/journal.ts';
import {
  divisionJournal,
  payoutJournal,
  payoutReversalJournal,
  transferSentJournal,
  undividedReversalJournal,
} from '../../payouts/write/payout.journal.ts';
import {
  approvePayoutRequest,
  openPayoutRequest,
  type PayoutRequest,
  rejectPayoutRequest,
  reportTransfer,
} from '../../payouts/write/payout-request.ts';
import { checkPayoutRequest } from './check-bookings.ts';

const newId = countingIds();
const fees = {
  version: 1,
  definitions: [
    { fee_type: 'payout', currency_code: 'BRL', definition: { fixed: 100, variable: 1 } } as const,
  ],
};
const pending = openPayoutRequest(
  { id: 'po_1', livemode: false, amount: 10_000 },
  aMerchant({ companyTaxId: '11222333000181' }),
  fees,
  NOW,
).data;
const approved = approvePayoutRequest(pending, { status: 'active' }, NOW).data;
const rejected = rejectPayoutRequest(pending, 'no', NOW).data;
const report = (request: PayoutRequest, status: 'sent' | 'failed') =>
  reportTransfer(request, { status, reference: null, reason: null }, NOW).data;
const sent = report(approved, 'sent');
const debit = payoutJournal(approved, NOW, newId);
const transfer = transferSentJournal(approved, NOW, newId);
const message = (request: PayoutRequest, journals: readonly Journal[]) =>
  checkPayoutRequest(request, journals)[0]?.message;

describe('a payout request that is held against the ledger', () => {
  it.each<[string, PayoutRequest, readonly Journal[]]>([
    ['pending', pending, []],
    ['rejected', rejected, []],
    ['approved', approved, [debit]],
    ['sent', sent, [debit, transfer]],
    ['failed', report(approved, 'failed'), [debit, payoutReversalJournal(approved, NOW, newId)]],
    ['sent and failed', report(sent, 'failed'), [transfer, payoutReversalJournal(sent, NOW, newId), debit]],
    [
      'failed, from before fees were given back as a movement of their own',
      report(sent, 'failed'),
      [debit, transfer, undividedReversalJournal(sent, NOW, newId), divisionJournal(sent, NOW, newId)],
    ],
  ])('and is %s ties up', (_, request, journals) => {
    expect(checkPayoutRequest(request, journals)).toEqual([]);
  });

  it('differs where it is booked and should not be, twice, not at all, or otherwise', () => {
    expect(message(pending, [debit])).toContain(
      'is pending, booked is [gateway test payouts_in_transit payout 9800 BRL; ',
    );
    expect(message(rejected, [debit])).toContain('and should be []');
    expect(message(approved, [])).toContain('its transfer pending, booked is []');
    expect(message(approved, [debit, debit])).toContain(' | ');
    expect(message(report(approved, 'failed'), [debit])).toContain('should be');
    expect(message(sent, [debit])).toContain('provider_clearing');
    const undivided = undividedReversalJournal(approved, NOW, newId);
    expect(message(report(approved, 'failed'), [debit, undivided])).toContain('payout_fee_reversal');
    const other = { ...approved, netAmount: approved.netAmount - 1, payoutFee: approved.payoutFee + 1 };
    expect(message(other, [debit])).toContain('should be');
  });
});
