import { defineModule, services } from '../../platform/platform.module.ts';
import { createLimiter, type LimitStore } from '../../platform/rate-limit.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { cardTesting } from '../card-tokens/card-tokens.module.ts';
import { findCharge, simulateOutcome } from '../charges/charges.module.ts';
import {
  findByToken,
  findLink,
  findLinkByToken,
  findLinkPlaces,
  leaveCharge,
  paySession,
  settleSubscription,
  setUpCard,
  startSession,
} from '../checkout/checkout.module.ts';
import { findShop } from '../checkout-settings/checkout-settings.module.ts';
import { findCustomer } from '../customers/customers.module.ts';
import { listPaymentMethods } from '../payment-methods/payment-methods.module.ts';
import { findActiveCards, findMethod, makeCvvToken } from '../stored-methods/stored-methods.module.ts';
import { findPlan, findSubscription } from '../subscriptions/subscriptions.module.ts';
import { checkoutPageRoutes } from './checkout-page.http.ts';
import { linkPageRoutes, STARTS_OF_ADDRESS } from './link-page.http.ts';
import { createGetPageContent } from './page-content.ts';
import { createPayAsPayer } from './pay-as-payer.ts';

const scope = {
  ...services,
  cardTesting,
  findByToken,
  findLink,
  findLinkByToken,
  findLinkPlaces,
  findMethod,
  findPlan,
  findSubscription,
  setUpCard,
  settleSubscription,
  startSession,
  findActiveCards,
  findCharge,
  findCustomer,
  findShop,
  leaveCharge,
  listPaymentMethods,
  makeCvvToken,
  paySession,
  simulateOutcome,
};
/** Sessions that an address opens by links, counted in Redis for all processes together. */
const linkStarts = provide(
  (deps: LimitStore) => createLimiter(deps, 'link-starts', STARTS_OF_ADDRESS),
  services,
);

const cases = provideEach(scope, { createGetPageContent, createPayAsPayer });

export const checkoutPageModule = defineModule(
  { ...cases, linkStarts },
  { routes: [checkoutPageRoutes, linkPageRoutes] },
);
