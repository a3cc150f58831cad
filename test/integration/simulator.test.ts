import { randomUUID } from 'node:crypto';
import { newCommitId } from '../../src/kernel/ids.ts';
import {
  type AuthorizeRequest,
  type Delivery,
  type Instrument,
  type PaymentState,
  ProviderTimeout,
  type RefundState,
} from '../../src/modules/providers/provider.ts';
import type { MandateDecision } from '../../src/modules/providers/simulator/mandate.ts';
import { signatureOf } from '../../src/modules/providers/simulator/signature.ts';
import { simulatorMigrations } from '../../src/modules/providers/simulator/simulator.store.ts';
import { createSimulator, type Simulator } from '../../src/modules/providers/simulator/simulator.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';
import { anAuthorizeRequest, aRefundRequest } from '../builders.ts';
import { describeConformance } from '../support/conformance.ts';
import { describeMandates } from '../support/mandate-conformance.ts';

const { client, db } = openWriteStore(process.env.MONGODB_URI ?? '', `t-${newCommitId().slice(-16)}`);

const SECRET = 'a secret of the simulator';
const START = new Date('2026-06-15T12:00:00.000Z');
const HOLDER = 'Quitéria Xavantina';

const byCard = (number: string): Instrument => ({
  type: 'credit_card',
  card: { number, cvv: '917', holderName: HOLDER, expirationMonth: '12', expirationYear: '2039' },
  installments: 1,
});
const byPix: Instrument = { type: 'pix', expiresAt: '2026-06-15T13:00:00.000Z' };

type About = Pick<AuthorizeRequest, 'reference' | 'amount' | 'currency'>;
const aboutOf = ({ reference, amount, currency }: About) => ({
  id: randomUUID(),
  livemode: false,
  reference,
  amount,
  currency,
});

const simulatorWith = (latencyMs: number, now = START): Simulator =>
  createSimulator({
    db,
    clock: () => now,
    latencyMs,
    publicUrl: () => 'https://pay.example.test',
    secrets: [SECRET],
  });
const simulator = simulatorWith(0);

beforeAll(async () => {
  for (const migration of simulatorMigrations) await migration.up(db);
});

afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const signedWith = (secret: string, seconds: number, body: Buffer): Delivery => ({
  headers: { 'x-provider-signature': signatureOf(secret, seconds, body) },
  secret: null,
  body,
});

const told = (message: object): Delivery =>
  signedWith(SECRET, START.getTime() / 1_000, Buffer.from(JSON.stringify(message)));

const decide = async (reference: string, decision: MandateDecision): Promise<void> => {
  if (!(await simulator.decideOnMandate(reference, decision, 'always')))
    throw new Error('the mandate does not allow it');
};

describeMandates('the simulator', {
  provider: simulator,
  restart: () => simulatorWith(0),
  now: START,
  at: (now) => simulatorWith(0, now),
  approve: (reference) => decide(reference, 'approve'),
  cancel: (reference) => decide(reference, 'cancel'),
  async fail(reference) {
    await simulator.resolvePayment(reference, {
      status: 'failed',
      failureReason: 'insufficient_funds',
      at: START,
    });
  },
});

describeConformance('the simulator', async () => ({
  provider: simulator,
  restart: () => simulatorWith(0),
  livemode: false,
  amounts: [
    { amount: 150_75, currency: 'BRL' },
    { amount: 150_000, currency: 'CLP' },
    { amount: 1_500, currency: 'KWD' },
  ],
  pays: byCard('4242424242424242'),
  refuses: byCard('4000000000000002'),
  waits: byPix,
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
  async pay({ reference }) {
    const outcome = { status: 'paid', failureReason: null, at: START } as const;
    if (!(await simulator.resolvePayment(reference, outcome))) throw new Error('it does not wait');
  },
  async authorizeUnanswered() {
    const payment = anAuthorizeRequest(byCard('4000000000004954'));
    await expect(simulator.authorize(payment)).rejects.toThrow(ProviderTimeout);
    return payment;
  },
  deliveries: {
    about: (...payments) =>
      Promise.all(
        payments.map(async (payment) => {
          const state = (await simulator.describePayment(payment)) as PaymentState;
          const { status, pspRefId, failureReason: reason, paidAt } = state;
          return told({ ...aboutOf(payment), type: 'payment', status, pspRefId, reason, paidAt });
        }),
      ),
    async aboutRefund(refund) {
      const state = (await simulator.describeRefund(refund)) as RefundState;
      const { status, reason, pspRefundRefId: pspRefId } = state;
      return told({ ...aboutOf(refund), type: 'refund', status, reason, pspRefId });
    },
    async chargedBack(payment) {
      return told({ ...aboutOf(payment), type: 'chargeback', pspRefId: 'sim_1' });
    },
    other: told({ id: '1', livemode: false, type: 'newsletter', text: 'hello' }),
    forged: ({ body }) => {
      const seconds = START.getTime() / 1_000;
      return [
        signedWith('another secret', seconds, body),
        signedWith(SECRET, seconds - 301, body),
        signedWith(SECRET, seconds + 301, body),
        { ...signedWith(SECRET, seconds, body), body: Buffer.concat([body, Buffer.from(' ')]) },
      ];
    },
  },
  wire: null,
}));

