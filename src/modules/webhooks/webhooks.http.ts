import Joi from 'joi';
import { notFound } from '../../kernel/errors.ts';
import type { MerchantId } from '../../kernel/ids.ts';
import { asMerchant, mayRead, type Principal } from '../../kernel/principal.ts';
import { consistencyTokenOf, type Route, route } from '../../platform/http/route.ts';
import { pageOf } from '../../platform/http/schemas.ts';
import { dateSchema, type ListQuery, toInstant } from '../../platform/read-store/list.ts';
import type { FindMerchants } from '../merchants/write/find-merchants.store.ts';
import { presentDelivery } from './read/delivery.view.ts';
import { presentEndpoint } from './read/endpoint.view.ts';
import { presentEvent } from './read/event.view.ts';
import { DELIVERY_LIST, type ListDeliveries } from './read/list-deliveries.ts';
import { ENDPOINT_LIST, type ListEndpoints } from './read/list-endpoints.ts';
import { EVENT_LIST, type ListEvents } from './read/list-events.ts';
import {
  deliveryAnswer,
  endpointAnswer,
  endpointChanges,
  newEndpoint,
  newEndpointOf,
  sentEventAnswer,
  testEvent,
} from './webhooks.schemas.ts';
import type { WebhookDelivery } from './write/delivery.ts';
import type { EndpointSettings, WebhookEndpoint } from './write/endpoint.ts';
import type { WebhookEvent } from './write/event-kinds.ts';
import { assertMayReadEvent } from './write/event-readers.ts';
import type { ManageEndpoints } from './write/manage-endpoints.ts';
import type { RecoverEndpoint, ResendDelivery } from './write/send-again.ts';
import type { SendTestEvent } from './write/send-test-event.ts';
import type { SentEvent } from './write/sent-event.ts';

type Definition<Body, Query> = Omit<Route<Body, Query>, 'access' | 'path' | 'tag'> & {
  /** Below `/v1` for merchants, below `/v1/admin` for operators, who see all merchants of the environment. */
  readonly path: string;
};

/** The same route for a merchant and, over all merchants, for operators with the permission to read or to change. */
const forBoth = <Body = unknown, Query = unknown>(definition: Definition<Body, Query>): readonly Route[] => [
  route<Body, Query>({
    ...definition,
    path: `/v1${definition.path}`,
    tag: 'Webhooks',
    access: { merchant: 'webhooks.manage' },
  }),
  route<Body, Query>({
    ...definition,
    path: `/v1/admin${definition.path}`,
    tag: 'Webhooks (administration)',
    summary: `${definition.summary}, of any merchant`,
    access: { operator: definition.method === 'get' ? 'admin.webhooks.read' : 'admin.webhooks.update' },
  }),
];

const READERS =
  'Needs the permission to read the charge, refund, payout request or sub-merchant that it is about as well, else 403 `PERMISSION_MISSING`.';

const endpointParams = { id: 'Id of the endpoint, `whe_…`.' };
const deliveryParams = { id: 'Id of the delivery, `whd_…`.' };
const endpointReply = { description: 'The endpoint.', schema: endpointAnswer };
const deliveryReply = { description: 'The delivery, under way.', schema: deliveryAnswer };

