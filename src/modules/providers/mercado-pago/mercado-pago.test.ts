import { aCard, anAuthorizeRequest, aPayer, aRefundRequest } from '../../../../test/builders.ts';
import { createFakeCollections } from '../../../../test/fakes/collections.ts';
import { describeConformance, type Trouble } from '../../../../test/support/conformance.ts';
import { mercadoPagoSettings } from '../../../../test/support/doubles/settings.ts';
import {
  type MercadoPagoDouble,
  startMercadoPagoDouble,
} from '../../../../test/support/mercado-pago/mercado-pago-double.ts';
import { openMercadoPagoSandbox } from '../../../../test/support/sandboxes/mercado-pago.ts';
import { newId } from '../../../kernel/ids.ts';
import { createHttpClient } from '../../../platform/outbound/http-client.ts';
import {
  type AuthorizeRequest,
  type Instrument,
  type PaymentOrder,
  type PaymentProvider,
  ProviderBusy,
  ProviderTimeout,
  type RefundRequest,
} from '../provider.ts';
import { createRest } from '../rest.ts';
import { createMercadoPago } from './mercado-pago.ts';
import { createMercadoPagoClient } from './mercado-pago-client.ts';
import { createRefundNames } from './refund-names.store.ts';

const HOUR = 3_600_000;
const CVV = '917';
const clock = { ahead: 0, now: () => new Date(Date.now() + clock.ahead) };

let mercadoPago: MercadoPagoDouble;
/** As the database, which outlives a process. */
const names = createRefundNames(createFakeCollections());
beforeAll(async () => {
  mercadoPago = await startMercadoPagoDouble(clock.now);
});
afterAll(() => mercadoPago.stop());
beforeEach(() => {
  clock.ahead = 0;
  mercadoPago.troubleWith(() => null);
  mercadoPago.books.lag(false);
  mercadoPago.books.allowCards(true);
  mercadoPago.books.setRefunds('approved');
});

const connect = (
  options: { readonly accessToken?: string; readonly timeoutMs?: number } = {},
): PaymentProvider =>
  createMercadoPago({
    call: createMercadoPagoClient({
      send: createHttpClient({ timeoutMs: options.timeoutMs ?? 20_000 }),
      rest: createRest(clock.now),
      url: mercadoPago.url,
      accessToken: options.accessToken ?? mercadoPago.accessToken,
    }),
    clock: clock.now,
    names,
    webhookSecrets: ['of_an_application_that_is_replaced', mercadoPago.webhookSecret],
  });

const byCard = (holderName = 'APRO', number = '5555555555554444', installments = 1): Instrument => ({
  type: 'credit_card',
  card: aCard({ number, cvv: CVV, holderName, expirationYear: '2039' }),
  installments,
});
const inAnHour = (): string => new Date(Date.now() + HOUR).toISOString();
const pix: Instrument = { type: 'pix', expiresAt: inAnHour() };
const boleto = (identifyNumber = '529.982.247-25', identifyType = 'cpf'): Instrument => ({
  type: 'voucher',
  identifyType,
  identifyNumber,
  bankName: null,
  expiresAt: inAnHour(),
});
const aPayment = (instrument = byCard(), changes: Partial<AuthorizeRequest> = {}): AuthorizeRequest =>
  anAuthorizeRequest(instrument, changes);
const aPaidOne = async (): Promise<AuthorizeRequest> => {
  const payment = aPayment();
  expect(await connect().authorize(payment)).toMatchObject({ status: 'paid' });
  return payment;
};
const about = ({ reference }: { readonly reference: string }) =>
  mercadoPago.notification('payment', mercadoPago.paymentOf(reference).id);
const toldBy = (delivery: Parameters<PaymentProvider['notificationsIn']>[0]) =>
  connect().notificationsIn(delivery);
/** All payments that Mercado Pago has of a charge. */
const paymentsOf = ({ reference }: { readonly reference: string }) =>
  [...mercadoPago.books.payments.values()].filter(({ external_reference: of }) => of === reference);

