import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { devolucaoIdOf, txidOf } from '../../src/modules/providers/pix-api/references.ts';
import { aCard, aPixRequest, aSpreadFee } from '../builders.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, operator, pollUntil, withKey } from '../support/client.ts';
import { pixSettings, pixVariables, stripeSettings } from '../support/doubles/settings.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type PixInstitution, startPixInstitution } from '../support/pix-api/institution.ts';
import { type StripeDouble, startStripeDouble } from '../support/stripe/stripe-double.ts';
import { makeDue } from '../support/subscribers.ts';

const PUBLIC_URL = 'https://pay.example.test';
const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const directory = mkdtempSync(join(tmpdir(), 'portico-pix-'));

let institution: PixInstitution;
let stripe: StripeDouble;
/** Stands for a second account at Stripe. */
let stripeEu: StripeDouble;
/** Stands for the institution of one merchant's own account. */
let ownInstitution: PixInstitution;
let running: TestGateway;
const gateway = () => running;
let client: Client;

jest.setTimeout(180_000);
beforeAll(async () => {
  institution = await startPixInstitution();
  stripe = await startStripeDouble();
  stripeEu = await startStripeDouble();
  ownInstitution = await startPixInstitution();
  running = await startTestGateway({
    PUBLIC_URL,
    LIVE_PROVIDERS:
      'pix=pix-api,credit_card=stripe,credit_card:USD=stripe+simulator,credit_card:EUR=stripe.eu',
    // Long enough for a busy machine, short enough for the reconciler to ask in time.
    PROVIDER_TIMEOUT_MS: '5000',
    ...pixVariables(institution, { callbackSecret: SECRET, directory }),
    PIX_API_REGISTER_CALLBACK: 'true',
    ...stripeSettings(stripe),
    ...stripeSettings(stripeEu, '__EU'),
  });
  const { id, liveKey } = await running.createMerchant();
  client = withKey(gateway, liveKey);
  const definition = { fixed: 1, percentages: [2] };
  const methods = ['pix', 'qrcode'].map((payment_method) => aSpreadFee({ payment_method, definition }));
  const cards = ['BRL', 'EUR', 'USD'].map((currency_code) => aSpreadFee({ currency_code, definition }));
  await running.setFees(id, [...methods, ...cards]);
}, 180_000);
afterAll(async () => {
  await running?.stop();
  await institution?.stop();
  await stripe?.stop();
  await stripeEu?.stop();
  await ownInstitution?.stop();
  rmSync(directory, { recursive: true });
}, 120_000);
afterEach(() => {
  institution.troubleWith(() => null);
  institution.setReturns('DEVOLVIDO');
  stripe.troubleWith(() => null);
  stripe.setRefunds('succeeded');
});

type Body = Response['body'];

const create = async (): Promise<Body> =>
  (await client.post('/v1/charges', { ...aPixRequest(), amount: 100 }).expect(201)).body;
const read = async (id: string): Promise<Body> => (await client.get(`/v1/charges/${id}`).expect(200)).body;
const callback = (body: Buffer, secret = SECRET) =>
  gateway()
    .call('post', `/v1/providers/pix-api/notifications/${secret}/pix`)
    .type('json')
    .send(body.toString('utf8'));
const tell = (...endToEndIds: readonly string[]) => callback(institution.callbackAbout(...endToEndIds));
const aPaidCharge = async (): Promise<{ charge: Body; endToEndId: string }> => {
  const { id } = await create();
  const endToEndId = institution.pay(txidOf(id));
  await tell(endToEndId).expect(200);
  return { charge: await read(id), endToEndId };
};
const heldOf = (chargeId: string) =>
  gateway()
    .db.collection('suspense_items')
    .find({ chargeId }, { projection: { _id: 0 } })
    .toArray();
/** Without those of the settlement, which comes when it comes. */
const movementsOf = async (chargeId: string): Promise<string[]> => {
  const { body } = await client.getAfter('latest', `/v1/statement?chargeId=${chargeId}&size=100`);
  const types = new Set<string>(body.data.map(({ movement_type }: Body) => movement_type));
  return [...types].filter((type) => type !== 'settlement').sort();
};
const journalsOf = (chargeId: string): Promise<number> =>
  gateway()
    .db.collection('journals')
    .countDocuments({ chargeId, referenceType: { $ne: 'settlement' } });
/** As if the time to pay were over now. */
const expire = async (id: string): Promise<void> => {
  const past = new Date(Date.now() - 1_000).toISOString();
  await gateway()
    .db.collection('charges')
    .updateOne({ id }, { $set: { expiresAt: past, reconcileAt: past } });
};
/** As if the provider had to be asked about the charge now. */
const ask = async (id: string): Promise<void> => {
  const past = new Date(Date.now() - 1_000).toISOString();
  await gateway()
    .db.collection('charges')
    .updateOne({ id }, { $set: { reconcileAt: past } });
};
const ended = (id: string) =>
  pollUntil(
    () => read(id),
    ({ status }) => status !== 'pending',
  );

