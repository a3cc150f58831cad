import { ContainerModule } from 'inversify';
import { newId } from '../../kernel/ids.ts';
import { CLOCK, DB, MIGRATIONS, READ_VIEW, ROUTES, TRANSACT } from '../../platform/platform.module.ts';
import { customerRoutes } from './customers.http.ts';
import { createFindChargesOf } from './read/list-charges-of.ts';
import { createEraseCustomer } from './write/erase-customer.ts';
import { createEraseHistory, erasureMigrations } from './write/erasure.store.ts';

export const customersModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(erasureMigrations);
  bind(ROUTES).toResolvedValue(
    (transact, db, readView, clock) =>
      customerRoutes(
        createEraseCustomer({
          transact,
          findChargesOf: createFindChargesOf(readView),
          eraseHistory: createEraseHistory(db),
          clock,
          newId,
        }),
      ),
    [TRANSACT, DB, READ_VIEW, CLOCK],
  );
});
