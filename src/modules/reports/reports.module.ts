import { ContainerModule } from 'inversify';
import { CLOCK, DB, READ_STORE, READ_VIEW, ROUTES } from '../../platform/platform.module.ts';
import { LIST_STATEMENT, SCAN_STATEMENT } from '../ledger/ledger.module.ts';
import { createAwaitChecked } from '../reconciliation/await-checked.ts';
import { CHECK_STATES, DIFFERENCES } from '../reconciliation/reconciliation.module.ts';
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
    (db, differences, states, clock) => {
      const awaitChecked = createAwaitChecked({ states, clock });
      return [reconciliationRoute(createGetReconciliation({ db, differences, states, awaitChecked }))];
    },
    [DB, DIFFERENCES, CHECK_STATES, CLOCK],
  );
});
