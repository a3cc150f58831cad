import Joi from 'joi';
import { type RouteRequest, type Routes, route } from '../../platform/http/route.ts';
import { anyObject, object } from '../../platform/http/typed.ts';
import { CONNECTORS } from '../providers/connectors.ts';
import type { ReceiveDelivery } from './write/receive-notification.ts';

export const providerNotificationRoutes: Routes<{ receiveDelivery: ReceiveDelivery }> = (deps) => {
  const handle = async ({ params, rawBody, headers, context }: RouteRequest) => {
    const { provider = '', secret = null } = params;
    await deps.receiveDelivery(
      { provider, delivery: { headers, secret, body: rawBody } },
      { ...context, actor: { kind: 'system', id: `provider ${provider}` } },
    );
    return { status: 200, body: { received: true } };
  };
  const shared = {
    method: 'post',
    tag: 'Providers',
    access: null,
    // A notification about money is never refused because a text in it looks like a card number. Of its texts only the
    // reason is stored, and that is checked then.
    notSearched: [''],
    responses: {
      200: {
        description: 'The notification is processed.',
        schema: object({
          received: Joi.valid(true).required().description('The notification need not be sent again.'),
        }).label('NotificationReceipt'),
      },
    },
    errors: [401, 404],
    handle,
  } as const;
  return [
    route({
      ...shared,
      notSearched: [...shared.notSearched, ...ADDED.flatMap(({ notSearched }) => notSearched)],
      operationId: 'receiveProviderNotification',
      path: '/v1/providers/{provider}/notifications',
      params: { provider: 'Name of the provider, such as `simulator`; 404 for an unknown one.' },
      query: ADDED.reduce<Joi.ObjectSchema>((all, { query }) => all.concat(query), object({})),
      summary: 'Take in a notification of a payment provider',
      description:
        'For providers, not for merchants. Each provider proves its identity in its own way, the simulator in `X-Provider-Signature: ' +
        't=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`; a wrong signature, or one more than five minutes old, gets ' +
        '401. A repeated notification has no effect, unless its processing failed.',
      body: anyObject().unknown().description('The notification in the form of the provider.').example({
        id: 'sim_evt_1',
        livemode: false,
        type: 'payment',
        reference: 'chg_01a1fe9cad9175e79603dda268ed6486',
        amount: 12990,
        currency: 'BRL',
        status: 'paid',
        pspRefId: 'sim_1',
      }),
    }),
    ...CONNECTORS.flatMap(({ name, secretAddresses = [] }) =>
      secretAddresses.map(({ path, secret, ...address }) =>
        route({
          ...shared,
          ...address,
          path: below(path),
          params: {
            provider: `Name of the provider, such as \`${name}\`; 404 for an unknown one.`,
            secret,
          },
        }),
      ),
    ),
  ];
};

const below = (path: string): string => `/v1/providers/{provider}/notifications/{secret}${path}`;

/** Parameters that providers add to the address of all their notifications. */
const ADDED = CONNECTORS.flatMap(({ addedToAddress }) => (addedToAddress ? [addedToAddress] : []));
