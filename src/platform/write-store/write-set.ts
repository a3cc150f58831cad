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
import { storedTenantOf } from './stored-tenant.ts';
import type { Transaction } from './transaction.ts';

export const DOMAIN_EVENTS = 'domain_events';

/** Thrown where a document changed since it was read; the command runs again on fresh state. */
export class VersionConflict extends Error {}

/** A document to be stored: a new one, or one that must still have this version. */
export type DocumentWrite = {
  readonly collection: string;
  /** Whether the stored document may have fields besides these, which stay. */
  readonly isPartial: boolean;
  readonly id: string;
  readonly version: number | null;
  readonly tenantId: TenantId;
  /** The tenant that the stored document names; null for a new one, and where it is not known. */
  readonly formerTenantId: TenantId | null;
  readonly fields: object;
};

/** A document that a decision was made on without changing it; null as version where there was none. */
export type DocumentRead = Pick<DocumentWrite, 'collection' | 'id' | 'version'> & {
  /** Null where it is not known. */
  readonly tenantId: TenantId | null;
};

/** An event as it is stored. */
type StoredEvent = DomainEvent & { readonly _id: string; readonly tenantId: TenantId };

/** Everything that one command changes, and what it relied on. */
export type WriteSet = {
  /** Names what the command committed: outbox rows carry it until they are done. */
  readonly commit: string;
  /** The tenant that it is about. */
  readonly tenantId: TenantId;
  readonly reads: readonly DocumentRead[];
  readonly documents: readonly DocumentWrite[];
  readonly events: readonly StoredEvent[];
  readonly rows: readonly OutboxRow[];
  /** Whether requests may rely for a while on what it changes. */
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

/** How a transaction reads and stores documents: at once, or when its command has decided. */
export type DocumentAccess = Pick<Transaction, 'get' | 'getAll'> & {
  put(write: DocumentWrite): Promise<void>;
};

/** Takes down what a command decides on. */
export type Recorder = {
  readonly tx: Transaction;
  readonly commit: string;
  /** The tenant that all of it is about. */
  tenantId(): TenantId;
  /** Whether it changes what requests may rely on for a while. */
  isLeased(): boolean;
  readonly rows: OutboxRow[];
  readonly events: StoredEvent[];
};

export const createRecorder = (
  deps: {
    readonly consumers: readonly Consumer[];
    readonly clock: Clock;
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

  const leave = (consumer: string, subject: string, key: string, tenantId: TenantId | null): void => {
    rows.push({ ...outboxRow(consumer, subject, key, commit, deps.clock(), tenantId), ...traced });
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
    const formerTenantId = previous && storedTenantOf(previous);
    const tenantId = await tenants.tell(data, into.followsCommand ? null : formerTenantId);
    await documents.put({
      collection: into.collection,
      isPartial: into.keepsSecrets ?? false,
      id: data.id,
      version: previous?.version ?? null,
      tenantId,
      formerTenantId,
      fields: secret ? { ...data, secret } : data,
    });
    if (into.leased === 'all' || (into.leased === 'changes' && previous)) isLeased = true;
    const id = newId('evt');
    const told = withoutKept(into, data);
    const event = eventOf(into.resource, decision.type, told, id, deps.clock(), context);
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
    const entry = auditEntry(context, { ...audited, before, after }, newId('aud'), deps.clock());
    const { id } = await save(AUDIT_LOG, null, entry, newAuditSecret());
    // Beside its entry, which may be nobody's.
    leave(AUDIT_CHAIN_CONSUMER, id, AUDIT_CHAIN_KEY, tenants.current() ?? GATEWAY_TENANT);
  };
  const tx: Transaction = {
    async get(from, id) {
      const found = await documents.get(from, id);
      if (found) tenants.see(found);
      return found;
    },
    async getAll(from, ids) {
      const found = await documents.getAll(from, ids);
      for (const one of found) tenants.see(one);
      return found;
    },
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
    async insert(collection, { _id, ...fields }, merchantId = null) {
      const tenantId = await tenants.tell(merchantId ? { merchantId } : fields);
      await documents.put({
        collection,
        isPartial: false,
        id: _id,
        version: null,
        tenantId,
        formerTenantId: null,
        fields,
      });
    },
    async update(into, previous, next) {
      const data = { ...next, version: previous.version + 1 };
      const { collection, keepsSecrets: isPartial = false } = into;
      const formerTenantId = storedTenantOf(previous);
      const tenantId = await tenants.tell(data, formerTenantId);
      const { version } = previous;
      await documents.put({
        collection,
        isPartial,
        id: data.id,
        version,
        tenantId,
        formerTenantId,
        fields: data,
      });
      return data;
    },
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
  /** Documents that it changes. */
  writes(): readonly DocumentWrite[];
  /** Documents that it has read and does not change. */
  reads(): readonly DocumentRead[];
};

/** Keeps documents until the command has decided; it reads what it decided on before. `asked` is the tenant of reads. */
export const createPendingDocuments = (
  stored: Pick<Transaction, 'get' | 'getAll'>,
  asked: TenantId | null,
): PendingDocuments => {
  const pending = new Map<string, DocumentWrite>();
  const seen = new Map<string, DocumentRead>();
  const pendingOf = <T extends Resource>({ collection }: Store<T>, id: string): T | undefined => {
    const write = pending.get(keyOf({ collection, id }));
    if (!write) return undefined;
    const { secret, ...resource } = write.fields as T & { secret?: object };
    return resource as unknown as T;
  };
  const see = ({ collection }: Store<Resource>, id: string, found: Resource | null): void => {
    const key = keyOf({ collection, id });
    const tenantId = found ? (storedTenantOf(found) ?? tenantShownBy(found)) : asked;
    const read = { collection, id, version: found?.version ?? null, tenantId };
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
      const found = new Map((await stored.getAll(from, others)).map((one) => [one.id, one]));
      for (const id of others) see(from, id, found.get(id) ?? null);
      return [...own, ...found.values()];
    },
    async put(write) {
      const key = keyOf(write);
      const before = pending.get(key);
      if (before && (before.fields as { version?: number }).version !== write.version)
        throw new VersionConflict();
      // Two changes of one document are stored as one, from the version before the first.
      const both = before && {
        version: before.version,
        formerTenantId: before.formerTenantId,
        fields: { ...before.fields, ...write.fields },
      };
      pending.set(key, { ...write, ...both });
    },
    writes: () => [...pending.values()],
    reads: () => [...seen.entries()].flatMap(([key, read]) => (pending.has(key) ? [] : [read])),
  };
};
