import type { Response } from 'supertest';
import { newCommitId } from '../../src/kernel/ids.ts';
import { modules } from '../../src/main/modules.ts';
import { signatureOf } from '../../src/modules/providers/simulator/signature.ts';
import { aCardRequest, aPixRequest } from '../builders.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { type Client, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';
import { patiently } from '../support/patiently.ts';

const SECRET = 'the secret of the provider that is long enough';
const OLD_SECRET = 'the former secret of the provider is long enough too';
const gateway = useGateway({ ...PATIENT, PROVIDER_SECRET: `${SECRET},${OLD_SECRET}` });
let client: Client;
beforeAll(async () => {
  client = withKey(gateway, (await gateway().createMerchant()).testKey);
});

type Message = Readonly<Record<string, unknown>>;

const nowInSeconds = (): number => Math.floor(Date.now() / 1_000);
const send = (
  message: Message | string,
  { secret = SECRET, seconds = nowInSeconds(), provider = 'simulator' } = {},
) => {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return gateway()
    .call('post', `/v1/providers/${provider}/notifications`)
    .set('X-Provider-Signature', signatureOf(secret, seconds, Buffer.from(body)))
    .type('json')
    .send(body);
};

const voucher = {
  ...aCardRequest({ amount: 80, currency: 'ARS' }),
  paymentMethod: { type: 'voucher', installments: 1, identifyType: 'dni', identifyNumber: '12345678' },
};
const create = async (request: object = voucher): Promise<Response['body']> =>
  (await client.post('/v1/charges', request).expect(201)).body;
const read = async (id: string): Promise<Response['body']> =>
  (await client.get(`/v1/charges/${id}`).expect(200)).body;
const help = (id: string, what: string) => client.post(`/v1/test-helpers/charges/${id}/${what}`).expect(200);

/** The provider's view of a charge's payment, as if the payer had just paid. */
const aPaymentOf = (charge: Response['body'], changes: Message = {}): Message => ({
  id: newCommitId(),
  livemode: false,
  type: 'payment',
  reference: charge.id,
  amount: 80_00,
  currency: 'ARS',
  status: 'paid',
  pspRefId: charge.pspRefId,
  reason: null,
  paidAt: new Date().toISOString(),
  ...changes,
});

const recordsOf = (reference: string) =>
  gateway().db.collection('provider_notifications').find({ reference }).sort({ receivedAt: 1 }).toArray();
const outcomesOf = async (reference: string) => (await recordsOf(reference)).map(({ outcome }) => outcome);
const journalsOf = (referenceId: string) =>
  gateway().db.collection('journals').find({ referenceId }).toArray();
const suspenseOf = (reference: string) =>
  gateway()
    .db.collection('suspense_items')
    .find({ reference }, { projection: { _id: 0 } })
    .toArray();
const heldIn = async (id: string): Promise<readonly number[]> =>
  (await journalsOf(id)).flatMap(({ postings }) =>
    postings.flatMap((posting: { bucket: string; amount: number }) =>
      posting.bucket === 'suspense' ? [posting.amount] : [],
    ),
  );
const listed = async (): Promise<readonly Response['body'][]> => {
  const admin = await operator(gateway, 'test');
  const { body } = await admin.getAfter('latest', '/v1/admin/reports/reconciliation');
  return body.data.filter(({ kind }: { kind: string }) => kind === 'suspense');
};

