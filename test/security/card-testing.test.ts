import type { Response } from 'supertest';
import { solveChallenge } from '../../src/modules/card-tokens/solve-challenge.ts';
import { aCard } from '../builders.ts';
import { type Client, PATIENT, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { openCheckout, PAYER, TYPED_CARD, textOf } from '../support/payers.ts';
import { volume } from '../support/volume.ts';

jest.setTimeout(300_000);

const gateway = useGateway({ ...PATIENT, TRUSTED_PROXIES: 'loopback' });

const CARDS = volume({ usual: 300, proof: 1_000 });
const DECLINED = '4000 0000 0000 0002';
const CHALLENGE = 'x-proof-of-work-challenge';

let merchant: TestMerchant;
let shop: Client;
beforeEach(async () => {
  merchant = await gateway().createMerchant();
  shop = withKey(gateway, merchant.testKey);
});

/** Addresses of one network each. */
const addressOf = (index: number): string => `198.51.${100 + (index >> 8)}.${index & 255}`;
const tokenFrom = (address: string, body: object = {}) =>
  gateway()
    .call('post', '/v1/card-tokens')
    .set('X-Forwarded-For', address)
    .auth(merchant.publicKey, '')
    .send({ ...aCard(), ...body });
const payFrom = (address: string, path: string, fields: Readonly<Record<string, string>>) =>
  gateway()
    .call('post', `${path}/pay`)
    .set('X-Forwarded-For', address)
    .set('Accept-Language', 'en')
    .type('form')
    .send(new URLSearchParams({ method: 'credit_card', ...PAYER, ...TYPED_CARD, ...fields }).toString());
const pay = (token: string) =>
  shop.post('/v1/charges', {
    amount: 10,
    currency: 'BRL',
    customer: PAYER,
    paymentMethod: { type: 'credit_card', installments: 1, token },
  });
/** The cost of the challenges to the attacker: 17 bits take a phone about a second, and each further one doubles it. */
const secondsOf = (demanded: readonly Response[]): number =>
  demanded.reduce((sum, answer) => sum + 2 ** (bitsIn(answer) - 17), 0);
const bitsIn = ({ headers }: Response): number => Number(String(headers[CHALLENGE]).split('.')[0]);
const inTurn = async <T>(count: number, work: (index: number) => Promise<T>): Promise<readonly T[]> => {
  const done: T[] = [];
  for (let index = 0; index < count; index += 1) done.push(await work(index));
  return done;
};

describe('an attack that tries out cards', () => {
  it('from one address gets ten tokens a minute for nothing, and each further one costs more work', async () => {
    const address = addressOf(1);
    const answers = await inTurn(CARDS, () => tokenFrom(address));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(CARDS - 20);
    expect(answers.filter(({ status }) => status !== 429).every(({ status }) => status === 201)).toBe(true);
    const bits = refused.map(bitsIn);
    // From a second of a phone's work up to sixteen.
    expect([Math.min(...bits), Math.max(...bits)]).toEqual([17, 21]);
    expect(secondsOf(refused)).toBeGreaterThan(8 * CARDS);

    // An honest payer behind the same address works for it, and pays.
    const [demanded] = refused.filter((one) => bitsIn(one) === 17).slice(-1);
    const proof = await solveChallenge(String(demanded?.headers[CHALLENGE]));
    const { body } = await tokenFrom(address, { proof }).expect(201);
    expect((await pay(body.id).expect(201)).body.status).toBe('paid');
    // Another shop's payers there are asked for nothing.
    const other = await gateway().createMerchant();
    await tokenFrom(address).auth(other.publicKey, '').expect(201);
  });

  it('from a hundred addresses through one public key pays a second for each card but the first few', async () => {
    const answers = await inTurn(CARDS, async (index) => {
      const answer = await tokenFrom(addressOf(index % 100), { number: DECLINED.replaceAll(' ', '') });
      if (answer.status === 201) await pay(answer.body.id).expect(201);
      return answer;
    });
    const demanded = answers.filter(({ status }) => status === 429);
    expect(demanded).toHaveLength(CARDS - 20);
    expect(secondsOf(demanded)).toBeGreaterThanOrEqual(CARDS - 20);

    // Payers of the shop at an address of the attacker's and at another one get in by a second of work.
    for (const address of [addressOf(0), addressOf(500)]) {
      const asked = await tokenFrom(address).expect(429);
      const proof = await solveChallenge(String(asked.headers[CHALLENGE]));
      const { body } = await tokenFrom(address, { proof }).expect(201);
      expect((await pay(body.id).expect(201)).body.status).toBe('paid');
    }
  });

  it('from a hundred addresses at pages of a shop is asked for work once half of its cards are refused', async () => {
    const tries = Math.min(CARDS, 100);
    const answers = await inTurn(tries, async (index) => {
      const { path } = await openCheckout(shop);
      return payFrom(addressOf(index), path, { number: DECLINED });
    });
    const taken = answers.filter(({ status }) => status === 303).length;
    expect(taken).toBeLessThanOrEqual(21);
    const demanded = answers.filter(({ status }) => status === 429);
    expect(demanded).toHaveLength(tries - taken);

    // The shop goes on selling, to whoever works for a second.
    const { id, path } = await openCheckout(shop);
    const honest = addressOf(500);
    const asked = await payFrom(honest, path, {});
    expect([asked.status, textOf(asked)]).toEqual([429, expect.stringContaining('form')]);
    const proof = await solveChallenge(String(asked.headers[CHALLENGE]));
    await payFrom(honest, path, { proof }).expect(303);
    expect((await shop.get(`/v1/checkout-sessions/${id}`).expect(200)).body.status).toBe('completed');
    // No other method costs anything.
    const other = await openCheckout(shop);
    await payFrom(addressOf(501), other.path, { method: 'pix' }).expect(303);
  });

  it('by cards that banks refuse only after their holders came back is asked for work, too', async () => {
    const number = '4000002500003155';
    await inTurn(20, async (index) => {
      const { body } = await tokenFrom(addressOf(index), { number }).expect(201);
      const charge = (await pay(body.id).expect(201)).body;
      expect(charge.status).toBe('authentication_required');
      // Up to the outcome nothing counts.
      if (index === 19) await tokenFrom(addressOf(500)).expect(201);
      await shop.post(`/v1/test-helpers/charges/${charge.id}/refuse`).expect(200);
    });
    await tokenFrom(addressOf(501)).expect(429);
  });

  it('at a link that sells a plan is asked for work, too', async () => {
    const plan = { name: 'Coffee club', amount: 79, currency: 'BRL', interval: 'month' };
    const { id: planId } = (await shop.post('/v1/plans', plan).expect(201)).body;
    const { url } = (await shop.post('/v1/payment-links', { planId, description: 'Club' }).expect(201)).body;
    const subscribe = async (index: number) => {
      const started = await gateway()
        .call('post', `${new URL(url).pathname}/start`)
        .set('X-Forwarded-For', addressOf(index))
        .expect(303);
      const path = String(started.headers.location);
      return payFrom(addressOf(index), path, { number: '4000 0000 0000 0341', save: 'yes' });
    };
    const answers = await inTurn(12, subscribe);
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(11).fill(422), 429]);
  });

  it('at one payment link is asked for work there, while the other links of the shop are not', async () => {
    const aLink = async (): Promise<string> => {
      const wanted = { amount: 10, currency: 'BRL', description: 'Ticket', maxPayments: null };
      return new URL((await shop.post('/v1/payment-links', wanted).expect(201)).body.url).pathname;
    };
    const payAt = async (link: string, index: number, number: string) => {
      const started = await gateway()
        .call('post', `${link}/start`)
        .set('X-Forwarded-For', addressOf(index))
        .expect(303);
      return payFrom(addressOf(index), String(started.headers.location), { number });
    };
    const [attacked, quiet] = [await aLink(), await aLink()];
    // Twice as many good payments as bad ones keep the shop as a whole below the half.
    const answers = await inTurn(13, async (index) => {
      await payAt(quiet, 100 + 2 * index, TYPED_CARD.number);
      await payAt(quiet, 101 + 2 * index, TYPED_CARD.number);
      return payAt(attacked, index, DECLINED);
    });
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(11).fill(303), 429, 429]);
    expect((await payAt(quiet, 200, TYPED_CARD.number)).status).toBe(303);
  });
});
