import { type Timestamp, timestamp } from '../../kernel/clock.ts';
import type { Actor, CommandContext, Decision, Resource } from '../../kernel/event.ts';
import type { Id } from '../../kernel/ids.ts';
import { type SecretStore, secretStore } from '../../kernel/store.ts';

/** Details of an entry besides the resource, such as a missing permission. Never a secret. */
type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** A change, an attempt or a read that has to leave a trace. It changes only when a customer is erased from it. */
export type AuditEntry = Resource & {
  readonly id: Id<'aud'>;
  readonly at: Timestamp;
  readonly actor: Actor;
  readonly requestId: string;
  /** Network address that the request came from; null for work without a request. */
  readonly address: string | null;
  /** The type of the change, as in the domain event. */
  readonly type: string;
  readonly resource: string;
  readonly resourceId: string;
  /** The environment of the resource; null for one that both environments share. */
  readonly livemode: boolean | null;
  readonly details: AuditDetails | null;
  /** The resource as JSON, without its secrets; null where there was none. */
  readonly before: string | null;
  readonly after: string | null;
};

export const AUDIT_LOG: SecretStore<AuditEntry, 'audit.recorded' | 'audit.customer_erased'> = secretStore(
  'audit_log',
  'audit_entry',
);

export type Audited = Pick<AuditEntry, 'type' | 'resource' | 'resourceId' | 'livemode'> & {
  readonly details?: AuditDetails;
};

export const auditEntry = (
  context: CommandContext,
  audited: Audited & { readonly before: Resource | null; readonly after: Resource | null },
  id: Id<'aud'>,
  at: Date,
): Decision<AuditEntry, 'audit.recorded'> => ({
  type: 'audit.recorded',
  data: {
    id,
    version: 0,
    at: timestamp(at),
    actor: context.actor,
    requestId: context.requestId,
    address: context.address,
    type: audited.type,
    resource: audited.resource,
    resourceId: audited.resourceId,
    livemode: audited.livemode,
    details: audited.details ?? (context.proposedBy ? { proposedBy: context.proposedBy } : null),
    before: audited.before && JSON.stringify(audited.before),
    after: audited.after && JSON.stringify(audited.after),
  },
});

/** The environment of a resource; null where it has none. */
export const environmentOf = (resource: Resource): boolean | null =>
  'livemode' in resource && typeof resource.livemode === 'boolean' ? resource.livemode : null;
