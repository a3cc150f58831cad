import { ContainerModule } from 'inversify';
import {
  CONSUMER,
  DB,
  MIGRATIONS,
  OUTBOX_READER,
  READ_VIEW,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import { AUDIT_CHAIN_CONSUMER } from '../../platform/write-store/audit-chain.ts';
import { auditRoutes } from './audit.http.ts';
import { AUDIT_VIEW } from './read/audit.view.ts';
import { createGetAuditChain } from './read/get-audit-chain.ts';
import { createListAuditLog } from './read/list-audit-log.ts';
import { auditChainMigrations, createChainEntries } from './write/chain-entries.store.ts';

export const auditModule = new ContainerModule(({ bind }) => {
  bind(VIEW).toConstantValue(AUDIT_VIEW);
  bind(MIGRATIONS).toConstantValue(auditChainMigrations);
  bind(CONSUMER).toConstantValue({ name: AUDIT_CHAIN_CONSUMER, wants: () => false });
  bind(OUTBOX_READER).toResolvedValue(
    (db, transact) => ({
      consumer: AUDIT_CHAIN_CONSUMER,
      handle: createChainEntries({ db, transact }),
    }),
    [DB, TRANSACT],
  );
  bind(ROUTES).toResolvedValue(
    (readView, db) =>
      auditRoutes({ listAuditLog: createListAuditLog(readView), getAuditChain: createGetAuditChain(db) }),
    [READ_VIEW, DB],
  );
});
