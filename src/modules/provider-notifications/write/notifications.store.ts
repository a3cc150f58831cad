import { store } from '../../../kernel/store.ts';
import { ensureCollections, type Migration } from '../../../platform/write-store/migrate.ts';
import type { ReceivedNotification } from './notification.ts';

export const PROVIDER_NOTIFICATIONS = store<ReceivedNotification>(
  'provider_notifications',
  'provider_notification',
);

export const notificationMigrations: readonly Migration[] = [
  {
    id: '220-provider-notifications',
    up: (db) => ensureCollections(db, [PROVIDER_NOTIFICATIONS.collection]),
  },
];