export const webhookEndpointRoutes = (deps: {
  readonly endpoints: ManageEndpoints;
  readonly findEndpoint: (id: string) => Promise<WebhookEndpoint | null>;
  readonly listEndpoints: ListEndpoints;
  readonly sendTestEvent: SendTestEvent;
  readonly recoverEndpoint: RecoverEndpoint;
  readonly findMerchants: FindMerchants;
}): readonly Route[] => [
  route<EndpointSettings>({
    method: 'post',
    path: '/v1/webhook-endpoints',
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'In the environment of the key. At most 20 in each environment: 422 `WEBHOOK_ENDPOINT_LIMIT_REACHED`.',
    access: { merchant: 'webhooks.manage' },
    body: newEndpoint,
    responses: { 201: endpointReply },
    errors: [422],
    async handle({ principal, body, context }) {
      const { merchantId, masterId, livemode } = asMerchant(principal);
      const endpoint = await deps.endpoints.create(body, { merchantId, masterId, livemode }, context);
      return { status: 201, body: presentEndpoint(endpoint) };
    },
  }),
  route<EndpointSettings & { readonly merchantId: MerchantId }>({
    method: 'post',
    path: '/v1/admin/webhook-endpoints',
    tag: 'Webhooks (administration)',
    summary: 'Create a webhook endpoint for a merchant',
    description: 'In the environment of the token. 422 `WEBHOOK_ENDPOINT_LIMIT_REACHED`.',
    access: { operator: 'admin.webhooks.update' },
    body: newEndpointOf,
    responses: { 201: endpointReply },
    errors: [404, 422],
    async handle({ principal: { livemode }, body: { merchantId, ...settings }, context }) {
      const [merchant] = await deps.findMerchants([merchantId]);
      if (!merchant || (merchant.livemode !== null && merchant.livemode !== livemode))
        throw notFound('Merchant');
      const owner = { merchantId, masterId: merchant.masterId, livemode };
      return { status: 201, body: presentEndpoint(await deps.endpoints.create(settings, owner, context)) };
    },
  }),
  ...forBoth<unknown, ListQuery>({
    method: 'get',
    path: '/webhook-endpoints',
    summary: 'List webhook endpoints',
    description: 'Newest first by default. A master also sees those of its sub-merchants.',
    query: ENDPOINT_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of endpoints.',
        schema: pageOf(endpointAnswer).label('WebhookEndpointList'),
      },
    },
    async handle(request) {
      const { principal, query } = request;
      return { status: 200, body: await deps.listEndpoints(principal, query, consistencyTokenOf(request)) };
    },
  }),
  ...forBoth({
    method: 'get',
    path: '/webhook-endpoints/{id}',
    params: endpointParams,
    summary: 'Read a webhook endpoint',
    responses: { 200: endpointReply },
    errors: [404],
    async handle({ principal, params }) {
      const endpoint = await deps.findEndpoint(params.id ?? '');
      if (!endpoint || endpoint.deletedAt !== null) throw notFound('Webhook endpoint');
      return { status: 200, body: presentEndpoint(seen(principal, endpoint, 'Webhook endpoint')) };
    },
  }),
  ...forBoth<Partial<EndpointSettings>>({
    method: 'patch',
    path: '/webhook-endpoints/{id}',
    params: endpointParams,
    summary: 'Change, enable or disable a webhook endpoint',
    description:
      'What is under way goes to the new URL; while the endpoint is disabled, what falls due fails. That and what happens meanwhile can be recovered later.',
    body: endpointChanges,
    responses: { 200: endpointReply },
    errors: [403, 404],
    async handle({ principal, params, body, context }) {
      const command = { id: params.id ?? '', changes: body, principal };
      return { status: 200, body: presentEndpoint(await deps.endpoints.update(command, context)) };
    },
  }),
  ...forBoth({
    method: 'delete',
    path: '/webhook-endpoints/{id}',
    params: endpointParams,
    summary: 'Delete a webhook endpoint',
    description: 'What is under way to it is not sent. The delivery log stays.',
    responses: { 204: { description: 'It is deleted.' } },
    errors: [403, 404],
    async handle({ principal, params, context }) {
      await deps.endpoints.remove({ id: params.id ?? '', principal }, context);
      return { status: 204 };
    },
  }),
  ...forBoth<{ readonly event?: WebhookEvent }>({
    method: 'post',
    path: '/webhook-endpoints/{id}/test',
    params: endpointParams,
    summary: 'Send a sample event to a webhook endpoint',
    description:
      'Sent with the header `X-Test-Event: true` and the `livemode` of the endpoint; its resource does not exist. 422 `WEBHOOK_ENDPOINT_DISABLED`.',
    body: testEvent.optional(),
    responses: { 202: deliveryReply },
    errors: [403, 404, 422],
    async handle({ principal, params, body, context }) {
      const command = { id: params.id ?? '', event: body.event ?? null, principal };
      return { status: 202, body: presentDelivery(await deps.sendTestEvent(command, context)) };
    },
  }),
  ...forBoth<{ readonly since: string }>({
    method: 'post',
    path: '/webhook-endpoints/{id}/recover',
    params: endpointParams,
    summary: 'Send all that failed or was never sent since a time',
    description:
      'Every failed delivery to this endpoint that was made since then, and every event since then that it wants and was never told of: because it did not exist, was disabled or did not want such events. 422 `WEBHOOK_ENDPOINT_DISABLED`.',
    body: Joi.object({
      since: dateSchema.required().description('From this ISO 8601 date (in UTC) or date-time on.'),
    }).example({ since: '2026-11-01' }),
    responses: {
      202: {
        description: 'How much is under way now.',
        schema: Joi.object({
          resent: Joi.number().integer().required().description('Deliveries that are sent again.'),
          missed: Joi.number().integer().required().description('Events that are sent for the first time.'),
        }).label('WebhookRecovery'),
      },
    },
    errors: [403, 404, 422],
    async handle({ principal, params, body, context }) {
      const since = new Date(toInstant(body.since)).toISOString();
      const command = { id: params.id ?? '', since, principal };
      return { status: 202, body: await deps.recoverEndpoint(command, context) };
    },
  }),
];