describe('the signature of a notification', () => {
  let charge: Response['body'];
  beforeAll(async () => {
    charge = await create();
  });
  afterEach(async () => {
    expect(await read(charge.id)).toEqual(charge);
    expect(await recordsOf(charge.id)).toEqual([]);
  });

  it('is refused where it is made with another secret, too old, or too far ahead', async () => {
    const message = aPaymentOf(charge);
    await send(message, { secret: 'another secret that is long enough for this' }).expect(401);
    await send(message, { seconds: nowInSeconds() - 400 }).expect(401);
    await send(message, { seconds: nowInSeconds() + 400 }).expect(401);
  });

  it('is refused where it is missing, broken, or of another body', async () => {
    const body = JSON.stringify(aPaymentOf(charge));
    const good = signatureOf(SECRET, nowInSeconds(), Buffer.from(body));
    const other = signatureOf(SECRET, nowInSeconds(), Buffer.from(`${body} `));
    for (const header of [undefined, '', 't=1', good.replace('v1=', 'v0='), good.slice(0, -1), other]) {
      const request = gateway().call('post', '/v1/providers/simulator/notifications').type('json');
      if (header !== undefined) request.set('X-Provider-Signature', header);
      await request.send(body).expect(401);
    }
  });

  it('does not make a notification of what is none', async () => {
    const broken = [{}, { amount: 1.5 }, { status: 'gone' }, { currency: 'ZZZ' }, { currency: 'ars' }];
    for (const changes of broken)
      await send(Object.keys(changes).length > 0 ? aPaymentOf(charge, changes) : {}).expect(400);
    await send('not json').expect(400);
    await send(aPaymentOf(charge), { provider: 'nobody' }).expect(404);
  });
});

describe('a notification that a charge was paid', () => {
  it('makes it paid and booked once, with the former secret too, and a replay has no effect', async () => {
    const charge = await create();
    const message = aPaymentOf(charge);
    await send(message, { secret: OLD_SECRET }).expect(200, { received: true });
    const paid = await read(charge.id);
    expect(paid).toMatchObject({ status: 'paid', paidAt: message.paidAt });
    await send(message).expect(200);
    expect(await read(charge.id)).toEqual(paid);
    expect(await journalsOf(charge.id)).toHaveLength(1);
    expect(await recordsOf(charge.id)).toMatchObject([{ outcome: 'applied', attempts: 1, says: 'paid' }]);
  });

  it('counts once where it comes twenty times at once, under one id or under many', async () => {
    const charge = await create();
    const message = aPaymentOf(charge);
    const messages = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? message : { ...message, id: newCommitId() },
    );
    // A provider sends again what a busy gateway did not take.
    const answers = await Promise.all(messages.map((one) => patiently(() => send(one))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await read(charge.id)).status).toBe('paid');
    expect(await journalsOf(charge.id)).toHaveLength(1);
    expect(await suspenseOf(charge.id)).toEqual([]);
    expect(await recordsOf(charge.id)).toHaveLength(11);
  });

  it('is processed again where its processing failed', async () => {
    const charge = await create();
    const message = aPaymentOf(charge);
    await send(message).expect(200);
    // As a crash between the first transaction and the second would leave it.
    await gateway()
      .db.collection('provider_notifications')
      .updateOne({ reference: charge.id }, { $set: { processedAt: null, outcome: null } });
    await send(message).expect(200);
    expect(await recordsOf(charge.id)).toMatchObject([{ attempts: 2, processedAt: expect.any(String) }]);
    expect(await journalsOf(charge.id)).toHaveLength(1);
  });

  it('is recorded and ignored where it contradicts what was recorded, without money', async () => {
    const charge = await create();
    await send(aPaymentOf(charge)).expect(200);
    for (const status of ['refused', 'failed', 'pending', 'in_analysis'])
      await send(aPaymentOf(charge, { status, paidAt: null })).expect(200);
    await send({ id: newCommitId(), livemode: false, type: 'newsletter' }).expect(200);
    expect((await read(charge.id)).status).toBe('paid');
    expect(await outcomesOf(charge.id)).toEqual(['applied', 'ignored', 'ignored', 'ignored', 'ignored']);
    expect(await suspenseOf(charge.id)).toEqual([]);
  });

  it.each([
    ['refused', 'card_declined'],
    ['failed', 'processing_error'],
    ['in_analysis', null],
    ['authentication_required', null],
  ])('can say %s instead', async (status, reason) => {
    const charge = await create();
    await send(aPaymentOf(charge, { status, reason, paidAt: null })).expect(200);
    expect(await read(charge.id)).toMatchObject({ status, failureReason: reason });
  });
});

