import type { Response } from 'supertest';
import { zeroBitsOf } from '../../src/modules/card-tokens/write/proof-of-work.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCardRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, withKey } from '../support/client.ts';
import { everythingInElastic, everythingInMongo, everythingInRedis } from '../support/everything.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

jest.setTimeout(60_000);

const gateway = useGateway(PATIENT);

let merchant: TestMerchant;
let shop: Client;

beforeAll(async () => {
  merchant = await gateway().createMaster();
  shop = withKey(gateway, merchant.testKey);
}, 180_000);

/** Is paid, and no other test sends it. */
const NUMBER = '5291740000000107';
const CVV = '737';
const CARD = {
  number: NUMBER,
  holderName: 'Ana Souza',
  expirationMonth: '12',
  expirationYear: '2039',
  cvv: CVV,
};
const MASKED = {
  brand: 'mastercard',
  firstSix: '529174',
  lastFour: '0107',
  expirationMonth: '12',
  expirationYear: '2039',
  holderName: 'Ana Souza',
};
const DECLINED = '4000000000000002';

const tokenize = (fields: object = {}, by = shop) => by.post('/v1/card-tokens', { ...CARD, ...fields });
const aToken = async (fields: object = {}, by = shop): Promise<string> =>
  (await tokenize(fields, by).expect(201)).body.id;
const charge = (token: string, by = shop, method: object = {}) =>
  by.post('/v1/charges', {
    ...aCardRequest(),
    paymentMethod: { type: 'credit_card', installments: 1, token, ...method },
  });
const code = ({ status, body }: Response): readonly unknown[] => [status, body.code];
const tokens = () => gateway().db.collection<{ _id: string }>('card_tokens');

describe('a card token', () => {
  it('is made with a public key and pays one charge', async () => {
    const { body: token } = await tokenize({}, withKey(gateway, merchant.publicKey)).expect(201);
    expect(token).toEqual({
      id: expect.stringMatching(/^tok_\w{32}$/),
      livemode: false,
      ...MASKED,
      expiresAt: expect.any(String),
    });
    const minutes = (Date.parse(token.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(13);
    expect(minutes).toBeLessThanOrEqual(15.1);

    const { body: paid } = await charge(token.id, shop, { installments: 2 }).expect(201);
    expect(paid).toMatchObject({ status: 'paid', paymentMethod: { ...MASKED, installments: 2 } });
    expect(code(await charge(token.id))).toEqual([422, 'CARD_TOKEN_SPENT']);
    await shop.post('/v1/refunds', { chargeId: paid.id, reason: 'sent back' }).expect(201);
  });

  it('is made with a secret key as often as a shop sells', async () => {
    for (let made = 0; made < 12; made += 1) await aToken();
  });

  it('pays one of two charges that come at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const token = await aToken();
      const answers = await Promise.all([charge(token), charge(token), charge(token)]);
      expect(answers.map(code).sort()).toEqual([
        [201, undefined],
        [422, 'CARD_TOKEN_SPENT'],
        [422, 'CARD_TOKEN_SPENT'],
      ]);
    }
  });

  it('behaves as its card does', async () => {
    const { body: refused } = await charge(await aToken({ number: DECLINED })).expect(201);
    expect(refused).toMatchObject({ status: 'refused', paymentMethod: { lastFour: '0002' } });
    const slow = await charge(await aToken({ number: '4000000000007726' })).expect(201);
    const { body: refund } = await shop
      .post('/v1/refunds', { chargeId: slow.body.id, reason: 'late' })
      .expect(201);
    expect(refund.status).toBe('pending');
  });

  it('can be sent again after a charge whose shape was refused', async () => {
    const token = await aToken();
    await charge(token, shop, { installments: 13 }).expect(400);
    await charge(token).expect(201);
  });

  it('is nothing to other merchants, in the other environment, or after 15 minutes', async () => {
    const stranger = withKey(gateway, (await gateway().createMerchant()).testKey);
    const sub = withKey(gateway, (await createSubMerchant(gateway, merchant)).testKey);
    const token = await aToken();
    for (const other of [stranger, sub, withKey(gateway, merchant.liveKey)])
      expect(code(await charge(token, other))).toEqual([422, 'CARD_TOKEN_INVALID']);
    expect(code(await charge(`tok_${'0'.repeat(32)}`))).toEqual([422, 'CARD_TOKEN_INVALID']);
    await tokens().updateOne(
      { _id: token },
      { $set: { expiresAt: new Date(Date.now() - 60_000).toISOString() } },
    );
    expect(code(await charge(token))).toEqual([422, 'CARD_TOKEN_INVALID']);
  });

  it('stands in place of a card, and not beside one', async () => {
    const token = await aToken();
    const both = await charge(token, shop, CARD).expect(400);
    expect(both.body.errors.map(({ path }: { path: string }) => path)).toContain('paymentMethod.number');
    expect((await charge('tok_short')).status).toBe(400);
    await charge(token).expect(201);
  });

  it.each([
    ['number', '4242424242424241'],
    ['number', '424242'],
    ['number', 'a'.repeat(16)],
    ['number', undefined],
    ['cvv', '12'],
    ['cvv', '1234'],
    ['expirationMonth', '13'],
    ['expirationYear', '1999'],
    ['expirationYear', '2099'],
    ['holderName', ''],
    ['holderName', NUMBER],
    ['currency', 'XXX'],
    ['proof', 'x'.repeat(201)],
  ])('is refused with a fault of `%s`: %p', async (path, value) => {
    const before = await tokens().countDocuments();
    const { body, text } = await tokenize({ [path]: value }).expect(400);
    expect(body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
    for (const secret of [NUMBER, CVV]) expect(text).not.toContain(secret);
    expect(await tokens().countDocuments()).toBe(before);
  });

  it('needs an active merchant and the permission to create charges', async () => {
    const blocked = await gateway().createMerchant();
    const byBlocked = withKey(gateway, blocked.publicKey);
    await (await operator(gateway))
      .call('patch', `/v1/admin/merchants/${blocked.id}`, { status: 'blocked', reason: 'fraud' })
      .expect(200);
    expect(code(await tokenize({}, byBlocked))).toEqual([403, 'MERCHANT_NOT_ACTIVE']);
    const reader = await gateway().createMerchant();
    await (await operator(gateway))
      .call('patch', `/v1/admin/merchants/${reader.id}`, { permissions: ['charges.read'] })
      .expect(200);
    expect(code(await tokenize({}, withKey(gateway, reader.publicKey)))).toEqual([403, 'PERMISSION_MISSING']);
  });

  it('is made by pages of any origin', async () => {
    const origin = { Origin: 'https://shop.example' };
    const preflight = await fetch(`${gateway().url}/v1/card-tokens`, { method: 'OPTIONS', headers: origin });
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id',
    });
    const made = await tokenize().set(origin).expect(201);
    expect(made.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('X-Proof-Of-Work-Challenge'),
    });
  });

  it('leaves number and security code nowhere', async () => {
    await charge(await aToken()).expect(201);
    await aToken();
    await shop.getAfter('latest', '/v1/charges');
    const stores = [
      await everythingInMongo(gateway().db),
      await everythingInElastic(gateway().readStore),
      await everythingInRedis(gateway().variables),
    ];
    for (const [name, text] of stores.flatMap((store) => [...store])) {
      expect([name, text.includes(NUMBER)]).toEqual([name, false]);
      expect([name, new RegExp(`\\b${CVV}\\b`).test(text)]).toEqual([name, false]);
    }
    const [spent] = await tokens()
      .find({ spentBy: { $ne: null } })
      .toArray();
    expect(spent).toMatchObject({ sealedToken: null });
  });
});