describe('a live Pix charge', () => {
  it('can be paid at the institution, and is paid once after any number of notifications', async () => {
    const charge = await create();
    expect(charge).toMatchObject({ status: 'pending', livemode: true, pspRefId: txidOf(charge.id) });
    expect(charge.paymentDetails).toMatchObject({
      endToEndId: null,
      copyPaste: expect.stringContaining('br.gov.bcb.pix'),
      qrCode: expect.stringMatching(/^data:image\/png/),
    });
    const endToEndId = institution.pay(txidOf(charge.id));
    const answers = await Promise.all([tell(endToEndId), tell(endToEndId, endToEndId), tell(endToEndId)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const paid = await read(charge.id);
    expect(paid).toMatchObject({ status: 'paid', pspRefId: endToEndId });
    expect(paid.paymentDetails).toMatchObject({ endToEndId, copyPaste: charge.paymentDetails.copyPaste });
    expect(paid.paidAt).toBe(institution.pixes.get(endToEndId)?.horario);
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread']);
    expect(await journalsOf(charge.id)).toBe(1);
  });

  it('can be refunded, once', async () => {
    const { charge, endToEndId } = await aPaidCharge();
    const refunds = await Promise.all(
      [1, 2, 3].map(() => client.post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' })),
    );
    expect(refunds.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const made = refunds.find(({ status }) => status === 201)?.body;
    const [given, ...others] = institution.pixes.get(endToEndId)?.devolucoes ?? [];
    expect(others).toEqual([]);
    expect(made).toMatchObject({ status: 'refunded', pspRefundRefId: given?.rtrId });
    expect(given).toMatchObject({ id: devolucaoIdOf(made.id), valor: '100.00', status: 'DEVOLVIDO' });
    expect((await read(charge.id)).status).toBe('refunded');
  });

  it('that is paid or given back without any callback is noticed all the same', async () => {
    institution.setReturns('EM_PROCESSAMENTO');
    const { id } = await create();
    const paidAt = Date.now();
    institution.pay(txidOf(id));
    expect((await ended(id)).status).toBe('paid');
    expect(Date.now() - paidAt).toBeLessThan(90_000);
    const { body } = await client.post('/v1/refunds', { chargeId: id, reason: 'no' }).expect(201);
    expect(body.status).toBe('pending');
    institution.endReturn(devolucaoIdOf(body.id), 'DEVOLVIDO');
    const refund = await pollUntil(
      async () => (await client.get(`/v1/refunds/${body.id}`).expect(200)).body,
      ({ status }) => status !== 'pending',
    );
    expect(refund.status).toBe('refunded');
  });

  it('whose refund is sent back by the payer’s bank is paid again, and an operator hears of it', async () => {
    const { charge, endToEndId } = await aPaidCharge();
    const { body } = await client.post('/v1/refunds', { chargeId: charge.id, reason: 'no' }).expect(201);
    expect(body.status).toBe('refunded');
    institution.endReturn(devolucaoIdOf(body.id), 'NAO_REALIZADO');
    await tell(endToEndId).expect(200);
    expect((await client.get(`/v1/refunds/${body.id}`).expect(200)).body).toMatchObject({
      status: 'failed',
      reason: 'not_carried_out',
    });
    expect(await read(charge.id)).toMatchObject({ status: 'paid', refundedAt: null });
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread', 'refund', 'refund_reversal']);
    const told = await gateway()
      .db.collection('provider_notifications')
      .findOne({ reference: body.id, outcome: 'for_operator' });
    expect(told).toMatchObject({ kind: 'refund', says: 'failed' });
    institution.setReturns('DEVOLVIDO');
    const again = await client.post('/v1/refunds', { chargeId: charge.id, reason: 'again' }).expect(201);
    expect(again.body.status).toBe('refunded');
  });

  it('whose refund is sent back is paid again though the callback about that is lost', async () => {
    const { charge } = await aPaidCharge();
    const { body } = await client.post('/v1/refunds', { chargeId: charge.id, reason: 'no' }).expect(201);
    expect(body.status).toBe('refunded');
    institution.endReturn(devolucaoIdOf(body.id), 'NAO_REALIZADO');
    const db = gateway().db;
    const stored = await db.collection('refunds').findOne({ id: body.id });
    expect(Date.parse(stored?.reconcileAt) - Date.parse(body.createdAt)).toBe(3_600_000);
    // As if that hour were over.
    const past = new Date(Date.now() - 1_000).toISOString();
    await db.collection('refunds').updateOne({ id: body.id }, { $set: { reconcileAt: past } });
    await pollUntil(
      () => read(charge.id),
      ({ status }) => status === 'paid',
    );
    expect((await client.get(`/v1/refunds/${body.id}`).expect(200)).body).toMatchObject({
      status: 'failed',
      reason: 'not_carried_out',
    });
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread', 'refund', 'refund_reversal']);
    const told = await pollUntil(
      () => db.collection('provider_notifications').findOne({ reference: body.id, outcome: { $ne: null } }),
      Boolean,
    );
    expect(told).toMatchObject({ kind: 'refund', says: 'failed', outcome: 'for_operator' });
  });

  it('that is refunded later stays paid until the institution says so', async () => {
    institution.setReturns('EM_PROCESSAMENTO');
    const { charge, endToEndId } = await aPaidCharge();
    const { body } = await client.post('/v1/refunds', { chargeId: charge.id, reason: 'no' }).expect(201);
    expect(body.status).toBe('pending');
    institution.endReturn(devolucaoIdOf(body.id), 'NAO_REALIZADO');
    await tell(endToEndId).expect(200);
    expect((await client.get(`/v1/refunds/${body.id}`).expect(200)).body).toMatchObject({
      status: 'failed',
      reason: 'not_carried_out',
    });
    expect((await read(charge.id)).status).toBe('paid');
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread', 'refund', 'refund_reversal']);
  });

  it('whose answer got lost gets its code by asking again, and exists once', async () => {
    institution.troubleWith((call) => (call.startsWith('PUT /cob/') ? 'lose' : null));
    const { id, paymentDetails } = await create();
    institution.troubleWith(() => null);
    await ask(id);
    const resolved =
      paymentDetails !== null
        ? await read(id)
        : await pollUntil(
            () => read(id),
            (charge) => charge.paymentDetails !== null,
          );
    expect(resolved).toMatchObject({ status: 'pending', pspRefId: txidOf(id) });
  });

  it('that nobody pays is removed at the institution once its time is over', async () => {
    const { id } = await create();
    await expire(id);
    expect(await ended(id)).toMatchObject({ status: 'failed', failureReason: 'expired' });
    expect(institution.cobs.get(txidOf(id))?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });

  it('that was paid in time is paid, whether or not the callback comes', async () => {
    const { id } = await create();
    institution.pay(txidOf(id), { at: new Date(Date.now() - 60_000) });
    await expire(id);
    expect(await ended(id)).toMatchObject({ status: 'paid' });
  });
});

describe('money at the institution that is for no charge here', () => {
  it('is given back at once where it came too late', async () => {
    const { id } = await create();
    await expire(id);
    await ended(id);
    const late = institution.pay(txidOf(id), { force: true });
    await tell(late).expect(200);
    expect((await read(id)).status).toBe('failed');
    expect(await heldOf(id)).toMatchObject([{ reason: 'late_payment', status: 'returned' }]);
    expect(institution.pixes.get(late)?.devolucoes).toMatchObject([{ valor: '100.00', status: 'DEVOLVIDO' }]);
  });

  it('is held again where the payer’s bank sends back what was given back, and an operator hears of it', async () => {
    const { id } = await create();
    await expire(id);
    await ended(id);
    const late = institution.pay(txidOf(id), { force: true });
    await tell(late).expect(200);
    const [returned] = await heldOf(id);
    institution.endReturn(institution.pixes.get(late)?.devolucoes[0]?.id ?? '', 'NAO_REALIZADO');
    await tell(late).expect(200);
    await tell(late).expect(200);
    expect(await heldOf(id)).toMatchObject([{ status: 'held', returnFailure: 'not_carried_out' }]);
    const told = gateway().db.collection('provider_notifications');
    expect(await told.findOne({ reference: returned?.id, outcome: 'for_operator' })).toMatchObject({
      kind: 'refund',
      says: 'failed',
    });
  });

  it('is held again where the news that it came back is lost, because the institution is asked', async () => {
    const { id } = await create();
    await expire(id);
    await ended(id);
    const late = institution.pay(txidOf(id), { force: true });
    await tell(late).expect(200);
    const [returned] = await heldOf(id);
    expect(Date.parse(returned?.reconcileAt) - Date.parse(returned?.createdAt)).toBe(3_600_000);
    institution.endReturn(institution.pixes.get(late)?.devolucoes[0]?.id ?? '', 'NAO_REALIZADO');
    await gateway()
      .db.collection('suspense_items')
      .updateOne({ id: returned?.id }, { $set: { reconcileAt: new Date().toISOString() } });
    await pollUntil(
      () => heldOf(id),
      ([item]) => item?.status === 'held',
    );
    expect(await heldOf(id)).toMatchObject([{ returnFailure: 'not_carried_out', reconcileAt: null }]);
    const told = gateway().db.collection('provider_notifications');
    const noted = await pollUntil(
      () => told.findOne({ reference: returned?.id }),
      (one) => one?.outcome !== null,
    );
    expect(noted).toMatchObject({ kind: 'refund', says: 'failed', outcome: 'for_operator' });
  });

  it('is held where less was paid, and the charge fails at the end of its time', async () => {
    const { id } = await create();
    await tell(institution.pay(txidOf(id), { force: true, amount: 99_99 })).expect(200);
    expect((await read(id)).status).toBe('pending');
    expect(await heldOf(id)).toMatchObject([{ reason: 'payment_of_other_amount', amount: 99_99 }]);
    await expire(id);
    expect(await ended(id)).toMatchObject({ status: 'failed', failureReason: 'expired' });
    expect(await heldOf(id)).toHaveLength(1);
  });

  it('is held where a charge is paid twice', async () => {
    const { charge, endToEndId } = await aPaidCharge();
    const second = institution.pay(txidOf(charge.id), { force: true });
    await tell(second, endToEndId).expect(200);
    expect(await heldOf(charge.id)).toMatchObject([{ reason: 'second_payment', pspRefId: second }]);
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread']);
  });

  it('is debited as a chargeback where the payer’s bank took it back', async () => {
    const { charge, endToEndId } = await aPaidCharge();
    institution.takeBack(endToEndId);
    await tell(endToEndId).expect(200);
    await tell(endToEndId).expect(200);
    expect((await read(charge.id)).status).toBe('chargeback');
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread', 'chargeback']);
    expect(await journalsOf(charge.id)).toBe(2);
  });
});

describe('a callback', () => {
  it('is taken at the address as Efí tests it, and where it adds /pix to a parameter', async () => {
    const { id } = await create();
    const at = (rest: string, body: object) =>
      gateway().call('post', `/v1/providers/pix-api/notifications/${rest}`).send(body);
    await at(SECRET, { evento: 'teste_webhook' }).expect(200);
    await at(`${SECRET}x`, { evento: 'teste_webhook' }).expect(401);
    await at(`${SECRET}/pix?hmac=a1b2`, { pix: [] }).expect(200);
    const endToEndId = institution.pay(txidOf(id));
    await at(`${SECRET}?ignorar=/pix`, [{ endToEndId }]).expect(200);
    expect(await read(id)).toMatchObject({ status: 'paid', pspRefId: endToEndId });
  });

  it('is registered at the institution at start, with the address that only it knows', async () => {
    const expected = `${PUBLIC_URL}/v1/providers/pix-api/notifications/${SECRET}`;
    expect(await pollUntil(async () => institution.webhookUrl(), Boolean)).toBe(expected);
  });

  it('without the right secret changes nothing', async () => {
    const { id } = await create();
    const body = institution.callbackAbout(institution.pay(txidOf(id)));
    await callback(body, `${SECRET}x`).expect(401);
    await gateway()
      .call('post', '/v1/providers/pix-api/notifications')
      .send(JSON.parse(body.toString()))
      .expect(401);
    await gateway()
      .call('post', `/v1/providers/nobody/notifications/${SECRET}/pix`)
      .send(JSON.parse(body.toString()))
      .expect(404);
    expect((await read(id)).status).toBe('pending');
    await callback(Buffer.from('{"pix": 7}')).expect(400);
    await callback(body).expect(200);
    expect((await read(id)).status).toBe('paid');
  });

  it('that lies is not believed, and has to be sent again', async () => {
    const { id } = await create();
    const other = await create();
    const endToEndId = institution.pay(txidOf(other.id));
    const forged = { endToEndId: `E${'7'.repeat(31)}`, txid: txidOf(id), valor: '100.00' };
    const genuine = { endToEndId, txid: txidOf(id), valor: '1.00' };
    const { headers } = await callback(Buffer.from(JSON.stringify({ pix: [forged, genuine] }))).expect(503);
    expect(headers['retry-after']).toBeDefined();
    expect((await read(id)).status).toBe('pending');
    expect((await read(other.id)).status).toBe('paid');
  });

  it('that comes while the institution is down is processed when it comes again', async () => {
    const { id } = await create();
    const body = institution.callbackAbout(institution.pay(txidOf(id)));
    institution.troubleWith(() => ({ status: 500 }));
    await callback(body).expect(503);
    institution.troubleWith(() => null);
    await callback(body).expect(200);
    expect((await read(id)).status).toBe('paid');
  });
});

describe('with a route for Pix and one for cards', () => {
  it('everything else goes to the provider for all else', async () => {
    const identified = { type: 'qrcode', installments: 1, identifyType: 'dni', identifyNumber: '12345678' };
    const { body } = await client
      .post('/v1/charges', { ...aPixRequest(), paymentMethod: identified })
      .expect(201);
    expect(body.pspRefId).toMatch(/^sim_/);
    const { data } = (await client.get('/v1/payment-methods').expect(200)).body;
    expect(data.map(({ type }: Body) => type)).toEqual(['credit_card', 'pix', 'qrcode']);
  });
});

describe('a live card charge', () => {
  const GOOD = '4242424242424242';
  const CHALLENGED = '4000000000003220';
  const byCard = (number: string, changes: object = {}) => ({
    ...aPixRequest(),
    amount: 100,
    paymentMethod: { type: 'credit_card', installments: 1, ...aCard({ number }) },
    ...changes,
  });
  const pay = async (number = GOOD, changes: object = {}): Promise<Body> =>
    (await client.post('/v1/charges', byCard(number, changes)).expect(201)).body;
  const event = (type: string, object: object, options = {}) => {
    const { headers, body } = stripe.eventAbout(type, object, options);
    return gateway()
      .call('post', '/v1/providers/stripe/notifications')
      .type('json')
      .set('stripe-signature', String(headers['stripe-signature']))
      .send(body.toString('utf8'));
  };

  it('is paid or refused at once by one payment at Stripe', async () => {
    const paid = await pay();
    const intent = stripe.intentOf(paid.id);
    expect(paid).toMatchObject({ status: 'paid', livemode: true, pspRefId: intent.id });
    expect(intent).toMatchObject({ status: 'succeeded', amount: 100_00, currency: 'brl' });
    const refused = await pay('4000000000009995');
    expect(refused).toMatchObject({ status: 'refused', failureReason: 'insufficient_funds' });
    expect(await movementsOf(paid.id)).toEqual(['charge', 'charge_spread']);
    expect(await journalsOf(refused.id)).toBe(0);
  });

  it('is challenged at the bank of the payer, and the event makes it paid', async () => {
    const waiting = await pay(CHALLENGED, { returnUrl: 'https://shop.example.test/thanks' });
    const { next_action: action } = stripe.intentOf(waiting.id);
    expect(waiting.status).toBe('authentication_required');
    expect(waiting.paymentDetails.authenticationUrl).toBe(action?.redirect_to_url.url);
    expect(action?.redirect_to_url.return_url).toBe('https://shop.example.test/thanks');
    stripe.authenticate(waiting.id);
    await event('payment_intent.succeeded', stripe.intentOf(waiting.id)).expect(200);
    const paid = await read(waiting.id);
    expect(paid.status).toBe('paid');
    expect(paid.paymentDetails).not.toHaveProperty('authenticationUrl');
  });

  it('sends the payer back to a page of the gateway where it names none', async () => {
    const { id } = await pay(CHALLENGED);
    const url = stripe.intentOf(id).next_action?.redirect_to_url.return_url ?? '';
    expect(url).toBe(`${PUBLIC_URL}/pay/return`);
    const page = await gateway().call('get', new URL(url).pathname).set('Accept-Language', 'pt').expect(200);
    expect(page.text).toContain('Pode fechar esta página');
  });

  it('whose answer got lost is found at Stripe by the reconciler, and paid once', async () => {
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'lose' : null));
    const { id } = await pay();
    stripe.troubleWith(() => null);
    await ask(id);
    expect((await ended(id)).status).toBe('paid');
    expect(
      [...stripe.intents.values()].filter(({ metadata }) => metadata.portico_reference === id),
    ).toHaveLength(1);
  });

  it('that never arrived at Stripe ends as failed there, too', async () => {
    stripe.troubleWith((call) => (call === 'POST /v1/payment_intents' ? 'drop' : null));
    const { id } = await pay();
    stripe.troubleWith(() => null);
    await ask(id);
    expect(await ended(id)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    expect(stripe.intentOf(id).status).toBe('canceled');
  });

  it('is refunded, at once or once Stripe says so', async () => {
    const { id } = await pay();
    const { body } = await client.post('/v1/refunds', { chargeId: id, reason: 'sent back' }).expect(201);
    expect(body).toMatchObject({ status: 'refunded', pspRefundRefId: stripe.refundOf(body.id)?.id });
    stripe.setRefunds('pending');
    const other = await pay();
    const { body: later } = await client
      .post('/v1/refunds', { chargeId: other.id, reason: 'no' })
      .expect(201);
    expect(later.status).toBe('pending');
    stripe.endRefund(later.id, 'failed');
    await event('refund.failed', stripe.refundOf(later.id) ?? {}).expect(200);
    expect((await read(other.id)).status).toBe('paid');
    expect(await movementsOf(other.id)).toEqual(['charge', 'charge_spread', 'refund', 'refund_reversal']);
  });

  it('is debited once in a dispute, and money won back is held in suspense', async () => {
    const { id } = await pay();
    const dispute = stripe.dispute(id);
    for (const type of ['created', 'funds_withdrawn', 'created'])
      await event(`charge.dispute.${type}`, dispute).expect(200);
    expect((await read(id)).status).toBe('chargeback');
    expect(await journalsOf(id)).toBe(2);
    stripe.reinstate(dispute);
    await event('charge.dispute.funds_reinstated', dispute).expect(200);
    expect(await heldOf(id)).toMatchObject([
      { reason: 'chargeback_reversed', direction: 'in', pspRefId: dispute.id, amount: 100_00 },
    ]);
    stripe.withdraw(dispute);
    await event('charge.dispute.funds_withdrawn', dispute).expect(200);
    await event('charge.dispute.funds_withdrawn', dispute).expect(200);
    expect((await heldOf(id)).map(({ reason, direction }) => [reason, direction])).toEqual([
      ['chargeback_reversed', 'in'],
      ['unexpected_chargeback', 'out'],
    ]);
  });

  it('is defended with evidence that Stripe gets, until Stripe tells of the decision', async () => {
    const { id } = await pay();
    const dispute = stripe.dispute(id);
    await event('charge.dispute.created', dispute).expect(200);
    const path = `/v1/disputes/${id.replace('chg_', 'dsp_')}`;
    const content = Buffer.from('%PDF-1.7 receipt').toString('base64');
    await client.post(`${path}/evidence`, { type: 'receipt', fileName: 'recibo.pdf', content }).expect(201);
    expect((await client.post(`${path}/submit`).expect(200)).body).toMatchObject({
      state: 'under_review',
      delivery: { status: 'pending', reason: null },
    });
    const { body } = await pollUntil(
      () => client.get(path),
      (answer) => answer.body.delivery.status !== 'pending',
    );
    expect(body).toMatchObject({ state: 'under_review', delivery: { status: 'delivered', reason: null } });
    expect(dispute.status).toBe('under_review');
    expect(stripe.files.get(dispute.evidence.receipt ?? '')).toMatchObject({
      filename: 'recibo.pdf',
      content: '%PDF-1.7 receipt',
    });
    dispute.status = 'lost';
    await event('charge.dispute.closed', dispute).expect(200);
    expect((await client.get(path)).body).toMatchObject({ state: 'lost', closedAt: expect.any(String) });
    stripe.reinstate(dispute);
    await event('charge.dispute.funds_reinstated', dispute).expect(200);
    expect((await client.get(path)).body.state).toBe('won');
    expect(await heldOf(id)).toMatchObject([{ reason: 'chargeback_reversed', direction: 'in' }]);
  });

  it('with an early fraud warning stays paid, and waits for an operator', async () => {
    const { id } = await pay();
    await event('radar.early_fraud_warning.created', stripe.warn(id)).expect(200);
    expect((await read(id)).status).toBe('paid');
    const admin = await operator(gateway);
    const path = '/v1/admin/provider-notifications';
    const { body } = await admin.getAfter('latest', `${path}?outcome=for_operator&provider=stripe`);
    const [told, ...others] = body.data;
    expect(others).toEqual([]);
    expect(told).toMatchObject({ kind: 'fraud_warning', reference: id, says: 'fraud_warning', attempts: 1 });
    const all = (await admin.get(`${path}?size=100`).expect(200)).body.data.map(
      ({ receivedAt }: Body) => receivedAt,
    );
    expect(all).toEqual([...all].sort().reverse());
    expect(all.length).toBeGreaterThan(5);
    const again = (await admin.post(`${path}/${told.id}/process`).expect(200)).body;
    expect(again).toMatchObject({ id: told.id, outcome: 'for_operator', attempts: 2 });
    const dispute = stripe.dispute(id);
    await event('charge.dispute.created', dispute).expect(200);
    // Somebody has decided meanwhile.
    expect((await admin.post(`${path}/${told.id}/process`).expect(200)).body.outcome).toBe('ignored');
    expect(await journalsOf(id)).toBe(2);
    const elsewhere = await operator(gateway, 'test');
    await elsewhere.post(`${path}/${told.id}/process`).expect(404);
    await gateway()
      .db.collection('provider_notifications')
      .updateOne({ id: told.id }, { $unset: { told: '' } });
    const refused = await admin.post(`${path}/${told.id}/process`).expect(422);
    expect(refused.body.code).toBe('PROVIDER_NOTIFICATION_NOT_KEPT');
  });

  it('whose alert gave the money back is for finance where that fails afterwards, and stays debited', async () => {
    const admin = await operator(gateway);
    const fee = { name: 'chargeback_alert_fee', content: { amount: 15, currency: 'BRL' } };
    await admin.post('/v1/admin/settings', fee).expect(201);
    const { id } = await pay();
    const { body: alert } = await admin.post('/v1/admin/chargeback-alerts', { chargeId: id }).expect(201);
    expect(alert).toMatchObject({ refund: { status: 'refunded' }, manualRefundRequestId: null });
    const debited = await movementsOf(id);
    stripe.endRefund(alert.refund.id, 'failed');
    await event('refund.failed', stripe.refundOf(alert.refund.id) ?? {}).expect(200);

    const { body: after } = await admin.get(`/v1/admin/chargeback-alerts/${alert.id}`).expect(200);
    expect(after).toMatchObject({
      refund: { status: 'failed' },
      manualRefundRequestId: expect.stringMatching(/^mrr_/),
      charge: { status: 'pre_chargeback' },
    });
    expect(await movementsOf(id)).toEqual(debited);
    const told = await gateway()
      .db.collection('provider_notifications')
      .findOne({ reference: alert.refund.id, outcome: 'for_operator' });
    expect(told).toMatchObject({ kind: 'refund', says: 'failed' });
    const requests = '/v1/admin/manual-refund-requests?size=100';
    const { data } = (await admin.getAfter('latest', requests)).body;
    expect(data).toContainEqual(expect.objectContaining({ id: after.manualRefundRequestId, chargeId: id }));
  });

  it('whose refund fails after its success is paid again, and merchant and operator hear of it', async () => {
    const charge = await pay();
    const { body } = await client
      .post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' })
      .expect(201);
    expect([body.status, (await read(charge.id)).status]).toEqual(['refunded', 'refunded']);
    stripe.endRefund(body.id, 'failed');
    const atStripe = stripe.refundOf(body.id) ?? {};
    await event('refund.failed', atStripe).expect(200);
    await event('refund.failed', atStripe).expect(200);
    expect((await client.get(`/v1/refunds/${body.id}`).expect(200)).body).toMatchObject({
      status: 'failed',
      reason: 'lost_or_stolen_card',
    });
    expect(await read(charge.id)).toMatchObject({ status: 'paid', refundedAt: null });
    expect(await movementsOf(charge.id)).toEqual(['charge', 'charge_spread', 'refund', 'refund_reversal']);
    const events = (await client.getAfter('latest', '/v1/events?event=refund.failed')).body.data;
    expect(events.filter(({ data }: Body) => data.id === body.id)).toHaveLength(1);
    const staff = await operator(gateway);
    const told = (await staff.getAfter('latest', '/v1/admin/provider-notifications?outcome=for_operator'))
      .body;
    expect(told.data.filter(({ reference }: Body) => reference === body.id)).toMatchObject([
      { provider: 'stripe', kind: 'refund', says: 'failed' },
    ]);
    const again = await client.post('/v1/refunds', { chargeId: charge.id, reason: 'again' }).expect(201);
    expect(again.body.status).toBe('refunded');
  });

  it('is not changed by who signs with another secret, or sends old news again', async () => {
    const { id } = await pay(CHALLENGED);
    stripe.authenticate(id);
    const intent = stripe.intentOf(id);
    const forged = { secret: 'whsec_of_somebody_else_0001' };
    await event('payment_intent.succeeded', intent, forged).expect(401);
    await event('payment_intent.succeeded', intent, { at: new Date(Date.now() - 600_000) }).expect(401);
    expect((await read(id)).status).toBe('authentication_required');
    await event('payment_intent.succeeded', intent).expect(200);
    expect((await read(id)).status).toBe('paid');
  });
});

describe('a second account at one provider', () => {
  it('has charges, refunds and notifications of its own', async () => {
    const { body: paid } = await client
      .post('/v1/charges', {
        ...aPixRequest(),
        currency: 'EUR',
        paymentMethod: { type: 'credit_card', installments: 1, ...aCard() },
      })
      .expect(201);
    expect(paid).toMatchObject({ status: 'paid', pspRefId: stripeEu.intentOf(paid.id).id });
    expect(() => stripe.intentOf(paid.id)).toThrow();
    const { body: refund } = await client
      .post('/v1/refunds', { chargeId: paid.id, reason: 'sent back' })
      .expect(201);
    expect(refund.pspRefundRefId).toBe(stripeEu.refundOf(refund.id)?.id);
    const tellOfDispute = (account: string) => {
      const { headers, body } = stripeEu.eventAbout('charge.dispute.created', stripeEu.dispute(paid.id));
      return gateway()
        .call('post', `/v1/providers/${account}/notifications`)
        .type('json')
        .set('stripe-signature', String(headers['stripe-signature']))
        .send(body.toString('utf8'));
    };
    await tellOfDispute('stripe').expect(401);
    await tellOfDispute('stripe.eu').expect(200);
    const { data } = (await (await operator(gateway)).get('/v1/admin/providers').expect(200)).body;
    expect(data.map(({ name }: Body) => name)).toEqual(
      expect.arrayContaining(['simulator', 'pix-api', 'stripe', 'stripe.eu']),
    );
  });
});

describe('a merchant’s own account at a provider', () => {
  const OWN_SECRET = 'Nq7wLr5vXn2bYc7mHd4sJf8gPa1eUZk3';
  const settings = () => pixSettings(ownInstitution, OWN_SECRET);
  const pathOf = (merchantId: string): string => `/v1/admin/merchants/${merchantId}/provider-accounts`;
  let admin: Client;
  let owner: { id: string; liveKey: string };
  let account: Body;
  const route = (merchantId: string, content: string) =>
    admin.post(`/v1/merchants/${merchantId}/settings`, { name: 'live_providers', content });
  const pixBy = async (key: string): Promise<Response> =>
    withKey(gateway, key).post('/v1/charges', { ...aPixRequest(), amount: 100 });
  const callbackOf = (name: string, endToEndId: string, secret: string) =>
    gateway()
      .call('post', `/v1/providers/${name}/notifications/${secret}/pix`)
      .type('json')
      .send(ownInstitution.callbackAbout(endToEndId).toString('utf8'));

  beforeAll(async () => {
    admin = await operator(gateway);
    owner = await gateway().createMaster();
    await running.setFees(owner.id, [
      aSpreadFee({ payment_method: 'pix', definition: { fixed: 1, percentages: [2] } }),
    ]);
    account = (await admin.post(pathOf(owner.id), { provider: 'pix-api', settings: settings() }).expect(201))
      .body;
  });

  it('takes its payments, and those of its sub-merchants, once its routes say so', async () => {
    expect((await pixBy(owner.liveKey)).body.pspRefId).not.toBeNull();
    expect(ownInstitution.cobs.size).toBe(0);
    expect((await route(owner.id, `pix=${account.name}`)).status).toBe(201);
    const { body: charge } = await pixBy(owner.liveKey);
    const endToEndId = ownInstitution.pay(txidOf(charge.id));
    await callbackOf(account.name, endToEndId, SECRET).expect(401);
    // The secret of another account says nothing about this one's charges.
    await callbackOf('pix-api', endToEndId, SECRET).expect(503);
    expect((await withKey(gateway, owner.liveKey).get(`/v1/charges/${charge.id}`)).body.status).toBe(
      'pending',
    );
    await callbackOf(account.name, endToEndId, OWN_SECRET).expect(200);
    const mine = withKey(gateway, owner.liveKey);
    expect((await mine.get(`/v1/charges/${charge.id}`)).body).toMatchObject({
      status: 'paid',
      pspRefId: endToEndId,
    });
    const balance = { currency: 'BRL', available: -3, reserved: 0 };
    expect((await mine.get('/v1/balance')).body.data).toContainEqual(balance);
    await mine.post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' }).expect(201);
    // The merchant has the money itself, and gives it back itself: only the fee is owed.
    expect((await mine.get('/v1/balance')).body.data).toContainEqual(balance);
    const { body: statement } = await mine.getAfter('latest', `/v1/statement?chargeId=${charge.id}&size=100`);
    expect(
      statement.data.map(({ movement_type, bucket, amount }: Body) => [movement_type, bucket, amount]).sort(),
    ).toEqual([
      ['charge', 'available', 100],
      ['charge_spread', 'available', -3],
      ['own_collection', 'available', -100],
      ['own_collection', 'available', 100],
      ['refund', 'available', -100],
    ]);
    expect(await checkLedger(gateway())).toEqual([]);
    expect(ownInstitution.pixes.get(endToEndId)?.devolucoes).toHaveLength(1);
    const { body: sub } = await mine
      .post('/v1/submerchants', {
        legalName: 'Filial',
        email: 'filial@example.test',
        companyTaxId: '11222333000181',
      })
      .expect(201);
    await admin.post(`/v1/admin/submerchants/${sub.id}/status`, { status: 'active' }).expect(200);
    const { body: keys } = await mine.get(`/v1/submerchants/${sub.id}/api-keys`).expect(200);
    const { body: ofSub } = await pixBy(keys.secretKey);
    expect(ownInstitution.cobs.has(txidOf(ofSub.id))).toBe(true);
  });

  it('has its callback registered once it is added, again with another secret, and at a start', async () => {
    const registering = (secret: string) => ({
      ...pixSettings(ownInstitution, secret),
      PIX_API_REGISTER_CALLBACK: 'true',
    });
    const registered = (address: string) =>
      pollUntil(
        async () => ownInstitution.webhookUrl(),
        (url) => url === address,
        90_000,
      );
    expect(ownInstitution.webhookUrl()).toBeNull();
    const { body: added } = await admin
      .post(pathOf(owner.id), { provider: 'pix-api', settings: registering(OWN_SECRET) })
      .expect(201);
    const address = `${PUBLIC_URL}/v1/providers/${added.name}/notifications`;
    expect(await registered(`${address}/${OWN_SECRET}`)).toBe(`${address}/${OWN_SECRET}`);
    const one = `${pathOf(owner.id)}/${added.id}`;
    const next = OWN_SECRET.toLowerCase();
    await admin
      .call('put', one)
      .send({ settings: registering(next) })
      .expect(200);
    expect(await registered(`${address}/${next}`)).toBe(`${address}/${next}`);

    ownInstitution.forgetWebhook();
    const later = await startTestGateway(running.variables);
    expect(await registered(`${address}/${next}`)).toBe(`${address}/${next}`);
    await later.stop({ keepData: true });
    await admin.call('delete', one).expect(204);
  });

  it('is nobody else’s', async () => {
    const other = await gateway().createMerchant();
    const { body } = await route(other.id, `pix=${account.name}`).expect(400);
    expect(JSON.stringify(body)).toContain('no provider');
    // Not even where a setting slipped in.
    await route(other.id, 'pix=pix-api').expect(201);
    await gateway()
      .db.collection('settings')
      .updateOne(
        { key: `${other.id}:live_providers` },
        { $set: { content: JSON.stringify(`pix=${account.name}`) } },
      );
    await running.setFees(other.id, [
      aSpreadFee({ payment_method: 'pix', definition: { fixed: 1, percentages: [2] } }),
    ]);
    expect(await pixBy(other.liveKey)).toMatchObject({
      status: 422,
      body: { code: 'PAYMENT_METHOD_NOT_AVAILABLE' },
    });
    await admin
      .call('put', `${pathOf(other.id)}/${account.id}`)
      .send({ settings: settings() })
      .expect(404);
    await admin.call('delete', `${pathOf(other.id)}/${account.id}`).expect(404);
    await admin
      .post('/v1/admin/settings', { name: 'live_providers', content: `pix=${account.name}` })
      .expect(400);
  });

  it('of a merchant that is no master collects no charge that others would have a part of', async () => {
    const { body: sub } = await withKey(gateway, owner.liveKey)
      .post('/v1/submerchants', {
        legalName: 'Ilha',
        email: 'ilha@example.test',
        companyTaxId: '11222333000181',
      })
      .expect(201);
    await admin.post(`/v1/admin/submerchants/${sub.id}/status`, { status: 'active' }).expect(200);
    const { body: keys } = await withKey(gateway, owner.liveKey)
      .get(`/v1/submerchants/${sub.id}/api-keys`)
      .expect(200);
    const own = { provider: 'pix-api', settings: settings() };
    const { body: ofSub } = await admin.post(pathOf(sub.id), own).expect(201);
    const split = [{ merchantId: owner.id, percentage: 10 }];
    const sell = () =>
      withKey(gateway, keys.secretKey).post('/v1/charges', { ...aPixRequest(), amount: 100, split });
    await sell().expect(201);
    await route(sub.id, `pix=${ofSub.name}`).expect(200);
    expect((await sell().expect(422)).body.code).toBe('SPLIT_NOT_ALLOWED');
    await route(sub.id, `pix=${account.name}`).expect(200);
    expect((await sell().expect(201)).body.split).toHaveLength(1);
    await admin.call('delete', `${pathOf(sub.id)}/${ofSub.id}`).expect(204);
  });

  it('whose money is for no charge is held under its owner’s name, and goes to nobody else', async () => {
    const { body: charge } = await pixBy(owner.liveKey);
    const endToEndId = ownInstitution.pay(txidOf(charge.id));
    await callbackOf(account.name, endToEndId, OWN_SECRET).expect(200);
    const second = ownInstitution.pay(txidOf(charge.id), { force: true });
    await callbackOf(account.name, second, OWN_SECRET).expect(200);
    const stranger = await gateway().createMerchant();
    const items = '/v1/admin/suspense-items';
    const { body } = await admin.getAfter('latest', `${items}?accountOwnerId=${owner.id}`);
    expect(body.data).toMatchObject([{ reason: 'second_payment', accountOwnerId: owner.id, amount: 100 }]);
    const propose = (clearing: object) =>
      admin.post(`${items}/${body.data[0].id}/clearing`, { reason: 'told so by the owner', ...clearing });
    for (const refused of [{ method: 'gateway' }, { method: 'merchant', merchantId: stranger.id }])
      expect((await propose(refused).expect(422)).body.code).toBe('SUSPENSE_OF_OWN_ACCOUNT');
    await propose({ method: 'merchant', merchantId: owner.id }).expect(200);
    expect(await checkLedger(gateway())).toEqual([]);
  });

  it('leads no call into the network of the gateway', async () => {
    for (const [name, address] of [
      ['PIX_API_URL', 'https://10.0.0.5/api/v2'],
      ['PIX_API_TOKEN_URL', 'https://169.254.169.254/latest/meta-data'],
      ['PIX_API_URL', 'https://store.internal/api'],
    ] as const) {
      const internal = { provider: 'pix-api', settings: { ...settings(), [name]: address } };
      const { body } = await admin.post(pathOf(owner.id), internal).expect(400);
      expect(body.errors).toEqual([
        {
          path: `settings.${name}`,
          message: `settings.${name} must not lead to a private or reserved address`,
        },
      ]);
    }
  });

  it('shows no secret in answers, events, audit or any other collection', async () => {
    const { body } = await admin.getAfter('latest', pathOf(owner.id));
    expect(body.data).toEqual([account]);
    expect(account).toEqual({
      id: expect.stringMatching(/^pac_[0-9a-f]{32}$/),
      merchantId: owner.id,
      provider: 'pix-api',
      name: `pix-api.${account.id}`,
      settings: Object.keys(settings()).sort(),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const secrets = [ownInstitution.client.secret, OWN_SECRET, 'PRIVATE KEY'];
    for (const { name } of await gateway().db.listCollections({}, { nameOnly: true }).toArray()) {
      const text = JSON.stringify(await gateway().db.collection(name).find().toArray());
      for (const secret of secrets)
        expect([name, secret, text.includes(secret)]).toEqual([name, secret, false]);
    }
  });

  it.each<[string, string, object]>([
    ['PIX_API_CERT', 'pix-api', { PIX_API_CERT: '/etc/passwd' }],
    ['PIX_API_REGISTER_CALLBACK', 'pix-api', { PIX_API_REGISTER_CALLBACK: 'maybe' }],
    ['STRIPE_API_URL', 'stripe', { STRIPE_API_URL: 'https://attacker.example' }],
    ['provider', 'simulator', {}],
  ])('is refused with a wrong %s', async (name, provider, changes) => {
    const given = provider === 'pix-api' ? settings() : {};
    const { body } = await admin
      .post(pathOf(owner.id), { provider, settings: { ...given, ...changes } })
      .expect(400);
    expect(JSON.stringify(body)).toContain(name);
  });

  it('takes nothing once it is removed, and goes on with new credentials before', async () => {
    const one = `${pathOf(owner.id)}/${account.id}`;
    const wrong = { ...settings(), PIX_API_CLIENT_SECRET: 'of yesterday' };
    const replaced = await admin.call('put', one).send({ settings: wrong }).expect(200);
    expect(replaced.body).toMatchObject({ id: account.id, name: account.name });
    expect((await pixBy(owner.liveKey)).body).toMatchObject({ status: 'pending', pspRefId: null });
    await admin.call('put', one).send({ settings: settings() }).expect(200);
    expect((await pixBy(owner.liveKey)).body.pspRefId).not.toBeNull();
    await admin.call('delete', one).expect(204);
    await admin.call('delete', one).expect(204);
    expect((await admin.getAfter('latest', pathOf(owner.id))).body.data).toEqual([]);
    expect((await pixBy(owner.liveKey)).status).toBe(422);
    const stored = await gateway().db.collection('provider_accounts').findOne({ id: account.id });
    expect(stored?.secret).toEqual({ sealedSettings: null });
  });
});

describe('a live card token', () => {
  const tokenize = (fields: object = {}) => client.post('/v1/card-tokens', { ...aCard(), ...fields });
  const aToken = async (fields: object = {}): Promise<string> => (await tokenize(fields).expect(201)).body.id;
  const pay = (token: string, currency = 'BRL') =>
    client.post('/v1/charges', {
      ...aPixRequest(),
      currency,
      paymentMethod: { type: 'credit_card', installments: 1, token },
    });

  it('is kept by Stripe alone, and pays at the account that keeps it', async () => {
    const before = stripe.callsMade.length;
    const paid = (await pay(await aToken()).expect(201)).body;
    expect(paid).toMatchObject({ status: 'paid', pspRefId: stripe.intentOf(paid.id).id });
    // Calls of charges that are reconciled meanwhile may stand among them.
    expect(stripe.callsMade.slice(before)).toContain('POST /v1/payment_methods');
    const inEurope = (await pay(await aToken({ currency: 'EUR' }), 'EUR').expect(201)).body;
    expect(inEurope.pspRefId).toBe(stripeEu.intentOf(inEurope.id).id);
  });

  it('pays nothing elsewhere, and is still there afterwards', async () => {
    const token = await aToken();
    expect((await pay(token, 'EUR').expect(422)).body.code).toBe('CARD_TOKEN_PROVIDER_MISMATCH');
    await pay(token).expect(201);
  });

  it('is paid with by its keeper only, where a second provider would take the charge', async () => {
    const token = await aToken({ currency: 'USD' });
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'drop' : null));
    const { body } = await pay(token, 'USD').expect(201);
    expect(['pending', 'failed']).toContain(body.status);
    const stored = await gateway().db.collection('charges').findOne({ id: body.id });
    expect(stored?.provider).toBe('stripe');
    stripe.troubleWith(() => null);
    await ask(body.id);
    expect((await ended(body.id)).status).toBe('failed');
  });

  it('is not made of a card that Stripe does not take, or by an account that may not send cards', async () => {
    const refused = await tokenize({ number: '4000000000000010' }).expect(422);
    expect(refused.body).toMatchObject({
      code: 'CARD_REFUSED',
      message: expect.stringContaining('incorrect_number'),
    });
    stripe.allowRawCards(false);
    const unable = await tokenize();
    stripe.allowRawCards(true);
    expect([unable.status, unable.body.code]).toEqual([422, 'TOKENIZATION_NOT_SUPPORTED']);
  });

  it('is not made while Stripe does not answer', async () => {
    const stored = () => gateway().db.collection('card_tokens').countDocuments();
    const before = await stored();
    stripe.troubleWith(() => 'drop');
    expect((await tokenize()).status).toBe(503);
    expect(await stored()).toBe(before);
  });
});

describe('a card that Stripe stores', () => {
  const UNATTENDED = '4000002760003184';
  const CHALLENGED = '4000000000003220';
  const consentAt = '2026-01-31T12:00:00.000Z';
  const aCustomer = async (): Promise<string> =>
    (await client.post('/v1/customers', { name: 'Ana Souza', email: 'ana@example.test' }).expect(201)).body
      .id;
  const store = async (customerId: string, number = '4242424242424242'): Promise<Body> => {
    const token = (await client.post('/v1/card-tokens', aCard({ number })).expect(201)).body.id;
    const body = { token, consentAt, returnUrl: 'https://shop.example.test/cards' };
    return (await client.post(`/v1/customers/${customerId}/payment-methods`, body).expect(201)).body;
  };
  const readMethod = async ({ customerId, id }: Body): Promise<Body> =>
    (await client.get(`/v1/customers/${customerId}/payment-methods/${id}`).expect(200)).body;
  const pay = async (method: Body, initiator: string, code: object = {}): Promise<Body> => {
    const { customer: _, ...payment } = aPixRequest();
    const paymentMethod = { type: 'credit_card', installments: 1, id: method.id, ...code };
    const request = { ...payment, customerId: method.customerId, paymentMethod, initiator };
    return (await client.post('/v1/charges', request).expect(201)).body;
  };
  const tell = (type: string, object: object) => {
    const { headers, body } = stripe.eventAbout(type, object);
    return gateway()
      .call('post', '/v1/providers/stripe/notifications')
      .type('json')
      .set('stripe-signature', String(headers['stripe-signature']))
      .send(body.toString('utf8'));
  };
  const due = (id: string) =>
    gateway()
      .db.collection('payment_methods')
      .updateOne({ id }, { $set: { reconcileAt: new Date(Date.now() - 1_000).toISOString() } });
  const methodEnded = (method: Body) =>
    pollUntil(
      () => readMethod(method),
      ({ status }) => status !== 'pending',
    );

  it('is checked by a SetupIntent for use without its holder, under one customer, and pays off session', async () => {
    const customerId = await aCustomer();
    const [one, other] = [await store(customerId), await store(customerId)];
    expect(one).toMatchObject({ status: 'active', provider: 'stripe', lastFour: '4242' });
    const [setup, second] = [one, other].map(({ id }) => stripe.cards.setupOf(id));
    expect(setup).toMatchObject({ usage: 'off_session', status: 'succeeded' });
    expect(second?.customer).toBe(setup?.customer);
    for (const initiator of ['customer', 'merchant']) {
      const paid = await pay(one, initiator);
      expect(paid).toMatchObject({ status: 'paid', pspRefId: stripe.intentOf(paid.id).id });
      expect(stripe.intentOf(paid.id).customer).toBe(setup?.customer);
    }
    for (const [cvv, status] of [
      ['123', 'paid'],
      ['000', 'refused'],
    ]) {
      const asked = { paymentMethodId: one.id, cvv };
      const cvvToken = (await client.post('/v1/cvv-tokens', asked).expect(201)).body.id;
      expect((await pay(one, 'customer', { cvvToken })).status).toBe(status);
    }
    const unattended = await store(customerId, UNATTENDED);
    expect((await pay(unattended, 'customer')).status).toBe('paid');
    expect(await pay(unattended, 'merchant')).toMatchObject({
      status: 'refused',
      failureReason: 'authentication_required',
    });
  });

  it('waits for its holder at the bank, and is active or failed as Stripe tells', async () => {
    const customerId = await aCustomer();
    for (const [succeeds, status] of [
      [true, 'active'],
      [false, 'failed'],
    ] as const) {
      const waiting = await store(customerId, CHALLENGED);
      const setup = stripe.cards.setupOf(waiting.id);
      expect(waiting).toMatchObject({
        status: 'pending',
        authenticationUrl: expect.stringContaining(setup.id),
      });
      stripe.cards.authenticateSetup(setup, succeeds);
      await tell(succeeds ? 'setup_intent.succeeded' : 'setup_intent.setup_failed', setup).expect(200);
      expect(await readMethod(waiting)).toMatchObject({ status, authenticationUrl: null });
    }
    const waiting = await store(customerId, CHALLENGED);
    stripe.cards.authenticateSetup(stripe.cards.setupOf(waiting.id));
    await due(waiting.id);
    expect((await methodEnded(waiting)).status).toBe('active');
  });

  it('is kept on a page of the gateway, with its holder at the bank, or not', async () => {
    const REFUSED = '4000000000009995';
    const openSetup = async () => {
      const setup = { mode: 'setup', currency: 'BRL', customer: { name: 'Ana', email: 'ana@example.test' } };
      const { id, url } = (await client.post('/v1/checkout-sessions', setup).expect(201)).body;
      const path = new URL(url).pathname;
      const send = (to: string, fields: Readonly<Record<string, string>> = {}) =>
        gateway()
          .call('post', `${path}/${to}`)
          .type('form')
          .set('Accept-Language', 'en')
          .send(new URLSearchParams(fields).toString());
      const typed = { method: 'credit_card', holderName: 'Ana', expiry: '08/39', cvv: '123', save: 'yes' };
      return {
        send,
        save: (number: string) => send('pay', { ...typed, number }),
        page: async () =>
          (await gateway().call('get', path).set('Accept-Language', 'en').buffer(true).expect(200)).text,
        read: async (): Promise<Body> => (await client.get(`/v1/checkout-sessions/${id}`).expect(200)).body,
      };
    };
    const plain = await openSetup();
    expect((await plain.save(REFUSED)).text).toContain('The bank said no');
    expect(await plain.read()).toMatchObject({ status: 'open', refusals: 1, paymentMethodId: null });
    await plain.save('4242424242424242').expect(303);
    expect(await plain.read()).toMatchObject({ status: 'completed', refusals: 1 });

    for (const succeeds of [true, false]) {
      const { save, send, page, read } = await openSetup();
      await save(CHALLENGED).expect(303);
      const { paymentMethodId, status } = await read();
      expect(status).toBe('processing');
      const setup = stripe.cards.setupOf(paymentMethodId);
      expect(await page()).toContain(`3d_secure_2/${setup.id}`);
      stripe.cards.authenticateSetup(setup, succeeds);
      await tell(succeeds ? 'setup_intent.succeeded' : 'setup_intent.setup_failed', setup).expect(200);
      expect((await read()).status).toBe(succeeds ? 'completed' : 'open');
      expect(await page()).toContain(succeeds ? 'Card saved' : 'The bank said no');
      if (succeeds) continue;
      // He leaves for another card, and the one before is never kept.
      await save(CHALLENGED).expect(303);
      const { paymentMethodId: left } = await read();
      await send('change').expect(303);
      // A card that was left is no refused one.
      expect(await read()).toMatchObject({ status: 'open', paymentMethodId: null, refusals: 1 });
      expect(stripe.cards.setupOf(left).status).toBe('canceled');
      await save(CHALLENGED).expect(303);
      const { customerId } = await read();
      await client.call('delete', `/v1/customers/${customerId}`).expect(204);
      expect(await read()).toMatchObject({ status: 'cancelled', cancelReason: 'customer_erased' });
    }
  });

  it('is failed where Stripe refuses it, and found where its answer got lost', async () => {
    const customerId = await aCustomer();
    expect(await store(customerId, '4000000000009995')).toMatchObject({
      status: 'failed',
      failureReason: 'insufficient_funds',
    });
    const { data } = (await client.getAfter('latest', '/v1/events?event=payment_method.failed')).body;
    expect(data.length).toBeGreaterThan(0);
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'lose' : null));
    const lost = await store(customerId);
    stripe.troubleWith(() => null);
    if (lost.status === 'pending') await due(lost.id);
    expect((await methodEnded(lost)).status).toBe('active');
    stripe.troubleWith((call) => (call === 'POST /v1/setup_intents' ? 'drop' : null));
    const dropped = await store(customerId);
    expect(dropped.status).toBe('pending');
    stripe.troubleWith(() => null);
    await due(dropped.id);
    expect(await methodEnded(dropped)).toMatchObject({ status: 'failed', failureReason: 'not_stored' });
  });

  it('changes as its network and its holder change it, and is detached where the merchant revokes it', async () => {
    const customerId = await aCustomer();
    const method = await store(customerId);
    const { payment_method: card } = stripe.cards.setupOf(method.id);
    if (!card) throw new Error('no card');
    Object.assign(card.card, { exp_year: 2041, last4: '9999' });
    await tell('payment_method.automatically_updated', card).expect(200);
    expect(await readMethod(method)).toMatchObject({ expirationYear: '2041', lastFour: '9999' });
    stripe.cards.detach(card.id);
    await tell('payment_method.detached', card).expect(200);
    expect((await readMethod(method)).status).toBe('revoked');

    const other = await store(customerId);
    await client.call('delete', `/v1/customers/${customerId}/payment-methods/${other.id}`).expect(204);
    expect(stripe.cards.setupOf(other.id).payment_method?.customer).toBeNull();
  });

  it('is kept with a payment, known by the name that we give it, and forgotten when it is revoked', async () => {
    const customerId = await aCustomer();
    const { customer: _, ...payment } = aPixRequest();
    const paymentMethod = { type: 'credit_card', installments: 1, save: true, ...aCard() };
    const paid = (await client.post('/v1/charges', { ...payment, customerId, paymentMethod }).expect(201))
      .body;
    const method = { customerId, id: paid.paymentMethod.id };
    const intent = stripe.intentOf(paid.id);
    const networkTransactionId = intent.latest_charge?.payment_method_details.card.network_transaction_id;
    expect(await readMethod(method)).toMatchObject({
      status: 'active',
      provider: 'stripe',
      networkTransactionId,
    });
    expect(networkTransactionId).toMatch(/^nti_/);
    expect(intent.payment_method?.customer).toBe(intent.customer);
    expect((await pay(method, 'merchant')).status).toBe('paid');
    const card = intent.payment_method;
    if (!card) throw new Error('no card');
    Object.assign(card.card, { exp_year: 2042 });
    await tell('payment_method.updated', card).expect(200);
    expect(await readMethod(method)).toMatchObject({ expirationYear: '2042', networkTransactionId });
    await client.call('delete', `/v1/customers/${customerId}/payment-methods/${method.id}`).expect(204);
    expect(card.customer).toBeNull();

    const waiting = { ...paymentMethod, ...aCard({ number: CHALLENGED }) };
    const request = { ...payment, customerId, paymentMethod: waiting };
    const challenged = (await client.post('/v1/charges', request).expect(201)).body;
    expect(challenged.status).toBe('authentication_required');
    stripe.authenticate(challenged.id);
    await tell('payment_intent.succeeded', stripe.intentOf(challenged.id)).expect(200);
    expect((await methodEnded({ customerId, id: challenged.paymentMethod.id })).status).toBe('active');
  });

  describe('and that a subscription charges', () => {
    const pathOf = ({ id }: Body) => `/v1/subscriptions/${id}`;
    const cyclesOf = async (subscription: Body): Promise<Body[]> =>
      (await client.get(`${pathOf(subscription)}/cycles`).expect(200)).body.data;
    const subscribe = async (customerId: string): Promise<Body> => {
      const { id } = await store(customerId);
      stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'lose' : null));
      const price = { amount: 49.9, currency: 'BRL', interval: 'month' };
      const body = { customerId, price, collection: 'automatic', paymentMethodId: id };
      return (await client.post('/v1/subscriptions', body).expect(201)).body;
    };
    const becomes = (subscription: Body, wanted: object) =>
      pollUntil(
        async () => (await client.get(pathOf(subscription)).expect(200)).body,
        (body) => Object.entries(wanted).every(([name, value]) => body[name] === value),
      );
    /** The worker looks at a charge whose answer was lost. */
    const untilAsked = async (subscription: Body, wanted: object): Promise<Body> => {
      const { latestChargeId } = (await client.get(pathOf(subscription)).expect(200)).body;
      await ask(latestChargeId);
      return becomes(subscription, wanted);
    };
    const takenOf = ({ paymentMethodId }: Body): number => {
      const { customer } = stripe.cards.setupOf(paymentMethodId);
      const taken = [...stripe.intents.values()].filter(({ amount_received }) => amount_received > 0);
      return taken.filter((intent) => intent.customer === customer).length;
    };

    it('is paid once where its answer gets lost and the bank paid after all, each cycle anew', async () => {
      const subscription = await subscribe(await aCustomer());
      stripe.troubleWith(() => null);
      const begun = await untilAsked(subscription, { status: 'active' });
      expect(begun).toMatchObject({ status: 'active', cycle: 1 });

      stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'lose' : null));
      await makeDue(gateway().db, { id: subscription.id }, 0, 40);
      await becomes(subscription, { cycle: 2 });
      await pollUntil(
        async () => takenOf(subscription),
        (count) => count === 2,
      );
      stripe.troubleWith(() => null);
      const renewed = await untilAsked(subscription, { cycle: 2 });
      const paid = await pollUntil(
        () => cyclesOf(subscription),
        ([, second]) => second?.status === 'paid',
      );
      expect(paid.slice(0, 2)).toMatchObject(
        [1, 2].map((number) => ({ number, status: 'paid', attempts: [{}] })),
      );
      expect(renewed.latestChargeId).toBe(paid[1].attempts[0].chargeId);
      expect(takenOf(subscription)).toBe(2);
    });

    it('is paid once where the bank tells it many times at once', async () => {
      const subscription = await subscribe(await aCustomer());
      stripe.troubleWith(() => null);
      const intent = stripe.intentOf(subscription.latestChargeId);
      await Promise.all([1, 2, 3, 4].map(() => tell('payment_intent.succeeded', intent)));
      expect(await becomes(subscription, { status: 'active' })).toMatchObject({ status: 'active', cycle: 1 });
      await tell('payment_intent.succeeded', intent).expect(200);
      const [cycle] = await cyclesOf(subscription);
      expect(cycle).toMatchObject({ status: 'paid', attempts: [{ outcome: 'paid' }] });
      expect(takenOf(subscription)).toBe(1);
      const { data } = (await client.getAfter('latest', '/v1/events?event=subscription.activated')).body;
      expect(data.filter(({ resourceId }: Body) => resourceId === subscription.id)).toHaveLength(1);
    });
  });

  it('is charged by its own provider only', async () => {
    const method = await store(await aCustomer());
    const methods = gateway().db.collection('payment_methods');
    await methods.updateOne({ id: method.id }, { $set: { provider: 'stripe.gone' } });
    const { customer: _, ...payment } = aPixRequest();
    const paymentMethod = { type: 'credit_card', installments: 1, id: method.id };
    const { body } = await client
      .post('/v1/charges', { ...payment, customerId: method.customerId, paymentMethod })
      .expect(422);
    expect(body.code).toBe('PAYMENT_METHOD_PROVIDER_UNAVAILABLE');
  });
});

