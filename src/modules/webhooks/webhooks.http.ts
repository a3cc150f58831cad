import { notFound } from '../../kernel/errors.ts';
import { asMerchant, tenantOfCaller, visible } from '../../kernel/principal.ts';
import { instantIn } from '../../kernel/time-range.ts';
import { type Handled, type Route, type Routes, route } from '../../platform/http/route.ts';
import { boolean, number, object } from '../../platform/http/typed.ts';
import { dateSchema } from '../../platform/read-store/list-query.ts';
import { type FindById, findVisible } from '../../platform/write-store/read-resource.ts';
import type { FindMerchants } from '../merchants/write/find-merchants.store.ts';
import { presentDelivery } from './read/delivery.view.ts';
import { presentEndpoint } from './read/endpoint.view.ts';
import { presentEvent } from './read/event.view.ts';
import type { FindEvents } from './read/find-events.ts';
import {
  deliveryAnswer,
  endpointAnswer,
  endpointChanges,
  forBoth,
  newEndpoint,
  newEndpointOf,
  sentEventAnswer,
  testEvent,
} from './webhooks.schemas.ts';
import type { WebhookDelivery } from './write/delivery.ts';
import type { WebhookEndpoint } from './write/endpoint.ts';
import { assertMayReadEvent } from './write/event-readers.ts';
import type { ManageEndpoints } from './write/manage-endpoints.ts';
import {
  ownerOnly,
  webhookDeliveryPending,
  webhookEndpointDisabled,
  webhookEndpointLimitReached,
} from './write/refusals.ts';
import type { RecoverEndpoint, ResendDelivery } from './write/send-again.ts';
import type { SendTestEvent } from './write/send-test-event.ts';

/**
 * Makes two routes: one for merchants, and one over all merchants for operators with the permission to read or change.
 */
const routesForBoth = <const Path extends string, Query = unknown, Body = unknown>(
  definition: Handled<Path, Query, Body> & Omit<Route, 'access' | 'tag' | keyof Handled<Path, Query, Body>>,
): readonly Route[] => forBoth(definition);

const READERS =
  'The caller also needs the permission to read the charge, refund, payout request or sub-merchant of the event.';

const endpointParams = { id: 'Id of the endpoint, `whe_…`.' };
const deliveryParams = { id: 'Id of the delivery, `whd_…`.' };
const endpointReply = { description: 'The endpoint.', schema: endpointAnswer };
const deliveryReply = { description: 'The delivery, in flight.', schema: deliveryAnswer };

type WebhookEndpointDeps = {
  manageEndpoints: ManageEndpoints;
  findEndpoint: FindById<WebhookEndpoint>;
  sendTestEvent: SendTestEvent;
  recoverEndpoint: RecoverEndpoint;
  findMerchants: FindMerchants;
};

const createWebhookEndpointRoute = (deps: WebhookEndpointDeps): Route =>
  route({
    method: 'post',
    operationId: 'createWebhookEndpoint',
    path: '/v1/webhook-endpoints',
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'Creates an endpoint in the environment of the key. A merchant may have 20 of them in each environment.',
    access: { merchant: 'webhooks.manage' },
    body: newEndpoint,
    responses: { 201: endpointReply },
    refusals: [webhookEndpointLimitReached],
    async handle({ principal, body, context }) {
      const { merchantId, masterId, livemode } = asMerchant(principal);
      const endpoint = await deps.manageEndpoints.create(body, { merchantId, masterId, livemode }, context);
      return { status: 201, body: presentEndpoint(endpoint) };
    },
  });

const createWebhookEndpointAsOperatorRoute = (deps: WebhookEndpointDeps): Route =>
  route({
    method: 'post',
    operationId: 'createWebhookEndpointAsOperator',
    path: '/v1/admin/webhook-endpoints',
    tag: 'Webhooks (administration)',
    summary: 'Create a webhook endpoint for a merchant',
    description:
      'Creates an endpoint in the environment of the token. A merchant may have 20 of them in each environment.',
    access: { operator: 'admin.webhooks.update' },
    body: newEndpointOf,
    responses: { 201: endpointReply },
    refusals: [webhookEndpointLimitReached],
    errors: [404],
    async handle({ principal: { livemode }, body: { merchantId, ...settings }, context }) {
      const [merchant] = await deps.findMerchants([merchantId]);
      if (!merchant || (merchant.livemode !== null && merchant.livemode !== livemode))
        throw notFound('Merchant');
      const owner = { merchantId, masterId: merchant.masterId, livemode };
      return {
        status: 201,
        body: presentEndpoint(await deps.manageEndpoints.create(settings, owner, context)),
      };
    },
  });

const updateWebhookEndpointRoutes = (deps: WebhookEndpointDeps): readonly Route[] =>
  routesForBoth({
    method: 'patch',
    operationId: 'updateWebhookEndpoint',
    path: '/webhook-endpoints/{id}',
    params: endpointParams,
    summary: 'Change, enable or disable a webhook endpoint',
    description:
      'Deliveries in flight go to the new URL. While the endpoint is disabled, due deliveries fail; they can be recovered later, together with the events of that time.',
    body: endpointChanges,
    responses: { 200: endpointReply },
    refusals: [ownerOnly],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const command = { id: params.id, changes: body, principal };
      return { status: 200, body: presentEndpoint(await deps.manageEndpoints.update(command, context)) };
    },
  });