describe('the simulator', () => {
  it.each([
    ['a Pix', byPix],
    ['a card in analysis', byCard('4000000000005126')],
    ['a card that has to be authenticated', byCard('4000002500003155')],
  ])('lets %s be paid once, at the time that the payer chose', async (_, instrument) => {
    const payment = anAuthorizeRequest(instrument);
    const waiting = await simulator.authorize(payment);
    const at = new Date('2026-06-15T12:34:56.789Z');
    const resolved = await simulator.resolvePayment(payment.reference, {
      status: 'paid',
      failureReason: null,
      at,
    });
    expect(resolved).toEqual({ ...waiting, status: 'paid', paidAt: at.toISOString() });
    expect(await simulator.describePayment(payment)).toEqual(resolved);
    expect(
      await simulator.resolvePayment(payment.reference, { status: 'refused', failureReason: 'no', at }),
    ).toBeNull();
  });

  it('lets a waiting payment be refused', async () => {
    const payment = anAuthorizeRequest(byCard('4000002500003155'));
    await simulator.authorize(payment);
    expect(
      await simulator.resolvePayment(payment.reference, {
        status: 'refused',
        failureReason: 'authentication_failed',
        at: START,
      }),
    ).toMatchObject({ status: 'refused', failureReason: 'authentication_failed', paidAt: null });
  });

  it('resolves nothing that does not wait', async () => {
    const payment = anAuthorizeRequest(byCard('4242424242424242'));
    await simulator.authorize(payment);
    const outcome = { status: 'failed', failureReason: 'processing_error', at: START } as const;
    expect(await simulator.resolvePayment(payment.reference, outcome)).toBeNull();
    expect(await simulator.resolvePayment('chg_unknown', outcome)).toBeNull();
    expect(await simulator.resolveRefund('ref_unknown', 'refunded', null)).toBeNull();
  });

  it('resolves a payment one way only where payer and cancellation race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const payment = anAuthorizeRequest(byPix);
      await simulator.authorize(payment);
      const [resolved, cancelled] = await Promise.all([
        simulator.resolvePayment(payment.reference, { status: 'paid', failureReason: null, at: START }),
        simulator.cancel(payment),
      ]);
      expect(cancelled.status).toBe(resolved ? 'paid' : 'failed');
    }
  });

  it('tells of a payment what it answers, and takes the money of one who comes too late', async () => {
    const payment = anAuthorizeRequest(byPix);
    await simulator.authorize(payment);
    await simulator.cancel(payment);
    const told = () => simulator.notificationOf(payment.reference, false);
    expect(await told()).toMatchObject({ reference: payment.reference, state: { status: 'failed' } });
    const late = await simulator.payLate(payment.reference, START);
    expect(late).toMatchObject({ status: 'paid', paidAt: START.toISOString() });
    expect(await told()).toMatchObject({ amount: 80_05, state: { status: 'paid', paidAt: late?.paidAt } });
    expect(await simulator.payLate(payment.reference, START)).toBeNull();
    expect(await simulator.notificationOf('chg_unknown', false)).toBeNull();
  });

  it('keeps a refund pending until it is completed, once', async () => {
    const payment = anAuthorizeRequest(byCard('4000000000007726'));
    await simulator.authorize(payment);
    const refund = aRefundRequest(payment);
    const pending = await simulator.refund(refund);
    expect(pending).toMatchObject({ status: 'pending', reason: null });
    const completed = await simulator.resolveRefund(refund.reference, 'refunded', null);
    expect(completed).toEqual({ ...pending, status: 'refunded' });
    expect(await simulator.refund(refund)).toEqual(completed);
    expect(await simulator.resolveRefund(refund.reference, 'failed', 'refund_failed')).toBeNull();
  });

  it('takes another refund after one that came to nothing, and no other while one is pending', async () => {
    const payment = anAuthorizeRequest(byCard('4000000000007726'));
    await simulator.authorize(payment);
    const first = aRefundRequest(payment);
    await simulator.refund(first);
    expect(await simulator.refund(aRefundRequest(payment))).toMatchObject({
      status: 'refused',
      reason: 'already_refunded',
    });
    await simulator.resolveRefund(first.reference, 'refused', 'refund_refused');
    expect(await simulator.refund(aRefundRequest(payment))).toMatchObject({ status: 'pending' });
  });

  it('gives a Pix back', async () => {
    const payment = anAuthorizeRequest(byPix);
    await simulator.authorize(payment);
    await simulator.resolvePayment(payment.reference, { status: 'paid', failureReason: null, at: START });
    expect(await simulator.refund(aRefundRequest(payment))).toMatchObject({ status: 'refunded' });
  });

  it('answers as late as it was told, after the payment was made', async () => {
    const slow = simulatorWith(300);
    const payment = anAuthorizeRequest(byCard('4242424242424242'));
    const startedAt = performance.now();
    const answer = slow.authorize(payment);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await simulator.describePayment(payment)).toMatchObject({ status: 'paid' });
    await answer;
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299);
  });

  it('keeps the same of two cards that behave alike, so nothing by which a card could be known', async () => {
    const kept = await Promise.all(
      ['4242424242424242', '5555555555554444'].map(async (number) => {
        const payment = anAuthorizeRequest(byCard(number));
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
