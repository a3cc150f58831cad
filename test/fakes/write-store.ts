import type { CommandContext, Decision, Resource } from '../../src/kernel/event.ts';
import type { Store } from '../../src/kernel/store.ts';
import { JOURNALS, type Journal } from '../../src/modules/ledger/write/journal.ts';
import type { Audited } from '../../src/platform/write-store/audit.ts';
import type { Transact, Transaction } from '../../src/platform/write-store/transact.ts';

type Recorded = { readonly resource: string; readonly type: string; readonly data: Resource };

/** A write store in memory that keeps what was decided, with the version check and the retries of the real one. */
export type FakeWriteStore = {
  readonly transact: Transact;
  /** Every decision of a finished transaction, oldest first, as `resource type`. */
  decisions(): string[];
  events(): readonly Recorded[];
  journals(): readonly Journal[];
  put<T extends Resource>(into: Store<T>, resource: T): void;
  find<T extends Resource>(from: Store<T>, id: string): T | null;
  /** Lets the first try of the next transaction come to nothing because `change` is stored meanwhile. */
  collide(change: () => void): void;
};

export const createFakeWriteStore = (): FakeWriteStore => {
  const resources = new Map<string, Resource>();
  const events: Recorded[] = [];
  const journals: Journal[] = [];
  let collision: (() => void) | null = null;
  const keyOf = (collection: string, id: string): string => `${collection}/${id}`;

  const attempt = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const saved = new Map<string, Resource>();
    const newEvents: Recorded[] = [];
    const newJournals: Journal[] = [];
    const see = (key: string): Resource | null => saved.get(key) ?? resources.get(key) ?? null;
    const tx = {
      get: async (from: Store<Resource>, id: string) => see(keyOf(from.collection, id)),
      async record(into: Store<Resource>, previous: Resource | null, { type, data }: Decision<Resource>) {
        const key = keyOf(into.collection, data.id);
        if ((see(key)?.version ?? 0) !== (previous?.version ?? 0)) throw new Collision();
        const stored = { ...data, version: (previous?.version ?? 0) + 1 };
        saved.set(key, stored);
        newEvents.push({ resource: into.resource, type, data: stored });
        return stored;
      },
      async audit({ type, resourceId }: Audited) {
        newEvents.push({ resource: 'audit_entry', type, data: { id: resourceId, version: 1 } });
      },
      async append(collection: string, document: Journal) {
        if (collection !== JOURNALS) throw new Error(`nothing is appended to ${collection}`);
        newJournals.push(document);
      },
    } as unknown as Transaction;
    const result = await work(tx);
    if (collision) {
      collision();
      collision = null;
      throw new Collision();
    }
    for (const [key, resource] of saved) resources.set(key, resource);
    events.push(...newEvents);
    journals.push(...newJournals);
    return result;
  };

  return {
    transact: async <T>(context: CommandContext, work: (tx: Transaction) => Promise<T>): Promise<T> => {
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
    },
    decisions: () => events.map(({ resource, type }) => `${resource} ${type}`),
    events: () => events,
    journals: () => journals,
    put: (into, resource) => {
      resources.set(keyOf(into.collection, resource.id), resource);
    },
    find: <T extends Resource>(from: Store<T>, id: string) =>
      (resources.get(keyOf(from.collection, id)) ?? null) as T | null,
    collide: (change) => {
      collision = change;
    },
  };
};

class Collision extends Error {}
