import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { contribute, provide, provideEach } from '../../platform/wiring.ts';
import { makeCardToken } from '../card-tokens/card-tokens.module.ts';
import {
  createCharge,
  endCharge,
  findCharge,
  lateRules,
  outcomeFollowers,
} from '../charges/charges.module.ts';
import { deletionFollowers, findCustomer } from '../customers/customers.module.ts';
import { findMerchants } from '../merchants/merchants.module.ts';
import { listPaymentMethods } from '../payment-methods/payment-methods.module.ts';
import { publicUrl } from '../providers/providers.module.ts';
import {
  findMethod,
  methodFollowers,
  revokeMethod,
  storeCard,
} from '../stored-methods/stored-methods.module.ts';
import {
  cancelSubscription,
  createSubscription,
  findPlan,
  findSubscription,
} from '../subscriptions/subscriptions.module.ts';
import { checkoutRoutes } from './checkout.http.ts';
import { paymentLinkRoutes } from './links.http.ts';
import { PAYMENT_LINK_LIST } from './read/list-links.ts';
import { CHECKOUT_SESSION_LIST } from './read/list-sessions.ts';
import { createCancelCheckoutSession } from './write/cancel-session.ts';
import { CHECKOUT_SESSIONS } from './write/checkout-session.ts';
import { createCreateCheckoutSession } from './write/create-session.ts';
import {
  createFollowSessionCharge,
  createFollowSessionMethod,
  isSessionFree,
} from './write/follow-charge.ts';
import { createEndSessionsForDeletion } from './write/forget-for-others.ts';
import { createLeaveCharge } from './write/leave-charge.ts';
import {
  createCancelPaymentLink,
  createCreatePaymentLink,
  createUpdatePaymentLink,
} from './write/manage-links.ts';
import { createPaySession } from './write/pay-session.ts';
import { LINK_PLACES, PAYMENT_LINKS } from './write/payment-link.ts';
import {
  checkoutMigrations,
  createFindByToken,
  createFindLinkByToken,
  createFindLivingSessions,
} from './write/sessions.store.ts';
import { createSetUpCard } from './write/set-up-card.ts';
import { createSettleLink } from './write/settle-link.ts';
import { createSettleSession } from './write/settle-session.ts';
import { createLeaveSubscription, createSettleSubscription } from './write/settle-subscription.ts';
import { createStartSession } from './write/start-session.ts';

const stored = provideEach(services.db, {
  createFindByToken,
  createFindLinkByToken,
  createFindLivingSessions,
});
const others = {
  cancelSubscription,
  createCharge,
  createSubscription,
  endCharge,
  findCharge,
  findCustomer,
  findMerchants,
  findMethod,
  findPlan,
  findSubscription,
  listPaymentMethods,
  makeCardToken,
  publicUrl,
  revokeMethod,
  storeCard,
};
const scope = {
  ...services,
  ...stored,
  ...others,
  findSession: findById(CHECKOUT_SESSIONS),
  findLink: findById(PAYMENT_LINKS),
};
export const findLinkPlaces = findById(LINK_PLACES);
const subscribing = provideEach(scope, { createSettleSubscription, createLeaveSubscription });
const leaving = provideEach(subscribing, { createLeaveCharge });
const cases = provideEach(leaving, {
  createCreateCheckoutSession,
  createCancelCheckoutSession,
  createPaySession,
  createSettleSession,
  createCreatePaymentLink,
  createUpdatePaymentLink,
  createCancelPaymentLink,
  createStartSession,
  createSettleLink,
  createSetUpCard,
});
export const {
  findByToken,
  findLink,
  findLinkByToken,
  leaveCharge,
  paySession,
  setUpCard,
  settleSubscription,
  startSession,
} = cases;

export const checkoutModule = defineModule(cases, {
  migrations: [checkoutMigrations],
  lists: [CHECKOUT_SESSION_LIST, PAYMENT_LINK_LIST],
  routes: [checkoutRoutes, paymentLinkRoutes],
  loops: [
    reconcileLoop('settle checkout sessions', CHECKOUT_SESSIONS, cases.settleSession),
    reconcileLoop('expire payment links', PAYMENT_LINKS, cases.settleLink),
  ],
  contributions: [
    contribute(outcomeFollowers, provide(createFollowSessionCharge, { clock: services.clock })),
    contribute(methodFollowers, provide(createFollowSessionMethod, { clock: services.clock })),
    contribute(
      lateRules,
      provide(() => isSessionFree),
    ),
    contribute(
      deletionFollowers,
      provide(createEndSessionsForDeletion, {
        findLivingSessions: stored.findLivingSessions,
        clock: services.clock,
      }),
    ),
  ],
});
