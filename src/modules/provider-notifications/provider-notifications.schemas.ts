import { count, dateTime, livemode, nullable, resourceId } from '../../platform/http/schemas.ts';
import { arrayOf, number, object, string } from '../../platform/http/typed.ts';
import { CIRCUITS } from '../providers/provider-health.ts';
import { KINDS, OUTCOMES } from './write/notification.ts';

export const TAG = 'Providers (administration)';
export const READERS = 'admin.charges.read';

const words = (what: string) => string().required().description(what);

export const notificationAnswer = object({
  id: resourceId('pno').required(),
  livemode: livemode().required(),
  provider: words('Name of the provider.'),
  notificationId: words("The provider's id of the notification; a repeated notification has the same id."),
  kind: words('Its subject.').valid(...KINDS),
  reference: nullable(string()).description(
    'Id of the charge or refund; null if the notification is about neither.',
  ),
  says: words('Status in the notification, or its type.'),
  outcome: nullable(
    string()
      .valid(...OUTCOMES)
      .label('NotificationOutcome'),
  ).description(
    'Effect of the notification. `for_operator`: an operator has to decide, for example on an alert after a fraud warning; `ignored`: known already, ' +
      'or not possible in the present status; null: processing has failed so far.',
  ),
  attempts: count('How often processing has begun.'),
  receivedAt: dateTime().required().description('When the notification arrived for the first time.'),
  processedAt: nullable(dateTime()).description('When the notification was last processed; null before.'),
}).label('ProviderNotification');

const provider = object({
  name: words('Name of the provider, as in `LIVE_PROVIDERS` and in charges.'),
  methods: arrayOf(string()).required().description('Payment methods that the provider supports.'),
  circuit: words('`open`: calls to the provider fail, so it is not called for some seconds.').valid(
    ...CIRCUITS,
  ),
  calls: count('Number of calls in the last five minutes, by the process that answers this request.'),
  failedCalls: count('Number of calls that timed out or whose connection broke.'),
  errorRate: nullable(number()).description('Share of failed calls, from 0 to 1; null if there was no call.'),
  waitingCharges: count(
    'Number of charges without an answer of the provider, about which the reconciler asks.',
  ),
  oldestWaitingSince: nullable(dateTime()).description(
    'When the oldest of these charges was created; null if there is none.',
  ),
}).label('ProviderStatus');

export const providersAnswer = object({
  data: arrayOf(provider)
    .required()
    .description(
      'Every account of the installation, and those accounts of merchants that were called or have waiting charges.',
    ),
}).label('ProviderStatuses');