/** Does the work that a challenge asks for. */
const solve = (challenge: string): string => {
  const bits = Number(challenge.split('.')[0]);
  for (let counter = 0; ; counter += 1) {
    const proof = `${challenge}:${counter}`;
    if (zeroBitsOf(proof) >= bits) return proof;
  }
};
const challengeIn = ({ headers }: Response): string => headers['x-proof-of-work-challenge'] ?? '';

describe('cards that are tried out with a public key', () => {
  const aShop = async () => {
    const { publicKey, testKey } = await gateway().createMerchant();
    return { page: withKey(gateway, publicKey), server: withKey(gateway, testKey) };
  };
  const PROOF = [429, 'PROOF_OF_WORK_REQUIRED'];

  it('cost a proof of work from the eleventh token of a minute on, and nobody is shut out', async () => {
    const { page, server } = await aShop();
    for (let made = 0; made < 10; made += 1) await aToken({}, page);
    const demanded = await tokenize({}, page);
    expect(code(demanded)).toEqual(PROOF);
    expect(Number(demanded.headers['retry-after'])).toBeGreaterThan(0);

    const proof = solve(challengeIn(demanded));
    await aToken({ proof }, page);
    expect(code(await tokenize({ proof }, page))).toEqual(PROOF);
    for (const wrong of ['', challengeIn(demanded), `${challengeIn(demanded)}:x`, 'x'.repeat(200)])
      expect([400, 429]).toContain((await tokenize({ proof: wrong }, page)).status);
    await aToken({}, server);

    const { page: other } = await aShop();
    for (let made = 0; made < 10; made += 1) await aToken({}, other);
    const foreign = solve(challengeIn(await tokenize({}, page)));
    expect(code(await tokenize({ proof: foreign }, other))).toEqual(PROOF);
  });

  it('count one by one where a proof is sent many times at once', async () => {
    const { page } = await aShop();
    for (let made = 0; made < 10; made += 1) await aToken({}, page);
    const proof = solve(challengeIn(await tokenize({}, page)));
    const answers = await Promise.all(Array.from({ length: 4 }, () => tokenize({ proof }, page)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('cost it after ten refusals of an hour, too', async () => {
    const { page, server } = await aShop();
    for (let tried = 0; tried < 11; tried += 1) {
      const token = await aToken({ number: DECLINED }, page);
      expect((await charge(token, server).expect(201)).body.status).toBe('refused');
      // So that the count of tokens of a minute says nothing.
      await forget('card-tokens-address');
    }
    const demanded = await tokenize({}, page);
    expect(code(demanded)).toEqual(PROOF);
    await aToken({ proof: solve(challengeIn(demanded)) }, page);

    const [known] = await tokens()
      .find({ origin: { $ne: null } })
      .toArray();
    expect(known).toMatchObject({ origin: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('cost it from every address once half of the last twenty payments are refused', async () => {
    const { page, server } = await aShop();
    for (let tried = 0; tried < 20; tried += 1) {
      const token = await aToken(tried % 2 === 0 ? { number: DECLINED } : {}, page);
      await charge(token, server).expect(201);
      await forget('card-tokens-address');
      if (tried % 2 === 0) await forget('card-refusals-address');
    }
    expect(code(await tokenize({}, page))).toEqual(PROOF);
  });

  /** Takes a count back, as when its time is over. */
  const forget = async (name: string): Promise<void> => {
    const { redis } = gateway().container.get(platform.services);
    const keys = await redis.keys(`${gateway().variables.KEY_PREFIX}:${name}:*`);
    expect(keys).not.toEqual([]);
    await redis.del(keys);
  };
});
