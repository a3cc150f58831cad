import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { devolucaoIdOf, txidOf } from '../../src/modules/providers/pix-api/references.ts';
import { aCardRequest, aPixRequest, aSpreadFee } from '../builders.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, pollUntil, withKey } from '../support/client.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type PixInstitution, startPixInstitution } from '../support/pix-api/institution.ts';

const PUBLIC_URL = 'https://pay.example.test';
const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const directory = mkdtempSync(join(tmpdir(), 'portico-pix-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};

let institution: PixInstitution;
let running: TestGateway;
const gateway = () => running;
let client: Client;

jest.setTimeout(180_000);
beforeAll(async () => {
  institution = await startPixInstitution();
  const { certificate, privateKey } = institution.issueClient();
  running = await startTestGateway({
    PUBLIC_URL,
    LIVE_PROVIDERS: 'pix=pix-api',
    // Long enough for a busy machine, short enough for the reconciler to ask in time.
    PROVIDER_TIMEOUT_MS: '5000',
    PIX_API_URL: institution.url,
    PIX_API_TOKEN_URL: institution.tokenUrl,
    PIX_API_CLIENT_ID: institution.client.id,
    PIX_API_CLIENT_SECRET: institution.client.secret,
    PIX_API_KEY: institution.key,
    PIX_API_CERT: file('client.pem', certificate),
    PIX_API_CERT_KEY: file('client.key', privateKey),
    PIX_API_CA: file('authority.pem', institution.authority),
    PIX_API_CALLBACK_SECRET: SECRET,
    PIX_API_REGISTER_CALLBACK: 'true',
  });
  const { id, liveKey } = await running.createMerchant();
  client = withKey(gateway, liveKey);
  const definition = { fixed: 1, percentages: [2] };
  await running.setFees(id, [aSpreadFee({ payment_method: 'pix', definition }), aSpreadFee({ definition })]);
}, 180_000);
afterAll(async () => {
  await running?.stop();
  await institution?.stop();
  rmSync(directory, { recursive: true });
}, 120_000);
afterEach(() => {
  institution.troubleWith(() => null);
  institution.setReturns('DEVOLVIDO');
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
const movementsOf = async (chargeId: string): Promise<string[]> => {
  const { body } = await client.getAfter('latest', `/v1/statement?chargeId=${chargeId}&size=100`);
  return [...new Set<string>(body.data.map(({ movement_type }: Body) => movement_type))].sort();
};
const journalsOf = (chargeId: string): Promise<number> =>
  gateway().db.collection('journals').countDocuments({ chargeId });
/** As if the time to pay were over now. */
const expire = async (id: string): Promise<void> => {
  const past = new Date(Date.now() - 1_000).toISOString();
  await gateway()
    .db.collection('charges')
    .updateOne({ id }, { $set: { expiresAt: past, reconcileAt: past } });
};
const ended = (id: string) =>
  pollUntil(
    () => read(id),
    ({ status }) => status !== 'pending',
  );

describe('a live Pix charge', () => {
  it('can be paid at the institution, and is paid once it says so, however often', async () => {
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
    const settled =
      paymentDetails !== null
        ? await read(id)
        : await pollUntil(
            () => read(id),
            (charge) => charge.paymentDetails !== null,
          );
    expect(settled).toMatchObject({ status: 'pending', pspRefId: txidOf(id) });
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

describe('with a route for Pix', () => {
  it('everything else goes to the provider for all else', async () => {
    const { body } = await client.post('/v1/charges', aCardRequest()).expect(201);
    expect(body.pspRefId).toMatch(/^sim_/);
    const { data } = (await client.get('/v1/payment-methods').expect(200)).body;
    expect(data.map(({ type }: Body) => type)).toEqual(['credit_card', 'pix']);
  });
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
