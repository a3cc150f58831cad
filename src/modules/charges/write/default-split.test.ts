import { aMerchant, NOW } from '../../../../test/builders.ts';
import type { Merchant } from '../../merchants/write/merchant.ts';
import {
  type DefaultSplitEntries,
  participantsOf,
  replaceDefaultSplit,
  standingEntries,
} from './default-split.ts';

const master = aMerchant({ role: 'MerchantMaster' });
const sub = (name: number, changes: Partial<Merchant> = {}): Merchant =>
  aMerchant({ id: `mer_${name}`, masterId: 'mer_1', livemode: false, ...changes });
const entry = (name: number, percentage = 10) => ({ merchantId: `mer_${name}` as const, percentage });
const split: DefaultSplitEntries = {
  default: [entry(2), entry(3)],
  byPaymentMethod: { pix: [entry(3, 50)], voucher: [] },
};
const refusal = (message: string) =>
  expect.objectContaining({ code: 'SPLIT_NOT_ALLOWED', message: expect.stringContaining(message) });

describe('a default split', () => {
  it('is stored as it was given', () => {
    const { type, data } = replaceDefaultSplit(master, split, [sub(2), sub(3)], NOW);
    expect([type, data]).toEqual([
      'default_split.replaced',
      { id: 'mer_1', version: 0, ...split, updatedAt: NOW.toISOString() },
    ]);
  });

  it('may name participants of either environment for a master, and of its own for a sub-merchant', () => {
    const siblings = [sub(2), sub(3, { livemode: true })];
    expect(() => replaceDefaultSplit(master, split, siblings, NOW)).not.toThrow();
    expect(() => replaceDefaultSplit(sub(4), split, siblings, NOW)).toThrow(refusal('default.1'));
    expect(() => replaceDefaultSplit(sub(4), split, [sub(2), sub(3)], NOW)).not.toThrow();
  });

  it.each([
    ['is not there', [sub(2)]],
    ['is not active', [sub(2), sub(3, { status: 'pre_approved' })]],
    ['belongs to another group', [sub(2), sub(3, { masterId: 'mer_9' })]],
  ])('with a participant that %s is refused', (_, receivers) => {
    expect(() => replaceDefaultSplit(master, split, receivers, NOW)).toThrow(refusal('default.1'));
    const onlyPix = { ...split, default: [] };
    expect(() => replaceDefaultSplit(master, onlyPix, receivers, NOW)).toThrow(
      refusal('byPaymentMethod.pix.0'),
    );
  });

  it('of a merchant in no group can only be empty', () => {
    const empty = { default: [], byPaymentMethod: {} };
    expect(() => replaceDefaultSplit(aMerchant({ id: 'mer_7' }), empty, [], NOW)).not.toThrow();
    expect(() => replaceDefaultSplit(aMerchant({ id: 'mer_7' }), split, [sub(2), sub(3)], NOW)).toThrow(
      refusal('default.0'),
    );
  });

  it('says what holds for a payment method; nothing where there is none', () => {
    expect(standingEntries(split, 'pix')).toEqual([entry(3, 50)]);
    expect(standingEntries(split, 'voucher')).toEqual([]);
    expect(standingEntries(split, 'credit_card')).toEqual(split.default);
    expect(standingEntries(null, 'pix')).toEqual([]);
    expect(participantsOf(split)).toEqual(['mer_2', 'mer_3']);
  });
});
