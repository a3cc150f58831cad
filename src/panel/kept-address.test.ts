import { keptOf } from './kept-address.ts';

describe('a view of a list', () => {
  it('keeps filters, order and columns, and not the page or a dialog', () => {
    const address = 'status=paid&page=3&orderBy=-amount&view=viw_1&add=1&columns=net,spread&q=&notes=po_1';
    expect(keptOf(new URLSearchParams(address))).toBe('columns=net%2Cspread&orderBy=-amount&status=paid');
  });

  it('is the same whatever the order of the address', () => {
    expect(keptOf(new URLSearchParams('b=1&a=2'))).toBe(keptOf(new URLSearchParams('a=2&b=1')));
  });
});