describe('a second provider for a card charge', () => {
  const pay = async (): Promise<Body> =>
    (
      await client
        .post('/v1/charges', {
          ...aPixRequest(),
          currency: 'USD',
          paymentMethod: { type: 'credit_card', installments: 1, ...aCard() },
        })
        .expect(201)
    ).body;
  const providerOf = async (id: string) =>
    (
      await gateway()
        .db.collection('charges')
        .findOne({ id }, { projection: { provider: 1 } })
    )?.provider;
  const isNoProof = (call: string): boolean => /^GET|cancel$/.test(call);

  it('takes it once Stripe has proven that it has nothing, and ended it', async () => {
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'drop' : null));
    const { id, status, pspRefId } = await pay();
    expect([status, await providerOf(id)]).toEqual(['paid', 'simulator']);
    expect(pspRefId).toMatch(/^sim_/);
    expect(stripe.intentOf(id).status).toBe('canceled');
    const refund = await client.post('/v1/refunds', { chargeId: id, reason: 'sent back' }).expect(201);
    expect(refund.body).toMatchObject({
      status: 'refunded',
      pspRefundRefId: expect.stringMatching(/^simr_/),
    });
  });

  it('is not asked where Stripe was slow to say that it was paid', async () => {
    stripe.troubleWith((call) => (call.endsWith('/confirm') ? 'lose' : null));
    const { id, status, pspRefId } = await pay();
    expect([status, await providerOf(id)]).toEqual(['paid', 'stripe']);
    expect(pspRefId).toBe(stripe.intentOf(id).id);
  });

  it('is not asked where Stripe says nothing more, whatever became of the payment', async () => {
    let isConfirmed = false;
    stripe.troubleWith((call) => {
      isConfirmed ||= call.endsWith('/confirm');
      return call.endsWith('/confirm') ? 'lose' : isConfirmed && isNoProof(call) ? 'drop' : null;
    });
    const { id, status } = await pay();
    expect([status, await providerOf(id)]).toEqual(['pending', 'stripe']);
    stripe.troubleWith(() => null);
    await ask(id);
    expect((await ended(id)).status).toBe('paid');
  });

  it('is asked at once while Stripe is left alone for its failures', async () => {
    stripe.troubleWith(() => 'drop');
    const first = await Promise.all(Array.from({ length: 20 }, pay));
    const made = first.filter(({ status }) => status === 'pending');
    const last = await pay();
    expect([last.status, await providerOf(last.id)]).toEqual(['paid', 'simulator']);
    expect(made.length).toBeGreaterThan(0);
    const { body } = await (await operator(gateway)).get('/v1/admin/providers').expect(200);
    const shown = body.data.find(({ name }: Body) => name === 'stripe');
    expect(shown).toMatchObject({ circuit: 'open', methods: ['credit_card'], waitingCharges: made.length });
    expect(shown.oldestWaitingSince).toBe(made.map(({ createdAt }) => createdAt).sort()[0]);
    expect(shown.errorRate).toBeGreaterThan(0);
    stripe.troubleWith(() => null);
    for (const { id } of made) await ask(id);
    for (const { id } of made)
      expect(await ended(id)).toMatchObject({ status: 'failed', failureReason: 'cancelled' });
    expect([...stripe.intents.values()].some(({ metadata }) => metadata.portico_reference === last.id)).toBe(
      false,
    );
  });
});

