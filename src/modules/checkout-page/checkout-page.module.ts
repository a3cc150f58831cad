import { defineModule, services } from '../../platform/platform.module.ts';
import { provideEach } from '../../platform/wiring.ts';
import { cardTesting } from '../card-tokens/card-tokens.module.ts';
import { findCharge, simulateOutcome } from '../charges/charges.module.ts';
import { findByToken, leaveCharge, paySession } from '../checkout/checkout.module.ts';
import { findCustomer } from '../customers/customers.module.ts';
import { getMerchant } from '../merchants/merchants.module.ts';
import { listPaymentMethods } from '../payment-methods/payment-methods.module.ts';
import { checkoutPageRoutes } from './checkout-page.http.ts';
import { createGetPageContent } from './page-content.ts';
import { createPayAsPayer } from './pay-as-payer.ts';

const scope = {
  ...services,
  cardTesting,
  findByToken,
  findCharge,
  findCustomer,
  getMerchant,
  leaveCharge,
  listPaymentMethods,
  paySession,
  simulateOutcome,
};
const cases = provideEach(scope, { createGetPageContent, createPayAsPayer });

export const checkoutPageModule = defineModule(cases, { routes: [checkoutPageRoutes] });
