import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { IDENTIFY_TYPES } from '../../charges/charges.schemas.ts';
import type { FeeDefinitions } from '../../merchants/write/fees.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import type { ProvidersOf } from '../../providers/provider.ts';
import type { HasWallet } from '../../wallets/write/device-wallet.ts';
import { type PaymentMethodOffer, paymentMethodsOf } from './payment-methods.ts';

/** The payment methods that a merchant can use: none where it may not create charges. */
export type ListPaymentMethods = (principal: MerchantPrincipal) => Promise<readonly PaymentMethodOffer[]>;

export const createListPaymentMethods =
  (deps: {
    readonly findMerchants: FindMerchants;
    readonly findFeeDefinitions: (merchantId: string) => Promise<FeeDefinitions | null>;
    readonly providersOf: ProvidersOf;
    readonly hasWallet: HasWallet;
  }): ListPaymentMethods =>
  async ({ merchantId, livemode }) => {
    const [[merchant], fees, ofDevices] = await Promise.all([
      deps.findMerchants([merchantId]),
      deps.findFeeDefinitions(merchantId),
      deps.hasWallet(merchantId),
    ]);
    if (merchant?.status !== 'active') return [];
    return paymentMethodsOf({
      offers: deps.providersOf(livemode)?.offers ?? [],
      livemode,
      definitions: fees?.definitions ?? [],
      wallets: ofDevices ? ['devicepay'] : [],
      identifyTypes: IDENTIFY_TYPES,
    });
  };
