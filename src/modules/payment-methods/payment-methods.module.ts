import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import { FEE_DEFINITIONS } from '../merchants/write/fees.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import type { WalletsModule } from '../wallets/wallets.module.ts';
import { createListPaymentMethods } from './list-payment-methods.ts';
import { paymentMethodRoutes } from './payment-methods.http.ts';

export type PaymentMethodsModule = ReturnType<typeof createPaymentMethodsModule>;

export const createPaymentMethodsModule = (
  services: Services,
  {
    merchants,
    providers,
    wallets,
  }: {
    readonly merchants: MerchantsModule;
    readonly providers: ProvidersModule;
    readonly wallets: WalletsModule;
  },
) => {
  const listPaymentMethods = createListPaymentMethods({
    findMerchants: merchants.findMerchants,
    findFeeDefinitions: createFindById(services, FEE_DEFINITIONS),
    findSetting: merchants.findSetting,
    providersOf: providers.providersOf,
    hasWallet: wallets.hasWallet,
  });
  return {
    listPaymentMethods,
    contributions: { routes: () => paymentMethodRoutes({ listPaymentMethods }) },
  };
};
