import type { ClientSession } from 'mongodb';
import type { Decision, Resource } from '../../src/kernel/event.ts';
import type { Store } from '../../src/kernel/store.ts';
import { JOURNALS, type Journal } from '../../src/modules/ledger/write/journal.ts';
import type { OwnTransaction, Transact } from '../../src/platform/write-store/transaction.ts';

type Insert = { readonly collection: string; readonly document: { readonly _id: string } };
type Recorded = { readonly resource: string; readonly type: string; readonly data: Resource };

/** A write store in memory, with the version check and the retries of the real one. */
export type FakeWriteStore = {
  readonly transact: Transact;
  /** Every decision of a finished transaction, oldest first, as `resource type`. */
  decisions(): string[];
  events(): readonly Recorded[];
  journals(): readonly Journal[];
  /** Documents without an event, oldest first. */
  inserted(into: string): readonly { readonly _id: string }[];
  put<T extends Resource>(into: Store<T>, resource: T): void;
  find<T extends Resource>(from: Store<T>, id: string): T | null;
  /** The secret that is stored beside a resource. */
  secretOf(from: { readonly collection: string }, id: string): object | null;
  /** Lets the first try of the next transaction come to nothing because `change` is stored meanwhile. */
  collide(change: () => void): void;
};

const isResource = (document: object): document is Resource => 'id' in document && 'version' in document;

/** `session` is what searches of fake stores get; without one, a command that searches fails. */
export const createFakeWriteStore = (session: ClientSession | null = null): FakeWriteStore => {
  const resources = new Map<string, Resource>();
  const secrets = new Map<string, object>();
  const events: Recorded[] = [];
  const inserts: Insert[] = [];
  let collision: (() => void) | null = null;
  const keyOf = (collection: string, id: string): string => `${collection}/${id}`;

  const attempt = async <T>(work: (tx: OwnTransaction) => Promise<T>): Promise<T> => {
    const saved = new Map<string, Resource>();
    const newSecrets = new Map<string, object>();
    const newEvents: Recorded[] = [];
    const newInserts: Insert[] = [];
    const see = <R extends Resource>({ collection }: Store<R>, id: string): R | null =>
      (saved.get(keyOf(collection, id)) ?? resources.get(keyOf(collection, id)) ?? null) as R | null;
    const save = <R extends Resource>(into: Store<R>, previous: R | null, next: R): R => {
      const version = previous?.version ?? 0;
      if ((see(into, next.id)?.version ?? 0) !== version) throw new Collision();
      const stored = { ...next, version: version + 1 };
      saved.set(keyOf(into.collection, next.id), stored);
      return stored;
    };
    const tx: OwnTransaction = {
      get: async (from, id) => see(from, id),
      getAll: async (from, ids) => ids.flatMap((id) => see(from, id) ?? []),
      async record<T extends Resource>(
        into: Store<T>,
        previous: T | null,
        { type, data }: Decision<T>,
        secret?: object,
      ): Promise<T> {
        const stored = save(into, previous, data);
        if (secret) newSecrets.set(keyOf(into.collection, stored.id), secret);
        newEvents.push({ resource: into.resource, type, data: stored });
        return stored;
      },
      async audit({ type, resourceId }) {
        newEvents.push({ resource: 'audit_entry', type, data: { id: resourceId, version: 1 } });
      },
      async insert(collection, document) {
        newInserts.push({ collection, document });
        if (isResource(document)) saved.set(keyOf(collection, document._id), document);
      },
      update: async (into, previous, next) => save(into, previous, next),
      hold: async () => undefined,
      enqueue: () => undefined,
      takeRows: async (rows) => rows,
      handOn: () => undefined,
      get session() {
        if (session) return session;
        throw new Error('a write store in memory cannot be searched');
      },
    };
    const result = await work(tx);
    if (collision) {
      collision();
      collision = null;
      throw new Collision();
    }
    for (const [key, resource] of saved) resources.set(key, resource);
    for (const [key, secret] of newSecrets) secrets.set(key, secret);
    events.push(...newEvents);
    inserts.push(...newInserts);
    return result;
  };

  const inserted: FakeWriteStore['inserted'] = (into) =>
    inserts.flatMap(({ collection, document }) => (collection === into ? [document] : []));

  const run: Transact['alone'] = async (context, work) => {
    for (let tries = 0; tries < 5; tries += 1) {
      try {
        const result = await attempt(work);
        context.commits.push(`commit-${context.commits.length + 1}`);
        return result;
      } catch (error) {
        if (!(error instanceof Collision)) throw error;
      }
    }
    throw new Error('the transaction collides for ever: it does not read what it writes');
  };

  return {
    transact: Object.assign(run, { alone: run }),
    decisions: () => events.map(({ resource, type }) => `${resource} ${type}`),
    events: () => events,
    journals: () => inserted(JOURNALS) as readonly Journal[],
    inserted,
    put: (into, resource) => {
      resources.set(keyOf(into.collection, resource.id), resource);
    },
    find: <T extends Resource>(from: Store<T>, id: string) =>
      (resources.get(keyOf(from.collection, id)) ?? null) as T | null,
    secretOf: (from, id) => secrets.get(keyOf(from.collection, id)) ?? null,
    collide: (change) => {
      collision = change;
    },
  };
};

class Collision extends Error {}
