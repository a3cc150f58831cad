import { randomUUID } from 'node:crypto';
import type { ClientSession, Db, Document } from 'mongodb';
import { newCommitId, newId } from '../../src/kernel/ids.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import { JOURNALS } from '../../src/modules/ledger/write/journal.ts';
import { LEDGER_CONSUMER } from '../../src/modules/ledger/write/ledger.store.ts';
import type { WriteStore } from '../../src/platform/write-store/mongo.ts';
import { addRows, type Consumer, outboxRow } from '../../src/platform/write-store/outbox.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';

type Stored = Document & { _id: string };

/** The documents that a paid charge consists of, as the gateway stored one. */
export type Template = {
  readonly opened: Document;
  readonly paid: Document;
  readonly events: readonly [Document, Document];
  readonly journal: Document;
};

export const readTemplate = async (db: Db, chargeId: string): Promise<Template> => {
  const events = await db.collection(DOMAIN_EVENTS).find({ resourceId: chargeId }).toArray();
  const journal = await db.collection(JOURNALS).findOne({ referenceId: chargeId });
  const [first, second] = events.sort((a, b) => a.version - b.version);
  if (!first || !second || !journal) throw new Error(`${chargeId} is not a paid charge`);
  return { opened: first.data, paid: second.data, events: [first, second], journal };
};

/**
 * The least cost of a charge: the two transactions that store it, with the documents, indexes, statements
 * and options of the gateway, and nothing else. No HTTP, credentials, rules, provider, projection or folding.
 */
export const createRawCharge =
  ({ client, db }: WriteStore, template: Template, consumers: readonly Consumer[]): (() => Promise<void>) =>
  async () => {
    const id = newId('chg');
    const own = { id, duplicateKey: randomUUID() };
    const insertEvent = async (index: 0 | 1, appended: readonly string[], session: ClientSession) => {
      const eventId = newId('evt');
      const event = template.events[index];
      const data = { ...event.data, ...own };
      await db
        .collection<Stored>(DOMAIN_EVENTS)
        .insertMany([{ ...event, _id: eventId, id: eventId, resourceId: id, data }], { session });
      const commit = newCommitId();
      const wanting = consumers
        .filter((one) => one.wants(event.resource, event.type))
        .map(({ name }) => name);
      const rows = [...wanting, ...appended].map((name) => outboxRow(name, eventId, id, commit, new Date()));
      await addRows(db, rows, session);
    };
    const charges = db.collection<Stored>(CHARGES.collection);
    await inTransaction(client, async (session) => {
      await charges.insertOne({ ...template.opened, ...own, _id: id, version: 1 }, { session });
      await insertEvent(0, [], session);
    });
    await inTransaction(client, async (session) => {
      await charges.updateOne({ _id: id, version: 1 }, { $set: { ...template.paid, ...own } }, { session });
      const journal = { ...template.journal, _id: newId('jrn'), referenceId: id, chargeId: id };
      await db.collection<Stored>(JOURNALS).insertOne(journal, { session });
      await insertEvent(1, [LEDGER_CONSUMER.name], session);
    });
  };

const inTransaction = async (
  client: WriteStore['client'],
  work: (session: ClientSession) => Promise<void>,
): Promise<void> => {
  const session = client.startSession();
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
    await work(session);
    await session.commitTransaction();
  } finally {
    await session.endSession();
  }
};
