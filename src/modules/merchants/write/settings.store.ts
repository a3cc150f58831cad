import { createHash } from 'node:crypto';
import type { Timestamp } from '../../../kernel/clock.ts';
import { firstIdAt, type MerchantId, type SettingId } from '../../../kernel/ids.ts';
import { batched } from '../../../platform/write-store/batched.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { leased } from '../../../platform/write-store/leases.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { DOMAIN_EVENTS } from '../../../platform/write-store/write-set.ts';
import {
  isOn,
  ownFirst,
  READS_OWN_WRITES,
  SETTINGS,
  type Setting,
  settingKey,
  settingKeys,
} from './setting.ts';

export const settingsMigrations: readonly Migration[] = [
  collections('015-settings', { [SETTINGS.collection]: [{ key: { merchantId: 1 } }] }),
  {
    id: '172-settings-by-key',
    async up(db) {
      const settings = db.collection<Setting & { _id: string }>(SETTINGS.collection);
      for (const { _id, ...former } of await settings.find({ key: { $exists: false } }).toArray())
        await rename(db, _id, { ...former, id: idFrom(_id, former.createdAt), key: _id });
      await settings.createIndex({ key: 1 }, { unique: true });
    },
  },
];

/** An id made of the time of creation and of the former id, which was owner and name. It is the same in every run. */
const idFrom = (key: string, createdAt: Timestamp): SettingId =>
  `${firstIdAt('set', new Date(createdAt))}${createHash('sha256').update(key).digest('hex').slice(0, 20)}` as SettingId;

/** Gives a setting its new id, in its events as well, so that their readers find it. */
const rename = async (db: Database, formerId: string, setting: Setting): Promise<void> => {
  const { id, key } = setting;
  const settings = db.collection<Setting & { _id: string }>(SETTINGS.collection);
  await settings.replaceOne({ _id: id }, setting, { upsert: true });
  await db
    .collection(DOMAIN_EVENTS)
    .updateMany(
      { resourceId: formerId, resource: SETTINGS.resource },
      { $set: { resourceId: id, 'data.id': id, 'data.key': key } },
    );
  await settings.deleteOne({ _id: formerId });
};

/** Finds the setting with this key. */
export type FindSettingOfKey = (key: string) => Promise<Setting | null>;

export const createFindSettingOfKey =
  (db: Database): FindSettingOfKey =>
  (key) =>
    db.collection(SETTINGS.collection).findOne<Setting>({ key }, { projection: RESOURCE_ONLY });

/**
 * Finds a merchant's setting, else the gateway-wide default of that name, else null. Without a merchant only the
 * default.
 */
export type FindSetting = (merchantId: MerchantId | null, name: string) => Promise<Setting | null>;

export const createFindSetting =
  (db: Database): FindSetting =>
  async (merchantId, name) => {
    const keys = merchantId === null ? [settingKey(null, name)] : settingKeys(merchantId, name);
    const found = await db
      .collection(SETTINGS.collection)
      .find<Setting>({ key: { $in: [...keys] } }, { projection: RESOURCE_ONLY })
      .toArray();
    return ownFirst(found)[0] ?? null;
  };

/**
 * Finds the settings of a merchant by their names, each the merchant's own or else the gateway-wide default; a setting
 * that does not exist is absent.
 */
export type FindSettings = (
  merchantId: MerchantId,
  names: readonly string[],
) => Promise<ReadonlyMap<string, Setting>>;

export const createFindSettings =
  (db: Database): FindSettings =>
  async (merchantId, names) => {
    const keys = names.flatMap((name) => settingKeys(merchantId, name));
    const found = await db
      .collection(SETTINGS.collection)
      .find<Setting>({ key: { $in: keys } }, { projection: RESOURCE_ONLY })
      .toArray();
    // In a map the later entry of a name wins, so the merchant's own setting comes last.
    return new Map([...ownFirst(found)].reverse().map((setting) => [setting.name, setting]));
  };

/**
 * Whether a merchant's lists wait until everything recorded before is visible, by its setting or the gateway-wide
 * default.
 */
export const createReadsOwnWrites = (db: Database): ((merchantId: MerchantId) => Promise<boolean>) => {
  const settings = db.collection<Setting>(SETTINGS.collection);
  const keysOf = (merchantId: MerchantId) => settingKeys(merchantId, READS_OWN_WRITES);
  const read = batched<MerchantId, boolean>(
    db,
    async (merchantIds) => {
      const keys = [...new Set(merchantIds.flatMap(keysOf))];
      const found = await settings.find({ key: { $in: keys } }, { projection: RESOURCE_ONLY }).toArray();
      const byKey = new Map(found.map((setting) => [setting.key, setting]));
      return merchantIds.map((id) => isOn(keysOf(id).flatMap((key) => byKey.get(key) ?? [])[0] ?? null));
    },
    { idsPerKey: 2 },
  );
  return leased(read);
};
