import Joi from 'joi';
import { currency, dateTime, money, oneOf, pageOf, resourceId } from '../../platform/http/schemas.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../ledger/write/journal.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from '../webhooks/write/delivery.ts';
import { SENT_NAMES } from '../webhooks/write/event-kinds.ts';
import { OMITTED_BECAUSE, OPTIONAL_PARTS } from './read/get-timeline.ts';

const kindOf = (kind: string): Joi.StringSchema =>
  Joi.string()
    .valid(kind)
    .required()
    .description('Kind of the entry; it decides which other fields there are.');
const at = (what: string): Joi.StringSchema => dateTime().required().description(what);
const words = (what: string): Joi.StringSchema => Joi.string().required().description(what);
const wordsOrNull = (what: string): Joi.StringSchema => words(what).allow(null);

const event = Joi.object({
  kind: kindOf('event'),
  at: at('When it was recorded.'),
  id: resourceId('evt').required(),
  type: words('Name of the change, such as `charge.paid`; more kinds than webhooks have.'),
  resource: Joi.string()
    .valid('charge', 'refund', 'chargeback_alert', 'manual_refund_request')
    .required()
    .description('Kind of record that changed.'),
  resourceId: words('Id of the record that changed.'),
  version: Joi.number().integer().required().description('Version of the record from then on.'),
  status: wordsOrNull('Status of the record from then on; of an alert, the status of its refund.'),
  reason: wordsOrNull("The provider's or the announcer's reason; null without one."),
  actor: Joi.object({
    kind: Joi.string()
      .valid('key', 'user', 'operator', 'system')
      .required()
      .description('`system`: the gateway by itself.'),
    id: wordsOrNull('Id of the key or user; null where an operator acted and a merchant asks.'),
  })
    .required()
    .description('Author of the change.'),
  requestId: words('The `X-Request-Id` of the request that caused it, or the name of work by the gateway.'),
}).label('ChangeEntry');

const providerCall = Joi.object({
  kind: kindOf('provider_call'),
  at: at('When the call began.'),
  id: resourceId('pcl').required(),
  provider: words('Name of the payment service provider.'),
  operation: words('The call, such as `authorize`, `refund` or `describePayment`.'),
  reference: words('Id of the charge or refund that the provider was asked about.'),
  outcome: words('The status that it answered; `not_found`, `timeout` or `error` where it answered none.'),
  durationMs: Joi.number().integer().required().description('Milliseconds until the answer.'),
}).label('ProviderCallEntry');

const journal = Joi.object({
  kind: kindOf('journal'),
  at: at('When it was booked.'),
  id: resourceId('jrn').required(),
  referenceType: oneOf(REFERENCE_TYPES).description('Kind of record that the movement belongs to.'),
  referenceId: words('Id of that record.'),
  currency: currency().required(),
  entries: Joi.array()
    .items(
      Joi.object({
        id: resourceId('led').required().description('Id for `GET /v1/statement/{id}/explain`.'),
        merchantId: resourceId('mer')
          .allow(null)
          .required()
          .description('Owner of the account; null for an account of the gateway.'),
        bucket: words('`reserved` or `available` of a merchant, else the account of the gateway.'),
        movement_type: oneOf([...MOVEMENT_TYPES, 'suspense', 'suspense_return']).description(
          'Why the money moved.',
        ),
        amount: money('Signed.').required(),
      }),
    )
    .required()
    .description('Entries of accounts that the caller may see; an operator sees all, and they sum to zero.'),
}).label('JournalEntry');

const delivery = Joi.object({
  kind: kindOf('delivery'),
  at: at('When the delivery was planned.'),
  id: resourceId('whd').required().description('Id for `GET /v1/webhook-deliveries/{id}`.'),
  eventId: resourceId('evt').required(),
  event: oneOf(SENT_NAMES).description('Name of the event that it tells of.'),
  channel: oneOf(DELIVERY_CHANNELS).description('Its way: a registered endpoint or a `postbackUrl`.'),
  url: words('Where it goes.'),
  status: oneOf(DELIVERY_STATUSES).description('How far it has come.'),
  attempts: Joi.number().integer().required().description('Attempts so far, 50 at most.'),
  statusCode: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description('HTTP status of the last attempt; null without an answer.'),
}).label('DeliveryEntry');

export const timelineQuery = Joi.object({
  size: Joi.number().integer().min(1).max(100).default(100).description('Entries per page.'),
  page: Joi.number().integer().min(1).max(10_000).default(1).description('Page, from 1.'),
});

const page = pageOf(Joi.alternatives(event, providerCall, journal, delivery)).keys({
  data: Joi.array()
    .items(Joi.alternatives(event, providerCall, journal, delivery))
    .required()
    .description('Entries in the order of `at`, the oldest first.'),
});

export const timelineAnswer = page
  .keys({
    chargeId: resourceId('chg').required(),
    omitted: Joi.array()
      .items(
        Joi.object({
          part: oneOf(OPTIONAL_PARTS).description('The part that is missing.'),
          reason: oneOf(OMITTED_BECAUSE).description(
            '`unavailable`: its store does not answer at the moment.',
          ),
        }),
      )
      .required()
      .description('Parts that are not shown, each with the reason.'),
  })
  .label('ChargeTimeline');
