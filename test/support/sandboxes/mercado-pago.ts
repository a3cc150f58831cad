import { createHmac, randomUUID } from 'node:crypto';
import type { Delivery, Instrument, PaymentOrder } from '../../../src/modules/providers/provider.ts';
import { anAuthorizeRequest } from '../../builders.ts';
import type { ProviderUnderTest } from '../conformance.ts';
import { openSandbox, type Variables } from './sandbox.ts';

const CVV = '123';
const HOUR_MS = 3_600_000;
/** The card for tests of Mercado Pago; the name of its holder says how a payment ends. */
const CARD = '5031433215406351';
const ENDS = { paid: 'APRO', refused: 'FUND' } as const;

const byCard = (holderName: string): Instrument => ({
  type: 'credit_card',
  card: { number: CARD, cvv: CVV, holderName, expirationMonth: '11', expirationYear: '2030' },
  installments: 1,
});
const byPix = (): Instrument => ({
  type: 'pix',
  expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
});

const byBoleto = (): Instrument => ({
  ...{ type: 'voucher', identifyType: 'cpf', identifyNumber: '52998224725', bankName: null },
  expiresAt: new Date(Date.now() + 72 * HOUR_MS).toISOString(),
});

/** A notification in Mercado Pago's form with its signature, because the kit knows the application's secret. */
const notification = (
  type: string,
  dataId: string,
  secret: string,
  at = Math.floor(Date.now() / 1_000),
): Delivery => {
  const requestId = randomUUID();
  const manifest = `id:${dataId};request-id:${requestId};ts:${at};`;
  const v1 = createHmac('sha256', secret).update(manifest).digest('hex');
  return {
    headers: { 'x-signature': `ts=${at},v1=${v1}`, 'x-request-id': requestId },
    secret: null,
    body: Buffer.from(JSON.stringify({ id: 1, live_mode: false, type, data: { id: dataId } })),
  };
};

/**
 * Mercado Pago with a token for tests, where nobody can play payers. Settings: `MERCADO_PAGO_ACCESS_TOKEN`,
 * `MERCADO_PAGO_WEBHOOK_SECRET`, `MERCADO_PAGO_API_URL`.
 */
export const openMercadoPagoSandbox = (variables: Variables): ProviderUnderTest => {
  const sandbox = openSandbox('mercado-pago', variables);
  if (!String(sandbox.settings.MERCADO_PAGO_ACCESS_TOKEN).startsWith('TEST-'))
    throw new Error('MERCADO_PAGO_ACCESS_TOKEN must be a token for tests: the kit pays with cards of tests');
  const [secret = ''] = String(sandbox.settings.MERCADO_PAGO_WEBHOOK_SECRET).split(',');
  const provider = sandbox.connect();
  const aboutPayment = async (order: PaymentOrder): Promise<Delivery> => {
    const state = await provider.describePayment(order);
    return notification('payment', state && 'pspRefId' in state ? state.pspRefId : '0', secret);
  };
  return {
    ...sandbox,
    provider,
    restart: sandbox.connect,
    livemode: true,
    amounts: [
      { amount: 10_00, currency: 'BRL' },
      { amount: 150_75, currency: 'BRL' },
    ],
    pays: byCard(ENDS.paid),
    refuses: byCard(ENDS.refused),
    waits: byPix(),
    methods: [byCard(ENDS.paid), byPix(), byBoleto()],
    // The API has no name for a token that is asked for.
    namesNoTokens: true,
    pay: () => Promise.reject(new Error('nobody plays the payer')),
    async authorizeUnanswered() {
      const payment = anAuthorizeRequest(byCard(ENDS.paid));
      // The first request makes the card a token.
      sandbox.wire.troubleWith((request) => (request === 1 ? 'lose' : null));
      await expect(sandbox.connect().authorize(payment, { isFirst: true })).rejects.toThrow();
      sandbox.wire.troubleWith(() => null);
      return payment;
    },
    deliveries: {
      about: (...payments) => Promise.all(payments.map(aboutPayment)),
      // A payment tells of its refunds, too.
      aboutRefund: ({ paymentReference: reference, amount, currency }) =>
        aboutPayment({ reference, amount, currency }),
      chargedBack: () => Promise.reject(new Error('nobody plays the payer’s bank')),
      other: notification('merchant_order', '1', secret),
      forged: (genuine) => [
        { ...genuine, headers: {} },
        { ...genuine, headers: { ...genuine.headers, 'x-signature': `${genuine.headers['x-signature']}0` } },
        { ...genuine, headers: { ...genuine.headers, 'x-request-id': randomUUID() } },
        notification('payment', '1', 'a secret of somebody else'),
        notification('payment', '1', secret, Math.floor(Date.now() / 1_000) - 301),
      ],
    },
    secrets: [...sandbox.secrets, CARD],
  };
};
