import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { createIsBooked } from '../ledger/write/ledger.store.ts';
import { assertApprover } from '../proposals/proposals.module.ts';
import { providerNamed } from '../providers/providers.module.ts';
import { SUSPENSE_LIST } from './read/list-suspense-items.ts';
import { suspenseRoutes } from './suspense.http.ts';
import { createBookToMerchant } from './write/book-to-merchant.ts';
import { createClearSuspense } from './write/clear-suspense.ts';
import { createGiveBack, createReconcileReturn, createRecordReturnOutcome } from './write/give-back.ts';
import { createReconcileSuspense } from './write/reconcile-suspense.ts';
import * as store from './write/suspense.store.ts';

const { db } = services;
export const findReturn = provide(store.createFindReturn, db);
export const recordReturnOutcome = provide(createRecordReturnOutcome, services);
const findSuspenseItem = findById(store.SUSPENSE_ITEMS);
const isBooked = provide(createIsBooked, db);
const scope = { ...services, providerNamed, assertApprover, recordReturnOutcome, findSuspenseItem, isBooked };
const moving = provideEach(scope, { createGiveBack, createReconcileReturn, createBookToMerchant });
export const { giveBack } = moving;
const clearing = provideEach(moving, { createClearSuspense, createReconcileSuspense });

export const suspenseModule = defineModule(clearing, {
  migrations: [store.suspenseMigrations],
  lists: [SUSPENSE_LIST],
  routes: [suspenseRoutes],
  loops: [reconcileLoop('reconcile suspense', store.SUSPENSE_ITEMS, clearing.reconcileSuspense)],
});
