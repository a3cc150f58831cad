import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyBulkWriteOperation } from 'mongodb';
import {
  type FindTenant,
  GATEWAY_TENANT,
  ownerShownBy,
  type TenantId,
  tenantShownBy,
} from '../../kernel/tenant.ts';
import type { Database } from './database.ts';

/**
 * Shows a document's tenant: a resource, or a merchant's id as `merchantId`; else the document `beside` it, in a
 * collection whose documents name their tenants already.
 */
export type Subject = object & { readonly beside?: { readonly collection: string; readonly id: string } };

/** Finds the subject from which the tenant of a stored document follows. */
export type SubjectOf = (document: Readonly<Record<string, unknown>>) => Subject;

const BATCH = 500;
const REST_AT_MOST_MS = 1_000;
/** How far each collection is done, from which the next process continues where one was killed. */
const PLACES = 'tenant_names';

type Named = { readonly _id: string; readonly tenantId?: string };

/**
 * Adds the tenant to each document of an older version, while gateways of both versions work. It rests as long as it
 * worked and continues where it was killed; returns how many documents it changed.
 */
export const nameTenants = async (deps: {
  readonly db: Database;
  readonly collections: ReadonlyMap<string, SubjectOf>;
  readonly findTenant: FindTenant;
  readonly onNamed: (collection: string, count: number) => void;
  readonly signal: AbortSignal;
}): Promise<number> => {
  const { db, findTenant, signal } = deps;
  const places = db.collection<{ _id: string; after: string }>(PLACES);

  const tell = async (subject: Subject): Promise<TenantId> => {
    const owner = ownerShownBy(subject);
    const own = tenantShownBy(subject) ?? (owner && (await findTenant(owner)));
    if (own || !subject.beside) return own ?? GATEWAY_TENANT;
    const { collection, id } = subject.beside;
    return (await db.collection<Named>(collection).findOne({ _id: id }))?.tenantId ?? GATEWAY_TENANT;
  };

  const nameAll = async (collection: string, subjectOf: SubjectOf, documents: readonly Named[]) => {
    const writes: AnyBulkWriteOperation<Named>[] = [];
    for (const { _id, tenantId: known, ...document } of documents) {
      if (known !== undefined) continue;
      const tenantId = await tell(subjectOf({ ...document, _id }));
      // A document that was removed or has got its tenant meanwhile is left alone.
      writes.push({
        updateOne: { filter: { _id, tenantId: { $exists: false } }, update: { $set: { tenantId } } },
      });
    }
    if (writes.length > 0) await db.collection<Named>(collection).bulkWrite(writes, { ordered: false });
    return writes.length;
  };

  let named = 0;
  for (const [collection, subjectOf] of deps.collections) {
    const after = (await places.findOne({ _id: collection }))?.after;
    const cursor = db
      .collection<Named>(collection)
      .find(after === undefined ? {} : { _id: { $gt: after } }, { batchSize: BATCH })
      .sort({ _id: 1 });
    let ofCollection = 0;
    try {
      while (await cursor.hasNext()) {
        signal.throwIfAborted();
        const startedAt = performance.now();
        const documents = cursor.readBufferedDocuments();
        ofCollection += await nameAll(collection, subjectOf, documents);
        const last = documents.at(-1);
        if (last)
          await places.updateOne({ _id: collection }, { $set: { after: last._id } }, { upsert: true });
        await sleep(Math.min(REST_AT_MOST_MS, performance.now() - startedAt));
      }
    } finally {
      await cursor.close();
    }
    deps.onNamed(collection, ofCollection);
    named += ofCollection;
  }
  // The next run looks at everything again, because a gateway of the older version may have added documents.
  await places.deleteMany({});
  return named;
};
