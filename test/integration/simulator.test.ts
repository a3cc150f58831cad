import { randomUUID } from 'node:crypto';
import { newCommitId } from '../../src/kernel/ids.ts';
import type { AuthorizeRequest, Instrument } from '../../src/modules/providers/provider.ts';
import { simulatorMigrations } from '../../src/modules/providers/simulator/simulator.store.ts';
import { createSimulator, type Simulator } from '../../src/modules/providers/simulator/simulator.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { describeProviderContract } from '../support/provider-contract.ts';

const { client, db } = openWriteStore(process.env.MONGODB_URI ?? '', `t-${newCommitId().slice(-16)}`);

const START = new Date('2026-06-15T12:00:00.000Z');
const HOLDER = 'Quitéria Xavantina';

const byCard = (number: string): Instrument => ({
  type: 'credit_card',
  card: { number, cvv: '917', holderName: HOLDER, expirationMonth: '12', expirationYear: '2039' },
  installments: 1,
});
const byPix: Instrument = { type: 'pix', expiresAt: '2026-06-15T13:00:00.000Z' };

const aPayment = (instrument: Instrument): AuthorizeRequest => ({
  reference: `chg_${randomUUID()}`,
  amount: 80_00,
  currency: 'BRL',
  merchantName: 'Loja da Ana',
  instrument,
});

const aRefundOf = (payment: AuthorizeRequest) => ({
  reference: `ref_${randomUUID()}`,
  paymentReference: payment.reference,
  amount: payment.amount,
  currency: payment.currency,
});

const notify = (
  { reference, amount, currency }: Pick<AuthorizeRequest, 'reference' | 'amount' | 'currency'>,
  message: object,
): Buffer =>
  Buffer.from(JSON.stringify({ id: randomUUID(), livemode: false, reference, amount, currency, ...message }));

const simulatorWith = (latencyMs: number): Simulator =>
  createSimulator({ db, clock: () => START, latencyMs, publicUrl: () => 'https://pay.example.test' });
const simulator = simulatorWith(0);

beforeAll(async () => {
  for (const migration of simulatorMigrations) await migration.up(db);
});

afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

describeProviderContract('the simulator', async () => ({
  provider: simulator,
  pays: byCard('4242424242424242'),
  refuses: byCard('4000000000000002'),
  waits: byPix,
  goesUnanswered: byCard('4000000000004954'),
  methods: [
    byCard('4242424242424242'),
    byPix,
    ...(['voucher', 'banktransfer', 'qrcode'] as const).map((type) => ({
      type,
      identifyType: 'dni',
      identifyNumber: '12345678',
      bankName: type === 'banktransfer' ? 'Banco Um' : null,
      expiresAt: '2026-06-15T13:00:00.000Z',
    })),
  ],
  notifications: {
    paid: (payment, { status, pspRefId, failureReason, paidAt }) =>
      notify(payment, { type: 'payment', status, pspRefId, reason: failureReason, paidAt }),
    refunded: (refund, { status, pspRefundRefId, reason }) =>
      notify(refund, { type: 'refund', status, pspRefId: pspRefundRefId, reason }),
    chargedBack: (payment, { pspRefId }) => notify(payment, { type: 'chargeback', pspRefId }),
    other: Buffer.from(JSON.stringify({ id: '1', livemode: false, type: 'newsletter', text: 'hello' })),
  },
}));

