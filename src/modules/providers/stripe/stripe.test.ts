import { aCard, anAuthorizeRequest, aRefundRequest } from '../../../../test/builders.ts';
import { describeConformance, type Trouble } from '../../../../test/support/conformance.ts';
import { stripeSettings } from '../../../../test/support/doubles/settings.ts';
import { openStripeSandbox } from '../../../../test/support/sandboxes/stripe.ts';
import { type StripeDouble, startStripeDouble } from '../../../../test/support/stripe/stripe-double.ts';
import { newId, timeOfId } from '../../../kernel/ids.ts';
import { createHttpClient } from '../../../platform/outbound/http-client.ts';
import {
  type AuthorizeRequest,
  type Instrument,
  type Payer,
  type PaymentOrder,
  type PaymentProvider,
  ProviderBusy,
  ProviderTimeout,
} from '../provider.ts';
import { createRest } from '../rest.ts';
import { createStripe } from './stripe.ts';
import { createStripeClient } from './stripe-client.ts';

const HOUR = 3_600_000;
const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) };

let stripe: StripeDouble;
beforeAll(async () => {
  stripe = await startStripeDouble(clock.now);
});
afterAll(() => stripe.stop());
beforeEach(() => {
  clock.ahead = 0;
  stripe.troubleWith(() => null);
  stripe.setRefunds('succeeded');
  stripe.allowRawCards(true);
  stripe.allowTaxIds(true);
});

const connect = (
  options: { readonly secretKey?: string; readonly timeoutMs?: number } = {},
): PaymentProvider =>
  createStripe({
    call: createStripeClient({
      send: createHttpClient({ timeoutMs: options.timeoutMs ?? 20_000 }),
      rest: createRest(clock.now),
      url: stripe.url,
      filesUrl: stripe.url,
      secretKey: options.secretKey ?? stripe.secretKey,
    }),
    clock: clock.now,
    isLiveKey: false,
    webhookSecrets: ['whsec_of_an_endpoint_that_is_replaced', stripe.webhookSecret],
    returnUrl: () => 'https://pay.example.test/pay/return',
  });

const byCard = (number: string, installments = 1): Instrument => ({
  type: 'credit_card',
  card: {
    number,
    cvv: '917',
    holderName: 'Quitéria Xavantina',
    expirationMonth: '12',
    expirationYear: '2039',
  },
  installments,
});
const good = byCard('4242424242424242');
const challenged = byCard('4000000000003220');
const aPayment = (changes: Partial<AuthorizeRequest> = {}) => anAuthorizeRequest(good, changes);
const aboutPayment = ({ reference }: PaymentOrder) =>
  stripe.eventAbout('payment_intent.succeeded', stripe.intentOf(reference));

let start = 0;
describeConformance('Stripe', async () => ({
  provider: connect(),
  restart: connect,
  livemode: true,
  amounts: [
    { amount: 1, currency: 'BRL' },
    { amount: 99_999_999, currency: 'USD' },
    { amount: 150_000, currency: 'CLP' },
    { amount: 12_340, currency: 'KWD' },
    { amount: 7, currency: 'ISK' },
    { amount: 500, currency: 'MGA' },
  ],
  pays: good,
  refuses: byCard('4000000000009995'),
  waits: challenged,
  methods: [good],
  async pay({ reference }) {
    stripe.authenticate(reference);
  },
  async authorizeUnanswered() {
    const payment = aPayment();
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'lose' : null));
    await expect(connect().authorize(payment)).rejects.toThrow();
    stripe.troubleWith(() => null);
    return payment;
  },
  deliveries: {
    about: async (...payments) => payments.map(aboutPayment),
    async aboutRefund({ reference }) {
      return stripe.eventAbout('refund.created', stripe.refundOf(reference) ?? {});
    },
    async chargedBack({ reference }) {
      return stripe.eventAbout('charge.dispute.created', stripe.dispute(reference));
    },
    other: stripe.eventAbout('customer.created', { id: 'cus_1', object: 'customer' }),
    forged: (genuine) => [
      { ...genuine, headers: {} },
      { ...genuine, headers: { 'stripe-signature': `${genuine.headers['stripe-signature']}0` } },
      {
        ...genuine,
        body: Buffer.from(genuine.body.toString().replace('"livemode":false', '"livemode":true')),
      },
      stripe.eventAbout('payment_intent.succeeded', {}, { secret: 'whsec_of_somebody_else_0001' }),
      stripe.eventAbout('payment_intent.succeeded', {}, { at: new Date(Date.now() - 301_000) }),
    ],
  },
  wire: {
    troubleWith(decide: (request: number) => Trouble | null) {
      const from = stripe.callsMade.length;
      stripe.troubleWith(() => decide(stripe.callsMade.length - 1 - from));
      start = from;
    },
    requests: () => stripe.callsMade.length - start,
  },
}));

