import Joi from 'joi';
import { type RouteRequest, type Routes, route } from '../../platform/http/route.ts';
import { anyObject, object, string } from '../../platform/http/typed.ts';
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
      // The id of a payment at Mercado Pago is a number of about as many digits as a card's.
      notSearched: [...shared.notSearched, 'data.id'],
      operationId: 'receiveProviderNotification',
      path: '/v1/providers/{provider}/notifications',
      params: { provider: 'Name of the provider, such as `simulator`; 404 for an unknown one.' },
      query: MERCADO_PAGO_PARAMETERS,
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
    ...PIX_ADDRESSES.map(({ operationId, path, summary, description, body }) =>
      route({
        ...shared,
        operationId,
        path,
        params: {
          provider: 'Name of the provider, such as `pix-api`; 404 for an unknown one.',
          secret: 'Secret in the address of the provider (`PIX_API_CALLBACK_SECRET`); 401 for a wrong one.',
        },
        query: object({
          hmac: string().allow('').max(256).description('A parameter of Efí, which has no meaning here.'),
          ignorar: string()
            .allow('')
            .max(256)
            .description('A parameter of Efí, which adds `/pix` to its value.'),
        }),
        summary,
        description,
        body,
      }),
    ),
  ];
};

const repeated = (): ReturnType<typeof string> =>
  string().allow('').max(128).description('A parameter of Mercado Pago, which the body repeats.');

/** A seller may register further parameters, which come back with each notification. */
const MERCADO_PAGO_PARAMETERS = object({ 'data.id': repeated(), type: repeated() }).unknown();

const pixBody = Joi.alternatives(anyObject().unknown(), Joi.array().max(1_000))
  .description(
    '`{"pix": [...]}`, as the API Pix defines it, or only the list. `{"evento": …}` and an empty list have no effect.',
  )
  .example({
    pix: [{ endToEndId: 'E1234567820260615120001a2b3c4d5e', valor: '129.90' }],
  });

/** Where it answers 503, the institution has to send a callback again. */
const ASKED_BACK =
  'is asked back, and nothing else in the callback counts. If the institution does not confirm it yet, the answer is 503.';

type PixAddress = {
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Joi.Schema;
};

const PIX_ADDRESSES: readonly PixAddress[] = [
  {
    operationId: 'receivePixCallback',
    path: '/v1/providers/{provider}/notifications/{secret}/pix',
    summary: 'Take in the callback of a Pix institution',
    description:
      'For institutions that offer the API Pix, not for merchants. Only the end-to-end identifiers in the callback count, ' +
      'because the gateway asks the institution about each Pix. If the institution does not confirm a Pix yet, the answer is 503, and the callback has to be ' +
      'sent again. The other Pix payments in it are processed.',
    body: pixBody,
  },
  {
    operationId: 'receiveMandateCallback',
    path: '/v1/providers/{provider}/notifications/{secret}/rec',
    summary: 'Take in the callback of an institution about mandates',
    description: `For institutions that offer Pix Automático. Each mandate in it ${ASKED_BACK}`,
    body: Joi.object()
      .unknown()
      .description('`{"recs": [...]}`, as the API Pix defines it.')
      .example({ recs: [{ idRec: 'RR1234567820260615abcdefghijk', status: 'APROVADA' }] }),
  },
  {
    operationId: 'receivePlannedChargeCallback',
    path: '/v1/providers/{provider}/notifications/{secret}/cobr',
    summary: 'Take in the callback of an institution about charges under mandates',
    description: `For institutions that offer Pix Automático. Each charge in it ${ASKED_BACK}`,
    body: Joi.object()
      .unknown()
      .description('`{"cobsr": [...]}`, as the API Pix defines it.')
      .example({ cobsr: [{ txid: '0123456789abcdef0123456789abcdef', status: 'CONCLUIDA' }] }),
  },
  {
    operationId: 'receivePixCallbackAsRegistered',
    path: '/v1/providers/{provider}/notifications/{secret}',
    summary: 'Take in a callback at the address as it was registered',
    description:
      'By the API Pix, institutions add `/pix` to the registered address. Some institutions test the address without it, and some ' +
      'send their callbacks there. All of these addresses accept the same callbacks.',
    body: pixBody,
  },
];
