import { parseViewShards } from './view-shards.ts';

describe('the primary shards of views', () => {
  it('are one number for all, numbers for some, or both', () => {
    expect(['charges', 'refunds'].map(parseViewShards('4'))).toEqual([4, 4]);
    expect(['charges', 'refunds'].map(parseViewShards('charges=8'))).toEqual([8, undefined]);
    expect(['charges', 'refunds'].map(parseViewShards('charges=8, 2'))).toEqual([8, 2]);
    expect(parseViewShards('')('charges')).toBeUndefined();
    expect(['payout-requests', 'audit_log'].map(parseViewShards('payout-requests=4,audit_log=2'))).toEqual([
      4, 2,
    ]);
  });

  it.each([
    '0',
    'many',
    'charges=',
    'charges=0',
    '1025',
    '4,',
    'charges:4',
    '-1',
    '4,8',
    'charges=1,charges=2',
  ])('are refused as %s', (text) => {
    expect(() => parseViewShards(text)).toThrow(RangeError);
  });
});
