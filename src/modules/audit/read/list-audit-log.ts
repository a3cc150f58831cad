import type { estypes } from '@elastic/elasticsearch';
import type { Principal } from '../../../kernel/principal.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { defineList, type ListQuery, type Page } from '../../../platform/read-store/list.ts';
import type { View } from '../../../platform/read-store/view.ts';
import { AUDIT_VIEW, type AuditDocument, type PublicAuditEntry, presentAuditEntry } from './audit.view.ts';

export const AUDIT_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    actor: { field: 'actor.id', kind: 'keyword' },
    type: { field: 'type', kind: 'keyword' },
    resource: { field: 'resource', kind: 'keyword' },
    resourceId: { field: 'resourceId', kind: 'keyword' },
    createdAt: { field: 'at', kind: 'date' },
  },
  filters: {
    actor: { field: 'actor.id', kind: 'keyword' },
    type: { field: 'type', kind: 'keyword' },
    resource: { field: 'resource', kind: 'keyword' },
    resourceId: { field: 'resourceId', kind: 'keyword' },
    requestId: { field: 'requestId', kind: 'keyword' },
    createdAt: { field: 'at', kind: 'date' },
  },
});

export type ListAuditLog = (
  principal: Principal,
  query: ListQuery,
  consistencyToken: string | null,
) => Promise<Page<PublicAuditEntry>>;

export const createListAuditLog =
  (deps: {
    readonly readStore: ReadStore;
    readonly viewReady: (view: View) => Promise<void>;
    readonly awaitConsistency: AwaitConsistency;
  }): ListAuditLog =>
  async (principal, query, consistencyToken) => {
    await deps.viewReady(AUDIT_VIEW);
    await deps.awaitConsistency(AUDIT_VIEW, consistencyToken);
    const scope = auditScope(principal.livemode);
    const page = await AUDIT_LIST.search<AuditDocument>(deps.readStore, AUDIT_VIEW, query, scope);
    return { ...page, data: page.data.map(presentAuditEntry) };
  };

/** What concerns the environment, and what exists once for both. */
const auditScope = (livemode: boolean): estypes.QueryDslQueryContainer[] => [
  {
    bool: {
      should: [{ term: { livemode } }, { bool: { must_not: [{ exists: { field: 'livemode' } }] } }],
      minimum_should_match: 1,
      // Guards other changes against each other and says nothing of its own.
      must_not: [{ term: { resource: 'administration' } }],
    },
  },
];
