import { NOW } from '../../../../test/builders.ts';
import { adjustmentJournal } from './adjustment.journal.ts';
import { type Adjustment, approveAdjustment, openAdjustment, rejectAdjustment } from './adjustment.ts';

const command = { merchantId: 'mer_1', amount: -12.34, currency: 'BRL', reason: 'a mistake' } as const;
const by = { id: 'adj_1', masterId: null, userId: 'usr_1', livemode: true } as const;
const open = (changes: Partial<Adjustment> = {}): Adjustment => ({
  ...openAdjustment(command, by, NOW).data,
  ...changes,
});
const second = { userId: 'usr_2', ledgerEntryId: 'led_1' } as const;

describe('an adjustment', () => {
  it('waits for somebody else than its author', () => {
    expect(open()).toMatchObject({ status: 'pending', amount: -12_34, ledgerEntryId: null });
    expect(() => approveAdjustment(open(), { ...second, userId: 'usr_1' }, NOW)).toThrow('Forbidden');
    expect(approveAdjustment(open(), second, NOW).data).toMatchObject({
      status: 'approved',
      processedByUserId: 'usr_2',
      ledgerEntryId: 'led_1',
    });
  });

  it.each(['approved', 'rejected'] as const)('that is %s stays so', (status) => {
    const done = open({ status });
    const refusal = expect.objectContaining({ code: 'ADJUSTMENT_ALREADY_PROCESSED' });
    expect(() => approveAdjustment(done, second, NOW)).toThrow(refusal);
    const byAuthor = expect.objectContaining({ code: 'APPROVAL_BY_AUTHOR' });
    expect(() => approveAdjustment(done, { ...second, userId: 'usr_1' }, NOW)).toThrow(byAuthor);
    expect(() => rejectAdjustment(done, { userId: 'usr_2', rejectionReason: null }, NOW)).toThrow(refusal);
  });

  it.each([0, 1.001, 1e13])('of %d is refused', (amount) => {
    expect(() => openAdjustment({ ...command, amount }, by, NOW)).toThrow('amount');
  });

  it('moves money between the merchant and the gateway', () => {
    const { postings } = adjustmentJournal(open(), NOW, (prefix) => `${prefix}_1`);
    expect(postings.map(({ merchantId, bucket, amount }) => [merchantId, bucket, amount])).toEqual([
      ['mer_1', 'available', -12_34],
      [null, 'adjustments', 12_34],
    ]);
  });
});
