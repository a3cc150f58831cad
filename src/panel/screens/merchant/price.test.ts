import { faker } from '@faker-js/faker';
import type { MerchantId } from '../../../kernel/ids.ts';
import { toDecimal } from '../../../kernel/money.ts';
import { divide as divideThere } from '../../../modules/charges/write/split.ts';
import { type FeeDefinition, spreadOf } from '../../../modules/merchants/write/fees.ts';
import { divide, priceOf } from './price.ts';

const percentage = (max = 100): number => faker.number.float({ min: 0, max, fractionDigits: 4 });

/** Currencies of 500 rounds, each of which may draw more. */
function* drawn(): Generator<string> {
  faker.seed(22);
  for (let round = 0; round < 500; round += 1) yield faker.helpers.arrayElement(['BRL', 'CLP', 'KWD']);
}

describe('a sample charge', () => {
  it('has the price that the gateway would ask for', () => {
    for (const currency of drawn()) {
      const minor = faker.number.int({ min: 1, max: 10_000_000 });
      const brand = faker.helpers.arrayElement(['visa', 'elo']);
      const fees = [null, 'visa' as const].map((of) => ({
        fee_type: 'tx_spread' as const,
        payment_method: 'credit_card' as const,
        currency_code: currency,
        brand: of,
        definition: { fixed: toDecimal(39, currency), percentages: [percentage(10), percentage(10)] },
      })) satisfies FeeDefinition[];
      const installments = faker.helpers.arrayElement([1, 2]);
      const there = spreadOf({
        definitions: fees,
        livemode: true,
        paymentType: 'credit_card',
        currency,
        brand,
        amount: minor,
        installments,
      });
      const sample = {
        amount: toDecimal(minor, currency),
        currency,
        paymentMethod: 'credit_card',
        brand,
        installments,
      };
      expect(priceOf(fees as never, sample)).toEqual({
        kind: 'priced',
        spread: toDecimal(there.spread, currency),
        net: toDecimal(minor - there.spread, currency),
      });
    }
  });

  it('has none without a fee, or with more installments than are offered', () => {
    const sample = { amount: 10, currency: 'BRL', paymentMethod: 'pix', brand: '', installments: 2 };
    expect(priceOf([], sample)).toEqual({ kind: 'no fee' });
    const pix = {
      fee_type: 'tx_spread' as const,
      payment_method: 'pix' as const,
      currency_code: 'BRL' as const,
      brand: null,
      definition: { fixed: 0, percentages: [1] },
    };
    expect(priceOf([pix], sample)).toEqual({ kind: 'installments not offered' });
  });
});

describe('the parts of a sample charge', () => {
  it('are those that the gateway would book, and make the whole with what stays', () => {
    for (const currency of drawn()) {
      const net = faker.number.int({ min: 0, max: 1_000 });
      const entries = ['mer_1', 'mer_2', 'mer_3'].map((merchantId) => ({
        merchantId: merchantId as MerchantId,
        percentage: faker.helpers.arrayElement([33.3333, 10, 0.0001, percentage(30)]),
      }));
      const parts = divideThere(net, entries).map(({ amount }) => amount);
      const own = parts.reduce((rest, amount) => rest - amount, net);
      expect(divide(toDecimal(net, currency), currency, entries)).toEqual({
        parts: parts.map((amount) => toDecimal(amount, currency)),
        own: toDecimal(own, currency),
      });
    }
  });

  it('are refused where they are more than the whole', () => {
    expect(
      divide(1, 'BRL', [
        { merchantId: 'mer_1', percentage: 60 },
        { merchantId: 'mer_2', percentage: 40.0001 },
      ]),
    ).toBeNull();
  });
});