describe('a payment confirmed after its charge expired', () => {
  /** An expired charge whose payer comes at the counter all the same. */
  const aLatePayment = async (): Promise<{ charge: Response['body']; message: Message }> => {
    const charge = await create();
    await help(charge.id, 'expire');
    const at = new Date(Date.parse(charge.expiresAt) + 1);
    await gateway().container.get(modules).providers.simulator.payLate(charge.id, at);
    return { charge, message: aPaymentOf(charge, { paidAt: at.toISOString() }) };
  };

  it('counts where the payment was made in time', async () => {
    const charge = await create();
    await help(charge.id, 'expire');
    await send(aPaymentOf(charge)).expect(200);
    expect(await read(charge.id)).toMatchObject({ status: 'paid', failureReason: null });
    expect(await suspenseOf(charge.id)).toEqual([]);
  });

  it('is given back at the provider at once, over the suspense account, however often it is told', async () => {
    const { charge, message } = await aLatePayment();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send({ ...message, id: newCommitId() })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await read(charge.id)).toMatchObject({ status: 'failed', failureReason: 'expired', paidAt: null });
    const [item, ...others] = await suspenseOf(charge.id);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ reason: 'late_payment', status: 'returned', chargeId: charge.id });
    expect([...(await heldIn(item?.id))].sort((a, b) => a - b)).toEqual([-80_00, 80_00]);
    const asked = {
      ...charge,
      reference: item?.id,
      paymentReference: charge.id,
      paymentPspRefId: null,
      openedAt: '2026-06-15T12:00:00.000Z',
    };
    expect(await gateway().container.get(modules).providers.simulator.describeRefund(asked)).toMatchObject({
      status: 'refunded',
    });
    expect((await listed()).filter(({ subject }) => subject === item?.id)).toEqual([]);
  });

  it('is given back by the reconciler where a crash came between', async () => {
    const { charge, message } = await aLatePayment();
    await send(message).expect(200);
    const [item] = await suspenseOf(charge.id);
    // As if the program had died before the provider was asked and its answer stored.
    const { db } = gateway();
    await db.collection('simulator_refunds').deleteOne({ _id: item?.id });
    await db
      .collection('journals')
      .deleteOne({ referenceId: item?.id, 'postings.movement_type': 'suspense_return' });
    const reconcileAt = new Date(0).toISOString();
    await db
      .collection('suspense_items')
      .updateOne({ id: item?.id }, { $set: { status: 'returning', pspRefundRefId: null, reconcileAt } });
    const returned = await pollUntil(
      async () => (await suspenseOf(charge.id))[0],
      (found) => found?.status === 'returned',
    );
    expect(returned).toMatchObject({ status: 'returned', reconcileAt: null });
    expect([...(await heldIn(item?.id))].sort((a, b) => a - b)).toEqual([-80_00, 80_00]);
  });
});

