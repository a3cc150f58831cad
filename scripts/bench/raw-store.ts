import { randomUUID } from 'node:crypto';
import type { Document } from 'mongodb';
import { newCommitId, newId } from '../../src/kernel/ids.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import { JOURNALS } from '../../src/modules/ledger/write/journal.ts';
import { LEDGER_CONSUMER } from '../../src/modules/ledger/write/ledger.store.ts';
import { inTransaction, storeTogether } from '../../src/platform/write-store/commit.ts';
import { createCommitter } from '../../src/platform/write-store/committer.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import type { WriteStore } from '../../src/platform/write-store/mongo.ts';
import { type Consumer, outboxRow } from '../../src/platform/write-store/outbox.ts';
import { DOMAIN_EVENTS, type WriteSet } from '../../src/platform/write-store/write-set.ts';

const GIVE_UP_AFTER_MS = 30_000;

/** The documents of a paid charge, as the gateway stored them. */
export type Template = {
  readonly opened: Document;
  readonly paid: Document;
  readonly events: readonly [Document, Document];
  readonly journal: Document;
};

export const readTemplate = async (db: Database, chargeId: string): Promise<Template> => {
  const events = await db.collection(DOMAIN_EVENTS).find({ resourceId: chargeId }).toArray();
  const journal = await db.collection(JOURNALS).findOne({ referenceId: chargeId });
  const [first, second] = events.sort((a, b) => a.version - b.version);
  if (!first || !second || !journal) throw new Error(`${chargeId} is not a paid charge`);
  return { opened: first.data, paid: second.data, events: [first, second], journal };
};

/**
 * Stores the documents of one more charge, and nothing else: no HTTP, credentials, rules, provider, views or folding.
 */
export type RawCharges = {
  /** Stores a charge by two transactions of its own. */
  alone(): Promise<void>;
  /**
   * Stores a charge in two transactions that it shares with other charges of the same time, as the gateway's commands
   * do.
   */
  together(): Promise<void>;
};

/** Uses the gateway's documents, indexes, statements and options. */
export const createRawCharges = (
  writeStore: WriteStore,
  template: Template,
  consumers: readonly Consumer[],
): RawCharges => {
  const { db } = writeStore;
  const commit = createCommitter({ writeStore, onCommit: () => undefined, groups: 'all' });

  const setOf = (
    id: string,
    own: object,
    index: 0 | 1,
    documents: WriteSet['documents'],
    appended: readonly string[],
  ): WriteSet => {
    const eventId = newId('evt');
    const event = template.events[index];
    const data = { ...event.data, ...own };
    const name = newCommitId();
    const wanting = consumers.filter((one) => one.wants(event.resource, event.type)).map((one) => one.name);
    return {
      tenantId: event.tenantId,
      commit: name,
      reads: [],
      documents,
      events: [
        { ...event, _id: eventId, id: eventId, resourceId: id, data },
      ] as unknown as WriteSet['events'],
      isLeased: false,
      rows: [...wanting, ...appended].map((consumer) => outboxRow(consumer, eventId, id, name, new Date())),
    };
  };
  const setsOf = (): readonly [WriteSet, WriteSet] => {
    const id = newId('chg');
    const own = { id, duplicateKey: randomUUID() };
    const [{ tenantId }] = template.events;
    const charge = { collection: CHARGES.collection, isPartial: false, id, tenantId, formerTenantId: null };
    const opened = { ...charge, version: null, fields: { ...template.opened, ...own, version: 1 } };
    const paid = { ...charge, version: 1, fields: { ...template.paid, ...own } };
    const { _id: _, ...journal } = template.journal;
    const fields = { ...journal, referenceId: id, chargeId: id };
    const booked = { ...charge, collection: JOURNALS, id: newId('jrn'), version: null, fields };
    return [setOf(id, own, 0, [opened], []), setOf(id, own, 1, [paid, booked], [LEDGER_CONSUMER.name])];
  };
  return {
    async alone() {
      for (const set of setsOf())
        await inTransaction(writeStore, Date.now() + GIVE_UP_AFTER_MS, async (session) => {
          await storeTogether(db, session, [set]);
          return { result: undefined, stored: [set] };
        });
    },
    async together() {
      for (const set of setsOf()) await commit(set, Date.now() + GIVE_UP_AFTER_MS);
    },
  };
};