// As `make conformance PROVIDER=stripe` runs it against the real one.
describeConformance('Stripe’s sandbox', async () => openStripeSandbox(stripeSettings(stripe)), {
  pays: true,
  payer: false,
  bank: false,
});

describe('a card payment at Stripe', () => {
  it('is one PaymentIntent with the charge’s id, made without the card', async () => {
    const payment = aPayment();
    const from = stripe.callsMade.length;
    const state = await connect().authorize(payment);
    const { id, metadata } = stripe.intentOf(payment.reference);
    expect(state.pspRefId).toBe(id);
    expect(metadata).toEqual({ portico_reference: payment.reference });
    expect(stripe.callsMade.slice(from)).toEqual([
      'POST /v1/payment_intents',
      `POST /v1/payment_intents/${id}/confirm`,
    ]);
  });

  it.each([
    ['a CPF', { type: 'cpf', id: '52998224725' }, '52998224725'],
    ['a CUIT', { type: 'cuit', id: '20123456786' }, '20123456786'],
    ['a passport', { type: 'passport', id: 'X1' }, undefined],
    ['a CPF stored with wrong check digits', { type: 'cpf', id: '52998224726' }, undefined],
  ])('of a payer with %s sends the tax number only where it is one', async (_, document, taxId) => {
    const payment = { ...aPayment(), payer: { name: 'Ana Souza', email: 'ana@example.com', document } };
    await connect().authorize(payment);
    expect(stripe.billingDetailsOf(payment.reference)).toEqual({
      name: expect.any(String),
      ...(taxId === undefined ? {} : { tax_id: taxId }),
    });
  });

  it('sends the tax number with a stored card too, whose payer may be another one', async () => {
    const token = await connect().tokenize?.({ reference: newId('tok'), card: aCard() });
    if (token?.status !== 'tokenized') throw new Error('no token');
    const holder = { reference: newId('cus'), providerCustomer: null };
    const order = { reference: newId('pm'), holder, providerMethod: null, payment: null };
    const stored = await connect().vault?.store({ ...order, card: token, returnUrl: null });
    const { providerMethod, providerCustomer, networkTransactionId } = stored ?? {};
    if (!providerMethod || !providerCustomer) throw new Error('no stored card');
    const card = {
      ...{ providerMethod, providerCustomer, networkTransactionId: networkTransactionId ?? null },
      initiator: 'merchant' as const,
    };
    const instrument: Instrument = { type: 'credit_card', card, installments: 1 };
    const pay = async (document: Payer['document']): Promise<unknown> => {
      const payment = {
        ...aPayment({ instrument }),
        payer: { name: 'Ana Souza', email: 'a@example.com', document },
      };
      expect(await connect().authorize(payment)).toMatchObject({ status: 'paid' });
      return stripe.billingDetailsOf(payment.reference);
    };
    expect(await pay({ type: 'cpf', id: '52998224725' })).toMatchObject({ tax_id: '52998224725' });
    expect(await pay({ type: 'cuit', id: '20123456786' })).toMatchObject({ tax_id: '20123456786' });
    stripe.allowTaxIds(false);
    expect(await pay({ type: 'cpf', id: '52998224725' })).toMatchObject({ tax_id: '' });
  });

  it('is paid without the tax number where Stripe takes none, which it is not asked about again', async () => {
    stripe.allowTaxIds(false);
    const payer = {
      name: 'Ana Souza',
      email: 'ana@example.com',
      document: { type: 'cpf', id: '52998224725' },
    };
    const provider = connect();
    const from = stripe.callsMade.length;
    const pay = async (): Promise<unknown> => {
      const payment = { ...aPayment(), payer };
      expect(await provider.authorize(payment)).toMatchObject({ status: 'paid' });
      return stripe.billingDetailsOf(payment.reference);
    };
    expect(await pay()).not.toHaveProperty('tax_id');
    expect(await pay()).not.toHaveProperty('tax_id');
    const confirmations = stripe.callsMade.slice(from).filter((one) => one.endsWith('/confirm'));
    expect(confirmations).toHaveLength(3);
  });

  it('sends the payer to the bank where that demands it, and is paid or refused after it', async () => {
    for (const succeeds of [true, false]) {
      const payment = aPayment({ instrument: challenged, returnUrl: 'https://shop.example.test/thanks' });
      const state = await connect().authorize(payment);
      const intent = stripe.intentOf(payment.reference);
      expect(state).toMatchObject({
        status: 'authentication_required',
        instructions: { type: 'credit_card', authenticationUrl: intent.next_action?.redirect_to_url.url },
      });
      expect(intent.next_action?.redirect_to_url.return_url).toBe(payment.returnUrl);
      stripe.authenticate(payment.reference, succeeds);
      expect(await connect().describePayment(payment)).toMatchObject(
        succeeds
          ? { status: 'paid', instructions: null }
          : { status: 'refused', failureReason: 'payment_intent_authentication_failure' },
      );
    }
  });

  it('comes back to the gateway’s own page where the charge names none', async () => {
    const payment = aPayment({ instrument: challenged });
    await connect().authorize(payment);
    expect(stripe.intentOf(payment.reference).next_action?.redirect_to_url.return_url).toBe(
      'https://pay.example.test/pay/return',
    );
  });

  it.each<[string, Partial<AuthorizeRequest>, number]>([
    ['installments_not_supported', { instrument: byCard('4242424242424242', 3) }, 0],
    ['amount_not_supported', { amount: 12_345, currency: 'KWD' }, 0],
    ['amount_not_supported', { amount: 550, currency: 'MGA' }, 0],
    ['amount_too_large', { amount: 100_000_000 }, 1],
  ])('fails with %s where Stripe cannot take it', async (failureReason, changes, requests) => {
    const from = stripe.callsMade.length;
    expect(await connect().authorize(aPayment(changes))).toMatchObject({ status: 'failed', failureReason });
    expect(stripe.callsMade.length - from).toBe(requests);
  });

  it('of a device wallet fails without a request', async () => {
    if (good.type !== 'credit_card') throw new Error('no card');
    const { cvv: _, ...facts } = good.card as typeof good.card & { cvv: string };
    const card = { ...facts, cryptogram: 'AAAA', eciIndicator: null };
    const instrument: Instrument = { type: 'credit_card', card, installments: 1 };
    expect(await connect().authorize(aPayment({ instrument }))).toMatchObject({
      status: 'failed',
      failureReason: 'wallet_not_supported',
    });
  });

  it('fails, for good, where Stripe refuses to take card numbers', async () => {
    stripe.allowRawCards(false);
    const payment = aPayment();
    expect(await connect().authorize(payment)).toMatchObject({
      status: 'failed',
      failureReason: 'invalid_request',
    });
    stripe.allowRawCards(true);
    expect(stripe.intentOf(payment.reference).status).toBe('canceled');
    expect(await connect().authorize(payment)).toMatchObject({ status: 'failed' });
  });

  it('by a token sends the card before, and only the token with the payment', async () => {
    const card = { ...aCard({ number: '4242424242424242' }) };
    const before = stripe.callsMade.length;
    const made = await connect().tokenize?.({ reference: newId('tok'), card });
    if (made?.status !== 'tokenized') throw new Error('no token');
    expect(stripe.callsMade.slice(before)).toEqual(['POST /v1/payment_methods']);
    const instrument: Instrument = { type: 'credit_card', card: made, installments: 1 };
    expect(await connect().authorize(aPayment({ instrument }))).toMatchObject({ status: 'paid' });
    // A method without a customer pays once.
    expect(await connect().authorize(aPayment({ instrument }))).toMatchObject({ status: 'failed' });
  });

  it('is not begun with a card that Stripe does not take', async () => {
    const tokenize = (number: string) =>
      connect().tokenize?.({ reference: newId('tok'), card: aCard({ number }) });
    expect(await tokenize('4000000000000010')).toEqual({ status: 'refused', reason: 'incorrect_number' });
    stripe.allowRawCards(false);
    expect(await tokenize('4242424242424242')).toEqual({ status: 'not_supported' });
  });

  it('with a status that nobody knows is no outcome', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    stripe.intentOf(payment.reference).status = 'requires_patience';
    await expect(connect().describePayment(payment)).rejects.toMatchObject({
      name: 'UnknownStatus',
      message: 'Stripe says requires_patience of a PaymentIntent',
    });
  });

  it('is found by listing once Stripe has forgotten the key, among many', async () => {
    const payments = Array.from({ length: 101 }, () => aPayment());
    for (const payment of payments) await connect().authorize(payment);
    const [first] = payments;
    if (!first) throw new Error('no payment');
    const { id } = stripe.intentOf(first.reference);
    const made = stripe.intents.size;
    clock.ahead = 25 * HOUR;
    expect(await connect().describePayment(first)).toMatchObject({ status: 'paid', pspRefId: id });
    expect(await connect().cancel(first)).toMatchObject({ status: 'paid', pspRefId: id });
    expect(stripe.intents.size).toBe(made);
  });

  it.each([
    ['4 minutes before', -4 * 60_000, true],
    ['29 minutes after', 29 * 60_000, true],
    ['6 minutes before', -6 * 60_000, false],
    ['31 minutes after', 31 * 60_000, false],
  ])('made %s its charge is listed without the search: %p', async (_, ahead, isListed) => {
    const payment = aPayment();
    clock.ahead = ahead;
    await connect().authorize(payment);
    clock.ahead = 25 * HOUR;
    // As for an account that cannot search.
    stripe.troubleWith((call) => (call.includes('/search') ? { status: 400 } : null));
    const from = stripe.callsMade.length;
    const found = await connect().describePayment(payment);
    expect(found?.status).toBe(isListed ? 'paid' : undefined);
    const [, listed = ''] = stripe.callsMade.slice(from);
    const madeAt = Math.floor(timeOfId(payment.reference).getTime() / 1_000);
    const { searchParams } = new URL(listed.slice('GET '.length), stripe.url);
    expect([searchParams.get('created[gte]'), searchParams.get('created[lt]')]).toEqual([
      String(madeAt - 300),
      String(madeAt + 1_800),
    ]);
  });

  it('that Stripe never had is still unknown after a day, and cancelled without a new one', async () => {
    const payment = aPayment();
    const made = stripe.intents.size;
    clock.ahead = 25 * HOUR;
    expect(await connect().describePayment(payment)).toBeNull();
    expect(await connect().cancel(payment)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    expect(stripe.intents.size).toBe(made);
  });

  it('whose making failed at Stripe, which repeats that under its key, can never be made', async () => {
    const payment = aPayment();
    stripe.troubleWith((call) => (call === 'POST /v1/payment_intents' ? 'failed' : null));
    await expect(connect().authorize(payment)).rejects.toThrow('500');
    stripe.troubleWith(() => null);
    expect(await connect().describePayment(payment)).toBeNull();
    expect(await connect().cancel(payment)).toMatchObject({ status: 'failed' });
    expect(await connect().authorize(payment)).toMatchObject({ status: 'failed' });
  });

  it('whose confirmation failed at Stripe is ended', async () => {
    const payment = aPayment();
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'failed' : null));
    await expect(connect().authorize(payment)).rejects.toThrow('500');
    stripe.troubleWith(() => null);
    expect(await connect().authorize(payment)).toMatchObject({
      status: 'failed',
      failureReason: 'cancelled',
    });
  });
});

