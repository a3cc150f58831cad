import { reconcileLoop } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { CardTokensModule } from '../card-tokens/card-tokens.module.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { CustomersModule } from '../customers/customers.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { PaymentMethodsModule } from '../payment-methods/payment-methods.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import type { StoredMethodsModule } from '../stored-methods/stored-methods.module.ts';
import type { SubscriptionsModule } from '../subscriptions/subscriptions.module.ts';
import { checkoutRoutes } from './checkout.http.ts';
import { paymentLinkRoutes } from './links.http.ts';
import { PAYMENT_LINK_LIST } from './read/list-links.ts';
import { CHECKOUT_SESSION_LIST } from './read/list-sessions.ts';
import { createCancelCheckoutSession } from './write/cancel-session.ts';
import { CHECKOUT_SESSIONS } from './write/checkout-session.ts';
import { createCheckoutSessionHandler } from './write/create-session.ts';
import { createCyclePages } from './write/cycle-pages.ts';
import {
  createFollowSessionCharge,
  createFollowSessionMethod,
  isSessionFree,
} from './write/follow-charge.ts';
import { createEndSessionsForDeletion } from './write/forget-for-others.ts';
import { createLeaveCharge } from './write/leave-charge.ts';
import {
  createCancelPaymentLink,
  createPaymentLinkHandler,
  createUpdatePaymentLink,
} from './write/manage-links.ts';
import { createPaySession } from './write/pay-session.ts';
import { LINK_PLACES, PAYMENT_LINKS } from './write/payment-link.ts';
import { createRecordSession } from './write/record-session.ts';
import {
  checkoutMigrations,
  createFindByToken,
  createFindLinkByToken,
  createFindLivingSessions,
} from './write/sessions.store.ts';
import { createSetUpCard } from './write/set-up-card.ts';
import { createSettleLink } from './write/settle-link.ts';
import { createSettleSession } from './write/settle-session.ts';
import {
  createIsToSubscribe,
  createLeaveSubscription,
  createSettleSubscription,
} from './write/settle-subscription.ts';
import { createStartSession } from './write/start-session.ts';

export type CheckoutModule = ReturnType<typeof createCheckoutModule>;

type Needs = {
  readonly cardTokens: CardTokensModule;
  readonly charges: ChargesModule;
  readonly customers: CustomersModule;
  readonly merchants: MerchantsModule;
  readonly paymentMethods: PaymentMethodsModule;
  readonly providers: ProvidersModule;
  readonly storedMethods: StoredMethodsModule;
  readonly subscriptions: SubscriptionsModule;
};

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: wiring has no branches
export const createCheckoutModule = (services: Services, needs: Needs) => {
  const { db, clock } = services;
  const { charges, customers, storedMethods, subscriptions } = needs;
  const findLivingSessions = createFindLivingSessions(db);
  const { isCyclePageAwaited, followPageEnd } = subscriptions;
  const recordSession = createRecordSession({ isCyclePageAwaited, followPageEnd, clock });
  charges.followOutcomes(createFollowSessionCharge({ clock, recordSession }));
  charges.addLateRule(isSessionFree);
  storedMethods.followMethods(createFollowSessionMethod({ clock }));
  customers.followDeletions(createEndSessionsForDeletion({ findLivingSessions, recordSession, clock }));

  const stored = {
    ...services,
    isCyclePageAwaited,
    recordSession,
    findByToken: createFindByToken(db),
    findLinkByToken: createFindLinkByToken(db),
    findSession: createFindById(services, CHECKOUT_SESSIONS),
    findLink: createFindById(services, PAYMENT_LINKS),
    createCharge: charges.createCharge,
    endCharge: charges.endCharge,
    findCharge: charges.findCharge,
    findCustomer: customers.findCustomer,
    findMerchants: needs.merchants.findMerchants,
    listPaymentMethods: needs.paymentMethods.listPaymentMethods,
    cardTesting: needs.cardTokens.cardTesting,
    makeCardToken: needs.cardTokens.makeCardToken,
    publicUrl: needs.providers.publicUrl,
    findMethod: storedMethods.findMethod,
    revokeMethod: storedMethods.revokeMethod,
    storeCard: storedMethods.storeCard,
    cancelSubscription: subscriptions.cancelSubscription,
    createSubscription: subscriptions.createSubscription,
    findPlan: subscriptions.findPlan,
    findSubscription: subscriptions.findSubscription,
  };
  storedMethods.addChargesNext(createIsToSubscribe(stored));
  subscriptions.payOn(createCyclePages(stored));
  const subscribing = {
    ...stored,
    settleSubscription: createSettleSubscription(stored),
    leaveSubscription: createLeaveSubscription(stored),
  };
  const deps = { ...subscribing, leaveCharge: createLeaveCharge(subscribing) };
  const cases = {
    ...deps,
    createCheckoutSession: createCheckoutSessionHandler(deps),
    cancelCheckoutSession: createCancelCheckoutSession(deps),
    createPaymentLink: createPaymentLinkHandler(deps),
    updatePaymentLink: createUpdatePaymentLink(deps),
    cancelPaymentLink: createCancelPaymentLink(deps),
  };
  const { findByToken, findLink, findLinkByToken, leaveCharge, settleSubscription } = deps;
  return {
    findByToken,
    findLink,
    findLinkByToken,
    findLinkPlaces: createFindById(services, LINK_PLACES),
    leaveCharge,
    settleSubscription,
    paySession: createPaySession(deps),
    setUpCard: createSetUpCard(deps),
    startSession: createStartSession(deps),
    contributions: {
      migrations: checkoutMigrations,
      views: [CHECKOUT_SESSION_LIST.view, PAYMENT_LINK_LIST.view],
      routes: () => [
        ...CHECKOUT_SESSION_LIST.routes(cases),
        ...PAYMENT_LINK_LIST.routes(cases),
        ...checkoutRoutes(cases),
        ...paymentLinkRoutes(cases),
      ],
      work: () => ({
        dueLoops: [
          reconcileLoop(services, {
            name: 'settle checkout sessions',
            of: CHECKOUT_SESSIONS,
            reconcile: createSettleSession(deps),
          }),
          reconcileLoop(services, {
            name: 'expire payment links',
            of: PAYMENT_LINKS,
            reconcile: createSettleLink(deps),
          }),
        ],
      }),
    },
  };
};
