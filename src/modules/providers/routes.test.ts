import { createFakeProvider } from '../../../test/fakes/provider.ts';
import type { PaymentProvider, PaymentType } from './provider.ts';
import { parseRoutes, routed } from './routes.ts';

const NAMES = ['pix-api', 'stripe'];
const named = (name: string, methods: readonly PaymentType[]): PaymentProvider => ({
  ...createFakeProvider(),
  name,
  methods,
});
const PIX = named('pix-api', ['pix']);
const CARDS = named('stripe', ['credit_card']);
const EVERYTHING = named('simulator', ['credit_card', 'pix', 'voucher']);
const route = (text: string) =>
  parseRoutes(text, NAMES).map((one) => ({ route: one, provider: one.provider === 'stripe' ? CARDS : PIX }));

describe('routes of payments to providers', () => {
  it('are read by method, and by method and currency', () => {
    expect(parseRoutes('pix=pix-api, credit_card:USD=stripe', NAMES)).toEqual([
      { method: 'pix', currency: null, provider: 'pix-api' },
      { method: 'credit_card', currency: 'USD', provider: 'stripe' },
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
  ])('are refused where they are wrong: %s', (text) => {
    expect(() => parseRoutes(text, NAMES)).toThrow(RangeError);
  });

  it('lead to the provider of the currency, else of the method, else to the one for all else', () => {
    const providers = routed(route('pix=pix-api,credit_card:USD=stripe'), EVERYTHING);
    const to = (method: PaymentType, currency: string) => providers?.providerFor(method, currency)?.name;
    expect(to('pix', 'BRL')).toBe('pix-api');
    expect(to('credit_card', 'USD')).toBe('stripe');
    expect(to('credit_card', 'BRL')).toBe('simulator');
    expect(to('voucher', 'ARS')).toBe('simulator');
    expect(to('qrcode', 'ARS')).toBeUndefined();
  });

  it('offer what they lead to, in the currencies in which they do', () => {
    expect(routed(route('pix=pix-api,credit_card:USD=stripe'), null)?.offers).toEqual([
      { method: 'credit_card', currencies: ['USD'] },
      { method: 'pix', currencies: null },
    ]);
    expect(routed(route('credit_card:USD=stripe'), EVERYTHING)?.offers).toEqual(
      EVERYTHING.methods.map((method) => ({ method, currencies: null })),
    );
    expect(routed([], null)).toBeNull();
  });

  it('are refused to a provider that does not offer the method', () => {
    expect(() => routed(route('voucher=pix-api'), null)).toThrow('pix-api does not offer voucher');
  });
});
