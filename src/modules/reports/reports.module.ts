import { ContainerModule } from 'inversify';
import {
  AWAIT_CONSISTENCY,
  CLOCK,
  DB,
  READ_STORE,
  ROUTES,
  VIEW_READY,
} from '../../platform/platform.module.ts';
import { LIST_STATEMENT, SCAN_STATEMENT } from '../ledger/ledger.module.ts';
import { GET_DIFFERENCES } from '../reconciliation/reconciliation.module.ts';
import { createGetReconciliation } from './read/get-reconciliation.ts';
import { createListReport } from './read/list-report.ts';
import { adminStatementRoutes, reconciliationRoute, reportRoutes } from './reports.http.ts';

export const reportsModule = new ContainerModule(({ bind }) => {
  bind(ROUTES).toResolvedValue(
    (readStore, viewReady, awaitConsistency, clock) =>
      reportRoutes({ listReport: createListReport({ readStore, viewReady, awaitConsistency, clock }) }),
    [READ_STORE, VIEW_READY, AWAIT_CONSISTENCY, CLOCK],
  );
  bind(ROUTES).toResolvedValue(
    (listStatement, scanStatement) => adminStatementRoutes({ listStatement, scanStatement }),
    [LIST_STATEMENT, SCAN_STATEMENT],
  );
  bind(ROUTES).toResolvedValue(
    (db, getDifferences, awaitConsistency) => [
      reconciliationRoute(createGetReconciliation({ db, getDifferences, awaitConsistency })),
    ],
    [DB, GET_DIFFERENCES, AWAIT_CONSISTENCY],
  );
});
