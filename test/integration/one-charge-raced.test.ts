import { DAY_MS } from '../../src/kernel/durations.ts';
import { GatewayError } from '../../src/kernel/errors.ts';
import { systemContext } from '../../src/kernel/event.ts';
import { type MerchantId, newId, type UserId } from '../../src/kernel/ids.ts';
import { MERCHANT_PERMISSIONS, OPERATOR_PERMISSIONS, type Principal } from '../../src/kernel/principal.ts';
import { modules } from '../../src/main/modules.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import type { Journal, Posting } from '../../src/modules/ledger/write/journal.ts';
import type { Refund } from '../../src/modules/refunds/write/refund.ts';
import { createSettleParts } from '../../src/modules/settlement/write/settle-due.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { storePaidCharges } from '../support/paid-charges.ts';
import { volume } from '../support/volume.ts';

/** A multiple of 48 has every order with every card and number of parts. */
const ROUNDS = volume({ usual: 48, proof: 500 });
const AT_ONCE = 4;
const INSTALLMENTS = 3;
const CARDS = ['4242424242424242', '4000000000007726', '4000000000005423', '4000000000006975'];

jest.setTimeout(300_000);

// Nothing behind the API: what is looked at is the write store.
const gateway = useGateway({ ROLE: 'api' });
let originator: TestMerchant;
let participant: TestMerchant;

beforeAll(async () => {
  originator = await gateway().createMerchant();
  participant = await gateway().createMerchant();
  await gateway()
    .call('post', `/v1/merchants/${originator.id}/settings`)
    .auth(await gateway().operatorToken(), { type: 'bearer' })
    .send({ name: 'chargeback_alert_fee', content: { amount: 2.5, currency: 'USD' } })
    .expect(201);
}, 180_000);

const userId: UserId = 'usr_racer';
const operator: Principal = {
  kind: 'operator',
  actor: { kind: 'operator', id: userId },
  credential: 'user',
  userId,
  livemode: false,
  permissions: OPERATOR_PERMISSIONS,
};
const merchantPrincipal = (): Principal => ({
  kind: 'merchant',
  actor: { kind: 'key', id: 'key_racer' },
  credential: 'secret_key',
  merchantId: originator.id as MerchantId,
  masterId: null,
  livemode: false,
  permissions: MERCHANT_PERMISSIONS,
});

/** Answers that the loser of a race may get; anything else is a fault. */
const LEGAL = [
  'CHARGEBACK_ALERT_ALREADY_REGISTERED',
  'REFUND_ALREADY_EXISTS',
  'REFUND_PENDING',
  'CHARGE_NOT_PAID',
  'CHARGE_NOT_REFUNDABLE',
  'TRANSITION_NOT_ALLOWED',
];
const outcomeOf = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GatewayError && LEGAL.includes(error.code ?? '')) return null;
    throw error;
  }
};

/** Refund, alert, settlement of one or several parts and confirmation of one charge, all at the same time. */
const race = async (charge: Charge, round: number) => {
  const { container } = gateway();
  const context = (name: string) => ({ ...systemContext(name), commits: [] });
  const settleParts = createSettleParts({
    transact: container.get(platform.services).transact,
    clock: container.get(platform.services).clock,
    newId,
  });
  const chargeId = charge.id;
  const until = new Date(Date.now() + (31 + 30 * (round % INSTALLMENTS)) * DAY_MS);
  const request = { chargeId, reason: null, externalId: null, receivedAt: null };
  const contenders = [
    () =>
      container
        .get(modules)
        .refunds.refundCharge({ chargeId, reason: 'r', principal: merchantPrincipal() }, context('r')),
    () =>
      container.get(modules).chargebacks.registerAlert({ principal: operator, ...request }, context('alert')),
    () => settleParts(chargeId, until, context('settlement')),
    () =>
      container
        .get(modules)
        .chargebacks.confirmChargeback({ principal: operator, chargeId }, context('confirmation')),
  ];
  // Each of them starts first in some rounds.
  const shift = round % contenders.length;
  const order = [...contenders.slice(shift), ...contenders.slice(0, shift)];
  await Promise.all(order.map((contender) => outcomeOf<unknown>(contender())));
};

type Stored = {
  readonly charge: Charge;
  readonly journals: readonly Journal[];
  readonly refunds: readonly Refund[];
  readonly alerts: number;
  readonly queued: number;
};

const sumOf = (postings: readonly Posting[], keep: (posting: Posting) => boolean): number =>
  postings.filter(keep).reduce((total, posting) => total + posting.amount, 0);

