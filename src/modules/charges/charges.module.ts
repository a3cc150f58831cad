import { reconcileLoop } from '../../platform/platform.module.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { CardTokensModule } from '../card-tokens/card-tokens.module.ts';
import type { CustomersModule } from '../customers/customers.module.ts';
import type { MerchantsModule } from '../merchants/merchants.module.ts';
import type { ProvidersModule } from '../providers/providers.module.ts';
import type { StoredMethodsModule } from '../stored-methods/stored-methods.module.ts';
import type { SuspenseModule } from '../suspense/suspense.module.ts';
import type { WalletsModule } from '../wallets/wallets.module.ts';
import { chargeRoutes, chargeTestHelperRoutes } from './charges.http.ts';
import { defaultSplitRoutes } from './default-split.http.ts';
import { createFindItems } from './read/find-items.store.ts';
import { createGetCharge } from './read/get-charge.ts';
import { createGetDefaultSplit } from './read/get-default-split.ts';
import { CHARGE_LIST } from './read/list-charges.ts';
import { createAskProviders } from './write/ask-providers.ts';
import { createCancelCharge, createEndCharge } from './write/cancel-charge.ts';
import {
  CHARGES,
  chargeMigrations,
  createFindDuplicate,
  createFindHolder,
  createFindOpenProviders,
  createFindStatuses,
} from './write/charge.store.ts';
import { createFindChargeTerms } from './write/charge-terms.store.ts';
import { createChargeHandler } from './write/create-charge.ts';
import { createFindDelayDays } from './write/delay-days.store.ts';
import { createFindWaitingPix } from './write/find-waiting-pix.ts';
import { createNoteLateOutcome } from './write/note-late-outcome.ts';
import { createPutDefaultSplit } from './write/put-default-split.ts';
import { createReconcileCharge } from './write/reconcile-charge.ts';
import {
  createRecordPaymentOutcome,
  type FollowOutcome,
  type IsFree,
} from './write/record-payment-outcome.ts';
import { createSettlePlanned } from './write/settle-planned.ts';
import { createSimulateOutcome } from './write/simulate-outcome.ts';

export type ChargesModule = ReturnType<typeof createChargesModule>;

type Needs = {
  readonly cardTokens: CardTokensModule;
  readonly customers: CustomersModule;
  readonly merchants: MerchantsModule;
  readonly providers: ProvidersModule;
  readonly storedMethods: StoredMethodsModule;
  readonly suspense: SuspenseModule;
  readonly wallets: WalletsModule;
};

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: wiring has no branches
export const createChargesModule = (services: Services, needs: Needs) => {
  const { db, readInTime } = services;
  const { intentGraceMs, providerNamed, providersOf, publicUrl, simulator } = needs.providers;
  const { findMerchants, getMerchant } = needs.merchants;
  const { findStoredMethod, keepWithCharge } = needs.storedMethods;
  const findCharge = createFindById(services, CHARGES);
  needs.storedMethods.findPixBy(createFindWaitingPix({ findCharge }));
  const findChargeTerms = createFindChargeTerms(db);
  const outcomeFollowers: FollowOutcome[] = [];
  const lateRules: IsFree[] = [];

  const stored = {
    ...services,
    intentGraceMs,
    providerNamed,
    providersOf,
    publicUrl,
    simulator,
    findMerchants,
    getMerchant,
    findStoredMethod,
    keepWithCharge,
    cardTokens: needs.cardTokens.cardTokens,
    findCustomer: needs.customers.findCustomer,
    giveBack: needs.suspense.giveBack,
    findDeviceWallet: needs.wallets.findDeviceWallet,
    findCharge,
    findChargeTerms: (...asked: Parameters<typeof findChargeTerms>) =>
      readInTime(() => findChargeTerms(...asked)),
    findDelayDays: createFindDelayDays(db),
    findDuplicate: createFindDuplicate(db),
    findItems: createFindItems(db),
    findHolder: createFindHolder(db),
    outcomeFollowers,
    lateRules,
  };
  const recording = {
    ...stored,
    recordPaymentOutcome: createRecordPaymentOutcome(stored),
    askProviders: createAskProviders(stored),
  };
  // Everything but the answer to the request itself is news.
  const later = { ...recording, recordPaymentOutcome: createNoteLateOutcome(recording) };
  const deps = { ...later, endCharge: createEndCharge(later) };
  const cases = {
    ...deps,
    createCharge: createChargeHandler({ ...deps, recordPaymentOutcome: recording.recordPaymentOutcome }),
    cancelCharge: createCancelCharge(deps),
    getCharge: createGetCharge(deps),
    simulateOutcome: createSimulateOutcome(deps),
    settlePlanned: createSettlePlanned(deps),
    putDefaultSplit: createPutDefaultSplit(deps),
    getDefaultSplit: createGetDefaultSplit(deps),
  };
  const { createCharge, endCharge, recordPaymentOutcome, settlePlanned, simulateOutcome } = cases;
  return {
    findCharge,
    findOpenProviders: createFindOpenProviders(db),
    findStatuses: createFindStatuses(db),
    createCharge,
    endCharge,
    recordPaymentOutcome,
    settlePlanned,
    simulateOutcome,
    /** For modules that make charges for something of their own. */
    followOutcomes: (follow: FollowOutcome): void => void outcomeFollowers.push(follow),
    /** For modules that sell something in several attempts, of which one may be paid. */
    addLateRule: (isFree: IsFree): void => void lateRules.push(isFree),
    contributions: {
      migrations: chargeMigrations,
      views: [CHARGE_LIST.view],
      routes: () => [
        ...CHARGE_LIST.routes(cases),
        ...chargeRoutes(cases),
        ...defaultSplitRoutes(cases),
        ...chargeTestHelperRoutes(cases),
      ],
      work: () => ({
        dueLoops: [
          reconcileLoop(services, {
            name: 'reconcile charges',
            of: CHARGES,
            reconcile: createReconcileCharge(deps),
          }),
        ],
      }),
    },
  };
};
