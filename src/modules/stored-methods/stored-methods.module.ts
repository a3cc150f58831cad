import { reconcileLoop } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { CardTokensModule } from '../card-tokens/card-tokens.module.ts';
import type { CustomersModule } from '../customers/customers.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import { STORED_METHOD_LIST } from './read/list-stored-methods.ts';
import { mandateTestHelperRoutes, storedMethodRoutes } from './stored-methods.http.ts';
import { createEnrollMandate, type FindWaitingPix } from './write/enroll-mandate.ts';
import { createKeepWithCharge } from './write/keep-with-charge.ts';
import { createMakeCvvToken } from './write/make-cvv-token.ts';
import { createNoteLateMethod, type IsChargedNext } from './write/note-late-method.ts';
import { createPlayPayer } from './write/play-payer.ts';
import { createReconcileMethod } from './write/reconcile-method.ts';
import {
  createRecordMandateState,
  createRecordStoredState,
  type FollowMethod,
} from './write/record-stored-state.ts';
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

export type StoredMethodsModule = ReturnType<typeof createStoredMethodsModule>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: wiring has no branches
export const createStoredMethodsModule = (
  services: Services,
  {
    cardTokens,
    customers,
    merchants,
    providers,
  }: {
    readonly cardTokens: CardTokensModule;
    readonly customers: CustomersModule;
    readonly merchants: MerchantsModule;
    readonly providers: ProvidersModule;
  },
) => {
  const { db } = services;
  const methodUses: IsInUse[] = [];
  const methodFollowers: FollowMethod[] = [];
  const pixFinders: FindWaitingPix[] = [];
  const chargedNext: IsChargedNext[] = [];
  const stored = {
    ...services,
    cardTesting: cardTokens.cardTesting,
    cardTokens: cardTokens.cardTokens,
    findCustomer: customers.findCustomer,
    findMerchants: merchants.findMerchants,
    findSetting: merchants.findSetting,
    providerNamed: providers.providerNamed,
    providersOf: providers.providersOf,
    simulator: providers.simulator,
    intentGraceMs: providers.intentGraceMs,
    findMethod: createFindById(services, STORED_METHODS),
    findMethodsOf: createFindMethodsOf(db),
    eraseHolders: createEraseHolders(db),
    methodUses,
    methodFollowers,
    pixFinders,
    chargedNext,
  };
  const finding = { ...stored, findStoredMethod: createFindStoredMethod(stored) };
  const recording = {
    ...finding,
    recordStoredState: createRecordStoredState(finding),
    recordMandateState: createRecordMandateState(finding),
  };
  // Everything but the answer to the request itself is news.
  const later = { ...recording, recordStoredState: createNoteLateMethod(recording) };
  const deps = { ...later, reconcileMethod: createReconcileMethod(later) };
  customers.followDeletions(createForgetMethods(deps));
  const cases = {
    ...deps,
    storeCard: createStoreCard({ ...deps, recordStoredState: recording.recordStoredState }),
    revokeMethod: createRevokeMethod(deps),
    makeCvvToken: createMakeCvvToken(deps),
    enrollMandate: createEnrollMandate(deps),
    playPayer: createPlayPayer(deps),
  };
  const { findMethod, findStoredMethod, recordMandateState, recordStoredState } = cases;
  const { storeCard, revokeMethod, makeCvvToken } = cases;
  return {
    findActiveCards: createFindActiveCards(db),
    findMethod,
    findStoredMethod,
    keepWithCharge: createKeepWithCharge(deps),
    makeCvvToken,
    recordMandateState,
    recordStoredState,
    revokeMethod,
    storeCard,
    /** Called by modules that charge stored methods repeatedly. */
    addUse: (isInUse: IsInUse): void => void methodUses.push(isInUse),
    /** Called by modules that store cards in order to charge them. */
    addChargesNext: (isNext: IsChargedNext): void => void chargedNext.push(isNext),
    /** Called by modules that wait for the outcome of storing a card. */
    followMethods: (follow: FollowMethod): void => void methodFollowers.push(follow),
    /** Called by the module of charges, because a mandate may be approved along with one. */
    findPixBy: (find: FindWaitingPix): void => void pixFinders.push(find),
    contributions: {
      migrations: storedMethodMigrations,
      views: [STORED_METHOD_LIST.view],
      routes: () => [
        ...STORED_METHOD_LIST.routes(cases),
        ...storedMethodRoutes(cases),
        ...mandateTestHelperRoutes(cases),
      ],
      work: () => ({
        dueLoops: [
          reconcileLoop(services, {
            name: 'reconcile stored methods',
            of: STORED_METHODS,
            reconcile: deps.reconcileMethod,
          }),
        ],
      }),
    },
  };
};
