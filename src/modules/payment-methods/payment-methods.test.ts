import { aMethodFee } from '../../../test/builders.ts';
import { createFakeProvider } from '../../../test/fakes/provider.ts';
import { CURRENCIES } from '../../kernel/money.ts';
import { CARD_BRANDS, type MethodFee } from '../merchants/write/fees.ts';
import { PAYMENT_TYPES, type PaymentProvider, type PaymentType } from '../providers/provider.ts';
import { everythingOf, parseRoutes, routed } from '../providers/routes.ts';
import { paymentMethodsOf } from './payment-methods.ts';

const aFee = (changes: Partial<MethodFee>, installments = 1): MethodFee =>
  aMethodFee({
    definition: { fixed: 0, percentages: Array.from({ length: installments }, () => 2.5) },
    ...changes,
  });
const provider = (changes: Partial<PaymentProvider> = {}): PaymentProvider => ({
  ...createFakeProvider(),
  ...changes,
});
const everywhere = (methods: readonly PaymentType[]) => everythingOf(provider({ methods })).providersFor;
const by = (text: string, ...providers: readonly PaymentProvider[]) =>
  routed(
    parseRoutes(text, null).map((route) => ({
      route,
      providers: route.providers.flatMap((name) => providers.filter((one) => one.name === name)),
    })),
    null,
  )?.providersFor ?? everywhere([]);
const offers = (changes: Partial<Parameters<typeof paymentMethodsOf>[0]> = {}) =>
  paymentMethodsOf({
    providersFor: everywhere(PAYMENT_TYPES),
    livemode: false,
    definitions: [],
    wallets: [],
    identifyTypesOf: (currency) => (currency === 'BRL' ? ['dni', 'cpf'] : ['dni']),
    ...changes,
  });

