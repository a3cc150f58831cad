import type { ClientSession } from 'mongodb';
import type { Clock } from '../../src/kernel/clock.ts';
import type { CommandContext, DomainEvent, Resource } from '../../src/kernel/event.ts';
import { type NewId, newCommitId } from '../../src/kernel/ids.ts';
import type { Store } from '../../src/kernel/store.ts';
import { AUDIT_LOG, auditEntry, environmentOf } from '../../src/platform/write-store/audit.ts';
import { withoutKept } from '../../src/platform/write-store/kept-once.ts';
import type { OwnTransaction, Transact, Transaction } from '../../src/platform/write-store/transaction.ts';
import { eventOf } from '../../src/platform/write-store/write-set.ts';

type Appended = { readonly _id: string };

/** Decisions of the command handlers since the last `take`, to be written in bulk. */
export type Recorded = {
  /** The latest state of each resource, by collection. */
  readonly resources: ReadonlyMap<string, readonly Resource[]>;
  /** Every event, oldest first. */
  readonly events: readonly DomainEvent[];
  /** Appended documents, by collection. */
  readonly appended: ReadonlyMap<string, readonly Appended[]>;
};

/** A write store in memory for handlers that run one at a time, so that nothing collides and nothing fails. */
type Recorder = {
  readonly transact: Transact;
  /** Documents that were recorded in a store, or appended to a collection, since the last `take`. */
  recordedIn<T extends Resource>(store: Store<T>): readonly T[];
  appendedTo<T extends Appended>(collection: string): readonly T[];
  take(): Recorded;
};

/** Handlers pass the session on to their searches, which are answered from memory here. */
const NO_SESSION = {} as ClientSession;

/** Parts of a transaction that no history needs, because the consequences of journals are seeded with them. */
const NOT_SEEDED: Pick<OwnTransaction, 'audit' | 'update' | 'hold' | 'enqueue' | 'handOn' | 'takeRows'> = {
  async audit() {
    throw new Error('nothing that is seeded reads a secret');
  },
  async update() {
    throw new Error('nothing that is seeded changes without an event');
  },
  hold: async () => undefined,
  enqueue: () => undefined,
  handOn: () => undefined,
  takeRows: async () => [],
};

export const createRecorder = (deps: {
  readonly clock: Clock;
  readonly newId: NewId;
  /** Finds a resource that the store has already; null for any other. */
  readonly find: <T extends Resource>(from: Store<T>, id: string) => T | null;
  readonly onAppend: (collection: string, document: Appended) => void;
}): Recorder => {
  let resources = new Map<string, Map<string, Resource>>();
  let appended = new Map<string, Appended[]>();
  let events: DomainEvent[] = [];

  const ofCollection = (collection: string): Map<string, Resource> => {
    const known = resources.get(collection) ?? new Map<string, Resource>();
    resources.set(collection, known);
    return known;
  };

  const find = <T extends Resource>(from: Store<T>, id: string): T | null =>
    (ofCollection(from.collection).get(id) as T | undefined) ?? deps.find(from, id);

  const transact = async <T>(
    context: CommandContext,
    work: (tx: OwnTransaction) => Promise<T>,
  ): Promise<T> => {
    const commit = newCommitId();
    const save: Transaction['record'] = async (into, previous, decision) => {
      const data = { ...decision.data, version: (previous?.version ?? 0) + 1 };
      ofCollection(into.collection).set(data.id, data);
      const told = withoutKept(into, data);
      events.push(eventOf(into.resource, decision.type, told, deps.newId('evt'), deps.clock(), context));
      return data;
    };
    const tx: OwnTransaction = {
      session: NO_SESSION,
      get: async (from, id) => find(from, id),
      getAll: async (from, ids) => ids.flatMap((id) => find(from, id) ?? []),
      async record(into, previous, decision) {
        const data = await save(into, previous, decision);
        if (context.actor.kind === 'operator') {
          const { type } = decision;
          const audited = {
            type,
            resource: into.resource,
            resourceId: data.id,
            livemode: environmentOf(data),
          };
          const states = { before: previous, after: data };
          await save(
            AUDIT_LOG,
            null,
            auditEntry(context, { ...audited, ...states }, deps.newId('aud'), deps.clock()),
          );
        }
        return data;
      },
      async insert(collection, document) {
        const known = appended.get(collection);
        if (known) known.push(document);
        else appended.set(collection, [document]);
        deps.onAppend(collection, document);
      },
      ...NOT_SEEDED,
    };
    const result = await work(tx);
    context.commits.push(commit);
    return result;
  };

  return {
    transact: Object.assign(transact, { alone: transact }),
    recordedIn: <T extends Resource>({ collection }: Store<T>) =>
      [...(resources.get(collection)?.values() ?? [])] as T[],
    appendedTo: <T extends Appended>(collection: string) =>
      (appended.get(collection) ?? []) as unknown as T[],
    take() {
      const taken: Recorded = {
        resources: new Map([...resources].map(([name, byId]) => [name, [...byId.values()]])),
        events,
        appended,
      };
      resources = new Map();
      appended = new Map();
      events = [];
      return taken;
    },
  };
};
