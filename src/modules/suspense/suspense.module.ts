import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { newId } from '../../kernel/ids.ts';
import { createLoop } from '../../platform/loop.ts';
import { BACKGROUND, CLOCK, DB, LOGGER, MIGRATIONS, TRANSACT } from '../../platform/platform.module.ts';
import { createReconciler } from '../../platform/reconcile.ts';
import { PROVIDER_NAMED } from '../providers/providers.module.ts';
import {
  type CloseReturn,
  createCloseReturn,
  createGiveBack,
  createSettleReturn,
  type GiveBack,
} from './write/give-back.ts';
import { createFindDueReturns, suspenseMigrations } from './write/suspense.store.ts';

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
