import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { newId } from '../../kernel/ids.ts';
import { createLoop } from '../../platform/loop.ts';
import {
  BACKGROUND,
  CLOCK,
  DB,
  LOGGER,
  MIGRATIONS,
  READ_VIEW,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import { createReconciler } from '../../platform/reconcile.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import { PROVIDER_NAMED } from '../providers/providers.module.ts';
import { createListSuspenseItems } from './read/list-suspense-items.ts';
import { SUSPENSE_VIEW } from './read/suspense-item.view.ts';
import { suspenseRoutes } from './suspense.http.ts';
import { createClearSuspense } from './write/clear-suspense.ts';
import {
  type CloseReturn,
  createCloseReturn,
  createGiveBack,
  createSettleReturn,
  type GiveBack,
} from './write/give-back.ts';
import { createFindDueReturns, SUSPENSE_ITEMS, suspenseMigrations } from './write/suspense.store.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const CLOSE_RETURN = token<CloseReturn>('CloseReturn');
export const GIVE_BACK = token<GiveBack>('GiveBack');

const RECONCILE_EVERY_MS = 1_000;

export const suspenseModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(suspenseMigrations);
  bind(CLOSE_RETURN).toResolvedValue(
    (transact, clock) => createCloseReturn({ transact, clock, newId }),
    [TRANSACT, CLOCK],
  );
  bind(GIVE_BACK).toResolvedValue(
    (providerNamed, closeReturn) => createGiveBack({ providerNamed, closeReturn }),
    [PROVIDER_NAMED, CLOSE_RETURN],
  );
  bind(VIEW).toConstantValue(SUSPENSE_VIEW);
  bind(ROUTES).toResolvedValue(
    (db, transact, giveBack, clock, readView) =>
      suspenseRoutes({
        clearSuspense: createClearSuspense({ transact, giveBack, clock, newId }),
        findSuspenseItem: (id) => readResource(db, SUSPENSE_ITEMS, id),
        listSuspenseItems: createListSuspenseItems(readView),
      }),
    [DB, TRANSACT, GIVE_BACK, CLOCK, READ_VIEW],
  );
  bind(BACKGROUND).toResolvedValue(
    (db, providerNamed, closeReturn, clock, logger) =>
      ({ owns }) =>
        createLoop({
          name: 'reconcile returns',
          everyMs: RECONCILE_EVERY_MS,
          logger,
          round: createReconciler({
            findDue: createFindDueReturns(db),
            settle: createSettleReturn({ providerNamed, closeReturn }),
            owns,
            clock,
            logger,
          }),
        }),
    [DB, PROVIDER_NAMED, CLOSE_RETURN, CLOCK, LOGGER],
  );
});
