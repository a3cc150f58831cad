import { ContainerModule } from 'inversify';
import { CONSUMER, DB, MIGRATIONS, OUTBOX_READER, ROUTES, TRANSACT } from '../../platform/platform.module.ts';
import { ledgerRoutes } from './ledger.http.ts';
import { createGetBalance } from './read/get-balance.ts';
import { createFoldBalances } from './write/fold-balances.ts';
import { LEDGER_CONSUMER, ledgerMigrations } from './write/ledger.store.ts';

export const ledgerModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(ledgerMigrations);
  bind(CONSUMER).toConstantValue(LEDGER_CONSUMER);
  bind(OUTBOX_READER).toResolvedValue(
    (db, transact) => ({ consumer: LEDGER_CONSUMER.name, handle: createFoldBalances({ db, transact }) }),
    [DB, TRANSACT],
  );
  bind(ROUTES).toResolvedValue(
    (db, transact) => ledgerRoutes(createGetBalance({ db, transact })),
    [DB, TRANSACT],
  );
});
