import { store } from '../../../kernel/store.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import type { ReceivedNotification, ReceivedNotificationEvent } from './notification.ts';

export const PROVIDER_NOTIFICATIONS = store<ReceivedNotification, ReceivedNotificationEvent>(
  'provider_notifications',
  'provider_notification',
);

export const notificationMigrations: readonly Migration[] = [
  collections('220-provider-notifications', { [PROVIDER_NOTIFICATIONS.collection]: [] }),
];
