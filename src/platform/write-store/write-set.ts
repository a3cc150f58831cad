import { type Clock, timestamp } from '../../kernel/clock.ts';
import type { CommandContext, Decision, DomainEvent, Resource } from '../../kernel/event.ts';
import { newCommitId, newId } from '../../kernel/ids.ts';
import type { Store } from '../../kernel/store.ts';
import {
  createTenantTeller,
  type FindTenant,
  GATEWAY_TENANT,
  type TenantId,
  tenantShownBy,
} from '../../kernel/tenant.ts';
import { presentTrace } from '../tracing.ts';
import { AUDIT_LOG, auditEntry, environmentOf } from './audit.ts';
import { AUDIT_CHAIN_CONSUMER, AUDIT_CHAIN_KEY, newAuditSecret } from './audit-chain.ts';
import { withoutKept } from './kept-once.ts';
import { type Consumer, type OutboxRow, outboxRow } from './outbox.ts';
import { type StoredResource, storedIn } from './stored-resource.ts';
import type { Transaction } from './transaction.ts';

export const DOMAIN_EVENTS = 'domain_events';

/** Thrown where a document has changed since it was read; the command runs again on the fresh state. */
export class VersionConflict extends Error {}

/** A document to store, which is either new or must still have this version. */
export type DocumentWrite = {
  readonly collection: string;
  /** Whether the stored document may have further fields, which stay. */
  readonly isPartial: boolean;
  readonly id: string;
  readonly version: number | null;
  readonly tenantId: TenantId;
  /** The tenant that the stored document names; null for a new document, and where it is unknown. */
  readonly formerTenantId: TenantId | null;
  readonly fields: object;
};

/** A document on which a decision relied without changing it; its version is null where it did not exist. */
export type DocumentRead = Pick<DocumentWrite, 'collection' | 'id' | 'version'> & {
  /** Null where the tenant is unknown. */
  readonly tenantId: TenantId | null;
};

/** An event as it is stored. */
type StoredEvent = DomainEvent & { readonly _id: string; readonly tenantId: TenantId };

/** All changes of one command, and the documents that it relied on. */
export type WriteSet = {
  /** Id of the commit, which outbox rows carry until they are done. */
  readonly commit: string;
  /** The tenant of the command. */
  readonly tenantId: TenantId;
  readonly reads: readonly DocumentRead[];
  readonly documents: readonly DocumentWrite[];
  readonly events: readonly StoredEvent[];
  readonly rows: readonly OutboxRow[];
  /** Whether requests may rely for a while on documents that it changes. */
  readonly isLeased: boolean;
};

export const isEmpty = ({ documents, rows }: WriteSet): boolean =>
  documents.length === 0 && rows.length === 0;

/** Names a document among all collections. */
export const keyOf = ({ collection, id }: Pick<DocumentWrite, 'collection' | 'id'>): string =>
  `${collection}/${id}`;

/** The event of a decision that led to `data`. */
export const eventOf = <T extends Resource>(
  resource: string,
  type: string,
  data: T,
  id: string,
  at: Date,
  { actor, requestId }: CommandContext,
): DomainEvent<T> => ({
  id,
  type,
  resource,
  resourceId: data.id,
  version: data.version,
  at: timestamp(at),
  actor,
  requestId,
  data,
});

/** Reads documents for a command, with the tenants that they name. */
export type StoredReads = {
  get<T extends Resource>(from: Store<T>, id: string): Promise<StoredResource<T> | null>;
  getAll<T extends Resource>(from: Store<T>, ids: readonly string[]): Promise<readonly StoredResource<T>[]>;
};

/** How a transaction reads and stores documents: at once, or after its command has decided. */
export type DocumentAccess = StoredReads & {
  put(write: DocumentWrite): Promise<void>;
  /** Stores a mark that no resource shows, unless the command changes the document anyway. */
  hold(write: DocumentWrite): Promise<void>;
};

/** Collects the decisions of a command. */
export type Recorder = {
  readonly tx: Transaction;
  readonly commit: string;
  /** The tenant of the whole command. */
  tenantId(): TenantId;
  /** Whether it changes documents on which requests may rely for a while. */
  isLeased(): boolean;
  readonly rows: OutboxRow[];
  readonly events: StoredEvent[];
};

/** The tenants that documents name, as the command last read or changed them. */
const createFormerTenants = () => {
  const known = new Map<string, TenantId | null>();
  return {
    note({ collection }: Store<Resource>, { resource: { id }, tenantId }: StoredResource): void {
      known.set(keyOf({ collection, id }), tenantId);
    },
    of: ({ collection }: Store<Resource>, { id }: Resource): TenantId | null =>
      known.get(keyOf({ collection, id })) ?? null,
  };
};

