import {
  date,
  flag,
  from,
  json,
  keyword,
  line,
  object,
  stored,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { AUDIT_LOG, type AuditEntry } from '../../../platform/write-store/audit.ts';

/** Entries show resources as they are stored, with money in minor units. */
export const AUDIT_VIEW = defineView({
  name: 'audit_log',
  version: 4,
  source: AUDIT_LOG,
  tenants: 'routed',
  gatherMs: 500,
  fields: {
    id: keyword(),
    type: keyword(),
    actor: object({ kind: keyword(), id: keyword() }),
    resource: keyword(),
    resourceId: line(),
    livemode: flag(),
    requestId: line(),
    // Entries from before addresses and details were recorded lack them.
    address: from(line(), ({ address }: AuditEntry) => address ?? null),
    details: from(stored(), ({ details }: AuditEntry) => details ?? null),
    before: json(),
    after: json(),
    createdAt: from(date(), ({ at }: AuditEntry) => at),
  },
});
