import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { systemContext } from '../../kernel/event.ts';
import { newId } from '../../kernel/ids.ts';
import { createLoop } from '../../platform/loop.ts';
import {
  BACKGROUND,
  CLOCK,
  DB,
  LOGGER,
  MIGRATIONS,
  ROUTES,
  TRANSACT,
} from '../../platform/platform.module.ts';
import { settlementTestHelperRoutes } from './settlement.http.ts';
import { createSettleDue, type SettleDue } from './write/settle-due.ts';
import { createFindSettleable, settlementMigrations } from './write/settlement.store.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const SETTLE_DUE = token<SettleDue>('SettleDue');

const SETTLE_EVERY_MS = 60_000;

export const settlementModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(settlementMigrations);
  bind(SETTLE_DUE).toResolvedValue(
    (transact, db, clock, logger) =>
      createSettleDue({ transact, findSettleable: createFindSettleable(db), clock, newId, logger }),
    [TRANSACT, DB, CLOCK, LOGGER],
  );
  bind(ROUTES).toResolvedValue(
    (settleDue, clock) => settlementTestHelperRoutes({ settleDue, clock }),
    [SETTLE_DUE, CLOCK],
  );
  bind(BACKGROUND).toResolvedValue(
    (settleDue, clock, logger) =>
      ({ owns }) =>
        createLoop({
          name: 'settle what is due',
          everyMs: SETTLE_EVERY_MS,
          logger,
          round: async (stopping) => {
            await settleDue({ until: clock(), scope: null, owns, stopping }, systemContext('settlement'));
            return false;
          },
        }),
    [SETTLE_DUE, CLOCK, LOGGER],
  );
});
