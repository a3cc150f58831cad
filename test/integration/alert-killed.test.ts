import { setTimeout as sleep } from 'node:timers/promises';
import { systemContext } from '../../src/kernel/event.ts';
import type { UserId } from '../../src/kernel/ids.ts';
import { OPERATOR_PERMISSIONS } from '../../src/kernel/principal.ts';
import { modules } from '../../src/main/modules.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { PATIENT } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { runMortal } from '../support/mortal-gateway.ts';
import { storePaidCharges } from '../support/paid-charges.ts';
import { someOf } from '../support/volume.ts';

jest.setTimeout(240_000);

const PAID = '4242424242424242';
const NO_REFUND_API = '4000000000006975';

// The reconciler asks about an intent three provider time-outs after it was stored.
const gateway = useGateway({ PROVIDER_TIMEOUT_MS: '500' });
let merchant: TestMerchant;

beforeAll(async () => {
  merchant = await gateway().createMerchant();
  await gateway()
    .call('post', `/v1/merchants/${merchant.id}/settings`)
    .auth(await gateway().operatorToken(), { type: 'bearer' })
    .send({ name: 'chargeback_alert_fee', content: { amount: 2.5, currency: 'USD' } })
    .expect(201);
});

/**
 * Registers an alert with a gateway that is killed before its write `dieAt`; with 0 it is not, and waits for its
 * provider on a busy machine, too, because all its writes are counted.
 */
const alertAndDie = (charge: Charge, dieAt: number) => {
  const variables = { ...gateway().variables, ...(dieAt === 0 ? PATIENT : {}) };
  return runMortal(variables, dieAt, (container) => {
    const userId: UserId = 'usr_killed';
    const actor = { kind: 'operator', id: userId } as const;
    const permissions = OPERATOR_PERMISSIONS;
    const principal = {
      kind: 'operator',
      actor,
      credential: 'user',
      userId,
      livemode: false,
      permissions,
    } as const;
    const request = { chargeId: charge.id, reason: null, externalId: null, receivedAt: null };
    return container
      .get(modules)
      .chargebacks.registerAlert({ principal, ...request }, { ...systemContext('killed'), actor });
  });
};

/** Everything that is stored of a charge, once nobody has to ask the provider about it any more. */
const settled = async (charge: Charge) => {
  const { db } = gateway();
  const chargeId = charge.id;
  for (const until = Date.now() + 60_000; ; ) {
    const refunds = await db.collection('refunds').find({ chargeId }).toArray();
    if (refunds.every((refund) => refund.status !== 'pending')) break;
    if (Date.now() > until) throw new Error(`the refund of ${chargeId} stays pending`);
    await sleep(100);
  }
  const [stored, refunds, alerts, requests, journals, provider] = await Promise.all([
    db.collection<{ _id: string }>('charges').findOne<Charge>({ _id: chargeId }),
    db.collection('refunds').find({ chargeId }).toArray(),
    db.collection('chargeback_alerts').find({ chargeId }).toArray(),
    db.collection('manual_refund_requests').find({ chargeId }).toArray(),
    db.collection('journals').find({ chargeId }).sort({ _id: 1 }).toArray(),
    db.collection('simulator_refunds').find({ paymentReference: chargeId }).toArray(),
  ]);
  return {
    status: stored?.status,
    refunds: refunds.map(({ status }) => status),
    alerts: alerts.map(({ refund, manualRefundRequestId }) => [
      refund.mode,
      refund.status,
      manualRefundRequestId !== null,
    ]),
    requests: requests.map(({ status }) => status),
    movements: journals.map(({ postings }) => postings.at(-1).movement_type),
    provider: provider.map(({ status }) => status),
  };
};

const NOTHING = {
  status: 'paid',
  refunds: [],
  alerts: [],
  requests: [],
  movements: ['charge_spread'],
  provider: [],
};
const movements = ['charge_spread', 'chargeback_alert_refund', 'chargeback_alert_fee'];
const WHOLE = {
  status: 'pre_chargeback',
  refunds: ['refunded'],
  alerts: [['automatic', 'refunded', false]],
  requests: [],
  movements,
  provider: ['refunded'],
};
const WHOLE_BY_HAND = {
  ...WHOLE,
  refunds: ['failed'],
  alerts: [['manual', 'failed', true]],
  requests: ['pending'],
  provider: ['failed'],
};

describe('an alert whose gateway is killed', () => {
  it.each([
    ['and a provider that refunds', PAID, WHOLE, 1],
    // Everything is as above up to the first commit.
    ['and a provider without a refund API', NO_REFUND_API, WHOLE_BY_HAND, 12],
  ])(
    'before any of its writes (%s) is whole in the end, or was never there',
    async (_, cardNumber, whole, firstDeath) => {
      const wanted = { merchantId: merchant.id, cardNumber };
      const [untouched] = await storePaidCharges(gateway(), [wanted]);
      if (!untouched) throw new Error('no charge');
      const { writes } = await alertAndDie(untouched, 0);
      expect(writes).toBeGreaterThan(12);
      expect(await settled(untouched)).toEqual(whole);

      const all = Array.from({ length: writes - firstDeath + 1 }, (_, index) => firstDeath + index);
      const deaths = someOf(all, 6);
      const charges = await storePaidCharges(gateway(), Array(deaths.length).fill(wanted));
      const lives: { dieAt: number; writes: number; died: boolean }[] = [];
      for (const [index, charge] of charges.entries()) {
        const dieAt = deaths[index] ?? 0;
        lives.push({ dieAt, ...(await alertAndDie(charge, dieAt)) });
      }
      // A transaction that meets a lock writes again, so runs may differ in their writes.
      for (const { dieAt, writes: done, died } of lives) expect(died || done < dieAt).toBe(true);
      expect(lives.filter(({ died }) => died).length).toBeGreaterThan(deaths.length / 2);

      const ends = await Promise.all(charges.map(settled));
      for (const end of ends) expect([NOTHING, whole]).toContainEqual(end);
      // Up to the first commit there is nothing, from then on the whole alert.
      const registered = ends.map((end) => end.alerts.length);
      expect(registered).toEqual([...registered].sort());
      if (firstDeath === 1) expect(new Set(registered)).toEqual(new Set([0, 1]));

      const { body } = await gateway()
        .call('get', '/v1/admin/chargeback-alerts?size=100')
        .auth(await gateway().operatorToken('test'), { type: 'bearer' })
        .set('X-Consistency-Token', 'latest')
        .expect(200);
      const listed = new Set(body.data.map((alert: { chargeId: string }) => alert.chargeId));
      expect(charges.map(({ id }) => (listed.has(id) ? 1 : 0))).toEqual(registered);
    },
  );
});