describe('money that moved at the provider without a place here', () => {
  const expectHeld = async (reference: string, reason: string, moved: number): Promise<void> => {
    const [item, ...others] = await suspenseOf(reference);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ reason, status: 'held' });
    expect(await heldIn(item?.id)).toEqual([moved]);
    const found = (await listed()).filter(({ subject }) => subject === item?.id);
    expect(found).toHaveLength(1);
    expect(found[0].message).toContain(reason);
  };

  it('is held where the charge was refused', async () => {
    const charge = await create();
    await help(charge.id, 'refuse');
    await send(aPaymentOf(charge)).expect(200);
    await send(aPaymentOf(charge)).expect(200);
    expect((await read(charge.id)).status).toBe('refused');
    expect(await outcomesOf(charge.id)).toEqual(['suspense', 'suspense']);
    await expectHeld(charge.id, 'payment_of_closed_charge', 80_00);
  });

  it('is held where a charge is paid a second time', async () => {
    const charge = await create();
    await send(aPaymentOf(charge)).expect(200);
    await send(aPaymentOf(charge, { pspRefId: 'sim_another' })).expect(200);
    expect(await journalsOf(charge.id)).toHaveLength(1);
    await expectHeld(charge.id, 'second_payment', 80_00);
  });

  it('is held where another amount was paid', async () => {
    const charge = await create();
    await send(aPaymentOf(charge, { amount: 79_99 })).expect(200);
    expect((await read(charge.id)).status).toBe('pending');
    await expectHeld(charge.id, 'payment_of_other_amount', 79_99);
  });

  it('is held where nobody knows the charge, or it is of the other environment', async () => {
    const reference = `chg_${newCommitId()}`;
    await send(aPaymentOf({ id: reference, pspRefId: 'sim_1' })).expect(200);
    await expectHeld(reference, 'unknown_payment', 80_00);
    const charge = await create();
    await send(aPaymentOf(charge, { livemode: true })).expect(200);
    expect((await read(charge.id)).status).toBe('pending');
    expect(await suspenseOf(charge.id)).toMatchObject([{ reason: 'unknown_payment', livemode: true }]);
  });

  it('is held where the provider gave back what nobody asked for', async () => {
    const reference = `ref_${newCommitId()}`;
    const refund = { status: 'refunded', pspRefId: 'simr_1', type: 'refund' };
    await send(aPaymentOf({ id: reference }, { ...refund, paidAt: undefined })).expect(200);
    await expectHeld(reference, 'unexpected_refund', -80_00);
  });

  it('is held where a charge that was never paid is charged back', async () => {
    const charge = await create();
    const { status: _, paidAt: __, reason: ___, ...chargeback } = aPaymentOf(charge, { type: 'chargeback' });
    await send(chargeback).expect(200);
    await expectHeld(charge.id, 'unexpected_chargeback', -80_00);
  });
});

describe('a notification of a refund or a chargeback', () => {
  const aMoveOf = (charge: Response['body'], changes: Message): Message => {
    const { status: _, paidAt: __, reason: ___, ...message } = aPaymentOf(charge, { currency: 'BRL' });
    return { ...message, amount: 100_00, ...changes };
  };

  it('completes a pending refund once', async () => {
    const charge = await create(aCardRequest({}, { number: '4000000000007726' }));
    const { body: refund } = await client
      .post('/v1/refunds', { chargeId: charge.id, reason: 'sent back' })
      .expect(201);
    expect(refund.status).toBe('pending');
    const message = { type: 'refund', reference: refund.id, status: 'refunded', pspRefId: 'simr_1' };
    await send(aMoveOf(charge, message)).expect(200);
    await send(aMoveOf(charge, message)).expect(200);
    expect((await client.get(`/v1/refunds/${refund.id}`).expect(200)).body.status).toBe('refunded');
    expect((await read(charge.id)).status).toBe('refunded');
    expect(await outcomesOf(refund.id)).toEqual(['applied', 'ignored']);
    expect(await suspenseOf(refund.id)).toEqual([]);
  });

  it('makes a paid charge a chargeback, debited once', async () => {
    const charge = await create(aPixRequest());
    await help(charge.id, 'pay');
    await send(aMoveOf(charge, { type: 'chargeback' })).expect(200);
    await send(aMoveOf(charge, { type: 'chargeback' })).expect(200);
    expect((await read(charge.id)).status).toBe('chargeback');
    expect(await outcomesOf(charge.id)).toEqual(['applied', 'ignored']);
    expect(await journalsOf(charge.id)).toHaveLength(2);
    expect(await suspenseOf(charge.id)).toEqual([]);
  });
});

it('after all this the check of the ledger finds nothing', async () => {
  await client.getAfter('latest', '/v1/statement');
  expect(await checkLedger(gateway())).toEqual([]);
});

describe('the reason that a provider gives', () => {
  it('is kept as it is, but for a card number in it', async () => {
    for (const [reason, kept] of [
      ['do not honour', 'do not honour'],
      ['card 4242-4242-4242-4242 is blocked', 'withheld'],
    ]) {
      const charge = await create();
      await send(aPaymentOf(charge, { status: 'refused', reason, paidAt: null })).expect(200);
      expect(await read(charge.id)).toMatchObject({ status: 'refused', failureReason: kept });
    }
  });
});
