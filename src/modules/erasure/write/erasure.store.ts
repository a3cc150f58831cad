import type { Db } from 'mongodb';
import type { DomainEvent } from '../../../kernel/event.ts';
import { AUDIT_LOG, type AuditEntry } from '../../../platform/write-store/audit.ts';
import { AUDIT_ENTRY_ERASED, snapshotDigestOf } from '../../../platform/write-store/audit-chain.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import type { OwnTransaction } from '../../../platform/write-store/transaction.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { snapshotWithoutCustomer, withoutCustomer } from './erasure.ts';

export const erasureMigrations: readonly Migration[] = [
  collections('190-erasure', { [AUDIT_LOG.collection]: [{ key: { resourceId: 1 } }] }),
];

/** Takes the customer out of what was recorded about a charge: its events, and operators' actions on it. */
export type EraseHistory = (tx: OwnTransaction, chargeId: string) => Promise<void>;

export const createEraseHistory = (db: Db): EraseHistory => {
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
  return async (tx, chargeId) => {
    await eraseEvents<Charge>(tx, { resource: 'charge', resourceId: chargeId }, withoutCustomer);
    const entries = await db
      .collection(AUDIT_LOG.collection)
      .find<AuditEntry>(
        { resourceId: chargeId, resource: 'charge' },
        { session: tx.session, projection: RESOURCE_ONLY },
      )
      .toArray();
    for (const entry of entries) {
      const erased = eraseSnapshots(entry);
      await tx.record(AUDIT_LOG, entry, { type: 'audit.customer_erased', data: erased }, {});
      // The chain knows what it was before by a digest that nobody can make any more; from now on it knows this.
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

const eraseSnapshots = (entry: AuditEntry): AuditEntry => ({
  ...entry,
  before: snapshotWithoutCustomer(entry.before),
  after: snapshotWithoutCustomer(entry.after),
});
