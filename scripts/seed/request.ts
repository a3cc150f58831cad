import type { Faker } from '@faker-js/faker';
import { exponentOf, toDecimal } from '../../src/kernel/money.ts';
import type { ChargeRequest } from '../../src/modules/charges/write/charge-request.ts';

/** Currencies of card payments; all others are made in the first one. */
export const CARD_CURRENCIES = ['BRL', 'USD', 'EUR', 'MXN', 'CLP', 'KWD'] as const;
const WEIGHTS: readonly number[] = [80, 8, 5, 3, 3, 1];
/** What one unit of BRL is about in each of them, so that amounts look alike. */
const RATES: readonly number[] = [1, 0.18, 0.16, 3.4, 170, 0.055];

const CURRENCIES = CARD_CURRENCIES.map((code, index) => ({
  value: { code, rate: RATES[index] ?? 1 },
  weight: WEIGHTS[index] ?? 1,
}));
const INSTALLMENTS = [
  { value: 1, weight: 12 },
  { value: 2, weight: 3 },
  { value: 3, weight: 3 },
  { value: 6, weight: 2 },
  { value: 12, weight: 1 },
];
const PRODUCTS = [
  { title: 'Assinatura mensal', cents: 4_990 },
  { title: 'Fone de ouvido sem fio', cents: 18_990 },
  { title: 'Livro de receitas', cents: 7_450 },
  { title: 'Tênis de corrida', cents: 34_900 },
  { title: 'Café especial 500 g', cents: 5_280 },
  { title: 'Curso de violão', cents: 59_700 },
];
const CHANNELS = ['site', 'app', 'balcão', 'telefone'];
/** Payers come back: so many different ones buy at each merchant. */
const PAYERS = 2_000;

type Method = { readonly card: string; readonly holdsUntil: number } | { readonly pixExpiresIn: number };

/** A charge request as a shop would send it, by what `faker` was seeded with. */
export const seedRequest = (faker: Faker, number: number, method: Method): ChargeRequest => {
  const payer = faker.number.int(PAYERS);
  const name = `${faker.person.firstName()} ${faker.person.lastName()}`;
  const product = faker.helpers.arrayElement(PRODUCTS);
  const quantity = faker.number.int({ min: 1, max: 4 });
  const { code, rate } =
    'card' in method ? faker.helpers.weightedArrayElement(CURRENCIES) : { code: 'BRL', rate: 1 };
  const price = Math.max(1, Math.round((product.cents / 100) * rate * 10 ** exponentOf(code)));
  return {
    amount: toDecimal(price * quantity, code),
    currency: code,
    customer: {
      name,
      email: `cliente${payer}@example.com`,
      document: { type: 'cpf', id: String(10_000_000_000 + payer * 4_999_993).slice(0, 11) },
      address: { country: 'BR' },
    },
    paymentMethod:
      'card' in method
        ? {
            type: 'credit_card',
            installments: code === 'BRL' ? faker.helpers.weightedArrayElement(INSTALLMENTS) : 1,
            number: method.card,
            holderName: name.toUpperCase(),
            expirationMonth: String(faker.number.int({ min: 1, max: 12 })).padStart(2, '0'),
            expirationYear: String(method.holdsUntil),
            cvv: method.card.startsWith('37') ? '1234' : '123',
          }
        : { type: 'pix', installments: 1, expiresIn: method.pixExpiresIn },
    items: [{ title: product.title, type: 'product', unit_price: toDecimal(price, code), quantity }],
    reference: `pedido-${number}`,
    metadata: { channel: faker.helpers.arrayElement(CHANNELS), cart: faker.number.int(999_999) },
  };
};
