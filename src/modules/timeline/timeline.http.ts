import { linksOf, PAGE_LINKS } from '../../platform/http/list.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { chargeParams, TAG } from '../charges/charges.schemas.ts';
import type { GetTimeline } from './read/get-timeline.ts';
import { timelineAnswer, timelineQuery } from './timeline.schemas.ts';

export const timelineRoutes = ({ getTimeline }: { readonly getTimeline: GetTimeline }): readonly Route[] => [
  route({
    method: 'get',
    operationId: 'getChargeTimeline',
    path: '/v1/charges/{id}/timeline',
    params: chargeParams,
    query: timelineQuery,
    tag: TAG,
    summary: 'Read the timeline of a charge',
    description:
      'Shows everything that happened to a charge: events, provider calls, journals, deliveries and notes, also those of its refunds and chargeback alert. Journals need `statement.read` or `admin.reports.read`, and deliveries need `webhooks.manage` or `admin.webhooks.read`. The newest 100 deliveries the newest 200 provider calls and the newest 200 notes are shown. Events and provider calls stay as long as the gateway is configured to keep events.',
    access: { merchant: 'charges.read', operator: 'admin.charges.read' },
    consistent: true,
    responses: {
      200: { description: 'A page of the timeline.', headers: PAGE_LINKS, schema: timelineAnswer },
    },
    errors: [404],
    async handle(request) {
      const { principal, params, query } = request;
      const body = await getTimeline(principal, params.id, query, consistencyTokenOf(request));
      return { status: 200, headers: linksOf(query, body), body };
    },
  }),
];
