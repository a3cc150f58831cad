import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { chargeParams, TAG } from '../charges/charges.schemas.ts';
import type { GetTimeline } from './read/get-timeline.ts';
import { timelineAnswer } from './timeline.schemas.ts';

export const timelineRoutes = ({ getTimeline }: { readonly getTimeline: GetTimeline }): readonly Route[] => [
  route({
    method: 'get',
    operationId: 'getChargeTimeline',
    path: '/v1/charges/{id}/timeline',
    params: chargeParams,
    tag: TAG,
    summary: 'Read all that happened to a charge',
    description:
      'Shows events, provider calls, journals and deliveries, also of refunds and the chargeback alert. Journals need `statement.read` or `admin.reports.read`. Deliveries need `webhooks.manage` or `admin.webhooks.read`; the newest 100 are shown. Events and provider calls stay as long as the gateway is configured to keep events.',
    access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    consistent: true,
    responses: { 200: { description: 'The timeline.', schema: timelineAnswer } },
    errors: [404],
    async handle(request) {
      const { principal, params } = request;
      return {
        status: 200,
        body: await getTimeline(principal, params.id ?? '', consistencyTokenOf(request)),
      };
    },
  }),
];
