import { MASK, maskedBody, maskedError, maskedText, shownPathOf } from './masked.ts';

const parsed = (body: unknown): unknown => JSON.parse(String(maskedBody(body)));

describe('the stored body of a request', () => {
  it('has the names of members, amounts and words of the API, and nothing of a card or a payer', () => {
    const body = {
      amount: 12.5,
      currency: 'BRL',
      save: true,
      description: 'For Ana Lima',
      customer: { name: 'Ana Lima', email: 'ana@example.test', document: { type: 'cpf', id: '52998224725' } },
      paymentMethod: {
        type: 'credit_card',
        card: { number: '4111111111111111', cvv: '123', expirationYear: 2030, holderName: 'ANA LIMA' },
      },
    };
    expect(parsed(body)).toEqual({
      amount: 12.5,
      currency: 'BRL',
      save: true,
      description: MASK,
      customer: { name: MASK, email: MASK, document: { type: 'cpf', id: MASK } },
      paymentMethod: {
        type: 'credit_card',
        card: { number: MASK, cvv: MASK, expirationYear: MASK, holderName: MASK },
      },
    });
  });

  it('shows a wrong word of the API, but no card number or address in its place', () => {
    expect(parsed({ currency: 'real', type: '4111111111111111', status: 'ana@example.test' })).toEqual({
      currency: 'real',
      type: MASK,
      status: MASK,
    });
    expect(parsed({ amount: 4111111111111111, cvv: 123 })).toEqual({ amount: MASK, cvv: MASK });
  });

  it('masks names that the merchant chose', () => {
    expect(parsed({ metadata: { 'ana@example.test': 1 }, '4111111111111111': 1 })).toEqual({
      metadata: MASK,
      [MASK]: MASK,
    });
  });

  it('is short, whatever was sent', () => {
    expect(parsed(Array.from({ length: 10_000 }, () => ({ a: 1 })))).toHaveLength(20);
    const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });
    expect(JSON.stringify(parsed(nested(1_000))).length).toBeLessThan(100);
    const wide = (of: unknown) => Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`m${at}`, of]));
    expect(parsed(wide(wide(1)))).toBe(MASK);
  });

  it('is absent where nothing was sent', () => {
    expect(maskedBody(undefined)).toBeNull();
  });
});

it('a fault shows the names of the API, and none that the sender chose', () => {
  const fault = (path: string) => maskedError({ path, message: `${path} is not allowed` }, 500);
  const same = (path: string) => ({ path, message: `${path} is not allowed` });
  expect(fault('items.0.title')).toEqual(same('items.0.title'));
  expect(fault('metadata.ana souza')).toEqual(same(`metadata.${MASK}`));
  expect(fault('metadata.ana')).toEqual(same(`metadata.${MASK}`));
  expect(fault('ana@example.test')).toEqual(same(`${MASK}.test`));
  expect(maskedError({ path: '', message: 'body is required' }, 500)).toEqual({
    path: '',
    message: 'body is required',
  });
});

it('a text that could hold a card number is not stored', () => {
  expect(maskedText('id 4111111111111111 is unknown', 500)).toBe(MASK);
  expect(maskedText('amount must be a number', 6)).toBe('amount');
});

it('a path shows ids of records and no other value', () => {
  const id = `chg_${'0a'.repeat(16)}`;
  expect(shownPathOf('/v1/charges/{id}', { id })).toBe(`/v1/charges/${id}`);
  expect(shownPathOf('/v1/charges/{id}', { id: '4111111111111111' })).toBe('/v1/charges/{id}');
  expect(shownPathOf('/v1/charges/{id}', {})).toBe('/v1/charges/{id}');
});
