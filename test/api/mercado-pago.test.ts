import type { Response } from 'supertest';
import type { Delivery } from '../../src/modules/providers/provider.ts';
import { aCard, aPixRequest, aSpreadFee } from '../builders.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, pollUntil, withKey } from '../support/client.ts';
import { mercadoPagoSettings } from '../support/doubles/settings.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import {
  type MercadoPagoDouble,
  startMercadoPagoDouble,
} from '../support/mercado-pago/mercado-pago-double.ts';

const CPF = '52998224725';

let mercadoPago: MercadoPagoDouble;
let running: TestGateway;
const gateway = () => running;
let client: Client;

jest.setTimeout(180_000);
beforeAll(async () => {
  mercadoPago = await startMercadoPagoDouble();
  running = await startTestGateway({
    LIVE_PROVIDER: 'mercado-pago',
    // Long enough for a busy machine, short enough for the reconciler to ask in time.
    PROVIDER_TIMEOUT_MS: '5000',
    ...mercadoPagoSettings(mercadoPago),
  });
  const { id, liveKey } = await running.createMerchant();
  client = withKey(gateway, liveKey);
  const definition = { fixed: 1, percentages: [2, 2, 2] };
  const methods = ['pix', 'voucher'].map((payment_method) =>
    aSpreadFee({ payment_method, definition: { fixed: 1, percentages: [2] } }),
  );
  await running.setFees(id, [...methods, aSpreadFee({ definition })]);
}, 180_000);
afterAll(async () => {
  await running?.stop();
  await mercadoPago?.stop();
}, 120_000);
afterEach(() => {
  mercadoPago.troubleWith(() => null);
  mercadoPago.books.lag(false);
  mercadoPago.books.setRefunds('approved');
});

type Body = Response['body'];

const pay = async (paymentMethod: object): Promise<Body> =>
  (await client.post('/v1/charges', { ...aPixRequest(), amount: 100, paymentMethod }).expect(201)).body;
const payByCard = (holderName = 'APRO', installments = 1): Promise<Body> =>
  pay({ type: 'credit_card', installments, ...aCard({ number: '4235647728025682', holderName }) });
const PIX = { type: 'pix', installments: 1 };
const BOLETO = { type: 'voucher', installments: 1, identifyType: 'cpf', identifyNumber: CPF };
const read = async (id: string): Promise<Body> => (await client.get(`/v1/charges/${id}`).expect(200)).body;
const ended = (id: string): Promise<Body> =>
  pollUntil(
    () => read(id),
    ({ status }) => status !== 'pending',
  );
/** Sends a delivery as Mercado Pago does, which repeats what it is about in the address. */
const deliver = ({ headers, body }: Delivery) => {
  const { type, data } = JSON.parse(body.toString('utf8'));
  return gateway()
    .call('post', `/v1/providers/mercado-pago/notifications?data.id=${data.id}&type=${type}&customer=loja`)
    .type('json')
    .set('x-signature', String(headers['x-signature']))
    .set('x-request-id', String(headers['x-request-id']))
    .send(body.toString('utf8'));
};
const tellOf = (chargeId: string) =>
  deliver(mercadoPago.notification('payment', mercadoPago.paymentOf(chargeId).id));
/** Without those of the settlement, which comes when it comes. */
const movementsOf = async (chargeId: string): Promise<string[]> => {
  const { body } = await client.getAfter('latest', `/v1/statement?chargeId=${chargeId}&size=100`);
  const types = new Set<string>(body.data.map(({ movement_type }: Body) => movement_type));
  return [...types].filter((type) => type !== 'settlement').sort();
};
const heldOf = (reference: string) => gateway().db.collection('suspense_items').find({ reference }).toArray();
/** As if the provider had to be asked about the charge now. */
const ask = async (id: string): Promise<void> => {
  const reconcileAt = new Date(Date.now() - 1_000).toISOString();
  await gateway().db.collection('charges').updateOne({ id }, { $set: { reconcileAt } });
};
const refund = async (chargeId: string): Promise<Body> =>
  (await client.post('/v1/refunds', { chargeId, reason: 'sent back' }).expect(201)).body;

