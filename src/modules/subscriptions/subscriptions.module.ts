import { systemContext } from '../../kernel/event.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import { reconcileLoop } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import type { CustomersModule } from '../customers/customers.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import type { StoredMethodsModule } from '../stored-methods/stored-methods.module.ts';
import { planRoutes } from './plans.http.ts';
import { PLAN_LIST } from './read/list-plans.ts';
import { SUBSCRIPTION_LIST } from './read/list-subscriptions.ts';
import { createMandatesLoop } from './read/mandates-loop.ts';
import { createGetSubscriptionReport } from './read/report-subscriptions.ts';
import { subscriptionReportRoutes } from './report.http.ts';
import {
  subscriptionChangeRoutes,
  subscriptionRoutes,
  subscriptionTestHelperRoutes,
} from './subscriptions.http.ts';
import { createAdvanceSubscription } from './write/advance-subscription.ts';
import { createBeginAndCollect, createCollectCycle } from './write/collect-cycle.ts';
import { createSubscriptionHandler } from './write/create-subscription.ts';
import { CYCLES } from './write/cycle.ts';
import { type CyclePages, createFollowPageEnd, isCyclePageAwaited } from './write/cycle-pages.ts';
import {
  createEndForDeletion,
  createHasSubscriptions,
  createIsSubscribedWith,
} from './write/end-for-others.ts';
import { createFollowCharge } from './write/follow-charge.ts';
import { createFollowMandate } from './write/follow-mandate.ts';
import { createPlanHandler, createUpdatePlan } from './write/manage-plans.ts';
import {
  createCancelSubscription,
  createPauseSubscription,
  createResumeSubscription,
  createRetryCycle,
  createUndoCancel,
  createUpdateSubscription,
} from './write/manage-subscription.ts';
import { PLANS } from './write/plan.ts';
import { createRunDue } from './write/run-due.ts';
import { SUBSCRIPTIONS, type Subscription } from './write/subscription.ts';
import {
  createFindCycles,
  createFindHappened,
  createFindPaidCycles,
  createFindRunning,
  subscriptionMigrations,
} from './write/subscriptions.store.ts';

export type SubscriptionsModule = ReturnType<typeof createSubscriptionsModule>;

type Needs = {
  readonly charges: ChargesModule;
  readonly customers: CustomersModule;
  readonly merchants: MerchantsModule;
  readonly providers: ProvidersModule;
  readonly storedMethods: StoredMethodsModule;
};

/** Charges of cycles that are made at the same time share commits and reads of the write store. */
const COLLECTED_AT_ONCE = 64;

/** The pages on which cycles are paid, once the module that has them has registered. */
const createCyclePages = () => {
  let given: CyclePages | null = null;
  const pages = (): CyclePages => {
    if (given === null) throw new Error('no pages are known on which cycles are paid');
    return given;
  };
  const cyclePages: CyclePages = {
    open: (...wanted) => pages().open(...wanted),
    close: (...wanted) => pages().close(...wanted),
    expire: (...wanted) => pages().expire(...wanted),
  };
  return {
    cyclePages,
    payOn: (by: CyclePages): void => {
      given = by;
    },
  };
};

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: wiring has no branches
export const createSubscriptionsModule = (services: Services, needs: Needs) => {
  const { db, clock } = services;
  const { charges, customers, merchants, storedMethods } = needs;
  const findRunning = createFindRunning(db);
  charges.followOutcomes(createFollowCharge({ clock }));
  const { cyclePages, payOn } = createCyclePages();
  customers.followDeletions(createEndForDeletion({ findRunning, clock }));
  customers.addSubscribers(createHasSubscriptions({ findRunning }));
  storedMethods.addUse(createIsSubscribedWith({ findRunning }));
  storedMethods.followMethods(createFollowMandate({ findRunning, clock }));

  const stored = {
    ...services,
    cyclePages,
    findRunning,
    findCycles: createFindCycles(db),
    findPaidCycles: createFindPaidCycles(db),
    findHappened: createFindHappened(db),
    findPlan: createFindById(services, PLANS),
    findSubscription: createFindById(services, SUBSCRIPTIONS),
    findCycle: createFindById(services, CYCLES),
    createCharge: charges.createCharge,
    endCharge: charges.endCharge,
    settlePlanned: charges.settlePlanned,
    findCharge: charges.findCharge,
    findStatuses: charges.findStatuses,
    findCustomer: customers.findCustomer,
    findMerchants: merchants.findMerchants,
    findSetting: merchants.findSetting,
    findMethod: storedMethods.findMethod,
    findStoredMethod: storedMethods.findStoredMethod,
    intentGraceMs: needs.providers.intentGraceMs,
  };
  const collecting = {
    ...stored,
    collectCycle: createCollectCycle(stored),
    beginAndCollect: createBeginAndCollect(stored),
  };
  const runDue = createRunDue(collecting);
  const deps = { ...collecting, runDue };
  const cases = {
    ...deps,
    createPlan: createPlanHandler(deps),
    updatePlan: createUpdatePlan(deps),
    createSubscription: createSubscriptionHandler(deps),
    updateSubscription: createUpdateSubscription(deps),
    pauseSubscription: createPauseSubscription(deps),
    resumeSubscription: createResumeSubscription(deps),
    cancelSubscription: createCancelSubscription(deps),
    undoCancel: createUndoCancel(deps),
    retryCycle: createRetryCycle(deps),
    advanceSubscription: createAdvanceSubscription(deps),
    getSubscriptionReport: createGetSubscriptionReport(deps),
  };
  /** A worker's task for a subscription for which something is due. */
  const runDueAlone = async (subscription: Subscription): Promise<void> => {
    await runDue(subscription, systemContext('subscriptions', tenantOf(subscription)));
  };
  const { cancelSubscription, createSubscription, undoCancel, updateSubscription } = cases;
  const { findCycle, findPaidCycles, findPlan, findSubscription } = cases;
  return {
    cancelSubscription,
    createSubscription,
    undoCancel,
    updateSubscription,
    findCycle,
    findPaidCycles,
    findPlan,
    findSubscription,
    runDue,
    payOn,
    isCyclePageAwaited,
    followPageEnd: createFollowPageEnd({ clock }),
    contributions: {
      migrations: subscriptionMigrations,
      views: [PLAN_LIST.view, SUBSCRIPTION_LIST.view],
      routes: () => [
        ...PLAN_LIST.routes(cases),
        ...SUBSCRIPTION_LIST.routes(cases),
        ...subscriptionReportRoutes(cases),
        ...planRoutes(cases),
        ...subscriptionRoutes(cases),
        ...subscriptionChangeRoutes(cases),
        ...subscriptionTestHelperRoutes(cases),
      ],
      work: () => ({
        loops: [createMandatesLoop(deps)],
        dueLoops: [
          reconcileLoop(services, {
            name: 'collect subscriptions',
            of: SUBSCRIPTIONS,
            reconcile: runDueAlone,
            atOnce: COLLECTED_AT_ONCE,
          }),
        ],
      }),
    },
  };
};
