import Joi from 'joi';
import { type RouteRequest, type Routes, route } from '../../platform/http/route.ts';
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
    // News of money is never refused for a text in it. Of its texts only the reason is kept, which is searched then.
    notSearched: [''],
    responses: {
      200: {
        description: 'It is processed.',
        schema: Joi.object({
          received: Joi.valid(true).required().description('It need not be sent again.'),
        }).label('NotificationReceipt'),
      },
    },
    errors: [401, 404],
    handle,
  } as const;
  return [
    route({
      ...shared,
      operationId: 'receiveProviderNotification',
      path: '/v1/providers/{provider}/notifications',
      params: { provider: 'Name of the provider, such as `simulator`; 404 for an unknown one.' },
      summary: 'Take in a notification of a payment provider',
      description:
        'For providers, not for merchants. Each proves itself in its own way, the simulator in `X-Provider-Signature: ' +
        't=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`; a wrong signature, or one more than five minutes old, gets ' +
        '401. A repeated notification has no effect, unless its processing failed.',
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
    }),
    ...PIX_ADDRESSES.map(({ operationId, path, summary, description }) =>
      route({
        ...shared,
        operationId,
        path,
        params: {
          provider: 'Name of the provider, such as `pix-api`; 404 for an unknown one.',
          secret: 'Secret in the address of the provider (`PIX_API_CALLBACK_SECRET`); 401 for a wrong one.',
        },
        query: Joi.object({
          hmac: Joi.string().allow('').max(256).description('Of Efí; it counts for nothing here.'),
          ignorar: Joi.string().allow('').max(256).description('Of Efí, which adds `/pix` to it.'),
        }),
        summary,
        description,
        body: Joi.alternatives(Joi.object().unknown(), Joi.array().max(1_000))
          .description(
            '`{"pix": [...]}`, as the API Pix has it, or the list alone. `{"evento": …}` and an empty list have no effect.',
          )
          .example({
            pix: [{ endToEndId: 'E1234567820260615120001a2b3c4d5e', valor: '129.90' }],
          }),
      }),
    ),
  ];
};

const PIX_ADDRESSES = [
  {
    operationId: 'receivePixCallback',
    path: '/v1/providers/{provider}/notifications/{secret}/pix',
    summary: 'Take in the callback of a Pix institution',
    description:
      'For institutions that offer the API Pix, not for merchants. Only its end-to-end identifiers count, ' +
      'because each Pix is asked back. A Pix that the institution does not confirm yet gets 503, and has to be ' +
      'sent again. The others of the same callback are processed.',
  },
  {
    operationId: 'receivePixCallbackAsRegistered',
    path: '/v1/providers/{provider}/notifications/{secret}',
    summary: 'Take in a callback at the address as it was registered',
    description:
      'The API Pix adds `/pix` to the registered address. Some institutions test the address without it, and some ' +
      'send their callbacks there. It takes what the other address takes.',
  },
] as const;
