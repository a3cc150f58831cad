import type { ClientSession, Db } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { ownFirst, SETTINGS, type Setting, settingId, settingIds } from './setting.ts';

export const settingsMigrations: readonly Migration[] = [
  {
    id: '015-settings',
    async up(db) {
      await ensureCollections(db, [SETTINGS.collection]);
      await db.collection(SETTINGS.collection).createIndex({ merchantId: 1 });
    },
  },
];

/**
 * A merchant's setting, else the gateway-wide default of that name, else null (specification 2.11). With null as the
 * merchant only the default. With a session: as that transaction sees them.
 */
export type FindSetting = (
  merchantId: MerchantId | null,
  name: string,
  session?: ClientSession,
) => Promise<Setting | null>;

export const findSetting =
  (db: Db): FindSetting =>
  async (merchantId, name, session) => {
    const ids = merchantId === null ? [settingId(null, name)] : settingIds(merchantId, name);
    const found = await db
      .collection<{ _id: string }>(SETTINGS.collection)
      .find<Setting>(
        { _id: { $in: [...ids] } },
        { projection: RESOURCE_ONLY, ...(session ? { session } : {}) },
      )
      .toArray();
    return ownFirst(found)[0] ?? null;
  };
