import { ContainerModule } from 'inversify';
import {
  AWAIT_CONSISTENCY,
  CLOCK,
  DB,
  READ_STORE,
  READ_VIEW,
  ROUTES,
} from '../../platform/platform.module.ts';
import { LIST_STATEMENT, SCAN_STATEMENT } from '../ledger/ledger.module.ts';
import { GET_DIFFERENCES } from '../reconciliation/reconciliation.module.ts';
import { createGetReconciliation } from './read/get-reconciliation.ts';
import { createListReport } from './read/list-report.ts';
import { adminStatementRoutes, reconciliationRoute, reportRoutes } from './reports.http.ts';

export const reportsModule = new ContainerModule(({ bind }) => {
  bind(ROUTES).toResolvedValue(
    (readStore, readView, clock) =>
      reportRoutes({ listReport: createListReport({ readStore, readView, clock }) }),
    [READ_STORE, READ_VIEW, CLOCK],
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
