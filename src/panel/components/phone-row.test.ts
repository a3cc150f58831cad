import { placesOf } from './phone-row.ts';

const placed = (...columns: Parameters<typeof placesOf>[0]) => Object.fromEntries(placesOf(columns));

describe('the places of cells in a narrow window', () => {
  it('are the figure and the state above, and the first others below', () => {
    const places = placed(
      { key: 'createdAt' },
      { key: 'status' },
      { key: 'amount', isNumber: true },
      { key: 'method' },
      { key: 'reference' },
    );
    expect(places).toEqual({
      createdAt: 'below',
      status: 'state-of-row',
      amount: 'first',
      method: 'below',
      reference: 'folded',
    });
  });

  it('are those that a list names', () => {
    const places = placed({ key: 'amount', isNumber: true }, { key: 'id' }, { key: 'who', onPhone: true });
    expect(places).toEqual({ amount: 'first', id: 'folded', who: 'below' });
  });

  it('begin with the first column where there is no figure', () => {
    expect(placed({ key: 'name' }, { key: 'kind' })).toEqual({ name: 'first', kind: 'below' });
  });
});
