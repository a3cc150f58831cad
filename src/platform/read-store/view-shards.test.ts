import { parseViewShards } from './view-shards.ts';

const parse = (text: string) => parseViewShards(text).of;

describe('the primary shards of views', () => {
  it('are one number for all, numbers for some, or both', () => {
    expect(['charges', 'refunds'].map(parse('4'))).toEqual([4, 4]);
    expect(['charges', 'refunds'].map(parse('charges=8'))).toEqual([8, undefined]);
    expect(['charges', 'refunds'].map(parse('charges=8, 2'))).toEqual([8, 2]);
    expect(parse('')('charges')).toBeUndefined();
    expect(['payout-requests', 'audit_log'].map(parse('payout-requests=4,audit_log=2'))).toEqual([4, 2]);
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
    '4,Charges=8',
  ])('are refused as %s', (text) => {
    expect(() => parse(text)).toThrow(RangeError);
  });

  it('are told with the views that they name, which only a whole process can check', () => {
    expect(parseViewShards('refunds=2,charge=4,3').named).toEqual(['refunds', 'charge']);
  });
});
