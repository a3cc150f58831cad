import { ContainerModule, type ServiceIdentifier } from 'inversify';
import {
  CONSUMER,
  DB,
  MIGRATIONS,
  OUTBOX_READER,
  READ_STORE,
  READ_VIEW,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import { createFindReasons } from '../adjustments/write/adjustments.store.ts';
import { LIST_VISIBLE } from '../merchants/merchants.module.ts';
import { createFindMerchants } from '../merchants/write/find-merchants.store.ts';
import { ledgerRoutes } from './ledger.http.ts';
import { createGetBalance } from './read/get-balance.ts';
import { createGetExplanation } from './read/get-explanation.ts';
import { findGiven } from './read/get-given.ts';
import { createListMovementSums } from './read/list-movement-sums.ts';
import {
  createListStatement,
  createScanStatement,
  type ListStatement,
  type ScanStatement,
} from './read/list-statement.ts';
import { STATEMENT_VIEW } from './read/statement.view.ts';
import { statementRoutes } from './statement.http.ts';
import { createFoldBalances, createFoldOwner } from './write/fold-balances.ts';
import {
  createDebitAvailable,
  createFoldOutstanding,
  type DebitAvailable,
  type FoldOutstanding,
} from './write/fold-outstanding.ts';
import { LEDGER_CONSUMER, ledgerMigrations } from './write/ledger.store.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export const LIST_STATEMENT = token<ListStatement>('ListStatement');
export const SCAN_STATEMENT = token<ScanStatement>('ScanStatement');
export const DEBIT_AVAILABLE = token<DebitAvailable>('DebitAvailable');
export const FOLD_OUTSTANDING = token<FoldOutstanding>('FoldOutstanding');

export const ledgerModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(ledgerMigrations);
  bind(CONSUMER).toConstantValue(LEDGER_CONSUMER);
  bind(VIEW).toConstantValue(STATEMENT_VIEW);
  bind(OUTBOX_READER).toResolvedValue(
    (db, transact) => ({
      consumer: LEDGER_CONSUMER.name,
      handle: createFoldBalances({ db, transact, findMerchants: createFindMerchants(db) }),
    }),
    [DB, TRANSACT],
  );
  bind(DEBIT_AVAILABLE).toResolvedValue(
    (db) =>
      createDebitAvailable({
        db,
        foldOwner: createFoldOwner({ db, findMerchants: createFindMerchants(db) }),
      }),
    [DB],
  );
  bind(FOLD_OUTSTANDING).toResolvedValue(
    (db, transact) =>
      createFoldOutstanding({
        db,
        fold: createFoldBalances({ db, transact, findMerchants: createFindMerchants(db) }),
      }),
    [DB, TRANSACT],
  );
  bind(LIST_STATEMENT).toResolvedValue(
    (visible, db) => createListStatement(visible, createFindReasons(db)),
    [LIST_VISIBLE, DB],
  );
  bind(SCAN_STATEMENT).toResolvedValue(
    (visible, db) => createScanStatement(visible, createFindReasons(db)),
    [LIST_VISIBLE, DB],
  );
  bind(ROUTES).toResolvedValue(
    (listStatement, scanStatement, readStore, readView, db) =>
      statementRoutes({
        listStatement,
        scanStatement,
        listMovementSums: createListMovementSums({
          readStore,
          readView,
          findMerchants: createFindMerchants(db),
        }),
        getExplanation: createGetExplanation({ db, findGiven: findGiven(db) }),
      }),
    [LIST_STATEMENT, SCAN_STATEMENT, READ_STORE, READ_VIEW, DB],
  );
  bind(ROUTES).toResolvedValue(
    (db, transact) =>
      ledgerRoutes(createGetBalance({ db, transact, findMerchants: createFindMerchants(db) })),
    [DB, TRANSACT],
  );
});
