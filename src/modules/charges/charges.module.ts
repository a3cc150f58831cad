import {
  defineModule,
  findById,
  limitedRead,
  reconcileLoop,
  services,
} from '../../platform/platform.module.ts';
import { all, provide, provideEach, token } from '../../platform/wiring.ts';
import { cardTokens } from '../card-tokens/card-tokens.module.ts';
import { findCustomer } from '../customers/customers.module.ts';
import { findMerchants, getMerchant } from '../merchants/merchants.module.ts';
import { intentGraceMs, providerNamed, providersOf, simulator } from '../providers/providers.module.ts';
import { findStoredMethod, keepWithCharge } from '../stored-methods/stored-methods.module.ts';
import { giveBack } from '../suspense/suspense.module.ts';
import { findDeviceWallet } from '../wallets/wallets.module.ts';
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
import { createCreateCharge } from './write/create-charge.ts';
import { createFindDelayDays } from './write/delay-days.store.ts';
import { createPutDefaultSplit } from './write/put-default-split.ts';
import { createReconcileCharge } from './write/reconcile-charge.ts';
import {
  createRecordPaymentOutcome,
  type FollowOutcome,
  type IsFree,
} from './write/record-payment-outcome.ts';
import { createSimulateOutcome } from './write/simulate-outcome.ts';

export const findCharge = findById(CHARGES);
/** Contributed by modules that make charges for something of their own. */
export const outcomeFollowers = token<FollowOutcome>('outcomeFollowers');
/** Contributed by modules that sell something in several attempts, of which one may be paid. */
export const lateRules = token<IsFree>('lateRules');
export const findOpenProviders = provide(createFindOpenProviders, services.db);
export const findStatuses = provide(createFindStatuses, services.db);
const stored = provideEach(services.db, {
  createFindChargeTerms,
  createFindDelayDays,
  createFindDuplicate,
  createFindItems,
  createFindHolder,
});
const reads = { ...stored, findChargeTerms: limitedRead(stored.findChargeTerms) };
const providers = { intentGraceMs, providerNamed, providersOf, simulator };
const others = {
  ...providers,
  cardTokens,
  findStoredMethod,
  keepWithCharge,
  findCustomer,
  findMerchants,
  getMerchant,
  giveBack,
  findDeviceWallet,
};
const scope = {
  ...services,
  ...reads,
  ...others,
  findCharge,
  outcomeFollowers: all(outcomeFollowers),
  lateRules: all(lateRules),
};
const recording = provideEach(scope, { createRecordPaymentOutcome, createAskProviders });
const cases = provideEach(provideEach(recording, { createEndCharge }), {
  createCreateCharge,
  createCancelCharge,
  createGetCharge,
  createReconcileCharge,
  createSimulateOutcome,
  createPutDefaultSplit,
  createGetDefaultSplit,
});
export const { createCharge, endCharge, recordPaymentOutcome, simulateOutcome } = cases;

export const chargesModule = defineModule(
  { ...scope, ...cases },
  {
    migrations: [chargeMigrations],
    lists: [CHARGE_LIST],
    routes: [chargeRoutes, defaultSplitRoutes, chargeTestHelperRoutes],
    loops: [reconcileLoop('reconcile charges', CHARGES, cases.reconcileCharge)],
  },
);
