import { Faker, pt_BR } from '@faker-js/faker';
import { isCpf } from '../src/kernel/national-id.ts';
import type { ChargeRequest } from '../src/modules/charges/write/charge-request.ts';
import { withCheckDigits } from './seed/national-id.ts';

const CARDS = [
  '4242424242424242',
  '4111111111111111',
  '5555555555554444',
  '6362970000457013',
  '6062825624254001',
];
const REFUSED = ['4000000000000002', '4000000000009995'];
const PRODUCTS = [
  'Pão francês',
  'Café moído 500 g',
  'Bolo de cenoura',
  'Cesta de Natal',
  'Assinatura mensal',
];

/**
 * A realistic charge request, the same for the same seed. Seed 0 is always a card that is accepted; of the others one
 * in four is Pix, and one in twenty a card that is refused.
 */
export const randomChargeRequest = (seed: number): ChargeRequest => {
  const faker = new Faker({ locale: [pt_BR], seed });
  const holder = faker.person.fullName();
  const isPix = seed > 0 && faker.number.int(99) < 25;
  const isRefused = seed > 0 && faker.number.int(99) < 5;
  const quantity = faker.number.int({ min: 1, max: 5 });
  const price = faker.number.int({ min: 250, max: 25_000 });
  return {
    amount: (quantity * price) / 100,
    currency: 'BRL',
    customer: {
      name: holder,
      email: faker.internet.email({ firstName: 'cliente', lastName: String(seed), provider: 'example.com' }),
      document: { type: 'cpf', id: withCheckDigits(faker.string.numeric(9), 2, isCpf) ?? '52998224725' },
      address: { country: 'BR' },
    },
    paymentMethod: isPix
      ? { type: 'pix', installments: 1 }
      : {
          type: 'credit_card',
          installments: faker.helpers.weightedArrayElement([
            { value: 1, weight: 6 },
            { value: 3, weight: 2 },
            { value: 12, weight: 1 },
          ]),
          number: faker.helpers.arrayElement(isRefused ? REFUSED : CARDS),
          holderName: holder.toUpperCase(),
          expirationMonth: '12',
          expirationYear: String(new Date().getUTCFullYear() + 3),
          cvv: '123',
        },
    items: [
      {
        title: faker.helpers.arrayElement(PRODUCTS),
        type: 'product',
        unit_price: price / 100,
        quantity,
      },
    ],
    reference: `pedido-${seed}`,
    metadata: { channel: faker.helpers.arrayElement(['site', 'app', 'balcão']) },
  };
};
