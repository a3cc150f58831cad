import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CARD_BRANDS } from '../../src/modules/merchants/write/fees.ts';
import { aCard, aPixRequest, aSpreadFee, NUMBERS_OF_BRANDS } from '../builders.ts';
import { PATIENT, withKey } from '../support/client.ts';
import { pixVariables, stripeSettings } from '../support/doubles/settings.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type PixInstitution, startPixInstitution } from '../support/pix-api/institution.ts';
import { type StripeDouble, startStripeDouble } from '../support/stripe/stripe-double.ts';

const CURRENCIES = ['BRL', 'EUR', 'USD'];
const directory = mkdtempSync(join(tmpdir(), 'portico-offers-'));

let institution: PixInstitution;
let stripe: StripeDouble;
let running: TestGateway;
const gateway = () => running;

jest.setTimeout(180_000);
beforeAll(async () => {
  institution = await startPixInstitution();
  stripe = await startStripeDouble();
  running = await startTestGateway({
    LIVE_PROVIDERS:
      'credit_card:visa=stripe,credit_card:USD:mastercard=stripe+simulator,credit_card:EUR=simulator,credit_card:BRL:elo=simulator',
    ...PATIENT,
    // It takes Pix only, so no card has a way but by those routes.
    LIVE_PROVIDER: 'pix-api',
    ...pixVariables(institution, { callbackSecret: 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU', directory }),
    ...stripeSettings(stripe),
  });
}, 180_000);
afterAll(async () => {
  await running?.stop();
  await institution?.stop();
  await stripe?.stop();
  rmSync(directory, { recursive: true });
}, 120_000);

type Offer = {
  readonly type: string;
  readonly currencies: readonly string[];
  readonly installments: { readonly min: number; readonly max: number };
  readonly brands?: readonly (keyof typeof NUMBERS_OF_BRANDS)[];
};

it('a live key takes each offered payment method, and refuses a card that is not offered', async () => {
  const { id, liveKey } = await running.createMerchant();
  const client = withKey(gateway, liveKey);
  const definition = { fixed: 1, percentages: [2, 2, 2] };
  await running.setFees(id, [
    aSpreadFee({ payment_method: 'pix', definition: { fixed: 1, percentages: [2] } }),
    aSpreadFee({ payment_method: 'voucher', definition: { fixed: 1, percentages: [2] } }),
    ...CURRENCIES.map((currency_code) => aSpreadFee({ currency_code, definition })),
    aSpreadFee({ brand: 'elo', definition: { fixed: 1, percentages: [2, 2] } }),
  ]);
  const pay = async (currency: string, paymentMethod: object) =>
    client.post('/v1/charges', { ...aPixRequest(), amount: 100, currency, paymentMethod });
  const byCard = (brand: keyof typeof NUMBERS_OF_BRANDS, installments: number) => {
    const cvv = brand === 'american-express' ? '1234' : '123';
    return { type: 'credit_card', installments, ...aCard({ number: NUMBERS_OF_BRANDS[brand], cvv }) };
  };

  const offers: readonly Offer[] = (await client.get('/v1/payment-methods').expect(200)).body.data;
  const shown = offers.map(({ type, currencies, installments, brands }) => [
    type,
    currencies.join(),
    installments.max,
    brands?.join(),
  ]);
  expect(shown).toEqual([
    ['credit_card', 'BRL', 1, 'visa'],
    ['credit_card', 'BRL', 2, 'elo'],
    ['credit_card', 'EUR', 3, CARD_BRANDS.join()],
    ['credit_card', 'USD', 1, 'visa,mastercard'],
    ['pix', 'BRL', 1, undefined],
  ]);

  const offered = new Set<string>();
  for (const { type, currencies, installments, brands } of offers)
    for (const currency of currencies) {
      if (type === 'pix') {
        const { status, body } = await pay(currency, { type, installments: 1 });
        expect([status, body.status]).toEqual([201, 'pending']);
      }
      for (const brand of brands ?? [])
        for (const count of new Set([installments.min, installments.max])) {
          offered.add(`${currency} ${brand}`);
          const { status, body } = await pay(currency, byCard(brand, count));
          expect([currency, brand, count, status, body.status]).toEqual([
            currency,
            brand,
            count,
            201,
            'paid',
          ]);
        }
    }
  for (const currency of CURRENCIES)
    for (const brand of CARD_BRANDS) {
      if (offered.has(`${currency} ${brand}`)) continue;
      const { status, body } = await pay(currency, byCard(brand, 1));
      expect([currency, brand, status, body.code]).toEqual([
        currency,
        brand,
        422,
        'PAYMENT_METHOD_NOT_AVAILABLE',
      ]);
    }
});