/** Reads documents and remembers their tenants. */
const noting = (
  documents: DocumentAccess,
  tenants: ReturnType<typeof createTenantTeller>,
  former: ReturnType<typeof createFormerTenants>,
): Pick<Transaction, 'get' | 'getAll'> => {
  const see = <T extends Resource>(from: Store<T>, found: StoredResource<T>): T => {
    former.note(from, found);
    tenants.see(found.resource);
    return found.resource;
  };
  return {
    async get(from, id) {
      const found = await documents.get(from, id);
      return found && see(from, found);
    },
    async getAll(from, ids) {
      const found = await documents.getAll(from, ids);
      return found.map((one) => see(from, one));
    },
  };
};

/** Stores documents that have no event. */
const withoutEvents = (
  commit: string,
  documents: DocumentAccess,
  tenants: ReturnType<typeof createTenantTeller>,
  former: ReturnType<typeof createFormerTenants>,
): Pick<Transaction, 'hold' | 'insert' | 'update'> => ({
  async insert(collection, { _id: id, ...fields }, merchantId = null) {
    const tenantId = await tenants.tell(merchantId ? { merchantId } : fields);
    await documents.put({ ...NEW_DOCUMENT, collection, id, tenantId, fields });
  },
  async update(into, previous, next) {
    const data = { ...next, version: previous.version + 1 };
    const { collection, keepsSecrets: isPartial = false } = into;
    const formerTenantId = former.of(into, previous);
    const tenantId = await tenants.tell(data, formerTenantId);
    const { id, version } = previous;
    await documents.put({ collection, isPartial, id, version, tenantId, formerTenantId, fields: data });
    former.note(into, { resource: data, tenantId });
    return data;
  },
  async hold(from, resource) {
    const { id, version } = resource;
    const formerTenantId = former.of(from, resource);
    const tenantId = await tenants.tell(resource, formerTenantId);
    const mark = { isPartial: true, tenantId, formerTenantId, fields: { heldBy: commit } };
    await documents.hold({ collection: from.collection, id, version, ...mark });
  },
});

const NEW_DOCUMENT = { isPartial: false, version: null, formerTenantId: null } as const;

export const createRecorder = (
  deps: {
    readonly consumers: readonly Consumer[];
    readonly clock: Clock;
    readonly realClock: Clock;
    readonly findTenant: FindTenant;
  },
  context: CommandContext,
  documents: DocumentAccess,
): Recorder => {
  const commit = newCommitId();
  const traced = presentTrace();
  const rows: OutboxRow[] = [];
  const events: StoredEvent[] = [];
  const tenants = createTenantTeller(deps.findTenant, null);
  let isLeased = false;
  const former = createFormerTenants();
  const leave = (consumer: string, subject: string, key: string, tenantId: TenantId | null): void => {
    rows.push({ ...outboxRow(consumer, subject, key, commit, deps.realClock(), tenantId), ...traced });
  };
  const enqueue: Transaction['enqueue'] = (consumer, subject, key = subject) =>
    leave(consumer, subject, key, tenants.current());
  const save = async <T extends Resource>(
    into: Store<T>,
    previous: T | null,
    decision: Decision<T>,
    secret?: object,
  ): Promise<T> => {
    const data = { ...decision.data, version: (previous?.version ?? 0) + 1 };
    const formerTenantId = previous && former.of(into, previous);
    const tenantId = await tenants.tell(data, into.followsCommand ? null : formerTenantId);
    const { collection, keepsSecrets: isPartial = false } = into;
    const version = previous?.version ?? null;
    const fields = secret ? { ...data, secret } : data;
    await documents.put({ collection, isPartial, id: data.id, version, tenantId, formerTenantId, fields });
    former.note(into, { resource: data, tenantId });
    if (into.leased === 'all' || (into.leased === 'changes' && previous)) isLeased = true;
    const id = newId('evt');
    const told = withoutKept(into, data);
    // A record of no environment, such as a user or a setting, has the real time whoever changes it.
    const isOfTest = environmentOf(data) === false && !into.hasRealTime;
    const now = isOfTest ? deps.clock() : deps.realClock();
    const event = eventOf(into.resource, decision.type, told, id, now, context);
    events.push({ _id: id, tenantId, ...event });
    for (const consumer of deps.consumers)
      if (consumer.wants(into.resource, decision.type)) leave(consumer.name, id, data.id, tenantId);
    return data;
  };
  const audit = async (
    audited: Parameters<Transaction['audit']>[0],
    before: Resource | null = null,
    after: Resource | null = null,
  ): Promise<void> => {
    const entry = auditEntry(context, { ...audited, before, after }, newId('aud'), deps.realClock());
    const { id } = await save(AUDIT_LOG, null, entry, newAuditSecret());
    // The row goes with its entry, which may belong to no merchant.
    leave(AUDIT_CHAIN_CONSUMER, id, AUDIT_CHAIN_KEY, tenants.current() ?? GATEWAY_TENANT);
  };
  const tx: Transaction = {
    ...noting(documents, tenants, former),
    async record<T extends Resource>(
      into: Store<T>,
      previous: T | null,
      decision: Decision<T>,
      secret?: object,
    ) {
      const data = await save(into, previous, decision, secret);
      if (context.actor.kind === 'operator' || into.auditsEverybody) {
        const { resource } = into;
        const livemode = environmentOf(data);
        const audited = { type: decision.type, resource, resourceId: data.id, livemode };
        await audit(audited, previous && withoutKept(into, previous), withoutKept(into, data));
      }
      return data;
    },
    audit: (audited) => audit(audited),
    ...withoutEvents(commit, documents, tenants, former),
    enqueue,
  };
  return {
    tx,
    commit,
    tenantId: () => tenants.current() ?? GATEWAY_TENANT,
    isLeased: () => isLeased,
    rows,
    events,
  };
};

