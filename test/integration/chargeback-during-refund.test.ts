import { systemContext } from '../../src/kernel/event.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { modules } from '../../src/main/modules.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import type { Journal } from '../../src/modules/ledger/write/journal.ts';
import { parseMessage } from '../../src/modules/providers/simulator/notification.ts';
import { checkLedger } from '../support/check-ledger.ts';
import { withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { runMortal } from '../support/mortal-gateway.ts';
import { storePaidCharges } from '../support/paid-charges.ts';
import { someOf, volume } from '../support/volume.ts';

/** Half of them are given back, a quarter each refused and failed; the chargeback is first in every second pair. */
const ROUNDS = volume({ usual: 24, proof: 400 });
const PENDING_REFUND = '4000000000007726';
const OUTCOMES = ['refunded', 'refused', 'refunded', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];

jest.setTimeout(300_000);

const gateway = useGateway({ ROLE: 'api' });
let merchant: TestMerchant;
let partner: TestMerchant;
beforeAll(async () => {
  merchant = await gateway().createMerchant();
  partner = await gateway().createMerchant();
  await gateway()
    .call('post', `/v1/merchants/${merchant.id}/settings`)
    .auth(await gateway().operatorToken(), { type: 'bearer' })
    .send({ name: 'chargeback_alert_fee', content: { amount: 2.5, currency: 'USD' } })
    .expect(201);
}, 180_000);

type Refunding = { readonly charge: Charge; readonly refundId: string };

/** Charges whose refund the bank has accepted and not decided on. */
const storeRefunding = async (count: number): Promise<readonly Refunding[]> => {
  const wanted = { merchantId: merchant.id, cardNumber: PENDING_REFUND, participants: [partner.id] };
  const charges = await storePaidCharges(gateway(), Array(count).fill(wanted));
  const all: Refunding[] = [];
  for (const charge of charges) {
    const request = { chargeId: charge.id, reason: 'sent back' };
    const { body } = await withKey(gateway, merchant.testKey).post('/v1/refunds', request).expect(201);
    expect(body.status).toBe('pending');
    all.push({ charge, refundId: body.id });
  }
  return all;
};

const message = (charge: Charge, changes: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: newCommitId(),
      livemode: false,
      type: 'chargeback',
      reference: charge.id,
      amount: charge.amount,
      currency: charge.currency,
      pspRefId: charge.pspRefId,
      ...changes,
    }),
  );
const chargebackOf = ({ charge }: Refunding): Buffer => message(charge, {});
const outcomeOf = ({ charge, refundId }: Refunding, status: Outcome): Buffer =>
  message(charge, { type: 'refund', reference: refundId, status, reason: null, pspRefId: 'simr_1' });

const receive = async (body: Buffer, { container } = gateway()): Promise<void> => {
  const notification = parseMessage(body);
  if (!notification) throw new Error('no notification of the simulator');
  await container
    .get(modules)
    .providerNotifications.takeInNotification(
      { provider: 'simulator', notification },
      systemContext('simulator'),
    );
};

/** Status, movements of the charge beside its payment, and the suspense items about it. */
const endOf = async ({ charge }: Refunding) => {
  const { db } = gateway();
  const journals = await db.collection<Journal>('journals').find({ chargeId: charge.id }).toArray();
  const postings = journals.flatMap((journal) => journal.postings);
  const owned = (merchantId: string): number =>
    postings
      .filter((posting) => posting.merchantId === merchantId)
      .reduce((total, { amount }) => total + amount, 0);
  const stored = await db.collection<{ _id: string }>('charges').findOne<Charge>({ _id: charge.id });
  const held = await db.collection('suspense_items').find({ chargeId: charge.id }).toArray();
  return {
    status: stored?.status,
    movements: journals
      .map((journal) => journal.postings[0]?.movement_type)
      .slice(1)
      .sort(),
    merchant: owned(merchant.id),
    partner: owned(partner.id),
    suspense: held.map(({ reason, status, amount }) => `${reason} ${status} ${amount}`),
  };
};

/** Debited once in either case; a chargeback of what was given back debits nobody and is a difference. */
const expectedEnd = ({ charge }: Refunding, outcome: Outcome) => ({
  merchant: -charge.spread,
  partner: 0,
  ...(outcome === 'refunded'
    ? {
        status: 'refunded',
        movements: ['refund'],
        suspense: [`unexpected_chargeback held ${charge.amount}`],
      }
    : { status: 'chargeback', movements: ['chargeback', 'refund', 'refund_reversal'], suspense: [] }),
});

