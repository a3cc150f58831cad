import type { Services } from '../../platform/services.ts';
import { AUDIT_CHAIN_CONSUMER } from '../../platform/write-store/audit-chain.ts';
import { auditRoutes } from './audit.http.ts';
import { createGetAuditChain } from './read/get-audit-chain.ts';
import { AUDIT_LIST } from './read/list-audit-log.ts';
import { auditChainMigrations, createChainEntries } from './write/chain-entries.store.ts';

/** Entries of half a second get their places in one transaction. */
const CHAINING = { gatherMs: 500 } as const;

export const createAuditModule = (services: Services) => ({
  contributions: {
    migrations: auditChainMigrations,
    views: [AUDIT_LIST.view],
    consumers: [{ name: AUDIT_CHAIN_CONSUMER, wants: () => false }],
    routes: () => [
      ...AUDIT_LIST.routes(services),
      ...auditRoutes({ getAuditChain: createGetAuditChain(services.db) }),
    ],
    work: () => ({
      outboxReaders: [{ consumer: AUDIT_CHAIN_CONSUMER, handle: createChainEntries(services), ...CHAINING }],
    }),
  },
});
