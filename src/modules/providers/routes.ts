import { isCurrency } from '../../kernel/money.ts';
import {
  type Offer,
  PAYMENT_TYPES,
  type PaymentProvider,
  type PaymentType,
  type Providers,
} from './provider.ts';

/** Payments of one method, in one currency or in all, go to one provider. */
export type ProviderRoute = {
  readonly method: PaymentType;
  /** Null: every currency that has no route of its own. */
  readonly currency: string | null;
  readonly provider: string;
};

/** Reads `pix=pix-api,credit_card:USD=stripe`. Throws RangeError that says what is wrong. */
export const parseRoutes = (text: string, names: readonly string[]): readonly ProviderRoute[] => {
  const routes = text.split(',').map((entry): ProviderRoute => {
    const [, method = '', currency = null, provider = ''] =
      /^([a-z_]+)(?::([A-Z]{3}))?=([a-z-]+)$/.exec(entry.trim()) ?? [];
    if (!isPaymentType(method)) throw new RangeError(`"${entry}" is no method=provider`);
    if (currency !== null && !isCurrency(currency)) throw new RangeError(`${currency} is no currency`);
    if (!names.includes(provider)) throw new RangeError(`there is no provider ${provider}`);
    return { method, currency, provider };
  });
  const places = routes.map(({ method, currency }) => `${method}:${currency}`);
  if (new Set(places).size < places.length) throw new RangeError('a method or currency has two routes');
  return routes;
};

const isPaymentType = (text: string): text is PaymentType => PAYMENT_TYPES.some((type) => type === text);

/**
 * The providers behind an environment's keys: by the routes, and all else by the provider that stands for everything
 * that it offers. Null where there is neither. Throws for a route to a provider that does not offer the method.
 */
export const routed = (
  routes: readonly { readonly route: ProviderRoute; readonly provider: PaymentProvider }[],
  otherwise: PaymentProvider | null,
): Providers | null => {
  if (routes.length === 0 && !otherwise) return null;
  for (const { route, provider } of routes)
    if (!provider.methods.includes(route.method))
      throw new Error(`the provider ${provider.name} does not offer ${route.method}`);
  const find = (method: PaymentType, currency: string | null): PaymentProvider | null =>
    routes.find(({ route }) => route.method === method && route.currency === currency)?.provider ?? null;
  const offerOf = (method: PaymentType): readonly Offer[] => {
    if (find(method, null) ?? otherwise?.methods.includes(method)) return [{ method, currencies: null }];
    const currencies = routes.flatMap(({ route }) =>
      route.method === method && route.currency !== null ? [route.currency] : [],
    );
    return currencies.length > 0 ? [{ method, currencies }] : [];
  };
  return {
    offers: PAYMENT_TYPES.flatMap(offerOf),
    providerFor: (method, currency) =>
      find(method, currency) ??
      find(method, null) ??
      (otherwise?.methods.includes(method) ? otherwise : null),
  };
};
