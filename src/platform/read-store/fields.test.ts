import type { Resource } from '../../kernel/event.ts';
import { store } from '../../kernel/store.ts';
import {
  date,
  decimal,
  flag,
  from,
  hidden,
  json,
  keyword,
  money,
  name,
  object,
  shown,
  stored,
} from './fields.ts';
import { defineView } from './view.ts';

type Sale = Resource & {
  readonly amount: number;
  readonly tip: number | null;
  readonly currency: string;
  readonly buyer: { readonly name: string; readonly phone: string };
  readonly title: string;
  readonly notes: string | null;
  readonly isOpen: boolean;
  readonly parts: readonly number[];
  readonly secretNote: string;
  readonly at: string;
};

const view = defineView({
  name: 'sales',
  version: 1,
  source: store<Sale>('sales', 'sale'),
  fields: {
    id: keyword(),
    amount: money(),
    tip: decimal(),
    currency: keyword(),
    buyer: object({ name: name(), phone: stored() }),
    title: name(),
    notes: json(),
    isOpen: hidden(flag()),
    partCount: from(stored(), ({ parts }: Sale) => parts.length),
    parts: shown(stored(), (parts: readonly number[], currency) => `${parts.length} in ${currency}`),
    at: date(),
  },
});

const sale: Sale = {
  id: 'sal_1',
  version: 7,
  amount: 1250,
  tip: null,
  currency: 'BRL',
  buyer: { name: 'Ana', phone: '1' },
  title: 'Bread',
  notes: '{"a":[1]}',
  isOpen: true,
  parts: [1, 2],
  secretNote: 'not for the view',
  at: '2026-01-01T00:00:00.000Z',
};

describe('the fields of a view', () => {
  it('make up the mapping of its index, amounts and names a second time', () => {
    const folded = {
      type: 'keyword',
      ignore_above: 8_191,
      fields: { words: { type: 'text', analyzer: 'words', norms: false, index_options: 'docs' } },
    };
    expect(view.properties).toEqual({
      id: { type: 'keyword' },
      amount: { type: 'long' },
      currency: { type: 'keyword' },
      buyer: { properties: {} },
      isOpen: { type: 'boolean' },
      at: { type: 'date' },
      comparable: { properties: { amount: { type: 'long' } } },
      folded: { properties: { title: folded, buyer_name: folded } },
    });
  });

  it('make up its documents, with nothing that is not named', () => {
    const { version: _version, secretNote: _secret, ...named } = sale;
    expect(view.toDocument(sale)).toEqual({
      ...named,
      partCount: 2,
      comparable: { amount: 125_000 },
      folded: { title: 'bread', buyer_name: 'ana' },
    });
  });

  it.each([
    ['CLP', 12_500_000],
    ['KWD', 12_500],
  ])('compare amounts in %s with the same number of digits', (currency, amount) => {
    expect(view.toDocument({ ...sale, currency })).toMatchObject({ comparable: { amount } });
  });

  it('make up answers, with amounts as decimals and no hidden field', () => {
    expect(view.present(view.toDocument({ ...sale, tip: 5 }))).toEqual({
      id: 'sal_1',
      amount: 12.5,
      tip: 0.05,
      currency: 'BRL',
      buyer: sale.buyer,
      title: 'Bread',
      notes: { a: [1] },
      partCount: 2,
      parts: '2 in BRL',
      at: sale.at,
    });
  });

  it('show null where there is no amount and no JSON', () => {
    expect(view.present(view.toDocument({ ...sale, notes: null }))).toMatchObject({ tip: null, notes: null });
  });
});
