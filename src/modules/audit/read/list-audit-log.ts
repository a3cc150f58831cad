import type { estypes } from '@elastic/elasticsearch';
import { defineList } from '../../../platform/read-store/list.ts';
import type { ListFor, ReadView } from '../../../platform/read-store/read-view.ts';
import { AUDIT_VIEW, type PublicAuditEntry, presentAuditEntry } from './audit.view.ts';

export const AUDIT_LIST = defineList({
  sortable: {
    id: { field: 'id', kind: 'keyword' },
    actor: { field: 'actor.id', kind: 'keyword' },
    type: { field: 'type', kind: 'keyword' },
    resource: { field: 'resource', kind: 'keyword' },
    resourceId: { field: 'resourceId', kind: 'keyword' },
    address: { field: 'address', kind: 'keyword' },
    createdAt: { field: 'at', kind: 'date' },
  },
  filters: {
    actor: { field: 'actor.id', kind: 'keyword', description: 'Id of who did it, such as `usr_…`.' },
    type: { field: 'type', kind: 'keyword', description: 'What was done, such as `merchant.updated`.' },
    resource: { field: 'resource', kind: 'keyword', description: 'Kind of record, such as `merchant`.' },
    resourceId: { field: 'resourceId', kind: 'keyword', description: 'Everything done to this record.' },
    requestId: { field: 'requestId', kind: 'keyword', description: '`X-Request-Id` of the command.' },
    address: { field: 'address', kind: 'keyword', description: 'Network address that it came from.' },
    createdAt: { field: 'at', kind: 'date' },
  },
});

export type ListAuditLog = ListFor<PublicAuditEntry>;

export const createListAuditLog =
  (readView: ReadView): ListAuditLog =>
  ({ livemode }, query, consistencyToken) =>
    readView.page(
      { list: AUDIT_LIST, view: AUDIT_VIEW, present: presentAuditEntry },
      auditScope(livemode),
      query,
      consistencyToken,
    );

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
