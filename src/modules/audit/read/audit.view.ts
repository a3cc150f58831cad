import type { View } from '../../../platform/read-store/view.ts';
import { AUDIT_LOG, type AuditEntry } from '../../../platform/write-store/audit.ts';

export type AuditDocument = Omit<AuditEntry, 'version'>;

export const AUDIT_VIEW: View<AuditEntry, AuditDocument> = {
  name: 'audit_log',
  version: 2,
  source: AUDIT_LOG,
  properties: {
    id: { type: 'keyword' },
    at: { type: 'date' },
    actor: { properties: { kind: { type: 'keyword' }, id: { type: 'keyword' } } },
    requestId: { type: 'keyword', ignore_above: 256 },
    address: { type: 'keyword', ignore_above: 256 },
    type: { type: 'keyword' },
    resource: { type: 'keyword' },
    resourceId: { type: 'keyword', ignore_above: 256 },
    livemode: { type: 'boolean' },
  },
  toDocument: ({ version: _, ...entry }) => entry,
};

/** An entry as the API answers it: before and after as the resources were, money in minor units. */
export const presentAuditEntry = (entry: AuditDocument) => ({
  id: entry.id,
  type: entry.type,
  actor: entry.actor,
  resource: entry.resource,
  resourceId: entry.resourceId,
  livemode: entry.livemode,
  requestId: entry.requestId,
  // Entries from before addresses and details were recorded have neither.
  address: entry.address ?? null,
  details: entry.details ?? null,
  before: entry.before === null ? null : (JSON.parse(entry.before) as unknown),
  after: entry.after === null ? null : (JSON.parse(entry.after) as unknown),
  createdAt: entry.at,
});
export type PublicAuditEntry = ReturnType<typeof presentAuditEntry>;