it('after all this Stripe’s books and ours agree, and no payer paid twice', async () => {
  const charges = await gateway().db.collection('charges').find({ provider: 'stripe' }).toArray();
  const taken = [...stripe.intents.values()].filter(({ amount_received }) => amount_received > 0);
  const paid = charges.filter(({ paidAt }) => paidAt !== null);
  expect(paid.map(({ pspRefId, amount }) => [pspRefId, amount]).sort()).toEqual(
    taken.map(({ id, amount_received }) => [id, amount_received]).sort(),
  );
  expect(charges.map(({ status }) => status)).not.toContain('pending');
});

it('after all this books and institution agree, and neither broke its rules', async () => {
  await client.getAfter('latest', '/v1/statement');
  expect(await checkLedger(gateway())).toEqual([]);
  expect(institution.ownFaults).toEqual([]);
  const charges = await gateway().db.collection('charges').find({ provider: 'pix-api' }).toArray();
  const items = await gateway().db.collection('suspense_items').find({ provider: 'pix-api' }).toArray();
  const known = new Map([...charges, ...items].map(({ pspRefId, amount }) => [pspRefId, amount]));
  for (const { endToEndId, valor } of institution.pixes.values())
    expect([endToEndId, known.get(endToEndId)]).toEqual([endToEndId, Number(valor.replace('.', ''))]);
});