describe('a live card charge at Mercado Pago', () => {
  it('is paid or refused at once by one payment, in instalments too', async () => {
    const paid = await payByCard('APRO', 3);
    const made = mercadoPago.paymentOf(paid.id);
    expect(paid).toMatchObject({ status: 'paid', livemode: true, pspRefId: String(made.id) });
    expect(made).toMatchObject({ transaction_amount: 100, installments: 3, payment_method_id: 'visa' });
    expect(await movementsOf(paid.id)).toContain('charge');
    expect(await payByCard('FUND')).toMatchObject({
      status: 'refused',
      failureReason: 'insufficient_funds',
    });
  });

  it('is paid with a card token, once, and the number goes to Mercado Pago alone', async () => {
    const card = aCard({ number: '5031433215406351', holderName: 'APRO' });
    const { body: token } = await client.post('/v1/card-tokens', card).expect(201);
    expect(token).toMatchObject({ lastFour: '6351' });
    const byToken = { type: 'credit_card', installments: 1, token: token.id };
    const charge = await pay(byToken);
    expect(charge).toMatchObject({ status: 'paid' });
    expect(mercadoPago.paymentOf(charge.id).payment_method_id).toBe('master');
    const again = await client.post('/v1/charges', { ...aPixRequest(), paymentMethod: byToken }).expect(422);
    expect(again.body.code).toBe('CARD_TOKEN_SPENT');
  });

  it('cannot keep the card for later payments', async () => {
    const { body: customer } = await client
      .post('/v1/customers', { name: 'Ana Souza', email: 'ana@example.com' })
      .expect(201);
    const { body: token } = await client
      .post('/v1/card-tokens', aCard({ number: '4235647728025682' }))
      .expect(201);
    const refused = await client
      .post(`/v1/customers/${customer.id}/payment-methods`, {
        token: token.id,
        consentAt: new Date().toISOString(),
      })
      .expect(422);
    expect(refused.body.code).toBe('TOKENIZATION_NOT_SUPPORTED');
  });

  it('whose answer got lost is paid once, also while the search of Mercado Pago lags behind', async () => {
    mercadoPago.troubleWith((call) => (call === 'POST /v1/payments' ? 'lose' : null));
    mercadoPago.books.lag(true);
    const charge = await payByCard();
    mercadoPago.troubleWith(() => null);
    if (charge.status === 'pending') await ask(charge.id);
    expect(await ended(charge.id)).toMatchObject({ status: 'paid' });
    const payments = [...mercadoPago.books.payments.values()];
    expect(payments.filter(({ external_reference: of }) => of === charge.id)).toHaveLength(1);
  });
});

