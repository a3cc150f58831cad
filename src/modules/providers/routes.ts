import { isCurrency } from '../../kernel/money.ts';
import { isBrand } from './card.ts';
import { PAYMENT_TYPES, type PaymentProvider, type PaymentType, type Providers } from './provider.ts';

/** Payments of one method, in one currency and of one brand or in all, go to these providers. */
export type ProviderRoute = {
  readonly method: PaymentType;
  /** Null: every currency that has no route of its own. */
  readonly currency: string | null;
  /**
   * Brand of a card as in credit-card-type (`visa`, `american-express`, …); null: every one without a route of its own.
   */
  readonly brand: string | null;
  /** Names in the order of failover, one at least. */
  readonly providers: readonly string[];
};

/** Characters of a wrong route that a message repeats. */
const MAX_SHOWN = 80;

/**
 * Reads `pix=pix-api,credit_card:USD:visa=stripe+stripe.eu`. Throws RangeError that says what is wrong; `names` are the
 * providers that there are, null where others look after that.
 */
export const parseRoutes = (text: string, names: readonly string[] | null): readonly ProviderRoute[] => {
  const routes = text.split(',').map((entry): ProviderRoute => {
    const [, method = '', currency = null, brand = null, chain = ''] =
      /^([a-z_]+)(?::([A-Z]{3}))?(?::([a-z-]+))?=([a-z0-9_.-]+(?:\+[a-z0-9_.-]+)*)$/.exec(entry.trim()) ?? [];
    if (!isPaymentType(method)) throw new RangeError(`"${entry.slice(0, MAX_SHOWN)}" is no method=provider`);
    if (currency !== null && !isCurrency(currency)) throw new RangeError(`${currency} is no currency`);
    if (brand !== null && method !== 'credit_card') throw new RangeError(`${method} has no brands`);
    if (brand !== null && !isBrand(brand)) throw new RangeError(`${brand} is no brand of cards`);
    const providers = chain.split('+');
    for (const provider of providers)
      if (names?.includes(provider) === false) throw new RangeError(`there is no provider ${provider}`);
    if (new Set(providers).size < providers.length) throw new RangeError(`"${entry}" repeats a provider`);
    return { method, currency, brand, providers };
  });
  const places = routes.map(({ method, currency, brand }) => `${method}:${currency}:${brand}`);
  if (new Set(places).size < places.length)
    throw new RangeError('a method, currency or brand has two routes');
  return routes;
};

/** Names of providers in a list of routes, whether or not it can be read. */
export const namesInRoutes = (text: string): readonly string[] =>
  text.split(',').flatMap((entry) => entry.split('=')[1]?.trim().split('+') ?? []);

const isPaymentType = (text: string): text is PaymentType => PAYMENT_TYPES.some((type) => type === text);

/** A route with its providers; none where they are not there any more: nobody else takes their payments. */
export type OpenedRoute = { readonly route: ProviderRoute; readonly providers: readonly PaymentProvider[] };

/** One provider for everything that it offers. */
export const everythingOf = (provider: PaymentProvider): Providers => ({
  providersFor: (method) => (provider.methods.includes(method) ? [provider] : []),
});

/**
 * Providers by routes, and `otherwise` for what no route names. Null where there is neither. Throws for a route to a
 * provider that does not offer the method.
 */
export const routed = (routes: readonly OpenedRoute[], otherwise: Providers | null): Providers | null => {
  if (routes.length === 0) return otherwise;
  for (const { route, providers } of routes)
    for (const provider of providers)
      if (!provider.methods.includes(route.method))
        throw new RangeError(`the provider ${provider.name} does not offer ${route.method}`);
  const narrowestFirst = routes.toSorted((one, other) => weightOf(other) - weightOf(one));
  return {
    providersFor: (method, currency, brand) => {
      const isMeant = ({ route }: OpenedRoute): boolean =>
        route.method === method &&
        (route.currency === null || route.currency === currency) &&
        (route.brand === null || route.brand === brand);
      const best = narrowestFirst.find(isMeant);
      return best?.providers ?? otherwise?.providersFor(method, currency, brand) ?? [];
    },
  };
};

/** The currency counts before the brand. */
const weightOf = ({ route: { currency, brand } }: { readonly route: ProviderRoute }): number =>
  (currency === null ? 0 : 2) + (brand === null ? 0 : 1);
