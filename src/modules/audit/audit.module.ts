import { ContainerModule } from 'inversify';
import { AWAIT_CONSISTENCY, READ_STORE, ROUTES, VIEW, VIEW_READY } from '../../platform/platform.module.ts';
import { auditRoutes } from './audit.http.ts';
import { AUDIT_VIEW } from './read/audit.view.ts';
import { createListAuditLog } from './read/list-audit-log.ts';

export const auditModule = new ContainerModule(({ bind }) => {
  bind(VIEW).toConstantValue(AUDIT_VIEW);
  bind(ROUTES).toResolvedValue(
    (readStore, viewReady, awaitConsistency) =>
      auditRoutes(createListAuditLog({ readStore, viewReady, awaitConsistency })),
    [READ_STORE, VIEW_READY, AWAIT_CONSISTENCY],
  );
});
