import { date, flag, integer, keyword, line } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { PROVIDER_NOTIFICATIONS } from '../write/notifications.store.ts';

export const PROVIDER_NOTIFICATIONS_VIEW = defineView({
  name: 'provider-notifications',
  version: 2,
  source: PROVIDER_NOTIFICATIONS,
  tenants: 'named',
  fields: {
    id: keyword(),
    livemode: flag(),
    provider: keyword(),
    notificationId: line(),
    kind: keyword(),
    reference: line(),
    says: line(),
    outcome: keyword(),
    attempts: integer(),
    receivedAt: date(),
    processedAt: date(),
  },
});

/** A notification as the API answers it. */
export const presentNotification = PROVIDER_NOTIFICATIONS_VIEW.present;
