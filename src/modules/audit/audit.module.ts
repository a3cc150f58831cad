import { ContainerModule } from 'inversify';
import { READ_VIEW, ROUTES, VIEW } from '../../platform/platform.module.ts';
import { auditRoutes } from './audit.http.ts';
import { AUDIT_VIEW } from './read/audit.view.ts';
import { createListAuditLog } from './read/list-audit-log.ts';

export const auditModule = new ContainerModule(({ bind }) => {
  bind(VIEW).toConstantValue(AUDIT_VIEW);
  bind(ROUTES).toResolvedValue((readView) => auditRoutes(createListAuditLog(readView)), [READ_VIEW]);
});
