import Joi from 'joi';
import { count, dateTime, livemode, nullable, resourceId } from '../../platform/http/schemas.ts';
import { CIRCUITS } from '../providers/provider-health.ts';
import { KINDS, OUTCOMES } from './write/notification.ts';

export const TAG = 'Providers (administration)';
export const READERS = 'admin.charges.read';

const words = (what: string): Joi.StringSchema => Joi.string().required().description(what);

export const notificationAnswer = Joi.object({
  id: resourceId('pno').required(),
  livemode: livemode().required(),
  provider: words('Name of the provider.'),
  notificationId: words("The provider's own id; a repeated notification has the same."),
  kind: words('Its subject.').valid(...KINDS),
  reference: nullable(Joi.string()).description('Id of the charge or refund; null where it is about none.'),
  says: words('Status in the notification, or its type.'),
  outcome: nullable(
    Joi.string()
      .valid(...OUTCOMES)
      .label('NotificationOutcome'),
  ).description(
    'Effect of the notification. `for_operator`: an operator has to decide, such as on an alert after a fraud warning; `ignored`: old news, ' +
      'or not possible in the present status; null: processing has failed so far.',
  ),
  attempts: count('Number of times that processing began.'),
  receivedAt: dateTime().required().description('When it came for the first time.'),
  processedAt: nullable(dateTime()).description('When it was processed last; null before.'),
}).label('ProviderNotification');

const provider = Joi.object({
  name: words('As in `LIVE_PROVIDERS`, and in every charge.'),
  methods: Joi.array().items(Joi.string()).required().description('Methods that it takes.'),
  circuit: words('`open`: its calls fail, so it gets no calls for some seconds.').valid(...CIRCUITS),
  calls: count('Calls of the last five minutes, by the process that answers.'),
  failedCalls: count('Those of them that timed out or broke.'),
  errorRate: nullable(Joi.number()).description(
    'Failed ones among the calls, from 0 to 1; null without a call.',
  ),
  waitingCharges: count('Charges without an answer of the provider, which the reconciler asks about.'),
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
