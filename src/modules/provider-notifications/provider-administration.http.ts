import { type Routes, route } from '../../platform/http/route.ts';
import { notificationAnswer, providersAnswer, READERS, TAG } from './provider-notifications.schemas.ts';
import type { createGetProviderStatuses } from './read/get-provider-statuses.ts';
import { PROVIDER_NOTIFICATIONS_VIEW, presentNotification } from './read/provider-notification.view.ts';
import type { ProcessAgain } from './write/process-again.ts';
import { notificationNotKept } from './write/refusals.ts';

/** Routes by which operators look at providers and their notifications. */
export const providerAdministrationRoutes: Routes<{
  getProviderStatuses: ReturnType<typeof createGetProviderStatuses>;
  processAgain: ProcessAgain;
}> = (deps) => [
  route({
    method: 'get',
    operationId: 'listProviders',
    path: '/v1/admin/providers',
    tag: TAG,
    summary: 'Read how providers answer',
    description:
      'Circuit and calls are those of the process that answers this request; the metrics have them for all processes. Charges that ' +
      'wait are read from the write store, so their number is never behind.',
    access: { operator: READERS },
    responses: { 200: { description: 'The providers.', schema: providersAnswer } },
    async handle({ principal }) {
      return { status: 200, body: { data: await deps.getProviderStatuses(principal.livemode) } };
    },
  }),
  route({
    method: 'post',
    operationId: 'processProviderNotificationAgain',
    path: '/v1/admin/provider-notifications/{id}/process',
    params: { id: 'Id of the notification, `pno_…`.' },
    tag: TAG,
    summary: 'Process a notification again',
    description:
      'Processes the notification as if it arrived now; an effect that it has had already is not repeated.',
    access: { operator: 'admin.adjustments.create' },
    responses: { 200: { description: 'The notification.', schema: notificationAnswer } },
    refusals: [notificationNotKept],
    errors: [404],
    async handle({ principal, params: { id }, context }) {
      const processed = await deps.processAgain({ id, livemode: principal.livemode }, context);
      return { status: 200, body: presentNotification(PROVIDER_NOTIFICATIONS_VIEW.toDocument(processed)) };
    },
  }),
];
