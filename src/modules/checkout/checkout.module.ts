import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { contribute, provide, provideEach } from '../../platform/wiring.ts';
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
import { checkoutRoutes } from './checkout.http.ts';
import { CHECKOUT_SESSION_LIST } from './read/list-sessions.ts';
import { createCancelCheckoutSession } from './write/cancel-session.ts';
import { CHECKOUT_SESSIONS } from './write/checkout-session.ts';
import { createCreateCheckoutSession } from './write/create-session.ts';
import { createFollowSessionCharge, isSessionFree } from './write/follow-charge.ts';
import { createEndSessionsForDeletion } from './write/forget-for-others.ts';
import { createLeaveCharge } from './write/leave-charge.ts';
import { createPaySession } from './write/pay-session.ts';
import { checkoutMigrations, createFindByToken, createFindOpenSessions } from './write/sessions.store.ts';
import { createSettleSession } from './write/settle-session.ts';

const stored = provideEach(services.db, { createFindByToken, createFindOpenSessions });
const others = {
  createCharge,
  endCharge,
  findCharge,
  findCustomer,
  findMerchants,
  listPaymentMethods,
  publicUrl,
};
const scope = { ...services, ...stored, ...others, findSession: findById(CHECKOUT_SESSIONS) };
const leaving = provideEach(scope, { createLeaveCharge });
const cases = provideEach(leaving, {
  createCreateCheckoutSession,
  createCancelCheckoutSession,
  createPaySession,
  createSettleSession,
});
export const { findByToken, findSession, leaveCharge, paySession } = cases;

export const checkoutModule = defineModule(cases, {
  migrations: [checkoutMigrations],
  lists: [CHECKOUT_SESSION_LIST],
  routes: [checkoutRoutes],
  loops: [reconcileLoop('settle checkout sessions', CHECKOUT_SESSIONS, cases.settleSession)],
  contributions: [
    contribute(outcomeFollowers, provide(createFollowSessionCharge, { clock: services.clock })),
    contribute(
      lateRules,
      provide(() => isSessionFree),
    ),
    contribute(
      deletionFollowers,
      provide(createEndSessionsForDeletion, {
        findOpenSessions: stored.findOpenSessions,
        clock: services.clock,
      }),
    ),
  ],
});
