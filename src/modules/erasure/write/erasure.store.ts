import type { DomainEvent, Resource } from '../../../kernel/event.ts';
import type { Store } from '../../../kernel/store.ts';
import { AUDIT_LOG, type AuditEntry } from '../../../platform/write-store/audit.ts';
import { AUDIT_ENTRY_ERASED, snapshotDigestOf } from '../../../platform/write-store/audit-chain.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';

export const erasureMigrations: readonly Migration[] = [
  collections('190-erasure', { [AUDIT_LOG.collection]: [{ key: { resourceId: 1 } }] }),
];

/** Removes the customer from the history of a resource: from its events, and from audit entries about it. */
export type EraseHistory = <T extends Resource>(
  tx: OwnTransaction,
  of: Pick<Store<T>, 'resource' | 'holds'>,
  resourceId: string,
  erase: (data: T) => T,
) => Promise<void>;

export const createEraseHistory = (db: Database): EraseHistory => {
  const events = db.collection<DomainEvent & { _id: string }>(DOMAIN_EVENTS);
  const eraseEvents = async <T>(
    { session }: OwnTransaction,
    of: { readonly resource: string; readonly resourceId: string },
    erase: (data: T) => T,
  ): Promise<void> => {
    for (const event of await events.find(of, { session }).toArray())
      await events.updateOne(
        { _id: event._id },
        { $set: { data: erase(event.data as T) as never } },
        { session },
      );
  };
  return async (tx, { resource }, resourceId, erase) => {
    await eraseEvents(tx, { resource, resourceId }, erase);
    const eraseSnapshots = (entry: AuditEntry): AuditEntry => ({
      ...entry,
      before: snapshotWithout(entry.before, erase),
      after: snapshotWithout(entry.after, erase),
    });
    const entries = await db
      .collection(AUDIT_LOG.collection)
      .find<AuditEntry>({ resourceId, resource }, { session: tx.session, projection: RESOURCE_ONLY })
      .toArray();
    for (const entry of entries) {
      const erased = eraseSnapshots(entry);
      await tx.record(AUDIT_LOG, entry, { type: 'audit.customer_erased', data: erased }, {});
      // The chain has only a digest of the former content, which nobody can compute again. This entry proves the
      // change.
      await tx.audit({
        type: AUDIT_ENTRY_ERASED,
        resource: AUDIT_LOG.resource,
        resourceId: entry.id,
        livemode: entry.livemode,
        details: { pictures: snapshotDigestOf(erased, {}) },
      });
      await eraseEvents(tx, { resource: AUDIT_LOG.resource, resourceId: entry.id }, eraseSnapshots);
    }
  };
};

/** The state of a resource in an audit entry, without the customer. */
const snapshotWithout = <T>(json: string | null, erase: (data: T) => T): string | null =>
  json === null ? null : JSON.stringify(erase(JSON.parse(json) as T));
