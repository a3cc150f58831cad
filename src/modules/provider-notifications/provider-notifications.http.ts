import Joi from 'joi';
import type { Clock } from '../../kernel/clock.ts';
import { unauthorized } from '../../kernel/errors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { ReceiveNotification } from './write/receive-notification.ts';
import { isSigned } from './write/signature.ts';

const SIGNATURE_HEADER = 'x-provider-signature';

export const providerNotificationRoutes = (deps: {
  readonly receiveNotification: ReceiveNotification;
  readonly secrets: readonly string[];
  readonly clock: Clock;
}): readonly Route[] => [
  route({
    method: 'post',
    path: '/v1/providers/{provider}/notifications',
    params: { provider: 'Name of the provider, such as `simulator`; 404 for an unknown one.' },
    tag: 'Providers',
    summary: 'Take in a notification of a payment provider',
    description:
      'For providers, not for merchants. Signed in `X-Provider-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of ' +
      '"t.body">`; a wrong signature, or one more than five minutes old, gets 401. One that was processed before has ' +
      'no effect; one whose processing failed is processed again.',
    access: null,
    // What is refused here may be news of money. Of its texts only the reason is kept, which is searched then.
    notSearched: [''],
    body: Joi.object().unknown().description('In the form of the provider.').example({
      id: 'sim_evt_1',
      livemode: false,
      type: 'payment',
      reference: 'chg_01a1fe9cad9175e79603dda268ed6486',
      amount: 12990,
      currency: 'BRL',
      status: 'paid',
      pspRefId: 'sim_1',
    }),
    responses: {
      200: {
        description: 'It is processed.',
        schema: Joi.object({
          received: Joi.valid(true).required().description('It need not be sent again.'),
        }),
      },
    },
    errors: [401, 404],
    async handle({ params, rawBody, headers, context }) {
      const header = headers[SIGNATURE_HEADER];
      const signature = typeof header === 'string' ? header : undefined;
      if (!isSigned(signature, rawBody, deps.secrets, deps.clock()))
        throw unauthorized('CREDENTIALS_INVALID');
      const provider = params.provider ?? '';
      await deps.receiveNotification(
        { provider, body: rawBody },
        { ...context, actor: { kind: 'system', id: `provider ${provider}` } },
      );
      return { status: 200, body: { received: true } };
    },
  }),
];
