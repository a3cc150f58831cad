import Joi from 'joi';
import { anyObject, object, string } from '../../../platform/http/typed.ts';
import type { SecretAddress } from '../connector.ts';

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

const shared = {
  secret: 'Secret in the address of the provider (`PIX_API_CALLBACK_SECRET`); 401 for a wrong one.',
  query: object({
    hmac: string().allow('').max(256).description('A parameter of Efí, which has no meaning here.'),
    ignorar: string().allow('').max(256).description('A parameter of Efí, which adds `/pix` to its value.'),
  }),
};

/** Addresses below the registered one, to each of which an institution sends another kind of callback. */
export const CALLBACK_ADDRESSES: readonly SecretAddress[] = [
  {
    ...shared,
    operationId: 'receivePixCallback',
    path: '/pix',
    summary: 'Take in the callback of a Pix institution',
    description:
      'For institutions that offer the API Pix, not for merchants. Only the end-to-end identifiers in the callback count, ' +
      'because the gateway asks the institution about each Pix. If the institution does not confirm a Pix yet, the answer is 503, and the callback has to be ' +
      'sent again. The other Pix payments in it are processed.',
    body: pixBody,
  },
  {
    ...shared,
    operationId: 'receiveMandateCallback',
    path: '/rec',
    summary: 'Take in the callback of an institution about mandates',
    description: `For institutions that offer Pix Automático. Each mandate in it ${ASKED_BACK}`,
    body: Joi.object()
      .unknown()
      .description('`{"recs": [...]}`, as the API Pix defines it.')
      .example({ recs: [{ idRec: 'RR1234567820260615abcdefghijk', status: 'APROVADA' }] }),
  },
  {
    ...shared,
    operationId: 'receivePlannedChargeCallback',
    path: '/cobr',
    summary: 'Take in the callback of an institution about charges under mandates',
    description: `For institutions that offer Pix Automático. Each charge in it ${ASKED_BACK}`,
    body: Joi.object()
      .unknown()
      .description('`{"cobsr": [...]}`, as the API Pix defines it.')
      .example({ cobsr: [{ txid: '0123456789abcdef0123456789abcdef', status: 'CONCLUIDA' }] }),
  },
  {
    ...shared,
    operationId: 'receivePixCallbackAsRegistered',
    path: '',
    summary: 'Take in a callback at the address as it was registered',
    description:
      'By the API Pix, institutions add `/pix` to the registered address. Some institutions test the address without it, and some ' +
      'send their callbacks there. All of these addresses accept the same callbacks.',
    body: pixBody,
  },
];
