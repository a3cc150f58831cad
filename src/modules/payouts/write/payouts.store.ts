import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import { PAYOUT_REQUESTS } from './payout-request.ts';

export const payoutMigrations: readonly Migration[] = [
  { id: '150-payouts', up: (db) => ensureCollections(db, [PAYOUT_REQUESTS.collection]) },
];
