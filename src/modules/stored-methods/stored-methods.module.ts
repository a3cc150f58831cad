import { defineModule, findById, reconcileLoop, services } from '../../platform/platform.module.ts';
import { all, contribute, provide, provideEach, token } from '../../platform/wiring.ts';
import { cardTesting, cardTokens } from '../card-tokens/card-tokens.module.ts';
import { deletionFollowers, findCustomer } from '../customers/customers.module.ts';
import { intentGraceMs, providerNamed } from '../providers/providers.module.ts';
import { STORED_METHOD_LIST } from './read/list-stored-methods.ts';
import { storedMethodRoutes } from './stored-methods.http.ts';
import { createKeepWithCharge } from './write/keep-with-charge.ts';
import { createMakeCvvToken } from './write/make-cvv-token.ts';
import { createReconcileMethod } from './write/reconcile-method.ts';
import { createRecordStoredState, type FollowMethod } from './write/record-stored-state.ts';
import { createForgetMethods, createRevokeMethod, type IsInUse } from './write/revoke-method.ts';
import { createStoreCard } from './write/store-card.ts';
import {
  createEraseHolders,
  createFindActiveCards,
  createFindMethodsOf,
  STORED_METHODS,
  storedMethodMigrations,
} from './write/stored-methods.store.ts';
import { createFindStoredMethod } from './write/use-stored-method.ts';

const { db } = services;
const reads = {
  findCustomer,
  findMethod: findById(STORED_METHODS),
  findMethodsOf: provide(createFindMethodsOf, db),
  eraseHolders: provide(createEraseHolders, db),
};
export const findActiveCards = provide(createFindActiveCards, db);
/** Contributed by modules that pay with stored methods again and again. */
export const methodUses = token<IsInUse>('methodUses');
/** Contributed by modules that wait for what becomes of a card. */
export const methodFollowers = token<FollowMethod>('methodFollowers');
const others = {
  cardTesting,
  cardTokens,
  providerNamed,
  intentGraceMs,
  methodUses: all(methodUses),
  methodFollowers: all(methodFollowers),
};
const finding = provideEach({ ...services, ...reads, ...others }, { createFindStoredMethod });
const recording = provideEach(finding, { createRecordStoredState });
const reconciling = provideEach(recording, { createReconcileMethod });
const cases = provideEach(reconciling, {
  createStoreCard,
  createRevokeMethod,
  createForgetMethods,
  createKeepWithCharge,
  createMakeCvvToken,
});
export const {
  findMethod,
  findStoredMethod,
  keepWithCharge,
  makeCvvToken,
  recordStoredState,
  revokeMethod,
  storeCard,
} = cases;

export const storedMethodsModule = defineModule(cases, {
  migrations: [storedMethodMigrations],
  lists: [STORED_METHOD_LIST],
  routes: [storedMethodRoutes],
  loops: [reconcileLoop('reconcile stored methods', STORED_METHODS, cases.reconcileMethod)],
  contributions: [contribute(deletionFollowers, cases.forgetMethods)],
});
