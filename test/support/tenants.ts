import type { Db } from 'mongodb';
import { tenantShownBy } from '../../src/kernel/tenant.ts';
import { TENANT_COLLECTIONS } from '../../src/main/tenants.ts';

const LOOKED_AT = 2_000;

/** Throws where a document does not name its tenant, or names another one than its merchant's. */
export const assertTenantsNamed = async (db: Db): Promise<void> => {
  const wrong: string[] = [];
  for (const [name, subjectOf] of TENANT_COLLECTIONS) {
    const documents = await db.collection<{ _id: string }>(name).find({}, { limit: LOOKED_AT }).toArray();
    for (const { tenantId, ...document } of documents as { _id: string; tenantId?: unknown }[]) {
      const shown = tenantShownBy(subjectOf(document));
      if (typeof tenantId !== 'string' || (shown !== null && shown !== tenantId))
        wrong.push(`${name}/${document._id} names ${tenantId}, and is of ${shown}`);
    }
  }
  if (wrong.length > 0) throw new Error(wrong.slice(0, 20).join('\n'));
};
