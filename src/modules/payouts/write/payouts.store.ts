import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { PAYOUT_REQUESTS } from './payout-request.ts';

export const payoutMigrations: readonly Migration[] = [
  collections('150-payouts', { [PAYOUT_REQUESTS.collection]: [] }),
];