let start = 0;
describeConformance('Mercado Pago', async () => ({
  provider: connect(),
  restart: connect,
  livemode: true,
  namesNoTokens: true,
  amounts: [
    { amount: 1, currency: 'BRL' },
    { amount: 29, currency: 'BRL' },
    { amount: 99_999_999_999, currency: 'BRL' },
  ],
  pays: byCard(),
  refuses: byCard('FUND'),
  waits: pix,
  methods: [byCard(), pix, boleto()],
  async pay({ reference }) {
    mercadoPago.pay(reference);
  },
  async authorizeUnanswered() {
    const payment = aPayment();
    mercadoPago.troubleWith((call) => (call === 'POST /v1/payments' ? 'lose' : null));
    await expect(connect().authorize(payment)).rejects.toThrow();
    mercadoPago.troubleWith(() => null);
    return payment;
  },
  deliveries: {
    about: async (...payments) => payments.map(about),
    async aboutRefund({ paymentReference }) {
      return about({ reference: paymentReference });
    },
    async chargedBack({ reference }) {
      return mercadoPago.notification('chargebacks', mercadoPago.chargeBack(reference).id);
    },
    other: mercadoPago.notification('merchant_order', 1),
    forged: (genuine) => [
      { ...genuine, headers: {} },
      { ...genuine, headers: { ...genuine.headers, 'x-signature': `${genuine.headers['x-signature']}0` } },
      { ...genuine, headers: { ...genuine.headers, 'x-request-id': newId('evt') } },
      {
        ...genuine,
        body: Buffer.from(genuine.body.toString().replace('"data":{"id":"1', '"data":{"id":"2')),
      },
      mercadoPago.notification('payment', 1, { secret: 'of_somebody_else' }),
      mercadoPago.notification('payment', 1, { at: new Date(Date.now() - 301_000) }),
    ],
  },
  wire: {
    troubleWith(decide: (request: number) => Trouble | null) {
      const from = mercadoPago.callsMade.length;
      mercadoPago.troubleWith(() => decide(mercadoPago.callsMade.length - 1 - from));
      start = from;
    },
    requests: () => mercadoPago.callsMade.length - start,
  },
  transcript: () => mercadoPago.transcript.join('\n'),
  secrets: ['5555555555554444', mercadoPago.accessToken, mercadoPago.webhookSecret],
}));

// As `make conformance PROVIDER=mercado-pago` runs it against the real one.
describeConformance(
  'Mercado Pago’s sandbox',
  async () => openMercadoPagoSandbox(mercadoPagoSettings(mercadoPago)),
  { pays: true, payer: false, bank: false },
);