export const webhookLogRoutes = (deps: {
  readonly findEvent: (id: string) => Promise<SentEvent | null>;
  readonly listEvents: ListEvents;
  readonly findDelivery: (id: string) => Promise<WebhookDelivery | null>;
  readonly listDeliveries: ListDeliveries;
  readonly resendDelivery: ResendDelivery;
}): readonly Route[] => [
  ...forBoth<unknown, ListQuery>({
    method: 'get',
    path: '/events',
    summary: 'List events',
    description:
      'Every event, whether or not an endpoint listened. The body is frozen when it is first sent, and is shown unchanged from then on but for the data of customers who were erased. Shown are those whose charge, refund, payout request or sub-merchant the caller may read. Newest first by default. Events and deliveries are there for as long as the gateway is configured to keep them.',
    query: EVENT_LIST.query,
    consistent: true,
    responses: {
      200: { description: 'A page of events.', schema: pageOf(sentEventAnswer).label('WebhookEventList') },
    },
    async handle(request) {
      const { principal, query } = request;
      return { status: 200, body: await deps.listEvents(principal, query, consistencyTokenOf(request)) };
    },
  }),
  ...forBoth({
    method: 'get',
    path: '/events/{id}',
    params: { id: 'Id of the event, `evt_…`, as in the envelope of charge, refund and account events.' },
    summary: 'Read an event',
    description: `404 also for one that is no longer kept. ${READERS}`,
    responses: { 200: { description: 'The event.', schema: sentEventAnswer } },
    errors: [403, 404],
    async handle({ principal, params }) {
      const event = seen(principal, await deps.findEvent(params.id ?? ''), 'Event');
      assertMayReadEvent(principal, event.event);
      return { status: 200, body: presentEvent(event) };
    },
  }),
  ...forBoth<unknown, ListQuery>({
    method: 'get',
    path: '/webhook-deliveries',
    summary: 'List webhook deliveries with their attempts',
    description:
      'Of events whose charge, refund, payout request or sub-merchant the caller may read. Newest first by default.',
    query: DELIVERY_LIST.query,
    consistent: true,
    responses: {
      200: {
        description: 'A page of deliveries.',
        schema: pageOf(deliveryAnswer).label('WebhookDeliveryList'),
      },
    },
    async handle(request) {
      const { principal, query } = request;
      return { status: 200, body: await deps.listDeliveries(principal, query, consistencyTokenOf(request)) };
    },
  }),
  ...forBoth({
    method: 'get',
    path: '/webhook-deliveries/{id}',
    params: deliveryParams,
    summary: 'Read a webhook delivery',
    description: `Read from the write store: never behind. 404 also for one that is no longer kept. ${READERS}`,
    responses: { 200: { description: 'The delivery.', schema: deliveryAnswer } },
    errors: [403, 404],
    async handle({ principal, params }) {
      const delivery = seen(principal, await deps.findDelivery(params.id ?? ''), 'Webhook delivery');
      assertMayReadEvent(principal, delivery.event);
      return { status: 200, body: presentDelivery(delivery) };
    },
  }),
  ...forBoth({
    method: 'post',
    path: '/webhook-deliveries/{id}/resend',
    params: deliveryParams,
    summary: 'Send a webhook delivery again',
    description:
      'The same bytes, at once. One that has come to an end has the whole schedule of its channel again; one between two attempts has its next attempt brought forward. 404 also for one that is no longer kept with its bytes. 422 `WEBHOOK_DELIVERY_PENDING` while an attempt is under way, `WEBHOOK_ENDPOINT_DISABLED`. ' +
      READERS,
    responses: { 202: deliveryReply },
    errors: [403, 404, 422],
    async handle({ principal, params, context }) {
      const delivery = await deps.resendDelivery({ id: params.id ?? '', principal }, context);
      return { status: 202, body: presentDelivery(delivery) };
    },
  }),
];

/** The record, if the caller may see it; 404 otherwise. */
const seen = <T extends Parameters<typeof mayRead>[1]>(
  principal: Principal,
  record: T | null,
  name: string,
): T => {
  if (!record || !mayRead(principal, record)) throw notFound(name);
  return record;
};
