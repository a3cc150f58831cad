import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import { newId } from '../../kernel/ids.ts';
import { createLoop } from '../../platform/loop.ts';
import {
  BACKGROUND,
  CHECK_URL,
  CLOCK,
  DB,
  LOGGER,
  MIGRATIONS,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import { createReconciler } from '../../platform/reconcile.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { LIST_VISIBLE } from '../merchants/merchants.module.ts';
import { getMerchant } from '../merchants/read/get-merchant.ts';
import { createFindMerchants } from '../merchants/write/find-merchants.store.ts';
import { PROVIDER_FOR, PROVIDER_NAMED, PROVIDER_OPTIONS, SIMULATOR } from '../providers/providers.module.ts';
import { GIVE_BACK } from '../suspense/suspense.module.ts';
import { FIND_DEVICE_WALLET } from '../wallets/wallets.module.ts';
import { chargeRoutes, chargeTestHelperRoutes } from './charges.http.ts';
import { defaultSplitRoutes } from './default-split.http.ts';
import { CHARGES_VIEW } from './read/charge.view.ts';
import { createGetCharge } from './read/get-charge.ts';
import { createGetDefaultSplit } from './read/get-default-split.ts';
import { createListCharges, createScanCharges } from './read/list-charges.ts';
import {
  CHARGES,
  chargeMigrations,
  createFindDueCharges,
  createFindDuplicate,
} from './write/charge.store.ts';
import type { Charge } from './write/charge.ts';
import { createFindChargeTerms } from './write/charge-terms.store.ts';
import { type ConfirmPayment, createConfirmPayment } from './write/confirm-payment.ts';
import { type CreateCharge, createCreateCharge } from './write/create-charge.ts';
import { createFindDelayDays } from './write/delay-days.store.ts';
import { createPutDefaultSplit } from './write/put-default-split.ts';
import { createSettleCharge } from './write/settle-charge.ts';
import { createSimulateOutcome } from './write/simulate-outcome.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const CREATE_CHARGE = token<CreateCharge>('CreateCharge');
export const CONFIRM_PAYMENT = token<ConfirmPayment>('ConfirmPayment');
export const FIND_CHARGE = token<(id: string) => Promise<Charge | null>>('FindCharge');

const RECONCILE_EVERY_MS = 1_000;
/** An intent is asked about after this many provider time-outs: its own call has ended by then. */
export const GRACE_TIMEOUTS = 3;

export const chargesModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(chargeMigrations);
  bind(VIEW).toConstantValue(CHARGES_VIEW);
  bind(FIND_CHARGE).toResolvedValue((db: Db) => (id: string) => readResource(db, CHARGES, id), [DB]);
  bind(CONFIRM_PAYMENT).toResolvedValue(
    (transact, db, clock, giveBack) =>
      createConfirmPayment({
        transact,
        findDelayDays: createFindDelayDays(db),
        clock,
        newId,
        giveBack,
      }),
    [TRANSACT, DB, CLOCK, GIVE_BACK],
  );
  bind(CREATE_CHARGE).toResolvedValue(
    (transact, providerFor, db, confirmPayment, findDeviceWallet, clock, { timeoutMs }) =>
      createCreateCharge({
        transact,
        providerFor,
        findTerms: createFindChargeTerms(db),
        findMerchants: createFindMerchants(db),
        findDuplicate: createFindDuplicate(db),
        findDeviceWallet,
        confirmPayment,
        clock,
        newId,
        intentGraceMs: GRACE_TIMEOUTS * timeoutMs,
      }),
    [TRANSACT, PROVIDER_FOR, DB, CONFIRM_PAYMENT, FIND_DEVICE_WALLET, CLOCK, PROVIDER_OPTIONS],
  );
  bind(ROUTES).toResolvedValue(
    (createCharge, findCharge, visible, checkUrl) =>
      chargeRoutes({
        createCharge,
        getCharge: createGetCharge({ findCharge }),
        listCharges: createListCharges(visible),
        scanCharges: createScanCharges(visible),
        checkUrl,
      }),
    [CREATE_CHARGE, FIND_CHARGE, LIST_VISIBLE, CHECK_URL],
  );
  bind(ROUTES).toResolvedValue(
    (db, transact, clock) =>
      defaultSplitRoutes({
        putDefaultSplit: createPutDefaultSplit({ transact, findMerchants: createFindMerchants(db), clock }),
        getDefaultSplit: createGetDefaultSplit({ db, getMerchant: getMerchant(db) }),
      }),
    [DB, TRANSACT, CLOCK],
  );
  bind(ROUTES).toResolvedValue(
    (findCharge, simulator, confirmPayment, clock) =>
      chargeTestHelperRoutes(createSimulateOutcome({ findCharge, simulator, confirmPayment, clock })),
    [FIND_CHARGE, SIMULATOR, CONFIRM_PAYMENT, CLOCK],
  );
  bind(BACKGROUND).toResolvedValue(
    (db, providerNamed, confirmPayment, clock, logger) =>
      ({ owns }) =>
        createLoop({
          name: 'reconcile charges',
          everyMs: RECONCILE_EVERY_MS,
          logger,
          round: createReconciler({
            findDue: createFindDueCharges(db),
            settle: createSettleCharge({ providerNamed, confirmPayment }),
            owns,
            clock,
            logger,
          }),
        }),
    [DB, PROVIDER_NAMED, CONFIRM_PAYMENT, CLOCK, LOGGER],
  );
});
