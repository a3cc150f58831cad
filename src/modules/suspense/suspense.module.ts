import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { assertApprover } from '../proposals/proposals.module.ts';
import { providerNamed } from '../providers/providers.module.ts';
import { SUSPENSE_LIST } from './read/list-suspense-items.ts';
import { suspenseRoutes } from './suspense.http.ts';
import { createClearSuspense } from './write/clear-suspense.ts';
import { createGiveBack, createReconcileReturn, createRecordReturnOutcome } from './write/give-back.ts';
import * as store from './write/suspense.store.ts';

const { db } = services;
export const findReturn = provide(store.createFindReturn, db);
export const recordReturnOutcome = provide(createRecordReturnOutcome, services);
const findSuspenseItem = findById(store.SUSPENSE_ITEMS);
const scope = { ...services, providerNamed, assertApprover, recordReturnOutcome, findSuspenseItem };
const giving = provideEach(scope, { createGiveBack, createReconcileReturn });
export const { giveBack } = giving;

export const suspenseModule = defineModule(provideEach(giving, { createClearSuspense }), {
  migrations: [store.suspenseMigrations],
  lists: [SUSPENSE_LIST],
  routes: [suspenseRoutes],
  loops: [reconcileLoop('reconcile returns', store.SUSPENSE_ITEMS, giving.reconcileReturn)],
});
