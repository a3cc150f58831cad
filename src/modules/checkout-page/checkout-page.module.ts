import { createLimiter } from '../../platform/rate-limit.ts';
import type { Services } from '../../platform/services.ts';
import type { CardTokensModule } from '../card-tokens/card-tokens.module.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { CheckoutModule } from '../checkout/checkout.module.ts';
import type { CheckoutSettingsModule } from '../checkout-settings/checkout-settings.module.ts';
import type { CustomersModule } from '../customers/customers.module.ts';
import type { PaymentMethodsModule } from '../payment-methods/payment-methods.module.ts';
import type { StoredMethodsModule } from '../stored-methods/stored-methods.module.ts';
import type { SubscriptionsModule } from '../subscriptions/subscriptions.module.ts';
import { checkoutPageRoutes } from './checkout-page.http.ts';
import { linkPageRoutes, STARTS_OF_ADDRESS } from './link-page.http.ts';
import { createGetPageContent } from './page-content.ts';
import { createPayAsPayer } from './pay-as-payer.ts';

type Needs = {
  readonly cardTokens: CardTokensModule;
  readonly charges: ChargesModule;
  readonly checkout: CheckoutModule;
  readonly checkoutSettings: CheckoutSettingsModule;
  readonly customers: CustomersModule;
  readonly paymentMethods: PaymentMethodsModule;
  readonly storedMethods: StoredMethodsModule;
  readonly subscriptions: SubscriptionsModule;
};

export const createCheckoutPageModule = (services: Services, needs: Needs) => {
  const { charges, storedMethods, subscriptions } = needs;
  const deps = {
    ...services,
    ...needs.checkout,
    cardTesting: needs.cardTokens.cardTesting,
    findCharge: charges.findCharge,
    simulateOutcome: charges.simulateOutcome,
    findShop: needs.checkoutSettings.findShop,
    findCustomer: needs.customers.findCustomer,
    listPaymentMethods: needs.paymentMethods.listPaymentMethods,
    findActiveCards: storedMethods.findActiveCards,
    findMethod: storedMethods.findMethod,
    makeCvvToken: storedMethods.makeCvvToken,
    findPlan: subscriptions.findPlan,
    findSubscription: subscriptions.findSubscription,
    /** Sessions that an address opens by links, counted in Redis for all processes together. */
    linkStarts: createLimiter(services, 'link-starts', STARTS_OF_ADDRESS),
  };
  const cases = {
    ...deps,
    getPageContent: createGetPageContent(deps),
    payAsPayer: createPayAsPayer(deps),
  };
  return {
    contributions: { routes: () => [...checkoutPageRoutes(cases), ...linkPageRoutes(cases)] },
  };
};