describe('a card payment at Mercado Pago', () => {
  it('is one payment with the charge’s id as its name, by a token of the card', async () => {
    const from = mercadoPago.callsMade.length;
    const payment = aPayment(byCard('APRO', '4235647728025682', 3), {
      amount: 29,
      payer: aPayer({ document: { type: 'cpf', id: '529.982.247-25' } }),
    });
    const state = await connect().authorize(payment, { isFirst: true });
    const made = mercadoPago.paymentOf(payment.reference);
    expect(state).toMatchObject({ status: 'paid', pspRefId: String(made.id), paidAt: expect.any(String) });
    expect(made).toMatchObject({
      ...{ transaction_amount: 0.29, payment_method_id: 'visa', installments: 3 },
      payer: { email: 'ana@example.com', identification: { type: 'CPF', number: '52998224725' } },
    });
    expect(mercadoPago.callsMade.slice(from)).toEqual(['POST /v1/card_tokens', 'POST /v1/payments']);
  });

  it.each([
    ['FUND', 'refused', 'insufficient_funds'],
    ['SECU', 'refused', 'incorrect_cvc'],
    ['EXPI', 'refused', 'incorrect_expiry'],
    ['CALL', 'refused', 'call_issuer'],
    ['OTHE', 'refused', 'card_declined'],
    ['CONT', 'pending', null],
    ['REVI', 'in_analysis', null],
  ])('of a card that ends as %s is %s with %s', async (holder, status, failureReason) => {
    expect(await connect().authorize(aPayment(byCard(holder)))).toMatchObject({ status, failureReason });
  });

  it('by a token sends the card before, and only the token with the payment', async () => {
    const from = mercadoPago.callsMade.length;
    const card = aCard({ number: '5031433215406351', holderName: 'APRO' });
    const kept = await connect().tokenize?.({ reference: newId('tok'), card });
    if (kept?.status !== 'tokenized') throw new Error('no token');
    expect(mercadoPago.callsMade.slice(from)).toEqual(['POST /v1/card_tokens']);
    const instrument: Instrument = { type: 'credit_card', card: kept, installments: 1 };
    expect(await connect().authorize(aPayment(instrument), { isFirst: true })).toMatchObject({
      status: 'paid',
    });
    // A token pays once.
    expect(await connect().authorize(aPayment(instrument), { isFirst: true })).toMatchObject({
      status: 'failed',
      failureReason: 'card_token_unknown',
    });
  });

  it('is not begun with a card that Mercado Pago does not take', async () => {
    const tokenize = (number: string) =>
      connect().tokenize?.({ reference: newId('tok'), card: aCard({ number }) });
    expect(await tokenize('30569309025904')).toEqual({ status: 'refused', reason: 'card_not_supported' });
    mercadoPago.books.allowCards(false);
    expect(await tokenize('5555555555554444')).toEqual({ status: 'not_supported' });
    expect(await connect().authorize(aPayment(), { isFirst: true })).toMatchObject({
      status: 'failed',
      failureReason: 'card_numbers_not_allowed',
    });
  });

  it.each<[string, Partial<AuthorizeRequest>]>([
    ['currency_not_supported', { currency: 'USD' }],
    ['card_not_supported', { instrument: byCard('APRO', '30569309025904') }],
    ['document_not_supported', { instrument: boleto('X1', 'passport') }],
    ['document_not_supported', { instrument: boleto('52998224726') }],
    ['method_not_supported', { instrument: { ...boleto(), type: 'qrcode' } as Instrument }],
  ])('fails with %s without a request', async (failureReason, changes) => {
    const from = mercadoPago.callsMade.length;
    expect(await connect().authorize(aPayment(byCard(), changes))).toMatchObject({
      status: 'failed',
      failureReason,
    });
    expect(mercadoPago.callsMade).toHaveLength(from);
  });

  it('with a status that nobody knows is no outcome', async () => {
    const payment = await aPaidOne();
    mercadoPago.paymentOf(payment.reference).status = 'being_thought_over';
    await expect(connect().describePayment(payment)).rejects.toMatchObject({
      name: 'UnknownStatus',
      message: 'Mercado Pago says being_thought_over of a payment',
    });
  });
});

