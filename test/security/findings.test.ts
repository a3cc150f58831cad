import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import type { WalletToken } from '../../src/modules/providers/wallet/wallet-token.ts';
import { createGuardedPost } from '../../src/platform/outbound/guarded-post.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aCardRequest, aPayoutFee, aSpreadFee, aWalletRequest } from '../builders.ts';
import { type Client, createSubMerchant, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { PRODUCTION } from '../support/production.ts';
import { buildProgram, endPrograms, startProgram } from '../support/program.ts';
import { volume } from '../support/volume.ts';
import { createWalletKit, type ProcessingKit } from '../support/wallet-kit.ts';

/**
 * Attacks of one request or two that a penetration test was successful with; those in numbers have suites of their own.
 */
const kit = createWalletKit();
const gateway = useGateway({ ...PATIENT, WALLET_ROOT_CERT: kit.rootPem });
const ROUNDS = volume({ usual: 5, proof: 50 });
let admin: Client;
beforeAll(async () => {
  admin = await operator(gateway);
});

describe('a sub-merchant whose payouts go to its tax id', () => {
  const TAX_ID = '11222333000181';
  const OTHER = '11444777000161';
  let key: Client;
  const create = async (companyTaxId: string | null) => {
    const names = { legalName: 'Filial', email: 'filial@example.test', companyTaxId };
    return (await key.post('/v1/submerchants', names).expect(201)).body;
  };
  const approve = (id: string, version?: number) =>
    admin.post(`/v1/admin/submerchants/${id}/status`, {
      status: 'active',
      ...(version === undefined ? {} : { version }),
    });
  beforeAll(async () => {
    const master = await gateway().createMaster();
    await gateway().setFees(master.id, [aPayoutFee(), aSpreadFee()]);
    key = withKey(gateway, master.testKey);
  });

  it.each([TAX_ID, null])('gets no other one than %j after its approval', async (companyTaxId) => {
    const { id } = await create(companyTaxId);
    await approve(id).expect(200);
    const { body } = await key.call('patch', `/v1/submerchants/${id}`, { companyTaxId: OTHER }).expect(422);
    expect(body.code).toBe('COMPANY_TAX_ID_VERIFIED');
    expect((await key.get(`/v1/submerchants/${id}`).expect(200)).body.companyTaxId).toBe(companyTaxId);
  });

  it('is not approved with another one than the operator has seen', async () => {
    const { id } = await create(TAX_ID);
    const { body: seen } = await admin.get(`/v1/admin/submerchants/${id}`).expect(200);
    await key.call('patch', `/v1/submerchants/${id}`, { companyTaxId: OTHER }).expect(200);
    expect((await approve(id, seen.version).expect(409)).body.code).toBe('VERSION_CHANGED');
    expect((await key.get(`/v1/submerchants/${id}`).expect(200)).body.status).toBe('pre_approved');
  });

  it('is approved as it was seen or swapped, of any number of both at once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await create(round % 2 === 0 ? TAX_ID : null);
      const { body: seen } = await admin.get(`/v1/admin/submerchants/${id}`).expect(200);
      const swap = () => key.call('patch', `/v1/submerchants/${id}`, { companyTaxId: OTHER });
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, at) => (at % 2 === round % 2 ? swap() : approve(id, seen.version))),
      );
      const { body: now } = await admin.get(`/v1/admin/submerchants/${id}`).expect(200);
      const approved = answers.filter(({ request, status }) => request.method === 'POST' && status === 200);
      expect(approved).toHaveLength(now.status === 'active' ? 1 : 0);
      expect(now.companyTaxId).toBe(now.status === 'active' ? seen.companyTaxId : OTHER);
    }
  });
});

describe('a start in production with the settings of a demonstration', () => {
  beforeAll(buildProgram, 240_000);
  afterAll(endPrograms);

  it('is refused with one message for all, and nothing prints a password, a key or a secret', async () => {
    const secret = 'one value for all three secrets, 1234';
    const wrong = {
      BOOTSTRAP_OPERATOR_EMAIL: 'operator@portico.test',
      BOOTSTRAP_OPERATOR_PASSWORD: 'portico-demo',
      JWT_SECRET: 'a'.repeat(40),
      SECRETS_KEY: secret,
      KEY_PEPPER: secret,
      LIVE_PROVIDER: 'simulator',
      TRUSTED_PROXIES: '0.0.0.0/0',
      PUBLIC_URL: 'http://pay.example.test',
      DEMO_DATA: '1',
    };
    for (const script of ['dist/src/main/main.js', 'dist/scripts/run.js']) {
      const program = startProgram(script, { ...gateway().variables, ...PRODUCTION, PORT: '0', ...wrong });
      expect(await program.ended).toBe(1);
      const said = program.stdout() + program.stderr();
      // When two are equal, one has to change.
      const { SECRETS_KEY: _, ...named } = wrong;
      for (const name of Object.keys(named))
        expect([script, said]).toEqual([script, expect.stringContaining(name)]);
      for (const value of ['portico-demo', secret, wrong.JWT_SECRET, 'sk_live', 'sk_test'])
        expect([script, value, said.includes(value)]).toEqual([script, value, false]);
    }
  });
});

