import type { Container } from 'inversify';
import type { ClientSession, Db, Document } from 'mongodb';
import type { DomainEvent, Resource } from '../../src/kernel/event.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { JOURNALS, type Journal, ownersOf } from '../../src/modules/ledger/write/journal.ts';
import { LEDGER_CONSUMER } from '../../src/modules/ledger/write/ledger.store.ts';
import { PAYMENTS, REFUNDS } from '../../src/modules/providers/simulator/simulator.store.ts';
import { READ_STORE, VIEW, WRITE_STORE } from '../../src/platform/platform.module.ts';
import { consumerOf } from '../../src/platform/read-store/projector.ts';
import { indexResources } from '../../src/platform/read-store/view.ts';
import { OUTBOX, type OutboxRow, outboxRow } from '../../src/platform/write-store/outbox.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/transact.ts';
import type { SeedProvider } from './provider.ts';
import type { Recorded } from './recorder.ts';

/** Everything that a batch of histories led to, by collection. */
export type Batch = { readonly recorded: Recorded; readonly simulated: ReturnType<SeedProvider['take']> };

/** After this time the ordinary workers project what a run that died left behind. */
const TAKEN_OVER_AFTER_MS = 60_000;

/** The documents of a batch, without those that only pass on work. */
export const documentsOf = ({ recorded, simulated }: Batch): ReadonlyMap<string, readonly Document[]> =>
  new Map<string, readonly Document[]>([
    ...[...recorded.resources].map(([name, all]) => [name, all.map(withKey)] as const),
    [DOMAIN_EVENTS, recorded.events.map(withKey)],
    ...recorded.appended,
    [PAYMENTS, simulated.payments],
    [REFUNDS, simulated.refunds],
  ]);

const withKey = (document: { readonly id: string }) => ({ _id: document.id, ...document });

/**
 * Writes a batch whole or not at all and projects it; its journals are left to be folded. The outbox rows of the views wait, so
 * that no worker does the same at the same time; they are there in case this process dies in between.
 */
export const createWriteBatch = (container: Container): ((batch: Batch) => Promise<void>) => {
  const { client, db } = container.get(WRITE_STORE);
  const readStore = container.get(READ_STORE);
  const views = container.getAll(VIEW);

  return async (batch) => {
    const commit = newCommitId();
    const { events, resources, appended } = batch.recorded;
    const rows = views.flatMap((view) =>
      waitingRows(consumerOf(view).name, newestOf(events, view.source.resource), commit),
    );
    const journals = (appended.get(JOURNALS) ?? []) as readonly Journal[];
    const documents = [...documentsOf(batch), [OUTBOX, [...rows, ...journals.flatMap(foldingRows)]] as const];
    await client.withSession((session) =>
      session.withTransaction(async () => {
        for (const [name, all] of documents) await insert(db, name, all, session);
      }),
    );
    for (const view of views) {
      const ofView = resources.get(view.source.collection) ?? [];
      for (const [id, error] of await indexResources(readStore, view, ofView))
        throw new Error(`${id} cannot be projected: ${error}`);
    }
    await db.collection(OUTBOX).deleteMany({ commit });
  };
};

const insert = async (
  db: Db,
  name: string,
  documents: readonly Document[],
  session: ClientSession,
): Promise<void> => {
  if (documents.length > 0) await db.collection(name).insertMany([...documents], { session });
};

const newestOf = (events: readonly DomainEvent[], resource: string): readonly DomainEvent[] => [
  ...new Map(
    events.filter((event) => event.resource === resource).map((event) => [event.resourceId, event]),
  ).values(),
];

const waitingRows = (
  consumer: string,
  events: readonly DomainEvent<Resource>[],
  commit: string,
): OutboxRow[] => {
  const now = new Date();
  return events.map((event) => ({
    ...outboxRow(consumer, event.id, event.resourceId, commit, now),
    state: 'waiting' as const,
    retryAt: new Date(now.getTime() + TAKEN_OVER_AFTER_MS),
  }));
};

/** Statement lines have an order, so folding is left to the one worker that folds an owner's journals. */
const foldingRows = (journal: Journal): OutboxRow[] => {
  const commit = newCommitId();
  return ownersOf(journal).map((owner) =>
    outboxRow(LEDGER_CONSUMER.name, journal._id, owner, commit, new Date()),
  );
};
