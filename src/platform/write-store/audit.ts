import { type Timestamp, timestamp } from '../../kernel/clock.ts';
import type { Actor, CommandContext, Decision, Resource } from '../../kernel/event.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Store, store } from '../../kernel/store.ts';

/** One change that an operator made, or one reading that must leave a trace (decisions 11). Never changed. */
export type AuditEntry = Resource & {
  readonly id: Id<'aud'>;
  readonly at: Timestamp;
  readonly actor: Actor;
  readonly requestId: string;
  /** What was done, in the words of the domain event. */
  readonly type: string;
  readonly resource: string;
  readonly resourceId: string;
  /** The environment of the resource; null for one that exists once for both. */
  readonly livemode: boolean | null;
  /** The resource as JSON, without what is stored beside it as secret; null where there was none. */
  readonly before: string | null;
  readonly after: string | null;
};

export const AUDIT_LOG: Store<AuditEntry> = store('audit_log', 'audit_entry');

export type Audited = Pick<AuditEntry, 'type' | 'resource' | 'resourceId' | 'livemode'>;

export const auditEntry = (
  context: CommandContext,
  audited: Audited & { readonly before: Resource | null; readonly after: Resource | null },
  id: Id<'aud'>,
  at: Date,
): Decision<AuditEntry> => ({
  type: 'audit.recorded',
  data: {
    id,
    version: 0,
    at: timestamp(at),
    actor: context.actor,
    requestId: context.requestId,
    type: audited.type,
    resource: audited.resource,
    resourceId: audited.resourceId,
    livemode: audited.livemode,
    before: audited.before && JSON.stringify(audited.before),
    after: audited.after && JSON.stringify(audited.after),
  },
});

/** The environment that a resource belongs to, null where it has none. */
export const environmentOf = (resource: Resource): boolean | null =>
  'livemode' in resource && typeof resource.livemode === 'boolean' ? resource.livemode : null;
