import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { provide } from '../../platform/wiring.ts';
import { assertApprover } from '../proposals/proposals.module.ts';
import { providerNamed } from '../providers/providers.module.ts';
import { SUSPENSE_LIST } from './read/list-suspense-items.ts';
import { SUSPENSE_VIEW } from './read/suspense-item.view.ts';
import { suspenseRoutes } from './suspense.http.ts';
import { createClearSuspense } from './write/clear-suspense.ts';
import { createGiveBack, createReconcileReturn, createRecordReturnOutcome } from './write/give-back.ts';
import * as store from './write/suspense.store.ts';

const { db } = services;
export const findReturn = provide(store.createFindReturn, db);
const findDue = provide(store.createFindDueReturns, db);
export const recordReturnOutcome = provide(createRecordReturnOutcome, services);
const scope = { ...services, providerNamed, assertApprover, recordReturnOutcome };
export const giveBack = provide(createGiveBack, scope);
const clearSuspense = provide(createClearSuspense, { ...scope, giveBack });
const findSuspenseItem = findById(store.SUSPENSE_ITEMS);

export const suspenseModule = defineModule({
  migrations: [store.suspenseMigrations],
  views: [SUSPENSE_VIEW],
  lists: [SUSPENSE_LIST],
  routes: [provide(suspenseRoutes, { clearSuspense, findSuspenseItem })],
  loops: [reconcileLoop('reconcile returns', findDue, provide(createReconcileReturn, scope))],
});