describe('a Stripe that does not end what it was told to end', () => {
  it('has decided nothing', async () => {
    const intent = {
      ...{ id: 'pi_1', object: 'payment_intent', status: 'requires_payment_method', amount: 80_05 },
      ...{ currency: 'brl', metadata: {}, last_payment_error: null, latest_charge: null },
    };
    const call = createStripeClient({
      send: async () => ({ status: 200, headers: {}, text: JSON.stringify(intent) }),
      rest: createRest(clock.now),
      url: 'https://stripe.example.test',
      filesUrl: 'https://stripe.example.test',
      secretKey: 'sk_test_0123456789abcdef',
    });
    const provider = createStripe({
      ...{ call, clock: clock.now, isLiveKey: false, webhookSecrets: [] },
      returnUrl: () => 'https://pay.example.test/pay/return',
    });
    await expect(provider.cancel(aPayment())).rejects.toThrow('does not cancel');
    await expect(provider.authorize(aPayment())).rejects.toThrow('does not cancel');
  });
});

describe('a refund at Stripe', () => {
  it('of an amount that Stripe cannot say is refused without a request', async () => {
    const payment = aPayment({ amount: 12_340, currency: 'KWD' });
    const { pspRefId } = await connect().authorize(payment);
    const before = stripe.callsMade.length;
    const refund = aRefundRequest(payment, { amount: 12_345, paymentPspRefId: pspRefId });
    expect(await connect().refund(refund)).toEqual({
      status: 'refused',
      reason: 'amount_not_supported',
      pspRefundRefId: null,
    });
    expect(stripe.callsMade).toHaveLength(before);
  });

  it.each([
    ['succeeded', { status: 'refunded', reason: null }],
    ['failed', { status: 'failed', reason: 'lost_or_stolen_card' }],
  ] as const)('is pending until Stripe says so, and ends as %s', async (status, expected) => {
    const payment = aPayment();
    const { pspRefId } = await connect().authorize(payment);
    const refund = aRefundRequest(payment, { paymentPspRefId: pspRefId });
    stripe.setRefunds('pending');
    expect(await connect().refund(refund)).toMatchObject({ status: 'pending' });
    stripe.endRefund(refund.reference, status);
    expect(await connect().describeRefund(refund)).toMatchObject(expected);
    const event = stripe.eventAbout('refund.updated', stripe.refundOf(refund.reference) ?? {});
    expect(await connect().notificationsIn(event)).toMatchObject([
      { kind: 'refund', reference: refund.reference, state: expected },
    ]);
  });

  it('that failed may be followed by another', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    stripe.setRefunds('failed');
    expect(await connect().refund(aRefundRequest(payment))).toMatchObject({ status: 'failed' });
    stripe.setRefunds('succeeded');
    expect(await connect().refund(aRefundRequest(payment))).toMatchObject({ status: 'refunded' });
    expect(await connect().refund(aRefundRequest(payment, { amount: 1 }))).toEqual({
      status: 'refused',
      reason: 'charge_already_refunded',
      pspRefundRefId: null,
    });
  });

  it('of another amount than was asked for is no outcome', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    const refund = aRefundRequest(payment, { amount: 5 });
    await connect().refund(refund);
    await expect(connect().describeRefund({ ...refund, amount: 6 })).rejects.toThrow('gave back 5');
  });

  it('that somebody made in the dashboard is told under Stripe’s own name', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    const byHand = stripe.refundByHand(payment.reference, 100);
    const told = await connect().notificationsIn(stripe.eventAbout('refund.created', byHand));
    expect(told).toMatchObject([{ kind: 'refund', reference: byHand.id, amount: 100 }]);
  });
});

