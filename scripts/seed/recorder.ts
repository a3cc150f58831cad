import type { Clock } from '../../src/kernel/clock.ts';
import type { DomainEvent, Resource } from '../../src/kernel/event.ts';
import { type NewId, newCommitId } from '../../src/kernel/ids.ts';
import type { Store } from '../../src/kernel/store.ts';
import { eventOf, type Transact, type Transaction } from '../../src/platform/write-store/transact.ts';

type Appended = { readonly _id: string };

/** What the command handlers decided since the last `take`, to be written in bulk. */
export type Recorded = {
  /** The last state of each resource, by collection. */
  readonly resources: ReadonlyMap<string, readonly Resource[]>;
  /** Every event, oldest first. */
  readonly events: readonly DomainEvent[];
  /** Appended documents, by collection. */
  readonly appended: ReadonlyMap<string, readonly Appended[]>;
};

/** A write store in memory for handlers that run one at a time: nothing collides and nothing fails. */
export type Recorder = {
  readonly transact: Transact;
  /** What was appended to a collection since the last `take`. */
  appendedTo<T extends Appended>(collection: string): readonly T[];
  take(): Recorded;
};

export const createRecorder = (deps: { readonly clock: Clock; readonly newId: NewId }): Recorder => {
  let resources = new Map<string, Map<string, Resource>>();
  let appended = new Map<string, Appended[]>();
  let events: DomainEvent[] = [];

  const ofCollection = (collection: string): Map<string, Resource> => {
    const known = resources.get(collection) ?? new Map<string, Resource>();
    resources.set(collection, known);
    return known;
  };

  const transact: Transact = async (context, work) => {
    const commit = newCommitId();
    const tx: Transaction = {
      commit,
      get session(): never {
        throw new Error('there is no store behind this transaction');
      },
      get: async <T extends Resource>(from: Store<T>, id: string) =>
        (ofCollection(from.collection).get(id) as T | undefined) ?? null,
      async record(into, previous, decision) {
        const data = { ...decision.data, version: (previous?.version ?? 0) + 1 };
        ofCollection(into.collection).set(data.id, data);
        events.push(eventOf(into.resource, decision.type, data, deps.newId('evt'), deps.clock(), context));
        return data;
      },
      // Nothing that is seeded is the work of an operator.
      audit: async () => undefined,
      async append(collection, document) {
        const known = appended.get(collection);
        if (known) known.push(document);
        else appended.set(collection, [document]);
      },
      enqueue() {
        throw new Error('nothing that is seeded hands work on');
      },
    };
    const result = await work(tx);
    context.commits.push(commit);
    return result;
  };

  return {
    transact,
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
