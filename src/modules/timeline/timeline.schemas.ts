import Joi from 'joi';
import { currency, dateTime, money, oneOf, pageOf, resourceId } from '../../platform/http/schemas.ts';
import { arrayOf, number, object, string } from '../../platform/http/typed.ts';
import { MOVEMENT_TYPES, REFERENCE_TYPES } from '../ledger/write/journal.ts';
import { authorAnswer } from '../notes/notes.schemas.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from '../webhooks/write/delivery.ts';
import { SENT_NAMES } from '../webhooks/write/event-kinds.ts';
import { OMITTED_BECAUSE, OPTIONAL_PARTS } from './read/get-timeline.ts';

const kindOf = (kind: string) =>
  string().valid(kind).required().description('Kind of the entry, on which the other fields depend.');
const at = (what: string) => dateTime().required().description(what);
const words = (what: string) => string().required().description(what);
const wordsOrNull = (what: string) => words(what).allow(null);

const event = object({
  kind: kindOf('event'),
  at: at('When it was recorded.'),
  id: resourceId('evt').required(),
  type: words('Name of the change, such as `charge.paid`; there are more names than those of webhooks.'),
  resource: string()
    .valid('charge', 'refund', 'chargeback_alert', 'manual_refund_request')
    .required()
    .description('Kind of record that changed.'),
  resourceId: words('Id of the record that changed.'),
  version: number().integer().required().description('Version of the record after the change.'),
  status: wordsOrNull('Status of the record after the change; for an alert, the status of its refund.'),
  reason: wordsOrNull(
    'Reason that the provider, or the party that announced the chargeback, gave; null without one.',
  ),
  actor: object({
    kind: string()
      .valid('key', 'user', 'operator', 'system')
      .required()
      .description('`system`: the gateway itself.'),
    id: wordsOrNull('Id of the key or user; null if an operator acted and a merchant asks.'),
  })
    .required()
    .description('Author of the change.'),
  requestId: words(
    "The `X-Request-Id` of the request that caused the change, or the name of the gateway's background work.",
  ),
}).label('ChangeEntry');

const providerCall = object({
  kind: kindOf('provider_call'),
  at: at('When the call began.'),
  id: resourceId('pcl').required(),
  provider: words('Name of the payment service provider.'),
  operation: words('The call, such as `authorize`, `refund` or `describePayment`.'),
  reference: words('Id of the charge or refund in the call.'),
  outcome: words(
    'The status that the provider answered; `not_found`, `timeout` or `error` if it answered none.',
  ),
  durationMs: number().integer().required().description('Milliseconds until the answer.'),
}).label('ProviderCallEntry');

const journal = object({
  kind: kindOf('journal'),
  at: at('When it was booked.'),
  id: resourceId('jrn').required(),
  referenceType: oneOf(REFERENCE_TYPES).description('Kind of record that the movement is about.'),
  referenceId: words('Id of the record that the movement is about.'),
  currency: currency().required(),
  entries: arrayOf(
    object({
      id: resourceId('led').required().description('Id for `GET /v1/statement/{id}/explain`.'),
      merchantId: resourceId('mer')
        .allow(null)
        .required()
        .description('Owner of the account; null for an account of the gateway.'),
      bucket: words('`reserved` or `available` for a merchant, else the account of the gateway.'),
      movement_type: oneOf([...MOVEMENT_TYPES, 'suspense', 'suspense_return']).description(
        'Why the money moved.',
      ),
      amount: money('Signed.').required(),
    }),
  )
    .required()
    .description(
      'Entries in accounts that the caller may see. An operator sees all entries, which sum to zero.',
    ),
}).label('JournalEntry');

const delivery = object({
  kind: kindOf('delivery'),
  at: at('When the delivery was planned.'),
  id: resourceId('whd').required().description('Id for `GET /v1/webhook-deliveries/{id}`.'),
  eventId: resourceId('evt').required(),
  event: oneOf(SENT_NAMES).description('Name of the event in the delivery.'),
  channel: oneOf(DELIVERY_CHANNELS).description(
    'Channel of the delivery: a registered endpoint or a `postbackUrl`.',
  ),
  url: words('Address of the receiver.'),
  status: oneOf(DELIVERY_STATUSES).description('Status of the delivery.'),
  attempts: number().integer().required().description('Number of attempts so far, 50 at most.'),
  statusCode: number()
    .integer()
    .allow(null)
    .required()
    .description('HTTP status of the last attempt; null without an answer.'),
}).label('DeliveryEntry');

const note = object({
  kind: kindOf('note'),
  at: at('When it was written.'),
  id: resourceId('nte').required(),
  text: words('Text of the note.'),
  author: authorAnswer.required().description('Author of the note.'),
  audience: oneOf(['merchant', 'operators']).description(
    '`operators`: only people who work for the gateway see the note.',
  ),
}).label('NoteEntry');

export const timelineQuery = object({
  size: number().integer().min(1).max(100).default(100).description('Entries per page.'),
  page: number().integer().min(1).max(10_000).default(1).description('Page, from 1.'),
});

const page = pageOf(Joi.alternatives(event, providerCall, journal, delivery, note)).keys({
  data: arrayOf(Joi.alternatives(event, providerCall, journal, delivery, note))
    .required()
    .description('Entries in the order of `at`, the oldest first.'),
});

export const timelineAnswer = page
  .keys({
    chargeId: resourceId('chg').required(),
    omitted: arrayOf(
      object({
        part: oneOf(OPTIONAL_PARTS).description('The part that is missing.'),
        reason: oneOf(OMITTED_BECAUSE).description(
          '`unavailable`: the store of this part does not answer at the moment.',
        ),
      }),
    )
      .required()
      .description('Parts that are not shown, each with the reason.'),
  })
  .label('ChargeTimeline');
