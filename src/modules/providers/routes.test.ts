import { createFakeProvider } from '../../../test/fakes/provider.ts';
import type { PaymentProvider, PaymentType } from './provider.ts';
import { everythingOf, parseRoutes, routed } from './routes.ts';

const NAMES = ['pix-api', 'stripe', 'other'];
const named = (name: string, methods: readonly PaymentType[]): PaymentProvider => ({
  ...createFakeProvider(),
  name,
  methods,
});
const PIX = named('pix-api', ['pix']);
const CARDS = named('stripe', ['credit_card']);
const OTHER_CARDS = named('other', ['credit_card']);
const PROVIDERS = [PIX, CARDS, OTHER_CARDS];
const SIMULATOR = named('simulator', ['credit_card', 'pix', 'voucher']);
const EVERYTHING = everythingOf(SIMULATOR);
const route = (text: string) =>
  parseRoutes(text, NAMES).map((one) => ({
    route: one,
    providers: one.providers.map((name) => PROVIDERS.find((provider) => provider.name === name) ?? PIX),
  }));

describe('routes of payments to providers', () => {
  it('are read by method, currency and brand, with the order of failover', () => {
    const text = 'pix=pix-api, credit_card:USD=stripe,credit_card:USD:visa=other+stripe';
    expect(parseRoutes(text, NAMES)).toEqual([
      { method: 'pix', currency: null, brand: null, providers: ['pix-api'] },
      { method: 'credit_card', currency: 'USD', brand: null, providers: ['stripe'] },
      { method: 'credit_card', currency: 'USD', brand: 'visa', providers: ['other', 'stripe'] },
    ]);
  });

  it.each([
    'pix',
    'pix=',
    'cash=stripe',
    'pix=nobody',
    'credit_card:XTS=stripe',
    'credit_card:usd=stripe',
    'pix=pix-api,pix=stripe',
    'pix=pix-api,',
    'constructor=stripe',
    'pix:visa=pix-api',
    'credit_card=stripe+stripe',
    'credit_card=stripe+nobody',
    'credit_card=stripe+',
    'credit_card:visa:USD=stripe',
  ])('are refused where they are wrong: %s', (text) => {
    expect(() => parseRoutes(text, NAMES)).toThrow(RangeError);
  });

  it('are refused without repeating all of a long text', () => {
    expect(() => parseRoutes('0'.repeat(16_000), NAMES)).toThrow(`"${'0'.repeat(80)}" is no method=provider`);
  });

  it('lead to the provider of the currency, else of the method, else to the one for all else', () => {
    const providers = routed(route('pix=pix-api,credit_card:USD=stripe'), EVERYTHING);
    const to = (method: PaymentType, currency: string) =>
      providers?.providersFor(method, currency, null)[0]?.name;
    expect(to('pix', 'BRL')).toBe('pix-api');
    expect(to('credit_card', 'USD')).toBe('stripe');
    expect(to('credit_card', 'BRL')).toBe('simulator');
    expect(to('voucher', 'ARS')).toBe('simulator');
    expect(to('qrcode', 'ARS')).toBeUndefined();
  });

  it('lead a card by its currency before its brand', () => {
    const providers = routed(
      route('credit_card:USD=stripe,credit_card:visa=other,credit_card:EUR:visa=other+stripe'),
      EVERYTHING,
    );
    const to = (currency: string, brand: string) =>
      providers?.providersFor('credit_card', currency, brand).map(({ name }) => name);
    expect(to('USD', 'visa')).toEqual(['stripe']);
    expect(to('BRL', 'visa')).toEqual(['other']);
    expect(to('EUR', 'visa')).toEqual(['other', 'stripe']);
    expect(to('EUR', 'mastercard')).toEqual(['simulator']);
  });

  it('are none without routes and without a provider for all else', () => {
    expect(routed([], null)).toBeNull();
  });

  it('of a merchant count before those of the installation, and lead nowhere else where its account is gone', () => {
    const installation = routed(route('pix=pix-api,credit_card:USD=stripe'), EVERYTHING);
    const [ofBrl] = route('credit_card:BRL=other');
    const own = routed(ofBrl ? [ofBrl, { route: ofBrl.route, providers: [] }] : [], installation);
    const to = (method: PaymentType, currency: string) =>
      own?.providersFor(method, currency, null).map(({ name }) => name);
    expect(to('credit_card', 'BRL')).toEqual(['other']);
    expect(to('credit_card', 'USD')).toEqual(['stripe']);
    expect(to('pix', 'BRL')).toEqual(['pix-api']);
    const gone = routed(ofBrl ? [{ route: ofBrl.route, providers: [] }] : [], installation);
    expect(gone?.providersFor('credit_card', 'BRL', null)).toEqual([]);
    expect(routed([], installation)).toBe(installation);
  });

  it('are refused to a provider that does not offer the method', () => {
    expect(() => routed(route('voucher=pix-api'), null)).toThrow('pix-api does not offer voucher');
  });
});
