import type { FindMerchantAccount } from './merchant-accounts.store.ts';
import { accountIdIn, mayUse } from './merchant-accounts.ts';
import type { PaymentProvider, ProviderNamed, RoutedMerchant } from './provider.ts';
import { type OpenedRoute, type ProviderRoute, parseRoutes, routed } from './routes.ts';
import { simulator } from './simulator/connector.ts';

type Merchant = Pick<RoutedMerchant, 'id' | 'masterId'>;

/** Reads routes that a setting has, and not the environment. */
export type OwnRoutes = {
  /** The routes with the providers that the merchant may use; null as the merchant: those of the installation. */
  open(text: string, merchant: Merchant | null): Promise<readonly OpenedRoute[]>;
  /** Why the text cannot be such routes; null where it can. */
  fault(text: string, merchant: Merchant | null): Promise<string | null>;
};

export const createOwnRoutes = ({
  providerNamed,
  findMerchantAccount,
  options,
}: {
  readonly providerNamed: ProviderNamed;
  readonly findMerchantAccount: FindMerchantAccount;
  readonly options: { readonly environment: string };
}): OwnRoutes => {
  const providerFor = async (name: string, merchant: Merchant | null): Promise<PaymentProvider | null> => {
    const id = accountIdIn(name);
    const account = id && (await findMerchantAccount(id));
    const isAllowed = id === null || (account && merchant && mayUse(account, merchant));
    return isAllowed ? providerNamed(name) : null;
  };
  const openRoute = async (route: ProviderRoute, merchant: Merchant | null): Promise<OpenedRoute> => {
    const found = await Promise.all(route.providers.map((name) => providerFor(name, merchant)));
    return { route, providers: found.filter((provider) => provider !== null) };
  };
  const open: OwnRoutes['open'] = (text, merchant) =>
    Promise.all(parseRoutes(text, null).map((route) => openRoute(route, merchant)));

  return {
    open,
    async fault(text, merchant) {
      try {
        const opened = await open(text, merchant);
        routed(opened, null);
        const names = opened.flatMap(({ route }) => route.providers);
        if (options.environment === 'production' && names.includes(simulator.name))
          return `${simulator.name} pays nobody`;
        const there = opened.flatMap(({ providers }) => providers.map(({ name }) => name));
        const missing = names.find((name) => !there.includes(name));
        return missing === undefined ? null : `there is no provider ${missing} for this merchant`;
      } catch (error) {
        if (error instanceof RangeError) return error.message;
        throw error;
      }
    },
  };
};
