import { defineModule, findById } from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { FEE_DEFINITIONS } from '../merchants/write/fees.ts';
import { providersOf } from '../providers/providers.module.ts';
import { hasWallet } from '../wallets/wallets.module.ts';
import { paymentMethodRoutes } from './payment-methods.http.ts';
import { createListPaymentMethods } from './read/list-payment-methods.ts';

const scope = { findMerchants, findFeeDefinitions: findById(FEE_DEFINITIONS), providersOf, hasWallet };

export const paymentMethodsModule = defineModule({
  routes: [provide(paymentMethodRoutes, provide(createListPaymentMethods, scope))],
});