export const webhookEndpointRoutes: Routes<WebhookEndpointDeps> = (deps) => [
  createWebhookEndpointRoute(deps),
  createWebhookEndpointAsOperatorRoute(deps),
  ...routesForBoth({
    method: 'get',
    operationId: 'getWebhookEndpoint',
    path: '/webhook-endpoints/{id}',
    params: endpointParams,
    summary: 'Read a webhook endpoint',
    responses: { 200: endpointReply },
    errors: [404],
    async handle({ principal, params }) {
      const endpoint = await deps.findEndpoint(params.id, tenantOfCaller(principal));
      if (!endpoint || endpoint.deletedAt !== null) throw notFound('Webhook endpoint');
      return { status: 200, body: presentEndpoint(visible(principal, endpoint, 'Webhook endpoint')) };
    },
  }),
  ...updateWebhookEndpointRoutes(deps),
  ...routesForBoth({
    method: 'delete',
    operationId: 'deleteWebhookEndpoint',
    path: '/webhook-endpoints/{id}',
    params: endpointParams,
    summary: 'Delete a webhook endpoint',
    description: 'Deliveries in flight are no longer sent, but the delivery log stays.',
    responses: { 204: { description: 'The endpoint is deleted.' } },
    refusals: [ownerOnly],
    errors: [404],
    async handle({ principal, params, context }) {
      await deps.manageEndpoints.remove({ id: params.id, principal }, context);
      return { status: 204 };
    },
  }),
  ...routesForBoth({
    method: 'post',
    operationId: 'testWebhookEndpoint',
    path: '/webhook-endpoints/{id}/test',
    params: endpointParams,
    summary: 'Send a sample event to a webhook endpoint',
    description:
      'Sends a sample with the header `X-Test-Event: true` and the `livemode` of the endpoint. The resource of the event does not exist.',
    body: testEvent.optional(),
    responses: { 202: deliveryReply },
    refusals: [ownerOnly, webhookEndpointDisabled],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const command = { id: params.id, event: body.event ?? null, principal };
      return { status: 202, body: presentDelivery(await deps.sendTestEvent(command, context)) };
    },
  }),
  ...routesForBoth({
    method: 'post',
    operationId: 'recoverWebhookEndpoint',
    path: '/webhook-endpoints/{id}/recover',
    params: endpointParams,
    summary: 'Recover deliveries and events since a time',
    description:
      'Sends every failed delivery since the given time again, and every event since then that the endpoint wants and that was never sent to it, because the endpoint did not exist, was disabled or did not want it at the time. The call ends after two seconds; repeat it while `complete` is false.',
    body: object({
      since: dateSchema.required().description('The beginning: an ISO 8601 date (in UTC) or date-time.'),
    }).example({ since: '2026-11-01' }),
    responses: {
      202: {
        description: 'Numbers of deliveries that are now in flight.',
        schema: object({
          resent: number().integer().required().description('Number of deliveries sent again.'),
          missed: number().integer().required().description('Number of events sent for the first time.'),
          complete: boolean()
            .required()
            .description('False if more is left after two seconds; another call continues from there.'),
        }).label('WebhookRecovery'),
      },
    },
    refusals: [ownerOnly, webhookEndpointDisabled],
    errors: [404],
    async handle({ principal, params, body, context }) {
      const since = new Date(instantIn(body.since, 'UTC')).toISOString();
      const command = { id: params.id, since, principal };
      return { status: 202, body: await deps.recoverEndpoint(command, context) };
    },
  }),
];

export const webhookLogRoutes: Routes<{
  findEvents: FindEvents;
  findDelivery: FindById<WebhookDelivery>;
  resendDelivery: ResendDelivery;
}> = (deps) => [
  ...routesForBoth({
    method: 'get',
    operationId: 'getEvent',
    path: '/events/{id}',
    holdsSecret: true,
    params: { id: 'Id of the event, `evt_…`, as in the bodies of charge, refund and account events.' },
    summary: 'Read an event',
    description: `An event that is no longer kept is answered with 404. ${READERS}`,
    responses: { 200: { description: 'The event.', schema: sentEventAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      const { id = '' } = params;
      const found = await deps.findEvents([{ value: id, tenantId: tenantOfCaller(principal) }]);
      const event = visible(principal, found.get(id) ?? null, 'Event');
      assertMayReadEvent(principal, event.event);
      return { status: 200, body: presentEvent(event) };
    },
  }),
  ...routesForBoth({
    method: 'get',
    operationId: 'getWebhookDelivery',
    path: '/webhook-deliveries/{id}',
    holdsSecret: true,
    params: deliveryParams,
    summary: 'Read a webhook delivery',
    description: `Reads the write store, so the answer is never behind. A delivery that is no longer kept is answered with 404. ${READERS}`,
    responses: { 200: { description: 'The delivery.', schema: deliveryAnswer } },
    errors: [404],
    async handle({ principal, params }) {
      const delivery = await findVisible(deps.findDelivery, principal, params.id, 'Webhook delivery');
      assertMayReadEvent(principal, delivery.event);
      return { status: 200, body: presentDelivery(delivery) };
    },
  }),
  ...routesForBoth({
    method: 'post',
    operationId: 'resendWebhookDelivery',
    path: '/webhook-deliveries/{id}/resend',
    params: deliveryParams,
    summary: 'Send a webhook delivery again',
    description: `Sends the same bytes at once. A delivery that has ended gets the whole schedule of its channel again; for a delivery between two attempts, the next attempt is brought forward. A delivery whose bytes are no longer kept is answered with 404. ${READERS}`,
    responses: { 202: deliveryReply },
    refusals: [ownerOnly, webhookEndpointDisabled, webhookDeliveryPending],
    errors: [404],
    async handle({ principal, params, context }) {
      const delivery = await deps.resendDelivery({ id: params.id, principal }, context);
      return { status: 202, body: presentDelivery(delivery) };
    },
  }),
];
