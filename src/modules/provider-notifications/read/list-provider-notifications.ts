import { defineList } from '../../../platform/http/list.ts';
import { notificationAnswer, READERS, TAG } from '../provider-notifications.schemas.ts';
import { KINDS, OUTCOMES } from '../write/notification.ts';
import { PROVIDER_NOTIFICATIONS_VIEW } from './provider-notification.view.ts';

export const PROVIDER_NOTIFICATION_LIST = defineList({
  view: PROVIDER_NOTIFICATIONS_VIEW,
  what: 'notifications of providers',
  answer: notificationAnswer,
  sort: ['id', 'provider', 'kind', 'outcome', 'receivedAt', 'processedAt'],
  orderBy: '-receivedAt',
  filter: {
    provider: { description: 'Name of the provider.' },
    kind: {
      valid: KINDS,
      description: '`fraud_warning` finds warnings for which an alert may be registered.',
    },
    outcome: { valid: OUTCOMES, description: 'Its effect.' },
    reference: { description: 'Id of the charge or refund that the notifications are about.' },
    receivedAt: {},
  },
  routes: [
    {
      operationId: 'listProviderNotifications',
      path: '/v1/admin/provider-notifications',
      tag: TAG,
      summary: 'List notifications of providers',
      access: { operator: READERS },
    },
  ],
});