/** Faults of the end of a race, in words; none where it is one of the legal ends. */
const faultsOf = ({ charge, journals, refunds, alerts, queued }: Stored): string[] => {
  const faults: string[] = [];
  const expectThat = (holds: boolean, what: string): void => {
    if (!holds) faults.push(`${charge.id} (${charge.status}): ${what}`);
  };
  const count = (movement: string): number =>
    journals.filter(({ postings }) => postings.some((posting) => posting.movement_type === movement)).length;
  const debits = {
    refund: count('refund') - count('refund_reversal'),
    alert: count('chargeback_alert_refund'),
    chargeback: count('chargeback'),
  };
  const debited = debits.refund + debits.alert + debits.chargeback;
  expectThat(debited <= 1, `debited ${debited} times`);
  expectThat(
    alerts === debits.alert && count('chargeback_alert_fee') === alerts,
    'alert, fee and debit differ',
  );
  const ofAlert = refunds.filter((refund) => refund.alertId !== null);
  expectThat(ofAlert.length === alerts, 'an alert has one refund');
  expectThat(queued === ofAlert.filter(({ status }) => status === 'failed').length, 'wrongly queued');
  expectThat(refunds.filter(({ blocking }) => blocking).length <= 1, 'two refunds');

  const isRefunding = refunds.some(({ alertId, status }) => alertId === null && status === 'pending');
  const legal: Partial<Record<string, boolean>> = {
    refunded: debits.refund === 1,
    pre_chargeback: debits.alert === 1,
    chargeback: debits.alert + debits.chargeback === 1,
    paid: debits.refund === (isRefunding ? 1 : 0) && debited === debits.refund,
  };
  expectThat(legal[charge.status] === true, `no legal end with ${JSON.stringify(debits)}`);

  // Compares what each participant holds of the charge, and that no part was taken or settled twice.
  const postings = journals.filter(({ currency }) => currency === 'BRL').flatMap((one) => one.postings);
  const parts = charge.split ?? [];
  const given = parts.reduce((total, part) => total + part.amount, 0);
  const shares = [{ merchantId: charge.merchantId, amount: charge.net - given }, ...parts];
  const { settled } = charge.settlement;
  expectThat(count('settlement') === (settled > 0 ? settled : 0), 'settled parts and their journals differ');
  for (const { merchantId, amount } of shares) {
    const reserved = sumOf(postings, (one) => one.merchantId === merchantId && one.bucket === 'reserved');
    const available = sumOf(postings, (one) => one.merchantId === merchantId && one.bucket === 'available');
    const spread = merchantId === charge.merchantId ? charge.spread : 0;
    const equal = Math.floor(amount / INSTALLMENTS);
    const stillReserved = settled === 0 ? amount : equal * (INSTALLMENTS - settled);
    expectThat(reserved === (debited === 1 ? 0 : stillReserved), `${reserved} reserved for ${merchantId}`);
    expectThat(reserved + available === (debited === 1 ? -spread : amount), `${merchantId} has ${available}`);
  }
  return faults;
};

/** Everything that is stored of every charge of the test. */
const readStored = async (): Promise<readonly Stored[]> => {
  const { db } = gateway();
  const read = async <T>(name: string): Promise<T[]> =>
    (await db.collection(name).find().toArray()) as unknown as T[];
  const journals = await read<Journal>('journals');
  const refunds = await read<Refund>('refunds');
  const alerts = await read<{ chargeId: string }>('chargeback_alerts');
  const queued = await read<{ chargeId: string }>('manual_refund_requests');
  return (await read<Charge>('charges')).map((charge) => {
    const isAbout = (one: { readonly chargeId: string | null }): boolean => one.chargeId === charge.id;
    return {
      charge,
      journals: journals.filter(isAbout),
      refunds: refunds.filter(isAbout),
      alerts: alerts.filter(isAbout).length,
      queued: queued.filter(isAbout).length,
    };
  });
};

describe('refund, alert, settlement and confirmation of one charge', () => {
  it(`raced against each other ${ROUNDS} times end legally, with one debit at most each time`, async () => {
    const wanted = Array.from({ length: ROUNDS }, (_, round) => ({
      merchantId: originator.id,
      participants: [participant.id],
      installments: INSTALLMENTS,
      cardNumber: CARDS[Math.floor(round / 4) % CARDS.length] ?? '',
    }));
    const charges = await storePaidCharges(gateway(), wanted);
    const queue = charges.map((charge, round) => ({ charge, round }));
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await race(next.charge, next.round);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));

    const ends = new Map<string, number>();
    const faults: string[] = [];
    const all = await readStored();
    expect(all).toHaveLength(ROUNDS);
    for (const stored of all) {
      const end = `${stored.charge.status} after ${stored.alerts} alerts, ${stored.charge.settlement.settled} settled`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      faults.push(...faultsOf(stored));
    }
    expect(faults).toEqual([]);
    // The race is one: more than one of them wins.
    expect([...ends.keys()].length).toBeGreaterThan(2);

    // The provider never gave a payment back twice.
    const given = await gateway()
      .db.collection('simulator_refunds')
      .find({ status: { $in: ['refunded', 'pending'] } })
      .toArray();
    expect(new Set(given.map(({ paymentReference }) => paymentReference)).size).toBe(given.length);
  });
});