describe('a Pix and a boleto at Mercado Pago', () => {
  it('are asked for with the payer’s facts, and end at the time that the charge has', async () => {
    const waiting = aPayment(boleto());
    const state = await connect().authorize(waiting);
    const made = mercadoPago.paymentOf(waiting.reference);
    expect(made).toMatchObject({
      payment_method_id: 'bolbradesco',
      payer: {
        ...{ first_name: 'Ana', last_name: 'Souza' },
        identification: { type: 'CPF', number: '52998224725' },
      },
    });
    expect(state.instructions).toMatchObject({ type: 'voucher', barcode: expect.stringMatching(/^\d{44}$/) });
    if (waiting.instrument.type !== 'voucher') throw new Error('no voucher');
    expect(Date.parse(made.date_of_expiration ?? '')).toBe(Date.parse(waiting.instrument.expiresAt));
  });

  it('live for half an hour at least, whatever less the charge has', async () => {
    const payment = aPayment({ type: 'pix', expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect(await connect().authorize(payment)).toMatchObject({ status: 'pending' });
  });

  it('that nobody pays are expired', async () => {
    const payment = aPayment(pix);
    await connect().authorize(payment);
    mercadoPago.expire(payment.reference);
    expect(await connect().describePayment(payment)).toMatchObject({
      status: 'failed',
      failureReason: 'expired',
    });
  });
});

describe('a payment whose answer got lost', () => {
  const aLostOne = async (): Promise<AuthorizeRequest> => {
    const payment = aPayment();
    mercadoPago.troubleWith((call) => (call === 'POST /v1/payments' ? 'lose' : null));
    await expect(connect().authorize(payment, { isFirst: true })).rejects.toThrow();
    mercadoPago.troubleWith(() => null);
    return payment;
  };

  it('is never paid twice, also while the search lags behind', async () => {
    const payment = await aLostOne();
    mercadoPago.books.lag(true);
    expect(await connect().describePayment(payment)).toBeNull();
    // Cancelling asks under the same key, and finds what was made.
    expect(await connect().cancel(payment)).toMatchObject({ status: 'paid' });
    expect(await connect().authorize(payment)).toMatchObject({ status: 'paid' });
    expect(paymentsOf(payment)).toHaveLength(1);
  });

  it('is found by its name once Mercado Pago has forgotten the key', async () => {
    const payment = await aLostOne();
    mercadoPago.forgetKeys();
    clock.ahead = 25 * HOUR;
    expect(await connect().describePayment(payment)).toMatchObject({ status: 'paid' });
    expect(await connect().authorize(payment)).toMatchObject({ status: 'paid' });
    expect(await connect().cancel(payment)).toMatchObject({ status: 'paid' });
    expect(paymentsOf(payment)).toHaveLength(1);
  });

  it('comes late, and is unknown until then', async () => {
    const payment = aPayment();
    mercadoPago.troubleWith((call) => (call === 'POST /v1/payments' ? { delayMs: 2_000 } : null));
    await expect(connect({ timeoutMs: 500 }).authorize(payment)).rejects.toThrow(ProviderTimeout);
    mercadoPago.troubleWith(() => null);
    expect(await connect().authorize(payment)).toMatchObject({ status: 'paid' });
    expect(paymentsOf(payment)).toHaveLength(1);
  });

  it('is not refused where it may have been taken before and is not shown yet', async () => {
    const payment = aPayment(byCard('APRO', '5555555555554445'));
    await expect(connect().authorize(payment)).rejects.toMatchObject({ name: 'NotShownYet' });
    expect(await connect().authorize(payment, { isFirst: true })).toMatchObject({
      status: 'refused',
      failureReason: 'incorrect_number',
    });
  });
});

describe('a payment that is cancelled before it arrived', () => {
  it('is never made, and what stands in its place is no payment of a charge', async () => {
    const payment = aPayment();
    mercadoPago.troubleWith((call) => (call.startsWith('PUT') ? { status: 500 } : null));
    await expect(connect().cancel(payment)).rejects.toThrow();
    expect(await connect().describePayment(payment)).toBeNull();
    expect(await toldBy(about(payment))).toMatchObject([{ kind: 'other' }]);
    mercadoPago.troubleWith(() => null);
    // The late call ends what stands in its place.
    expect(await connect().authorize(payment)).toMatchObject({
      status: 'failed',
      failureReason: 'cancelled',
    });
    expect(paymentsOf(payment)).toMatchObject([{ status: 'cancelled', payment_method_id: 'pix' }]);
  });

  it('a day later is not made in its place any more', async () => {
    const payment = aPayment();
    clock.ahead = 25 * HOUR;
    expect(await connect().cancel(payment)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    expect(paymentsOf(payment)).toEqual([]);
  });
});

describe('a refund at Mercado Pago', () => {
  it('that is processed is pending, and then refunded or failed', async () => {
    mercadoPago.books.setRefunds('in_process');
    for (const [ends, expected] of [
      ['approved', { status: 'refunded', reason: null }],
      ['rejected', { status: 'failed', reason: 'refund_rejected' }],
    ] as const) {
      const payment = await aPaidOne();
      const refund = aRefundRequest(payment);
      expect(await connect().refund(refund)).toMatchObject({ status: 'pending' });
      const [made] = [...mercadoPago.books.refunds.values()].slice(-1);
      if (!made) throw new Error('no refund');
      mercadoPago.books.endRefund(made, ends);
      expect(await connect().describeRefund(refund)).toMatchObject(expected);
    }
  });

  it('that meets another request which is still under way is not decided, and is made later', async () => {
    const payment = await aPaidOne();
    const refund = aRefundRequest(payment);
    mercadoPago.troubleWith((call) => (call.endsWith('/refunds') ? { status: 409 } : null));
    for (const isFirst of [true, false])
      await expect(connect().refund(refund, { isFirst })).rejects.toThrow('still at another request');
    mercadoPago.troubleWith(() => null);
    expect(await connect().refund(refund)).toMatchObject({ status: 'refunded' });
  });

  it('that cannot be read keeps neither its payment nor the others from being told', async () => {
    const payment = await aPaidOne();
    await connect().refund({ ...aRefundRequest(payment), amount: 10_00 });
    const [odd] = [...mercadoPago.books.refunds.values()].slice(-1);
    if (!odd) throw new Error('no refund');
    Object.assign(odd, { status: 'cancelled' });
    expect(await toldBy(about(payment))).toMatchObject([
      { kind: 'payment' },
      { kind: 'unconfirmed', id: `refund/${odd.id}/cancelled` },
    ]);
  });

  it('whose answer got lost is not told of by a wrong name, and is the same when it is asked for again', async () => {
    const payment = await aPaidOne();
    const refund = aRefundRequest(payment);
    mercadoPago.troubleWith((call) => (call.endsWith('/refunds') ? 'lose' : null));
    await expect(connect().refund(refund, { isFirst: true })).rejects.toThrow();
    mercadoPago.troubleWith(() => null);
    expect(await connect().describeRefund(refund)).toBeNull();
    expect(await toldBy(about(payment))).toMatchObject([{ kind: 'payment' }, { kind: 'unconfirmed' }]);
    expect(await connect().refund(refund)).toMatchObject({ status: 'refunded' });
    expect(await toldBy(about(payment))).toMatchObject([
      { kind: 'payment' },
      { kind: 'refund', reference: refund.reference },
    ]);
  });

  it('is found by amount and age once Mercado Pago has forgotten the key', async () => {
    const payment = await aPaidOne();
    const refund = aRefundRequest(payment);
    mercadoPago.troubleWith((call) => (call.endsWith('/refunds') ? 'lose' : null));
    await expect(connect().refund(refund, { isFirst: true })).rejects.toThrow();
    mercadoPago.troubleWith(() => null);
    mercadoPago.forgetKeys();
    expect(await connect().refund(refund)).toMatchObject({ status: 'refunded' });
    // Somebody else's later one finds none of its own.
    expect(await connect().refund(aRefundRequest(payment))).toMatchObject({ status: 'refused' });
  });

  describe('of a part, long after its answer got lost,', () => {
    const PART = 10_00;
    const refundsAt = (payment: PaymentOrder) => {
      const { id } = mercadoPago.paymentOf(payment.reference);
      return mercadoPago.books.listRefunds(String(id));
    };
    const aPart = (payment: PaymentOrder) => ({ ...aRefundRequest(payment), amount: PART });
    /** A request whose answer gets lost, or that gets lost itself. */
    const lose = async (refund: RefundRequest, how: 'lose' | 'drop' = 'lose'): Promise<void> => {
      mercadoPago.troubleWith((call) => (call.endsWith('/refunds') ? how : null));
      await expect(connect().refund(refund, { isFirst: true })).rejects.toThrow();
      mercadoPago.troubleWith(() => null);
    };
    const aDayLater = (): void => {
      mercadoPago.forgetKeys();
      clock.ahead = 25 * HOUR;
    };

    it('is the one that was made, beside another one of its amount', async () => {
      const payment = await aPaidOne();
      await connect().refund(aPart(payment), { isFirst: true });
      const second = aPart(payment);
      await lose(second);
      aDayLater();
      const state = await connect().refund(second);
      const [, made, ...others] = refundsAt(payment);
      expect([state, others]).toEqual([expect.objectContaining({ pspRefundRefId: String(made?.id) }), []]);
    });

    it('is made once where the request got lost', async () => {
      const payment = await aPaidOne();
      const refund = aPart(payment);
      await lose(refund, 'drop');
      aDayLater();
      for (const _ of [1, 2]) expect(await connect().refund(refund)).toMatchObject({ status: 'refunded' });
      expect(refundsAt(payment)).toHaveLength(1);
    });

    it('is each the own one of two that were made', async () => {
      const payment = await aPaidOne();
      const both = [aPart(payment), aPart(payment)];
      for (const refund of both) await lose(refund);
      aDayLater();
      const ids: unknown[] = [];
      for (const refund of both) ids.push((await connect().refund(refund)).pspRefundRefId);
      expect(ids.sort()).toEqual(refundsAt(payment).map(({ id }) => String(id)));
    });

    it.each([
      ['one that was made by hand', 'by hand'],
      ['another one that got lost', 'lost'],
    ])('is not taken for %s, and nothing is made', async (_, other) => {
      const payment = await aPaidOne();
      const refund = aPart(payment);
      await lose(refund);
      const { id } = mercadoPago.paymentOf(payment.reference);
      if (other === 'lost') await lose(aPart(payment), 'drop');
      else mercadoPago.books.createRefund(String(id), { amount: PART / 100 });
      const made = refundsAt(payment).length;
      aDayLater();
      await expect(connect().refund(refund)).rejects.toMatchObject({ name: 'UnknownStatus' });
      expect(refundsAt(payment)).toHaveLength(made);
    });
  });

  it('that was made by hand has no name of this gateway', async () => {
    const payment = await aPaidOne();
    const { id } = mercadoPago.paymentOf(payment.reference);
    const byHand = mercadoPago.books.createRefund(String(id), { amount: 10 });
    expect(await toldBy(about(payment))).toMatchObject([
      { kind: 'payment' },
      { kind: 'refund', reference: String(byHand.id), amount: 10_00 },
    ]);
  });
});

describe('a chargeback at Mercado Pago', () => {
  it.each([
    [true, 'chargeback_reversed'],
    [false, 'dispute_lost'],
  ])('that is decided (won: %s) is told of once as taken and once as %s', async (isWon, kind) => {
    const payment = await aPaidOne();
    const chargeback = mercadoPago.chargeBack(payment.reference);
    const tell = () => toldBy(mercadoPago.notification('chargebacks', chargeback.id));
    const taken = await tell();
    expect(taken).toMatchObject([
      { kind: 'chargeback', reference: payment.reference, amount: payment.amount },
    ]);
    mercadoPago.decide(chargeback, isWon);
    const news = await tell();
    expect(news).toMatchObject([{ kind: 'chargeback' }, { kind, pspRefId: chargeback.id }]);
    expect(news?.[0]).toEqual(taken?.[0]);
    expect(await connect().describePayment(payment)).toMatchObject({ status: 'paid' });
  });
});

describe('a notification of Mercado Pago', () => {
  it('about what Mercado Pago does not have is not confirmed', async () => {
    for (const type of ['payment', 'chargebacks'])
      expect(await toldBy(mercadoPago.notification(type, 77))).toMatchObject([{ kind: 'unconfirmed' }]);
  });

  it('is the same news whatever it calls itself, until something has happened', async () => {
    const payment = aPayment(pix);
    await connect().authorize(payment);
    const { id } = mercadoPago.paymentOf(payment.reference);
    const idsOf = async (named: number): Promise<readonly string[]> =>
      ((await toldBy(mercadoPago.notification('payment', id, { id: named }))) ?? []).map((one) => one.id);
    const [waiting] = await idsOf(1);
    expect(await idsOf(2)).toEqual([waiting]);
    mercadoPago.pay(payment.reference);
    expect(await idsOf(1)).not.toEqual([waiting]);
  });

  it('about other business of the account has no effect', async () => {
    const { id } = mercadoPago.books.createPayment({
      ...{ transaction_amount: 1, payment_method_id: 'pix', external_reference: 'pedido-7' },
      payer: { email: 'ana@example.com' },
    });
    expect(await toldBy(mercadoPago.notification('payment', id))).toMatchObject([{ kind: 'other' }]);
  });

  it('may be signed with a time in milliseconds, and without the id of a request', async () => {
    const { createHmac } = await import('node:crypto');
    const ts = String(Date.now());
    const sign = createHmac('sha256', mercadoPago.webhookSecret).update(`id:7;ts:${ts};`).digest('hex');
    const body = Buffer.from('{"id":1,"type":"payment","data":{"id":"7"}}');
    const headers = { 'x-signature': `ts=${ts},v1=${sign}` };
    expect(await connect().verify({ headers, secret: null, body })).toBe(true);
  });
});

describe('a Mercado Pago that does not answer as it should', () => {
  it('is left alone where it asks for that', async () => {
    mercadoPago.troubleWith(() => ({ status: 429, retryAfter: 30 }));
    const provider = connect();
    await expect(provider.describePayment(aPayment())).rejects.toThrow(ProviderBusy);
    const from = mercadoPago.callsMade.length;
    mercadoPago.troubleWith(() => null);
    await expect(provider.describePayment(aPayment())).rejects.toThrow(ProviderBusy);
    expect(mercadoPago.callsMade).toHaveLength(from);
  });

  it('has decided nothing where it does not know the token', async () => {
    const payment = aPayment();
    const stranger = connect({ accessToken: 'TEST-of-somebody-else-0001' });
    await expect(stranger.authorize(payment, { isFirst: true })).rejects.toThrow('Mercado Pago answers 401');
    await expect(stranger.refund(aRefundRequest(payment))).rejects.toThrow('401');
  });
});
