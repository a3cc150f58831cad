import { differencesOf } from './difference.ts';

describe('the difference between a record before and after', () => {
  it('has the values that changed, in words', () => {
    const before = { legalName: 'Padaria', permissions: ['a', 'b'], blocked: false, version: 1 };
    const after = { legalName: 'Padaria', permissions: ['a'], blocked: true, version: 2, taxId: null };
    expect(differencesOf(before, after)).toEqual([
      ['permissions', 'a, b', 'a'],
      ['blocked', 'no', 'yes'],
    ]);
  });

  it('leads into members and lists', () => {
    const was = { address: { postalCode: '1' }, fees: [{ fixed: 1 }, { fixed: 2 }] };
    const is = { address: { postalCode: '2' }, fees: [{ fixed: 1 }] };
    expect(differencesOf(was, is)).toEqual([
      ['address, postal code', '1', '2'],
      ['fees, 2, fixed', '2', ''],
    ]);
  });

  it('of a new record is all that it has', () => {
    expect(differencesOf(null, { name: 'Ana', email: null })).toEqual([['name', '', 'Ana']]);
    expect(differencesOf({ name: 'Ana' }, null)).toEqual([['name', 'Ana', '']]);
  });
});