describe('a chargeback that the provider reports while a refund is pending', () => {
  it('waits, is refused to people meanwhile, and is applied or held once the refund has its outcome', async () => {
    const admin = await gateway().operatorToken('test');
    for (const [index, refunding] of (await storeRefunding(2)).entries()) {
      await receive(chargebackOf(refunding));
      await receive(chargebackOf(refunding));
      expect(await endOf(refunding)).toMatchObject({ status: 'paid', movements: ['refund'], suspense: [] });
      const { body } = await gateway()
        .call('post', `/v1/admin/charges/${refunding.charge.id}/chargeback`)
        .auth(admin, { type: 'bearer' })
        .expect(422);
      expect(body.code).toBe('REFUND_PENDING');
      const outcome = OUTCOMES[index] ?? 'failed';
      const helper = `/v1/test-helpers/refunds/${refunding.refundId}/${outcome === 'refunded' ? 'complete' : 'refuse'}`;
      await withKey(gateway, merchant.testKey).post(helper, {}).expect(200);
      expect(await endOf(refunding)).toEqual(expectedEnd(refunding, outcome));
    }
  });

  it.each(['complete', 'refuse'] as const)(
    'waits for the refund of an alert as well, and asks nobody to pay twice (%s)',
    async (helper) => {
      const admin = await gateway().operatorToken('test');
      const wanted = { merchantId: merchant.id, cardNumber: PENDING_REFUND, participants: [partner.id] };
      const [charge] = await storePaidCharges(gateway(), [wanted]);
      if (!charge) throw new Error('no charge');
      const { body: alert } = await gateway()
        .call('post', '/v1/admin/chargeback-alerts')
        .auth(admin, { type: 'bearer' })
        .send({ chargeId: charge.id })
        .expect(201);
      const refunding = { charge, refundId: alert.refund.id };
      await receive(chargebackOf(refunding));
      await receive(chargebackOf(refunding));
      expect(await endOf(refunding)).toMatchObject({ status: 'pre_chargeback', suspense: [] });
      await withKey(gateway, merchant.testKey)
        .post(`/v1/test-helpers/refunds/${alert.refund.id}/${helper}`, {})
        .expect(200);
      expect(await endOf(refunding)).toMatchObject({
        status: 'chargeback',
        suspense: helper === 'complete' ? [`unexpected_chargeback held ${charge.amount}`] : [],
      });
      const requests = gateway().db.collection('manual_refund_requests');
      expect(await requests.find({ chargeId: charge.id }).toArray()).toMatchObject(
        helper === 'complete'
          ? []
          : [{ status: 'resolved', resolved_by_user_id: null, notes: expect.stringContaining('simulator') }],
      );
      expect(await checkLedger(gateway())).toEqual([]);
    },
  );

  it(`ends the same in ${ROUNDS} races against the refund's outcome, with one debit each time`, async () => {
    const all = await storeRefunding(ROUNDS);
    await Promise.all(
      all.map(async (refunding, round) => {
        const outcome = OUTCOMES[round % OUTCOMES.length] ?? 'failed';
        const told = [
          () => receive(chargebackOf(refunding)),
          () => receive(outcomeOf(refunding, outcome)),
          () => receive(chargebackOf(refunding)),
        ];
        await Promise.all((round % 8 < 4 ? told : [...told].reverse()).map((tell) => tell()));
      }),
    );
    for (const [round, refunding] of all.entries())
      expect(await endOf(refunding)).toEqual(
        expectedEnd(refunding, OUTCOMES[round % OUTCOMES.length] ?? 'failed'),
      );
    expect(await checkLedger(gateway())).toEqual([]);
  });

  it.each(['refunded', 'failed'] as const)(
    'ends the same where the process is killed before any write of it (refund %s)',
    async (outcome) => {
      const tellAndDie = (body: Buffer, dieAt: number) =>
        runMortal(gateway().variables, dieAt, (container) => receive(body, { ...gateway(), container }));
      const [whole] = await storeRefunding(1);
      if (!whole) throw new Error('no charge');
      const reported = await tellAndDie(chargebackOf(whole), 0);
      const ended = await tellAndDie(outcomeOf(whole, outcome), 0);
      expect(await endOf(whole)).toEqual(expectedEnd(whole, outcome));

      const deaths = [
        ...someOf([...Array(reported.writes).keys()], 4).map((index) => ({
          at: index + 1,
          of: 'chargeback',
        })),
        ...someOf([...Array(ended.writes).keys()], 5).map((index) => ({ at: index + 1, of: 'refund' })),
      ];
      const all = await storeRefunding(deaths.length);
      for (const [index, { at, of }] of deaths.entries()) {
        const refunding = all[index];
        if (!refunding) throw new Error('no charge');
        const messages = { chargeback: chargebackOf(refunding), refund: outcomeOf(refunding, outcome) };
        if (of === 'refund') await receive(messages.chargeback);
        const { died } = await tellAndDie(messages[of as keyof typeof messages], at);
        expect(died).toBe(true);
        // The provider sends again whatever was not acknowledged.
        await receive(messages.chargeback);
        await receive(messages.refund);
        expect(await endOf(refunding)).toEqual(expectedEnd(refunding, outcome));
      }
      expect(await checkLedger(gateway())).toEqual([]);
    },
  );
});
