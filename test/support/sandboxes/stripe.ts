import { createHmac } from 'node:crypto';
import type { Delivery, Instrument, PaymentOrder } from '../../../src/modules/providers/provider.ts';
import { anAuthorizeRequest } from '../../builders.ts';
import type { ProviderUnderTest } from '../conformance.ts';
import { openSandbox, type Variables } from './sandbox.ts';

const CVV = '917';
/** Cards from docs.stripe.com/testing. */
export const CARDS = {
  paid: '4242424242424242',
  refused: '4000000000009995',
  challenged: '4000000000003220',
} as const;

export const byCard = (number: string): Instrument => ({
  type: 'credit_card',
  card: {
    number,
    cvv: CVV,
    holderName: 'Ana Souza',
    expirationMonth: '12',
    expirationYear: String(new Date().getUTCFullYear() + 3),
  },
  installments: 1,
});

/** An event in Stripe's form with Stripe's signature, because the kit knows the endpoint's secret. */
export const eventAbout = (
  object: { readonly id: string },
  type: string,
  secret: string,
  at = Math.floor(Date.now() / 1_000),
): Delivery => {
  const body = JSON.stringify({
    // A repeated event keeps its id.
    id: `evt_${type}_${object.id}`,
    object: 'event',
    type,
    livemode: false,
    data: { object },
  });
  const mac = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { headers: { 'stripe-signature': `t=${at},v1=${mac}` }, secret: null, body: Buffer.from(body) };
};

/**
 * Stripe with a test key, where nobody can play payers. Settings: `STRIPE_SECRET_KEY`, `STRIPE_WEBHOOK_SECRET`,
 * `STRIPE_API_URL`.
 */
export const openStripeSandbox = (variables: Variables): ProviderUnderTest => {
  const sandbox = openSandbox('stripe', variables);
  if (!String(sandbox.settings.STRIPE_SECRET_KEY).includes('_test_'))
    throw new Error('STRIPE_SECRET_KEY must be a test key: the kit pays with cards of tests');
  const [secret = ''] = String(sandbox.settings.STRIPE_WEBHOOK_SECRET).split(',');
  const provider = sandbox.connect();
  const aboutPayment = async (order: PaymentOrder): Promise<Delivery> => {
    const state = await provider.describePayment(order);
    const id = state && 'pspRefId' in state ? state.pspRefId : '';
    return eventAbout({ id }, 'payment_intent.succeeded', secret);
  };
  return {
    ...sandbox,
    provider,
    restart: sandbox.connect,
    livemode: true,
    amounts: [
      { amount: 10_00, currency: 'BRL' },
      { amount: 150_000, currency: 'CLP' },
      { amount: 12_340, currency: 'KWD' },
    ],
    pays: byCard(CARDS.paid),
    refuses: byCard(CARDS.refused),
    waits: byCard(CARDS.challenged),
    methods: [byCard(CARDS.paid)],
    pay: () => Promise.reject(new Error('nobody plays the payer')),
    async authorizeUnanswered() {
      const payment = anAuthorizeRequest(byCard(CARDS.paid));
      // The second request confirms the payment.
      sandbox.wire.troubleWith((request) => (request === 1 ? 'lose' : null));
      await expect(sandbox.connect().authorize(payment)).rejects.toThrow();
      sandbox.wire.troubleWith(() => null);
      return payment;
    },
    deliveries: {
      about: (...payments) => Promise.all(payments.map(aboutPayment)),
      async aboutRefund(refund) {
        const state = await provider.describeRefund(refund);
        const id = (state && 'pspRefundRefId' in state && state.pspRefundRefId) || '';
        return eventAbout({ id }, 'refund.created', secret);
      },
      chargedBack: () => Promise.reject(new Error('nobody plays the payer’s bank')),
      other: eventAbout({ id: 'cus_1' }, 'customer.created', secret),
      forged: (genuine) => [
        { ...genuine, headers: {} },
        { ...genuine, headers: { 'stripe-signature': `${genuine.headers['stripe-signature']}0` } },
        { ...genuine, body: Buffer.from(genuine.body.toString().replace('"event"', '"Event"')) },
        eventAbout({ id: 'pi_1' }, 'payment_intent.succeeded', 'whsec_of_somebody_else_0001'),
        eventAbout({ id: 'pi_1' }, 'payment_intent.succeeded', secret, Math.floor(Date.now() / 1_000) - 301),
      ],
    },
    secrets: [...sandbox.secrets, ...Object.values(CARDS)],
  };
};
