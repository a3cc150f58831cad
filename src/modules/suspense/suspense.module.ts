import { reconcileLoop } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import { createIsBooked } from '../ledger/write/ledger.store.ts';
import type { ProposalsModule } from '../proposals/proposals.module.ts';
import type { HearLateFailure } from '../providers/late-failures.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import { SUSPENSE_LIST } from './read/list-suspense-items.ts';
import { suspenseRoutes } from './suspense.http.ts';
import { createBookToMerchant } from './write/book-to-merchant.ts';
import { createClearSuspense } from './write/clear-suspense.ts';
import { createGiveBack, createReconcileReturn, createRecordReturnOutcome } from './write/give-back.ts';
import { createReconcileSuspense } from './write/reconcile-suspense.ts';
import * as store from './write/suspense.store.ts';

export type SuspenseModule = ReturnType<typeof createSuspenseModule>;

export const createSuspenseModule = (
  services: Services,
  { proposals, providers }: { readonly proposals: ProposalsModule; readonly providers: ProvidersModule },
) => {
  const { db } = services;
  const recordReturnOutcome = createRecordReturnOutcome(services);
  const hearers: HearLateFailure[] = [];
  const stored = {
    ...services,
    hearers,
    providerNamed: providers.providerNamed,
    assertApprover: proposals.assertApprover,
    recordReturnOutcome,
    findSuspenseItem: createFindById(services, store.SUSPENSE_ITEMS),
    isBooked: createIsBooked(db),
  };
  const deps = {
    ...stored,
    giveBack: createGiveBack(stored),
    reconcileReturn: createReconcileReturn(stored),
    bookToMerchant: createBookToMerchant(stored),
  };
  const cases = { ...deps, clearSuspense: createClearSuspense(deps) };
  return {
    findReturn: store.createFindReturn(db),
    recordReturnOutcome,
    giveBack: deps.giveBack,
    /** Called where money that was given back is found to have come back since. */
    hearLateFailures: (hear: HearLateFailure): void => void hearers.push(hear),
    contributions: {
      migrations: store.suspenseMigrations,
      views: [SUSPENSE_LIST.view],
      routes: () => [...SUSPENSE_LIST.routes(cases), ...suspenseRoutes(cases)],
      work: () => ({
        dueLoops: [
          reconcileLoop(services, {
            name: 'reconcile suspense',
            of: store.SUSPENSE_ITEMS,
            reconcile: createReconcileSuspense(deps),
          }),
        ],
      }),
    },
  };
};