describe('an event of Stripe', () => {
  it('says where the payment stands now, whatever is in it, in any order', async () => {
    const payment = aPayment({ instrument: challenged });
    await connect().authorize(payment);
    const early = stripe.eventAbout('payment_intent.requires_action', stripe.intentOf(payment.reference));
    stripe.authenticate(payment.reference);
    expect(await connect().notificationsIn(early)).toMatchObject([{ state: { status: 'paid' } }]);
  });

  it('about an object that Stripe does not show is not confirmed', async () => {
    const event = stripe.eventAbout('payment_intent.succeeded', { id: 'pi_none', object: 'payment_intent' });
    expect(await connect().notificationsIn(event)).toMatchObject([{ kind: 'unconfirmed' }]);
  });

  it('of an inquiry moves nothing; of a dispute that is won it brings the money back', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    const dispute = stripe.dispute(payment.reference, 'warning_needs_response');
    const told = async (type: string) => connect().notificationsIn(stripe.eventAbout(type, dispute));
    expect(await told('charge.dispute.created')).toMatchObject([{ kind: 'other' }]);
    stripe.withdraw(dispute);
    const [withdrawn] = (await told('charge.dispute.funds_withdrawn')) ?? [];
    expect(withdrawn).toMatchObject({ kind: 'chargeback', pspRefId: dispute.id, amount: payment.amount });
    expect(await told('charge.dispute.created')).toEqual([withdrawn]);
    stripe.reinstate(dispute);
    expect(await told('charge.dispute.funds_reinstated')).toMatchObject([
      { kind: 'chargeback_reversed', reference: payment.reference, pspRefId: dispute.id },
    ]);
    stripe.withdraw(dispute);
    const [again] = (await told('charge.dispute.funds_withdrawn')) ?? [];
    expect(again).toMatchObject({ kind: 'chargeback', isAgain: true, pspRefId: `${dispute.id}/2` });
    expect(again?.id).not.toBe(withdrawn?.id);
  });

  it('of a dispute that was prevented moves nothing', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    const event = stripe.eventAbout('charge.dispute.created', stripe.dispute(payment.reference, 'prevented'));
    expect(await connect().notificationsIn(event)).toMatchObject([{ kind: 'other' }]);
  });

  it('of a connected account is passed over without a question', async () => {
    const event = stripe.eventAbout('payment_intent.succeeded', { id: 'pi_none' }, { account: 'acct_1' });
    const calls = stripe.callsMade.length;
    expect(await connect().notificationsIn(event)).toMatchObject([{ kind: 'other' }]);
    expect(stripe.callsMade).toHaveLength(calls);
  });

  it('of an early warning names the payment', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    const event = stripe.eventAbout('radar.early_fraud_warning.created', stripe.warn(payment.reference));
    expect(await connect().notificationsIn(event)).toMatchObject([
      { kind: 'fraud_warning', reference: payment.reference, amount: payment.amount, currency: 'BRL' },
    ]);
  });

  it('of other business, or of the other mode, is passed over', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    const intent = stripe.intentOf(payment.reference);
    const other = stripe.eventAbout('payment_intent.succeeded', intent, { livemode: true });
    expect(await connect().notificationsIn(other)).toMatchObject([{ kind: 'other' }]);
    stripe.intents.set(intent.id, { ...intent, metadata: {} });
    expect(await connect().notificationsIn(aboutPaymentOf(intent))).toMatchObject([{ kind: 'other' }]);
  });
  const aboutPaymentOf = (intent: object) => stripe.eventAbout('payment_intent.succeeded', intent);
});

