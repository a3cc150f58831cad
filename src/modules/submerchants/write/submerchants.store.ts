import type { ClientSession, Db } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import type { Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { SETTINGS, type Setting } from '../../merchants/write/setting.ts';

export const submerchantsMigrations: readonly Migration[] = [
  {
    id: '030-submerchants',
    async up(db) {
      // Merchants from before this module have none of its fields.
      await db
        .collection(MERCHANTS.collection)
        .updateMany(
          { statusReason: { $exists: false } },
          { $set: { phone: null, address: null, postbackUrl: null, statusReason: null } },
        );
    },
  },
];

/** All settings of a merchant, without the gateway-wide defaults, as the transaction sees them. */
export type FindSettingsOf = (merchantId: MerchantId, session: ClientSession) => Promise<readonly Setting[]>;

export const findSettingsOf =
  (db: Db): FindSettingsOf =>
  (merchantId, session) =>
    db
      .collection(SETTINGS.collection)
      .find<Setting>({ merchantId }, { projection: RESOURCE_ONLY, session })
      .toArray();
