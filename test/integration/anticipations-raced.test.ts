import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { CHARGES } from '../../src/modules/charges/write/charge.store.ts';
import { readResource } from '../../src/platform/write-store/read-resource.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { createLedgerTools } from '../support/ledger-tools.ts';
import { storePaidCharges } from '../support/paid-charges.ts';
import { volume } from '../support/volume.ts';

/** A multiple of 28 has every contender first with every card, in the race and with a head start. */
const ROUNDS = volume({ usual: 28, proof: 280 });
/** Rounds whose first contender is answered before the others begin, so that each of them wins sometimes. */
const hasHeadStart = (round: number): boolean => Math.floor(round / 14) % 2 === 1;
const CARDS = ['4242424242424242', '4000000000005423'];

jest.setTimeout(300_000);

const gateway = useGateway();
const { aGroup, differences } = createLedgerTools(gateway);

let merchant: TestMerchant;
let partner: Pick<TestMerchant, 'id' | 'testKey'>;

beforeAll(async () => {
  ({ merchant, partner } = await aGroup());
}, 180_000);

/** Answers that the loser of a race may get; anything else is a fault. */
const LEGAL = [
  'NOTHING_TO_ANTICIPATE',
  'CHARGE_NOT_ANTICIPATABLE',
  'REFUND_ALREADY_EXISTS',
  'REFUND_PENDING',
  'CHARGE_NOT_REFUNDABLE',
  'CHARGE_NOT_PAID',
];

/** Everything that can take a part of one charge at the same time; returns what was answered. */
const race = async (chargeId: string, round: number): Promise<readonly Response[]> => {
  const token = await gateway().operatorToken('test');
  const post = (key: string, path: string, body: object) =>
    gateway().call('post', path).auth(key, '').send(body);
  const until = new Date(Date.now() + (31 + 30 * (round % 3)) * DAY_MS).toISOString();
  const contenders = [
    () => post(merchant.testKey, '/v1/anticipations', { chargeId }),
    () => post(merchant.testKey, '/v1/anticipations', { amount: 60, currency: 'BRL' }),
    () => post(merchant.testKey, '/v1/anticipations', { chargeId }),
    () => post(partner.testKey, '/v1/anticipations', { chargeId }),
    () => post(merchant.testKey, '/v1/test-helpers/settlements/run', { until }),
    () => post(merchant.testKey, '/v1/refunds', { chargeId, reason: 'sent back' }),
    () =>
      gateway()
        .call('post', '/v1/admin/chargeback-alerts')
        .auth(token, { type: 'bearer' })
        .send({ chargeId }),
  ];
  const shift = round % contenders.length;
  const order = [...contenders.slice(shift), ...contenders.slice(0, shift)];
  if (!hasHeadStart(round)) return Promise.all(order.map((contender) => contender()));
  const first = await order[0]?.();
  const others = await Promise.all(order.slice(1).map((contender) => contender()));
  return first === undefined ? others : [first, ...others];
};

describe('anticipations, settlement, refund and alert of one charge', () => {
  it(`raced against each other ${ROUNDS} times take no part twice and leave none behind`, async () => {
    const ids: string[] = [];
    const answers: Response[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // One at a time, because the settlement of a round takes the parts of every charge that is there.
      const [charge] = await storePaidCharges(gateway(), [
        {
          merchantId: merchant.id,
          participants: [partner.id],
          installments: 3,
          cardNumber: CARDS[Math.floor(round / 7) % CARDS.length] ?? '',
        },
      ]);
      ids.push(charge?.id ?? '');
      answers.push(...(await race(charge?.id ?? '', round)));
    }

    const unexpected = answers.filter(({ status, body }) => status >= 300 && !LEGAL.includes(body.code));
    expect(unexpected.map(({ status, body }) => [status, body])).toEqual([]);
    expect(await differences()).toEqual([]);
    const ends = new Set<string>();
    for (const id of ids) {
      const charge = await readResource(gateway().db, CHARGES, id);
      ends.add(`${charge?.status} ${JSON.stringify(charge?.settlement)}`);
    }
    // Every contender won at least where it had a head start.
    expect(ends.size).toBeGreaterThan(2);
    expect(answers.filter(({ status, body }) => status === 201 && body.partCount).length).toBeGreaterThan(2);
  });
});
