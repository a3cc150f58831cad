import type { MerchantPrincipal } from '../../kernel/principal.ts';
import { identifyTypesOf } from '../charges/write/identify-types.ts';
import type { FeeDefinitions } from '../merchants/write/fees.ts';
import type { FindMerchants } from '../merchants/write/find-merchants.store.ts';
import { LIVE_PROVIDERS, routesOf } from '../merchants/write/setting.ts';
import type { FindSetting } from '../merchants/write/settings.store.ts';
import type { ProvidersOf } from '../providers/provider.ts';
import type { HasWallet } from '../wallets/write/device-wallet.ts';
import { type PaymentMethodOffer, paymentMethodsOf } from './payment-methods.ts';

/**
 * Lists the payment methods that a merchant can use, in one currency or in all; empty where the merchant may not create
 * charges.
 */
export type ListPaymentMethods = (
  seller: Pick<MerchantPrincipal, 'merchantId' | 'livemode'>,
  currency?: string,
) => Promise<readonly PaymentMethodOffer[]>;

export const createListPaymentMethods =
  (deps: {
    readonly findMerchants: FindMerchants;
    readonly findFeeDefinitions: (merchantId: string) => Promise<FeeDefinitions | null>;
    readonly findSetting: FindSetting;
    readonly providersOf: ProvidersOf;
    readonly hasWallet: HasWallet;
  }): ListPaymentMethods =>
  async ({ merchantId, livemode }, currency) => {
    const [[merchant], fees, ofDevices, routes] = await Promise.all([
      deps.findMerchants([merchantId]),
      deps.findFeeDefinitions(merchantId),
      deps.hasWallet(merchantId),
      deps.findSetting(merchantId, LIVE_PROVIDERS),
    ]);
    if (merchant?.status !== 'active') return [];
    const { id, masterId } = merchant;
    const providers = await deps.providersOf(livemode, { id, masterId, routes: routesOf(routes) });
    if (!providers) return [];
    return paymentMethodsOf({
      providersFor: providers.providersFor,
      livemode,
      definitions: fees?.definitions ?? [],
      wallets: ofDevices ? ['devicepay'] : [],
      identifyTypesOf,
      ...(currency ? { currency } : {}),
    });
  };