describe('the payment methods of a merchant', () => {
  it('are all of the provider with a test key, each as it can be used', () => {
    const installments = { min: 1, max: 1 };
    const abroad = CURRENCIES.filter((currency) => currency !== 'BRL');
    const byIdentifier = (type: string) => [
      { type, currencies: abroad, installments, identifyTypes: ['dni'] },
      { type, currencies: ['BRL'], installments, identifyTypes: ['dni', 'cpf'] },
    ];
    expect(offers()).toEqual([
      {
        type: 'credit_card',
        currencies: CURRENCIES,
        installments: { min: 1, max: 12 },
        brands: CARD_BRANDS,
      },
      { type: 'pix', currencies: ['BRL'], installments: { min: 1, max: 1 } },
      ...['voucher', 'banktransfer', 'qrcode'].flatMap(byIdentifier),
    ]);
  });

  it('are none without a provider, and none with a live key and no fees', () => {
    expect(offers({ providersFor: everywhere([]) })).toEqual([]);
    expect(offers({ livemode: true })).toEqual([]);
  });

  it('of one currency are those that there are in it among all', () => {
    const definitions = [aFee({}, 6), aFee({ brand: 'elo' }, 1), aFee({ currency_code: 'USD' }, 3)];
    for (const currency of ['BRL', 'USD', 'KWD'])
      expect(offers({ definitions, currency })).toEqual(
        offers({ definitions })
          .filter(({ currencies }) => currencies.includes(currency))
          .map((offer) => ({ ...offer, currencies: [currency] })),
      );
  });

  it('are in the currencies that a provider takes them in, Pix in BRL only', () => {
    const [card, pix] = offers({
      providersFor: by('credit_card:USD=one,credit_card:KWD=one,pix=one', provider({ name: 'one' })),
    });
    expect([card?.currencies, pix?.currencies]).toEqual([['KWD', 'USD'], ['BRL']]);
  });

  it('are with a live key those that have fees', () => {
    const definitions = [
      aFee({}, 6),
      aFee({ currency_code: 'ARS', payment_method: 'voucher' }),
      aFee({ payment_method: 'qrcode', fee_type: 'anticipation' }),
    ];
    expect(offers({ livemode: true, definitions })).toEqual([
      { type: 'credit_card', currencies: ['BRL'], installments: { min: 1, max: 6 }, brands: CARD_BRANDS },
      { type: 'voucher', currencies: ['ARS'], installments: { min: 1, max: 1 }, identifyTypes: ['dni'] },
    ]);
  });

  it('come once for the brands that take as many installments, so that all that is offered is taken', () => {
    const definitions = [
      aFee({ brand: 'elo' }, 10),
      aFee({ brand: 'visa' }, 3),
      aFee({ brand: 'mastercard' }, 3),
      aFee({ brand: 'visa', currency_code: 'USD' }, 3),
    ];
    const rows = (livemode: boolean) =>
      offers({ livemode, definitions, providersFor: everywhere(['credit_card']) }).map(
        ({ currencies, installments, brands }) => [
          currencies.length > 2 ? 'others' : currencies.join(),
          installments.max,
          brands?.join(),
        ],
      );
    expect(rows(true)).toEqual([
      ['BRL', 3, 'visa,mastercard'],
      ['BRL', 10, 'elo'],
      ['USD', 3, 'visa'],
    ]);
    const free = CARD_BRANDS.filter((brand) => brand !== 'visa');
    expect(rows(false)).toEqual([
      ['BRL', 3, 'visa,mastercard'],
      ['BRL', 12, free.filter((brand) => brand !== 'mastercard' && brand !== 'elo').join()],
      ['BRL', 10, 'elo'],
      ['USD', 3, 'visa'],
      ['USD', 12, free.join()],
      ['others', 12, CARD_BRANDS.join()],
    ]);
  });

  it('offer a brand by its own fee before that of the method', () => {
    const definitions = [aFee({}, 6), aFee({ brand: 'elo' }, 1)];
    expect(offers({ livemode: true, definitions })).toMatchObject([
      { installments: { max: 6 }, brands: CARD_BRANDS.filter((brand) => brand !== 'elo') },
      { installments: { max: 1 }, brands: ['elo'] },
    ]);
  });

  it('come twice with a test key where only some currencies have fees, those first', () => {
    const [defined, free] = offers({ providersFor: everywhere(['credit_card']), definitions: [aFee({}, 3)] });
    expect(defined).toMatchObject({ currencies: ['BRL'], installments: { max: 3 } });
    expect(free).toMatchObject({ installments: { max: 12 } });
    expect([...(free?.currencies ?? []), 'BRL'].sort()).toEqual(CURRENCIES);
  });

  it('are of the brands that have a provider, by the terms of that provider', () => {
    const plain = provider({ name: 'plain', cards: { maxInstallments: 1, wallets: false } });
    const rows = offers({
      livemode: true,
      definitions: [aFee({}, 6), aFee({ currency_code: 'USD' }, 3)],
      wallets: ['devicepay'],
      providersFor: by(
        'credit_card:BRL:visa=plain,credit_card:BRL:elo=other,credit_card:BRL:jcb=gone,credit_card:USD:visa=other+plain',
        plain,
        provider({ name: 'other' }),
      ),
    });
    expect(rows).toEqual([
      { type: 'credit_card', currencies: ['BRL'], installments: { min: 1, max: 1 }, brands: ['visa'] },
      {
        type: 'credit_card',
        currencies: ['BRL'],
        installments: { min: 1, max: 6 },
        brands: ['elo'],
        wallets: ['devicepay'],
      },
      {
        type: 'credit_card',
        currencies: ['USD'],
        installments: { min: 1, max: 3 },
        brands: ['visa'],
        wallets: ['devicepay'],
      },
    ]);
  });

  it('name device wallets at cards only, and only where there are some', () => {
    const named = offers({ wallets: ['devicepay'] }).filter(({ wallets }) => wallets !== undefined);
    expect(named).toMatchObject([{ type: 'credit_card', wallets: ['devicepay'] }]);
  });
});
