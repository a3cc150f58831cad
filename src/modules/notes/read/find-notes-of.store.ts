import type { TenantId } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { NOTES, type Note } from '../write/note.ts';

/** The most notes of a record that a timeline shows. */
const NOTES_OF_A_RECORD = 200;

/** The newest notes about a record that are not deleted, in no order; with null those for every audience. */
export const findNotesOf = (
  db: Database,
  resourceId: string,
  tenantId: TenantId,
  audience: Note['audience'] | null,
): Promise<readonly Note[]> =>
  db
    .collection(NOTES.collection)
    .find<Note>(
      {
        resourceId,
        deletedAt: null,
        ...(audience && { audience }),
        ...ofTenant(db, NOTES.collection, tenantId),
      },
      { projection: RESOURCE_ONLY, sort: { _id: -1 }, limit: NOTES_OF_A_RECORD },
    )
    .toArray();
