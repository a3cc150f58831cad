import type { MerchantId } from '../../kernel/ids.ts';
import type { Route } from '../../platform/http/route.ts';
import {
  dateTime,
  httpUrl,
  livemode,
  oneOf,
  resourceId,
  text,
  textOrNone,
  timestamps,
} from '../../platform/http/schemas.ts';
import { anyObject, arrayOf, boolean, number, object, string } from '../../platform/http/typed.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from './write/delivery.ts';
import { ALL_EVENTS } from './write/endpoint.ts';
import { SENT_NAMES, UNNAMED_EVENTS, WEBHOOK_EVENTS } from './write/event-kinds.ts';

/**
 * Two routes: the one below `/v1` serves merchants, the one below `/v1/admin` serves operators, who see all merchants
 * of the environment.
 */
export const forBoth = <T extends Pick<Route, 'operationId' | 'method' | 'path' | 'summary'>>(
  definition: T,
) => [
  {
    ...definition,
    path: `/v1${definition.path}`,
    tag: 'Webhooks',
    access: { merchant: 'webhooks.manage' as const },
  },
  {
    ...definition,
    operationId: `${definition.operationId}AsOperator`,
    path: `/v1/admin${definition.path}`,
    tag: 'Webhooks (administration)',
    summary: `${definition.summary}, of any merchant`,
    access: {
      operator:
        definition.method === 'get' ? ('admin.webhooks.read' as const) : ('admin.webhooks.update' as const),
    },
  },
];

const url = httpUrl().description(
  'URL of the receiver. Answers show it as the URL standard writes it: scheme and host in lower case, and a host in another alphabet in punycode. In production it has to be https. Private addresses are refused.',
);
const NAMED = WEBHOOK_EVENTS.filter((name) => !UNNAMED_EVENTS.includes(name))
  .map((name) => `\`${name}\``)
  .join(', ');
const events = arrayOf(string().valid(...WEBHOOK_EVENTS, ALL_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length + 1)
  .unique()
  .description(
    `Names of events, or \`${ALL_EVENTS}\` for all events except those that have to be named: ${NAMED}. \`charge.updated\` is for \`postbackUrl\` only.`,
  );
const enabled = boolean().description('Whether events are sent to the endpoint.');
const description = textOrNone(256)
  .allow(null)
  .description('Description of the endpoint by the merchant; null without one.');
const includeSubmerchants = boolean().description(
  'Whether a master also gets the events of its sub-merchants.',
);

const NEW_ENDPOINT = {
  url: 'https://example.com/webhooks',
  events: ['charge.paid', 'charge.refunded'],
  description: 'shop',
};

const newEndpointFields = object({
  url: url.required(),
  events: events.required(),
  enabled: enabled.default(true),
  description: description.default(null),
  includeSubmerchants: includeSubmerchants.default(false),
});

export const newEndpoint = newEndpointFields.example(NEW_ENDPOINT).label('WebhookEndpointRequest');

export const newEndpointOf = newEndpointFields
  .keys({
    merchantId: text<MerchantId>(64).required().description('Merchant that gets the endpoint, `mer_…`.'),
  })
  .example({ merchantId: 'mer_01a1fe9cad9175e79603dda268ed6486', ...NEW_ENDPOINT })
  .label('WebhookEndpointRequestForMerchant');

export const endpointChanges = object({ url, events, enabled, description, includeSubmerchants })
  .min(1)
  .example({ enabled: false })
  .label('WebhookEndpointChanges');

export const endpointAnswer = object({
  id: resourceId('whe').required(),
  merchantId: resourceId('mer').required(),
  livemode: livemode().required(),
  url: url.required(),
  events: events.required(),
  enabled: enabled.required(),
  disabledReason: string()
    .allow(null)
    .required()
    .description(
      'Why the gateway disabled the endpoint: every delivery failed for five days, or the receiver answered 410; null otherwise.',
    ),
  description: description.required(),
  includeSubmerchants: includeSubmerchants.required(),
  ...timestamps,
}).label('WebhookEndpoint');

export const testEvent = object({
  event: string()
    .valid(...WEBHOOK_EVENTS)
    .description('Event of the sample; by default the first that the endpoint wants.'),
})
  .example({ event: 'charge.paid' })
  .label('WebhookTestRequest');

const sentName = oneOf(SENT_NAMES).description(
  'Name of the event; `charge.updated` and `account.status_changed` are for postbacks only.',
);

export const sentEventAnswer = object({
  id: resourceId('evt').required(),
  event: sentName,
  livemode: livemode().required(),
  merchantId: resourceId('mer').required().description('Merchant that owns the resource.'),
  resourceId: string()
    .required()
    .description('Id of the charge, refund, payout request or sub-merchant that the event is about.'),
  data: anyObject()
    .unknown()
    .required()
    .description('The resource: `data` of the body, or the whole body if it has no envelope.'),
  body: string()
    .required()
    .description(
      'Exactly the body that was sent, unless its customer has been erased; if none was sent, the body that would be sent now. The body of a payout event has the id of its payout request.',
    ),
  createdAt: dateTime().required(),
}).label('WebhookEvent');

export const deliveryAnswer = object({
  id: resourceId('whd').required(),
  livemode: livemode().required(),
  merchantId: resourceId('mer').required().description('Merchant to which the address belongs.'),
  eventId: resourceId('evt').required(),
  event: sentName,
  endpointId: resourceId('whe')
    .allow(null)
    .required()
    .description('Id of the endpoint; null for a delivery to a `postbackUrl`.'),
  channel: oneOf(DELIVERY_CHANNELS).description(
    '`postback`: to the `postbackUrl` of a charge; `status`: to the `postbackUrl` of a sub-merchant; `payout`: to an endpoint, once.',
  ),
  url: string()
    .required()
    .description('Address of the last attempt, or of the first attempt that will be made.'),
  status: oneOf(DELIVERY_STATUSES).description(
    'Status of the delivery. `unknown`: a payout event whose only attempt was interrupted by a crash.',
  ),
  sequence: number()
    .integer()
    .allow(null)
    .required()
    .description(
      'Number of the delivery among all deliveries to the endpoint, without gaps; null before the first attempt.',
    ),
  attempts: arrayOf(
    object({
      at: dateTime().required().description('When the attempt began.'),
      statusCode: number()
        .integer()
        .allow(null)
        .required()
        .description('HTTP status of the answer; null without an answer.'),
      durationMs: number().integer().required().description('Duration of the attempt in milliseconds.'),
      response: string()
        .allow(null, '')
        .required()
        .description('The first 2 KiB of the answer; null without one.'),
      error: string()
        .allow(null)
        .required()
        .description(
          'Why there was no answer, or why nothing was sent, as a short code; null otherwise. `no_public_address` is the code both for a name that does not exist and for one that leads into a private network.',
        ),
    }),
  )
    .required()
    .description('The last attempts, 50 at most, the oldest first.'),
  nextAttemptAt: dateTime()
    .allow(null)
    .required()
    .description(
      'When the next attempt is due; null while an attempt is in flight, and if there is none to come.',
    ),
  createdAt: dateTime().required(),
}).label('WebhookDelivery');
