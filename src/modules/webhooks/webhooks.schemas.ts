import Joi from 'joi';
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
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from './write/delivery.ts';
import { ALL_EVENTS } from './write/endpoint.ts';
import { SENT_NAMES, UNNAMED_EVENTS, WEBHOOK_EVENTS } from './write/event-kinds.ts';

/**
 * Routes below `/v1` serve merchants, and those below `/v1/admin` operators, who see all merchants of the environment.
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
  'By the URL standard, which is how answers write it: scheme and host in lower case, a host of other alphabets in punycode. In production https only. No private address.',
);
const NAMED = WEBHOOK_EVENTS.filter((name) => !UNNAMED_EVENTS.includes(name))
  .map((name) => `\`${name}\``)
  .join(', ');
const events = Joi.array()
  .items(Joi.string().valid(...WEBHOOK_EVENTS, ALL_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length + 1)
  .unique()
  .description(
    `Names of events, or \`${ALL_EVENTS}\` for all but those that have to be named: ${NAMED}. \`charge.updated\` is for \`postbackUrl\` only.`,
  );
const enabled = Joi.boolean().description('Whether events are sent to it.');
const description = textOrNone(256)
  .allow(null)
  .description("The merchant's own words for it; null without any.");
const includeSubmerchants = Joi.boolean().description("Whether a master's sub-merchants' events come too.");

const NEW_ENDPOINT = {
  url: 'https://example.com/webhooks',
  events: ['charge.paid', 'charge.refunded'],
  description: 'shop',
};

const newEndpointFields = Joi.object({
  url: url.required(),
  events: events.required(),
  enabled: enabled.default(true),
  description: description.default(null),
  includeSubmerchants: includeSubmerchants.default(false),
});

export const newEndpoint = newEndpointFields.example(NEW_ENDPOINT).label('WebhookEndpointRequest');

export const newEndpointOf = newEndpointFields
  .keys({ merchantId: text(64).required().description('Merchant that gets the endpoint, `mer_…`.') })
  .example({ merchantId: 'mer_01a1fe9cad9175e79603dda268ed6486', ...NEW_ENDPOINT })
  .label('WebhookEndpointRequestForMerchant');

export const endpointChanges = Joi.object({ url, events, enabled, description, includeSubmerchants })
  .min(1)
  .example({ enabled: false })
  .label('WebhookEndpointChanges');

export const endpointAnswer = Joi.object({
  id: resourceId('whe').required(),
  merchantId: resourceId('mer').required(),
  livemode: livemode().required(),
  url: url.required(),
  events: events.required(),
  enabled: enabled.required(),
  disabledReason: Joi.string()
    .allow(null)
    .required()
    .description(
      'Why the gateway disabled it: every delivery failed for five days, or the receiver answered 410; null otherwise.',
    ),
  description: description.required(),
  includeSubmerchants: includeSubmerchants.required(),
  ...timestamps,
}).label('WebhookEndpoint');

export const testEvent = Joi.object({
  event: Joi.string()
    .valid(...WEBHOOK_EVENTS)
    .description('Kind of the sample; by default the first that the endpoint wants.'),
})
  .example({ event: 'charge.paid' })
  .label('WebhookTestRequest');

const sentName = oneOf(SENT_NAMES).description(
  'Its name; `charge.updated` and `account.status_changed` are for postbacks only.',
);

export const sentEventAnswer = Joi.object({
  id: resourceId('evt').required(),
  event: sentName,
  livemode: livemode().required(),
  merchantId: resourceId('mer').required().description('Merchant that owns the resource.'),
  resourceId: Joi.string()
    .required()
    .description('Id of the charge, refund, payout request or sub-merchant that it is about.'),
  data: Joi.object()
    .unknown()
    .required()
    .description('The resource: `data` of the body, or the whole body where it has no envelope.'),
  body: Joi.string()
    .required()
    .description(
      'The body that was sent, to the letter, until its customer is erased; the one that would be sent now where none was. A payout event has the id of its payout request in it.',
    ),
  createdAt: dateTime().required(),
}).label('WebhookEvent');

export const deliveryAnswer = Joi.object({
  id: resourceId('whd').required(),
  livemode: livemode().required(),
  merchantId: resourceId('mer').required().description('Merchant that the address belongs to.'),
  eventId: resourceId('evt').required(),
  event: sentName,
  endpointId: resourceId('whe').allow(null).required().description('Null for what goes to a `postbackUrl`.'),
  channel: oneOf(DELIVERY_CHANNELS).description(
    "`postback`: to a charge's `postbackUrl`; `status`: to a sub-merchant's; `payout`: to an endpoint, once.",
  ),
  url: Joi.string().required().description('Where the last attempt went, or the first one will go.'),
  status: oneOf(DELIVERY_STATUSES).description(
    '`unknown`: a payout event whose only attempt was cut off by a crash.',
  ),
  sequence: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description(
      'Number among all that was sent to the endpoint, without gaps; null before the first attempt.',
    ),
  attempts: Joi.array()
    .items(
      Joi.object({
        at: dateTime().required().description('When it began.'),
        statusCode: Joi.number().integer().allow(null).required().description('Null without an answer.'),
        durationMs: Joi.number().integer().required().description('Milliseconds from beginning to end.'),
        response: Joi.string()
          .allow(null, '')
          .required()
          .description('The first 2 KiB of the answer; null without one.'),
        error: Joi.string()
          .allow(null)
          .required()
          .description(
            'Why there was no answer, or why nothing was sent, as a short code; null otherwise. `no_public_address` is said of a name that does not exist and of one that leads into a private network alike.',
          ),
      }),
    )
    .required()
    .description('The last 50 at most, oldest first.'),
  nextAttemptAt: dateTime()
    .allow(null)
    .required()
    .description('Null while an attempt is in flight, and once there is none to come.'),
  createdAt: dateTime().required(),
}).label('WebhookDelivery');