describe('evidence for Stripe', () => {
  const PDF = Buffer.from('%PDF-1.7\r\n\u0000\u00ff of a receipt', 'latin1');
  const fileOf = (type: string, content = PDF) => ({
    type,
    fileName: `${type}.pdf`,
    contentType: 'application/pdf',
    content: async () => content,
  });
  const disputed = async () => {
    const payment = aPayment();
    const { pspRefId } = await connect().authorize(payment);
    const dispute = stripe.dispute(payment.reference);
    const submit = (files: readonly ReturnType<typeof fileOf>[]) =>
      connect().submitEvidence?.({
        reference: 'dsp_1',
        paymentReference: payment.reference,
        paymentPspRefId: pspRefId,
        files,
      });
    return { payment, dispute, submit };
  };

  it('is uploaded and submitted with the dispute of its payment, also after a lost answer', async () => {
    const { dispute, submit } = await disputed();
    const files = [fileOf('receipt'), fileOf('other')];
    stripe.troubleWith((call) => (call.startsWith('POST /v1/disputes/') ? 'drop' : null));
    await expect(submit(files)).rejects.toThrow();
    expect(dispute.status).toBe('needs_response');
    stripe.troubleWith((call) => (call.startsWith('POST /v1/disputes/') ? 'lose' : null));
    await expect(submit(files)).rejects.toThrow();
    stripe.troubleWith(() => null);
    expect(await submit(files)).toEqual({ status: 'delivered', reason: null });
    expect(dispute.status).toBe('under_review');
    const sent = stripe.files.get(dispute.evidence.receipt ?? '');
    expect(sent).toMatchObject({ filename: 'receipt.pdf', type: 'application/pdf' });
    expect(sent?.content).toBe(PDF.toString('latin1'));
    expect(Object.keys(dispute.evidence).sort()).toEqual(['receipt', 'uncategorized_file']);
  });

  it('is refused where Stripe does not take it, and where there is no dispute', async () => {
    const { dispute, submit } = await disputed();
    const large = Buffer.concat([PDF, Buffer.alloc(5_000_001)]);
    expect(await submit([fileOf('receipt', large)])).toEqual({
      status: 'refused',
      reason: 'file_too_large',
    });
    dispute.status = 'lost';
    expect(await submit([fileOf('receipt')])).toEqual({
      status: 'refused',
      reason: 'dispute_not_open',
    });
    expect(dispute.evidence).toEqual({});
  });

  it('is decided on: a dispute that is lost is told of, one that is won by its money', async () => {
    const { payment, dispute } = await disputed();
    const closed = () => connect().notificationsIn(stripe.eventAbout('charge.dispute.closed', dispute));
    dispute.status = 'lost';
    expect(await closed()).toMatchObject([
      { kind: 'dispute_lost', reference: payment.reference, pspRefId: dispute.id },
    ]);
    dispute.status = 'won';
    expect(await closed()).toMatchObject([{ kind: 'other' }]);
  });
});