/** The documents of a command that stores nothing before it has decided everything. */
type PendingDocuments = DocumentAccess & {
  /** Documents that the command changes. */
  writes(): readonly DocumentWrite[];
  /** Documents that the command has read and does not change. */
  reads(): readonly DocumentRead[];
};

/**
 * Keeps documents until the command has decided, and returns its own decisions when it reads them. `asked` is the
 * tenant of its reads.
 */
export const createPendingDocuments = (stored: StoredReads, asked: TenantId | null): PendingDocuments => {
  const pending = new Map<string, DocumentWrite>();
  const held = new Map<string, DocumentWrite>();
  const seen = new Map<string, DocumentRead>();
  const isWritten = (key: string): boolean => pending.has(key) || held.has(key);
  const pendingOf = <T extends Resource>(
    { collection }: Store<T>,
    id: string,
  ): StoredResource<T> | undefined => {
    const write = pending.get(keyOf({ collection, id }));
    if (!write) return undefined;
    return { resource: storedIn<T>(write.fields).resource, tenantId: write.tenantId };
  };
  const see = ({ collection }: Store<Resource>, id: string, found: StoredResource | null): void => {
    const key = keyOf({ collection, id });
    const tenantId = found ? (found.tenantId ?? tenantShownBy(found.resource)) : asked;
    const read = { collection, id, version: found?.resource.version ?? null, tenantId };
    const before = seen.get(key);
    if (before && before.version !== read.version) throw new VersionConflict();
    seen.set(key, read);
  };
  return {
    async get<T extends Resource>(from: Store<T>, id: string) {
      const own = pendingOf(from, id);
      if (own) return own;
      const found = await stored.get(from, id);
      see(from, id, found);
      return found;
    },
    async getAll<T extends Resource>(from: Store<T>, ids: readonly string[]) {
      const own = ids.flatMap((id) => pendingOf(from, id) ?? []);
      const others = ids.filter((id) => !pending.has(keyOf({ collection: from.collection, id })));
      if (others.length === 0) return own;
      const found = new Map((await stored.getAll(from, others)).map((one) => [one.resource.id, one]));
      for (const id of others) see(from, id, found.get(id) ?? null);
      return [...own, ...found.values()];
    },
    async put(write) {
      const key = keyOf(write);
      const before = pending.get(key);
      if (before && (before.fields as { version?: number }).version !== write.version)
        throw new VersionConflict();
      // Two changes of one document are stored as one, from the version before the first. A member that the second one
      // has left out stays only where the stored document may have members beside those of the change.
      const both = before && {
        version: before.version,
        formerTenantId: before.formerTenantId,
        fields: write.isPartial ? { ...before.fields, ...write.fields } : write.fields,
      };
      pending.set(key, { ...write, ...both });
    },
    async hold(write) {
      held.set(keyOf(write), write);
    },
    writes: () => [...new Map([...held, ...pending]).values()],
    reads: () => [...seen.entries()].flatMap(([key, read]) => (isWritten(key) ? [] : [read])),
  };
};