describe('a live Pix or boleto at Mercado Pago', () => {
  it('is paid once by any number of notifications', async () => {
    const charge = await pay(PIX);
    expect(charge).toMatchObject({ status: 'pending' });
    expect(charge.paymentDetails).toMatchObject({
      copyPaste: expect.stringContaining('br.gov.bcb.pix'),
      qrCode: expect.stringMatching(/^data:image\/png/),
    });
    const { id } = mercadoPago.pay(charge.id);
    const delivery = mercadoPago.notification('payment', id);
    const answers = await Promise.all([deliver(delivery), deliver(delivery), tellOf(charge.id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await read(charge.id)).toMatchObject({ status: 'paid', pspRefId: String(id) });
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread']);
  });

  it('shows what the payer needs, and is expired or cancelled with the payment there', async () => {
    const charge = await pay(BOLETO);
    expect(charge).toMatchObject({
      status: 'pending',
      paymentDetails: {
        barcode: expect.stringMatching(/^\d{44}$/),
        paymentCode: expect.stringMatching(/^\d{47}$/),
        paymentUrl: expect.stringContaining('https://www.mercadopago.com.br/'),
      },
    });
    mercadoPago.expire(charge.id);
    await tellOf(charge.id).expect(200);
    expect(await read(charge.id)).toMatchObject({ status: 'failed', failureReason: 'expired' });

    const other = await pay(BOLETO);
    await client.post(`/v1/charges/${other.id}/cancel`, {}).expect(200);
    expect(mercadoPago.paymentOf(other.id).status).toBe('cancelled');
  });
});

describe('money that goes back at Mercado Pago', () => {
  it('is refunded once, and its notification changes nothing', async () => {
    const charge = await payByCard();
    expect(await refund(charge.id)).toMatchObject({ status: 'refunded' });
    await tellOf(charge.id).expect(200);
    expect(await read(charge.id)).toMatchObject({ status: 'refunded' });
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread', 'refund']);
    const { id } = mercadoPago.paymentOf(charge.id);
    expect(mercadoPago.books.listRefunds(String(id))).toMatchObject([{ amount: 100, status: 'approved' }]);
  });

  it('is refunded once where the answer got lost, and is never taken for a refund by hand', async () => {
    const charge = await payByCard();
    mercadoPago.troubleWith((call) => (call.endsWith('/refunds') ? 'lose' : null));
    const { id } = await refund(charge.id);
    const payment = mercadoPago.paymentOf(charge.id);
    mercadoPago.troubleWith(() => null);
    const told = await tellOf(charge.id);
    expect([200, 503]).toContain(told.status);
    const done = await pollUntil(
      async () => (await client.get(`/v1/refunds/${id}`).expect(200)).body,
      ({ status }) => status !== 'pending',
    );
    expect(done.status).toBe('refunded');
    const [given, ...others] = mercadoPago.books.listRefunds(String(payment.id));
    expect(others).toEqual([]);
    expect(done.pspRefundRefId).toBe(String(given?.id));
    await tellOf(charge.id).expect(200);
    expect(await heldOf(String(given?.id))).toEqual([]);
  });

  it('is held where it was given back by hand', async () => {
    const charge = await payByCard();
    const { id } = mercadoPago.paymentOf(charge.id);
    const byHand = mercadoPago.books.createRefund(String(id), { amount: 40 });
    await tellOf(charge.id).expect(200);
    expect(await heldOf(String(byHand.id))).toMatchObject([{ reason: 'unexpected_refund', amount: 40_00 }]);
  });

  it('is debited as a chargeback once, and held where it was won back', async () => {
    const charge = await payByCard();
    const chargeback = mercadoPago.chargeBack(charge.id);
    const tell = () => deliver(mercadoPago.notification('chargebacks', chargeback.id));
    await tell().expect(200);
    await tell().expect(200);
    await tellOf(charge.id).expect(200);
    expect(await read(charge.id)).toMatchObject({ status: 'chargeback' });
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread', 'chargeback']);
    mercadoPago.decide(chargeback, true);
    await tell().expect(200);
    expect(await heldOf(charge.id)).toMatchObject([{ reason: 'chargeback_reversed', amount: 100_00 }]);
  });
});

describe('a notification of Mercado Pago', () => {
  it('that is forged or old changes nothing, and one that lies is asked back', async () => {
    const charge = await pay(PIX);
    const { id } = mercadoPago.paymentOf(charge.id);
    const genuine = mercadoPago.notification('payment', id);
    const forged = [
      mercadoPago.notification('payment', id, { secret: 'of somebody else' }),
      mercadoPago.notification('payment', id, { at: new Date(Date.now() - 301_000) }),
      { ...genuine, headers: { ...genuine.headers, 'x-request-id': 'another' } },
    ];
    for (const delivery of forged) await deliver(delivery).expect(401);
    // Its signature is right, and nobody has paid.
    await deliver(genuine).expect(200);
    expect(await read(charge.id)).toMatchObject({ status: 'pending' });
  });

  it('that comes while Mercado Pago is down is processed when it comes again', async () => {
    const charge = await pay(PIX);
    mercadoPago.pay(charge.id);
    mercadoPago.troubleWith(() => ({ status: 500 }));
    await tellOf(charge.id).expect(503);
    mercadoPago.troubleWith(() => null);
    await tellOf(charge.id).expect(200);
    expect(await read(charge.id)).toMatchObject({ status: 'paid' });
  });
});

it('the ledger adds up after all of it', async () => {
  expect(await checkLedger(running)).toEqual([]);
});
