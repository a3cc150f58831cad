import { defineModule, outboxReader, services } from '../../platform/platform.module.ts';
import { provide, provideEach } from '../../platform/wiring.ts';
import { AUDIT_CHAIN_CONSUMER } from '../../platform/write-store/audit-chain.ts';
import { auditRoutes } from './audit.http.ts';
import { createGetAuditChain } from './read/get-audit-chain.ts';
import { AUDIT_LIST } from './read/list-audit-log.ts';
import { auditChainMigrations, createChainEntries } from './write/chain-entries.store.ts';

/** Entries take their places together: one transaction for those of half a second. */
const CHAINING = { gatherMs: 500 } as const;

export const auditModule = defineModule(provideEach(services.db, { createGetAuditChain }), {
  lists: [AUDIT_LIST],
  migrations: [auditChainMigrations],
  consumers: [{ name: AUDIT_CHAIN_CONSUMER, wants: () => false }],
  outboxReaders: [outboxReader(AUDIT_CHAIN_CONSUMER, provide(createChainEntries, services), CHAINING)],
  routes: [auditRoutes],
});
