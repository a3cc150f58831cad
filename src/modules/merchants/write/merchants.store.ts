import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { API_KEYS } from './api-key.ts';
import { FEE_DEFINITIONS } from './fees.ts';
import { MERCHANTS } from './merchant.ts';

export const merchantsMigrations: readonly Migration[] = [
  {
    id: '010-merchants',
    async up(db) {
      await ensureCollections(db, [MERCHANTS.collection, API_KEYS.collection, FEE_DEFINITIONS.collection]);
      const keys = db.collection(API_KEYS.collection);
      await keys.createIndex({ 'secret.secretKeyHash': 1 }, { unique: true });
      await keys.createIndex({ 'secret.publicKeyHash': 1 }, { unique: true });
      await keys.createIndex({ merchantId: 1 });
    },
  },
];