describe('a participant of a split', () => {
  it('is told its own part, and neither the terms of the seller nor the parts of others', async () => {
    const master = await gateway().createMaster();
    await gateway().setFees(master.id, [aSpreadFee({ definition: { fixed: 0.07, percentages: [3.1313] } })]);
    const small = await createSubMerchant(gateway, master);
    const large = await createSubMerchant(gateway, master);
    const split = [
      { merchantId: small.id, percentage: 1 },
      { merchantId: large.id, percentage: 37.77 },
    ];
    const request = { ...aCardRequest({ amount: 1_000 }), split };
    const { body: charge } = await withKey(gateway, master.testKey).post('/v1/charges', request).expect(201);
    const participant = withKey(gateway, small.testKey);
    const { body: statement } = await participant.getAfter('latest', '/v1/statement');
    const [line, ...others] = statement.data;
    expect([line.movement_type, others]).toEqual(['split_credit', []]);
    const { body, text: told } = await participant.get(`/v1/statement/${line.id}/explain`).expect(200);
    const ofOthers = charge.split.find(({ merchantId }: { merchantId: string }) => merchantId === large.id);
    expect(body.split.parts).toEqual([
      expect.objectContaining({ merchantId: small.id, amount: line.amount }),
    ]);
    for (const secret of [large.id, master.id, '37.77', '61.23', '3.1313', charge.spread, ofOthers.amount])
      expect([secret, told.includes(String(secret))]).toEqual([secret, false]);
    await participant.get(`/v1/charges/${charge.id}`).expect(404);
  });
});

describe('the token of a device wallet', () => {
  const register = ({ id }: Pick<TestMerchant, 'id'>, processing: ProcessingKit) =>
    admin
      .post(`/v1/admin/merchants/${id}/wallet-certificates`, {
        walletMerchantId: processing.walletMerchantId,
        displayName: 'Loja',
        certificate: processing.certificate,
        privateKey: processing.privateKey,
      })
      .expect(201);

  it('is burnt by nobody who names its identifier in a token of their own', async () => {
    const [shop, thief] = [await gateway().createMerchant(), await gateway().createMerchant()];
    const [ofShop, ofThief] = [kit.processing(), kit.processing()];
    await register(shop, ofShop);
    await register(thief, ofThief);
    const genuine = kit.token({ processing: ofShop });
    const { transactionIdentifier } = genuine;
    const forged = { ...kit.token({ processing: ofThief }), transactionIdentifier };
    await withKey(gateway, thief.testKey).post('/v1/charges', aWalletRequest(forged)).expect(201);
    const client = withKey(gateway, shop.testKey);
    await client.post('/v1/charges', aWalletRequest(genuine)).expect(201);
    await client.post('/v1/charges', aWalletRequest(genuine)).expect(422);
    const renamed = { ...genuine, transactionIdentifier: 'another' };
    await client.post('/v1/charges', aWalletRequest(renamed)).expect(422);
  });

  it('pays once for its merchant, whoever sends one like it at the same time', async () => {
    const [shop, thief] = [await gateway().createMerchant(), await gateway().createMerchant()];
    const [ofShop, ofThief] = [kit.processing(), kit.processing()];
    await register(shop, ofShop);
    await register(thief, ofThief);
    const [byShop, byThief] = [withKey(gateway, shop.testKey), withKey(gateway, thief.testKey)];
    for (let round = 0; round < ROUNDS; round += 1) {
      const genuine = kit.token({ processing: ofShop });
      const { transactionIdentifier } = genuine;
      const transactionId = Buffer.from(genuine.paymentData.header.transactionId, 'hex');
      // Named alike, signed alike, and the genuine one in the hands of another.
      const named = { ...kit.token({ processing: ofThief }), transactionIdentifier };
      const signed = kit.token({ processing: ofThief, transactionId });
      const pay = async (client: Client, token: WalletToken) =>
        (await client.post('/v1/charges', aWalletRequest(token))).status;
      const answers = await Promise.all([
        Promise.all([named, signed, genuine].map((token) => pay(byThief, token))),
        Promise.all(
          [genuine, { ...genuine, transactionIdentifier: 'another' }].map((token) => pay(byShop, token)),
        ),
      ]);
      expect(answers.map((statuses) => statuses.sort())).toEqual([
        [201, 201, 422],
        [201, 422],
      ]);
    }
  });
});

describe('the error of a delivery', () => {
  it('is the same for a name inside the network as for one that does not exist, its time included', async () => {
    const rules = { allowLoopback: false, requireHttps: false };
    const names: Readonly<Record<string, readonly string[]>> = { 'vault.corp': ['10.1.2.3'], 'new.corp': [] };
    const told = await Promise.all(
      ['vault.corp', 'new.corp', 'gone.corp'].map(async (host) => {
        const post = createGuardedPost(rules, {
          resolve: async (name) => {
            await sleep(name === 'vault.corp' ? 50 : 0);
            const found = names[name];
            if (!found) throw new Error(`getaddrinfo ENOTFOUND ${name}`);
            return found;
          },
        });
        return post({
          url: `http://${host}/hook`,
          headers: {},
          body: Buffer.from('{}'),
          connectTimeoutMs: 3_000,
          totalTimeoutMs: 10_000,
          maxResponseBytes: 2_048,
        });
      }),
    );
    expect(told[0]).toMatchObject({ error: 'no_public_address', connected: false });
    expect([told[1], told[2]]).toEqual([told[0], told[0]]);
  });
});

