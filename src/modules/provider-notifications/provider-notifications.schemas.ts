import Joi from 'joi';
import { count, dateTime, livemode, resourceId } from '../../platform/http/schemas.ts';
import { CIRCUITS } from '../providers/provider-health.ts';
import { KINDS, OUTCOMES } from './write/notification.ts';

export const TAG = 'Providers (administration)';
export const READERS = 'admin.charges.read';

const nullable = (schema: Joi.Schema): Joi.Schema => schema.allow(null).required();
const words = (what: string): Joi.StringSchema => Joi.string().required().description(what);

export const notificationAnswer = Joi.object({
  id: resourceId('pno').required(),
  livemode: livemode().required(),
  provider: words('Name of the provider.'),
  notificationId: words("The provider's own id; one that is sent again has the same."),
  kind: words('Its subject.').valid(...KINDS),
  reference: nullable(Joi.string()).description('Id of the charge or refund; null where it is about none.'),
  says: words('Status that the provider tells, or the type of its news.'),
  outcome: nullable(
    Joi.string()
      .valid(...OUTCOMES)
      .label('NotificationOutcome'),
  ).description(
    'Its effect. `for_operator`: somebody has to decide, such as on an alert after a fraud warning; `ignored`: old news, ' +
      'or no legal move; null: its processing has failed so far.',
  ),
  attempts: count('How many times it was begun to be processed.'),
  receivedAt: dateTime().required().description('When it came for the first time.'),
  processedAt: nullable(dateTime()).description('When it was processed last; null before.'),
}).label('ProviderNotification');

const provider = Joi.object({
  name: words('As in `LIVE_PROVIDERS`, and in every charge.'),
  methods: Joi.array().items(Joi.string()).required().description('Methods that it takes.'),
  circuit: words('`open`: its calls fail, so it is left alone for some seconds.').valid(...CIRCUITS),
  calls: count('Calls of the last five minutes, by the process that answers.'),
  failedCalls: count('Those of them that timed out or broke.'),
  errorRate: nullable(Joi.number()).description(
    'Failed ones among the calls, from 0 to 1; null without a call.',
  ),
  waitingCharges: count('Charges without any answer of the provider; the reconciler asks about them.'),
  oldestWaitingSince: nullable(dateTime()).description(
    'When the oldest of these was made; null without one.',
  ),
}).label('ProviderStatus');

export const providersAnswer = Joi.object({
  data: Joi.array()
    .items(provider)
    .required()
    .description(
      'Every account of the installation, and those of merchants that were called or are waited for.',
    ),
}).label('ProviderStatuses');
