import { systemContext } from '../../kernel/event.ts';
import { tenantOf } from '../../kernel/tenant.ts';
import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { contribute, provide, provideEach } from '../../platform/wiring.ts';
import {
  createCharge,
  endCharge,
  findCharge,
  findStatuses,
  outcomeFollowers,
} from '../charges/charges.module.ts';
import { deletionFollowers, findCustomer } from '../customers/customers.module.ts';
import { findMerchants, findSetting } from '../merchants/merchants.module.ts';
import { intentGraceMs } from '../providers/providers.module.ts';
import { findMethod, findStoredMethod, methodUses } from '../stored-methods/stored-methods.module.ts';
import { planRoutes } from './plans.http.ts';
import { PLAN_LIST } from './read/list-plans.ts';
import { SUBSCRIPTION_LIST } from './read/list-subscriptions.ts';
import { createGetSubscriptionReport } from './read/report-subscriptions.ts';
import { subscriptionReportRoutes } from './report.http.ts';
import {
  subscriptionChangeRoutes,
  subscriptionRoutes,
  subscriptionTestHelperRoutes,
} from './subscriptions.http.ts';
import { createAdvanceSubscription } from './write/advance-subscription.ts';
import { createBeginAndCollect, createCollectCycle } from './write/collect-cycle.ts';
import { createCreateSubscription } from './write/create-subscription.ts';
import { CYCLES } from './write/cycle.ts';
import { createEndForDeletion, createIsSubscribedWith } from './write/end-for-others.ts';
import { createFollowCharge } from './write/follow-charge.ts';
import { createCreatePlan, createUpdatePlan } from './write/manage-plans.ts';
import {
  createCancelSubscription,
  createPauseSubscription,
  createResumeSubscription,
  createRetryCycle,
  createUndoCancel,
  createUpdateSubscription,
} from './write/manage-subscription.ts';
import { PLANS } from './write/plan.ts';
import { createRunDue, type RunDue } from './write/run-due.ts';
import { SUBSCRIPTIONS, type Subscription } from './write/subscription.ts';
import {
  createFindCycles,
  createFindHappened,
  createFindRunning,
  subscriptionMigrations,
} from './write/subscriptions.store.ts';

const stored = provideEach(services.db, { createFindCycles, createFindHappened, createFindRunning });
const byId = {
  findPlan: findById(PLANS),
  findSubscription: findById(SUBSCRIPTIONS),
  findCycle: findById(CYCLES),
};
const others = {
  createCharge,
  endCharge,
  findCharge,
  findCustomer,
  findMerchants,
  findMethod,
  findSetting,
  findStatuses,
  findStoredMethod,
  intentGraceMs,
};
const collecting = provideEach(
  { ...services, ...stored, ...byId, ...others },
  {
    createCollectCycle,
    createBeginAndCollect,
  },
);
const running = provideEach(collecting, { createRunDue });
export const { runDue } = running;
const cases = provideEach(running, {
  createCreatePlan,
  createUpdatePlan,
  createCreateSubscription,
  createUpdateSubscription,
  createPauseSubscription,
  createResumeSubscription,
  createCancelSubscription,
  createUndoCancel,
  createRetryCycle,
  createAdvanceSubscription,
  createGetSubscriptionReport,
});
export const {
  cancelSubscription,
  createSubscription,
  undoCancel,
  updateSubscription,
  findCycles,
  findPlan,
  findSubscription,
} = cases;

/** Charges of cycles that are made at the same time share commits and reads of the write store. */
const COLLECTED_AT_ONCE = 32;

/** Work of a worker for a subscription of which something is due. */
const runDueAlone = provide(
  (run: RunDue) =>
    async (subscription: Subscription): Promise<void> => {
      await run(subscription, systemContext('subscriptions', tenantOf(subscription)));
    },
  runDue,
);

export const subscriptionsModule = defineModule(cases, {
  migrations: [subscriptionMigrations],
  lists: [PLAN_LIST, SUBSCRIPTION_LIST],
  routes: [
    subscriptionReportRoutes,
    planRoutes,
    subscriptionRoutes,
    subscriptionChangeRoutes,
    subscriptionTestHelperRoutes,
  ],
  loops: [reconcileLoop('collect subscriptions', SUBSCRIPTIONS, runDueAlone, COLLECTED_AT_ONCE)],
  contributions: [
    contribute(outcomeFollowers, provide(createFollowCharge, { clock: services.clock })),
    contribute(
      deletionFollowers,
      provide(createEndForDeletion, { findRunning: stored.findRunning, clock: services.clock }),
    ),
    contribute(methodUses, provide(createIsSubscribedWith, { findRunning: stored.findRunning })),
  ],
});