describe('a delivery as its merchant is told of it', () => {
  const given = { resolve4: Resolver.prototype.resolve4, resolve6: Resolver.prototype.resolve6 };
  const answers: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    'vault.corp': async () => ['10.1.2.3'],
    'late.corp': async () => sleep(300, ['192.168.7.7']),
    'mixed.corp': async () => ['93.184.216.34', '169.254.169.254'],
    'new.corp': async () => [],
  };
  beforeAll(() => {
    const resolve = (host: string): Promise<readonly string[]> =>
      answers[host]?.() ?? Promise.reject(new Error(`queryA ENOTFOUND ${host}`));
    Object.assign(Resolver.prototype, { resolve4: resolve, resolve6: async () => [] });
  });
  afterAll(() => Object.assign(Resolver.prototype, given));

  it('is the same of a name inside the network and of none, in every member', async () => {
    const merchant = await gateway().createMerchant();
    const key = withKey(gateway, merchant.testKey);
    const told: unknown[] = [];
    for (const host of [...Object.keys(answers), 'gone.corp']) {
      const endpoint = { url: `http://${host}/hook`, events: ['*'] };
      const { body } = await key.post('/v1/webhook-endpoints', endpoint).expect(201);
      await key.post(`/v1/webhook-endpoints/${body.id}/test`).expect(202);
      const { body: listed } = await pollUntil(
        () => key.getAfter('latest', `/v1/webhook-deliveries?endpointId=${body.id}`),
        ({ body: { data } }) => data[0]?.attempts.length > 0,
      );
      const [{ status, attempts, sequence }] = listed.data;
      const { at: _, ...attempt } = attempts[0];
      told.push({ status, sequence, attempt });
    }
    expect(told[0]).toMatchObject({
      attempt: { error: 'no_public_address', statusCode: null, durationMs: 0 },
    });
    expect(told).toEqual(told.map(() => told[0]));
  });
});

describe('an ambiguous request', () => {
  let key: string;
  const raw = async (head: readonly string[], body: string): Promise<string> => {
    const { hostname, port } = new URL(gateway().url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    return text(socket);
  };
  const create = (body: string, headers: readonly string[] = ['Host: portico.test']): Promise<string> =>
    raw(
      [
        'POST /v1/charges HTTP/1.1',
        ...headers,
        `Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
      ],
      body,
    );
  const RIGHT = JSON.stringify(aCardRequest({ amount: 20 }));
  const count = (): Promise<number> => gateway().db.collection('charges').countDocuments();
  beforeAll(async () => {
    key = (await gateway().createMerchant()).testKey;
  });

  it.each<[string, string, readonly string[]]>([
    [
      'an amount with more digits than a number keeps',
      RIGHT.replace('20', '1.999999999999999999'),
      ['amount'],
    ],
    ['an amount with more digits than its currency has', RIGHT.replace('20', '20.001'), ['amount']],
    ['a name twice', RIGHT.replace('"amount":20', '"amount":20,"amount":90000'), ['amount']],
    [
      'a name twice, once escaped',
      RIGHT.replace('"amount":20', '"amount":20,"\\u0061mount":90000'),
      ['amount'],
    ],
  ])('with %s is refused', async (_, body, named) => {
    expect(body).not.toBe(RIGHT);
    const before = await count();
    const answer = await create(body);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    for (const name of named) expect(answer).toContain(name);
    expect(await count()).toBe(before);
  });

  it('with two hosts is refused, and one that is right is not', async () => {
    expect(await create(RIGHT)).toMatch(/^HTTP\/1\.1 201 /);
    const before = await count();
    expect(await create(RIGHT, ['Host: portico.test', 'Host: attacker.test'])).toMatch(/^HTTP\/1\.1 400 /);
    expect(await count()).toBe(before);
  });

  it('with a signed token whose members are no texts is refused before a store is asked', async () => {
    const token = await gateway().operatorToken();
    const { current } = gateway().container.get(platform.services).keyRings.jwt;
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const sign = (changes: object): Promise<string> =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: 'HS256', kid: current.id })
        .sign(current.bytes);
    const ask = async (bearer: string): Promise<number> =>
      (await gateway().call('get', '/v1/admin/users').auth(bearer, { type: 'bearer' })).status;
    expect(await ask(await sign({}))).toBe(200);
    for (const name of ['sub', 'sid', 'environment'])
      for (const value of [{ $ne: null }, ['a'], 7, true, null])
        expect([name, value, await ask(await sign({ [name]: value }))]).toEqual([name, value, 401]);
  });
});