describe('the simulator', () => {
  it.each([
    ['a Pix', byPix],
    ['a card in analysis', byCard('4000000000005126')],
    ['a card that has to be authenticated', byCard('4000002500003155')],
  ])('lets %s be paid once, at the time that the payer chose', async (_, instrument) => {
    const payment = aPayment(instrument);
    const waiting = await simulator.authorize(payment);
    const at = new Date('2026-06-15T12:34:56.789Z');
    const settled = await simulator.settlePayment(payment.reference, {
      status: 'paid',
      failureReason: null,
      at,
    });
    expect(settled).toEqual({ ...waiting, status: 'paid', paidAt: at.toISOString() });
    expect(await simulator.describePayment(payment.reference)).toEqual(settled);
    expect(
      await simulator.settlePayment(payment.reference, { status: 'refused', failureReason: 'no', at }),
    ).toBeNull();
  });

  it('lets a waiting payment be refused', async () => {
    const payment = aPayment(byCard('4000002500003155'));
    await simulator.authorize(payment);
    expect(
      await simulator.settlePayment(payment.reference, {
        status: 'refused',
        failureReason: 'authentication_failed',
        at: START,
      }),
    ).toMatchObject({ status: 'refused', failureReason: 'authentication_failed', paidAt: null });
  });

  it('settles nothing that does not wait', async () => {
    const payment = aPayment(byCard('4242424242424242'));
    await simulator.authorize(payment);
    const outcome = { status: 'failed', failureReason: 'processing_error', at: START } as const;
    expect(await simulator.settlePayment(payment.reference, outcome)).toBeNull();
    expect(await simulator.settlePayment('chg_unknown', outcome)).toBeNull();
    expect(await simulator.settleRefund('ref_unknown', 'refunded', null)).toBeNull();
  });

  it('settles a payment one way only where payer and cancellation race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const payment = aPayment(byPix);
      await simulator.authorize(payment);
      const [settled, cancelled] = await Promise.all([
        simulator.settlePayment(payment.reference, { status: 'paid', failureReason: null, at: START }),
        simulator.cancel(payment.reference),
      ]);
      expect(cancelled.status).toBe(settled ? 'paid' : 'failed');
    }
  });

  it('tells of a payment what it answers, and takes the money of one who comes too late', async () => {
    const payment = aPayment(byPix);
    await simulator.authorize(payment);
    await simulator.cancel(payment.reference);
    const told = async () => {
      const message = await simulator.messageOf(payment.reference, false);
      return simulator.parseNotification(Buffer.from(JSON.stringify(message)));
    };
    expect(await told()).toMatchObject({ reference: payment.reference, state: { status: 'failed' } });
    const late = await simulator.payLate(payment.reference, START);
    expect(late).toMatchObject({ status: 'paid', paidAt: START.toISOString() });
    expect(await told()).toMatchObject({ amount: 80_00, state: { status: 'paid', paidAt: late?.paidAt } });
    expect(await simulator.payLate(payment.reference, START)).toBeNull();
    expect(await simulator.messageOf('chg_unknown', false)).toBeNull();
  });

  it('keeps a refund pending until it is completed, once', async () => {
    const payment = aPayment(byCard('4000000000007726'));
    await simulator.authorize(payment);
    const refund = aRefundOf(payment);
    const pending = await simulator.refund(refund);
    expect(pending).toMatchObject({ status: 'pending', reason: null });
    const completed = await simulator.settleRefund(refund.reference, 'refunded', null);
    expect(completed).toEqual({ ...pending, status: 'refunded' });
    expect(await simulator.refund(refund)).toEqual(completed);
    expect(await simulator.settleRefund(refund.reference, 'failed', 'refund_failed')).toBeNull();
  });

  it('takes another refund after one that came to nothing, and no other while one is pending', async () => {
    const payment = aPayment(byCard('4000000000007726'));
    await simulator.authorize(payment);
    const first = aRefundOf(payment);
    await simulator.refund(first);
    expect(await simulator.refund(aRefundOf(payment))).toMatchObject({
      status: 'refused',
      reason: 'already_refunded',
    });
    await simulator.settleRefund(first.reference, 'refused', 'refund_refused');
    expect(await simulator.refund(aRefundOf(payment))).toMatchObject({ status: 'pending' });
  });

  it('gives a Pix back', async () => {
    const payment = aPayment(byPix);
    await simulator.authorize(payment);
    await simulator.settlePayment(payment.reference, { status: 'paid', failureReason: null, at: START });
    expect(await simulator.refund(aRefundOf(payment))).toMatchObject({ status: 'refunded' });
  });

  it('answers as late as it was told, after the payment was made', async () => {
    const slow = simulatorWith(300);
    const payment = aPayment(byCard('4242424242424242'));
    const startedAt = performance.now();
    const answer = slow.authorize(payment);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await simulator.describePayment(payment.reference)).toMatchObject({ status: 'paid' });
    await answer;
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299);
  });

  it('keeps the same of two cards that behave alike, so nothing by which a card could be known', async () => {
    const kept = await Promise.all(
      ['4242424242424242', '5555555555554444'].map(async (number) => {
        const payment = aPayment(byCard(number));
        const { pspRefId } = await simulator.authorize(payment);
        const document = await db
          .collection<{ _id: string }>('simulator_payments')
          .findOne({ _id: payment.reference });
        expect(document).toMatchObject({ _id: payment.reference, pspRefId });
        return { ...document, _id: null, pspRefId: null };
      }),
    );
    expect(kept[0]).toEqual(kept[1]);
    expect(JSON.stringify(kept)).not.toContain(HOLDER);
  });
});