describe('the connection to Stripe', () => {
  it('takes a late answer for none', async () => {
    const payment = aPayment();
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? { delayMs: 3_000 } : null));
    await expect(connect({ timeoutMs: 1_500 }).authorize(payment)).rejects.toThrow(ProviderTimeout);
    stripe.troubleWith(() => null);
    // Done when it was asked for, and answered later.
    expect(await connect().describePayment(payment)).toMatchObject({ status: 'paid' });
  });

  it('is left alone for as long as Stripe asks', async () => {
    const provider = connect();
    stripe.troubleWith(() => ({ status: 429, retryAfter: 20 }));
    await expect(provider.describePayment(aPayment())).rejects.toThrow(ProviderBusy);
    stripe.troubleWith(() => null);
    const before = stripe.callsMade.length;
    await expect(provider.describePayment(aPayment())).rejects.toThrow(ProviderBusy);
    expect(stripe.callsMade).toHaveLength(before);
    clock.ahead = 21_000;
    expect(await provider.describePayment(aPayment())).toBeNull();
  });

  it('asks again for an object that another request holds, and lets nothing else rest', async () => {
    let calls = 0;
    stripe.troubleWith(() => {
      calls += 1;
      return calls <= 3 ? { status: 429, code: 'lock_timeout' } : null;
    });
    expect(await connect().authorize(aPayment())).toMatchObject({ status: 'paid' });
    expect(calls).toBeGreaterThan(3);
  });

  it('finds an old payment without its id by one search', async () => {
    const payment = aPayment();
    await connect().authorize(payment);
    clock.ahead = 2 * 3_600_000;
    const before = stripe.callsMade.length;
    expect(await connect().refund(aRefundRequest(payment))).toMatchObject({ status: 'refunded' });
    const calls = stripe.callsMade.slice(before).map((call) => call.split('?')[0]);
    expect(calls).toEqual(['GET /v1/payment_intents/search', 'POST /v1/refunds']);
  });

  it('with a wrong key decides nothing', async () => {
    const secretKey = 'sk_test_0000000000000000';
    await expect(connect({ secretKey }).authorize(aPayment())).rejects.toThrow('401');
  });

  it('shows a card number neither in Stripe’s answers nor in an error', async () => {
    const heard = stripe.transcript.join('\n');
    expect(heard).not.toMatch(/4242424242424242|4000000000003220|[="]917\b/);
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? { status: 500 } : null));
    const error: unknown = await connect()
      .authorize(aPayment())
      .catch((failure: unknown) => failure);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('4242424242424242');
  });
});
