import { defineModule, findById } from '../../platform/platform.module.ts';
import { provideEach } from '../../platform/wiring.ts';
import { findMerchants, findSetting } from '../merchants/merchants.module.ts';
import { FEE_DEFINITIONS } from '../merchants/write/fees.ts';
import { providersOf } from '../providers/providers.module.ts';
import { hasWallet } from '../wallets/wallets.module.ts';
import { createListPaymentMethods } from './list-payment-methods.ts';
import { paymentMethodRoutes } from './payment-methods.http.ts';

const findFeeDefinitions = findById(FEE_DEFINITIONS);
const scope = { findMerchants, findFeeDefinitions, findSetting, providersOf, hasWallet };

const cases = provideEach(scope, { createListPaymentMethods });
export const { listPaymentMethods } = cases;

export const paymentMethodsModule = defineModule(cases, {
  routes: [paymentMethodRoutes],
});
