import type { Response } from 'supertest';
import { DAY_MS } from '../../src/kernel/durations.ts';
import type { ChargeRequest } from '../../src/modules/charges/write/charge-request.ts';
import type { WalletToken } from '../../src/modules/providers/wallet/wallet-token.ts';
import { walletMigrations } from '../../src/modules/wallets/write/wallets.store.ts';
import { aCardRequest, aSpreadFee, aWalletRequest } from '../builders.ts';
import { type Client, operator, PATIENT, pollUntil, withKey } from '../support/client.ts';
import { everythingInElastic, everythingInMongo } from '../support/everything.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';
import { createWalletKit, MUTATIONS, PAYLOAD, type ProcessingKit } from '../support/wallet-kit.ts';

const kit = createWalletKit();
const gateway = useGateway({ ...PATIENT, WALLET_ROOT_CERT: kit.rootPem });

let admin: Client;
let merchant: TestMerchant;
let client: Client;
const [current, previous] = [kit.processing(), kit.processing()];

const certificatesOf = ({ id }: Pick<TestMerchant, 'id'>): string =>
  `/v1/admin/merchants/${id}/wallet-certificates`;

const bodyOf = ({ walletMerchantId, certificate, privateKey }: ProcessingKit) => ({
  walletMerchantId,
  displayName: 'Loja Exemplo',
  certificate,
  privateKey,
});

const register = async (of: TestMerchant, processing: ProcessingKit): Promise<Response> =>
  admin.post(certificatesOf(of), bodyOf(processing)).expect(201);

/** 100.00 BRL by a card that the simulator pays, in a token of its own. */
const aToken = (
  changes: Partial<Parameters<typeof kit.token>[0]> & { readonly number?: string } = {},
): WalletToken =>
  kit.token({
    processing: current,
    ...changes,
    ...(changes.number ? { payload: { applicationPrimaryAccountNumber: changes.number } } : {}),
  });

const charge = async (
  token: WalletToken,
  status: number,
  changes: Partial<ChargeRequest> = {},
): Promise<Response> => client.post('/v1/charges', aWalletRequest(token, changes)).expect(status);

beforeAll(async () => {
  admin = await operator(gateway);
  merchant = await gateway().createMerchant();
  client = withKey(gateway, merchant.testKey);
  await register(merchant, previous);
  await register(merchant, current);
}, 180_000);

describe("a merchant's wallet certificate", () => {
  it('is registered, listed and removed without its key being told', async () => {
    const other = await gateway().createMerchant();
    const processing = kit.processing();
    const { body, text } = await register(other, processing);
    expect(body).toEqual({
      id: expect.stringMatching(/^wct_[0-9a-f]{32}$/),
      merchantId: other.id,
      walletMerchantId: processing.walletMerchantId,
      displayName: 'Loja Exemplo',
      publicKeyHash: processing.publicKeyHash,
      notBefore: expect.any(String),
      notAfter: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(text).not.toContain('PRIVATE');
    expect((await admin.getAfter('latest', certificatesOf(other))).body).toMatchObject({
      data: [body],
      total: 1,
    });

    const one = `${certificatesOf(other)}/${body.id}`;
    await admin.call('delete', `${certificatesOf(merchant)}/${body.id}`).expect(404);
    await admin.call('delete', one).expect(204);
    await admin.call('delete', one).expect(204);
    expect((await admin.getAfter('latest', certificatesOf(other))).body.data).toEqual([]);
    await register(other, processing);
  });

  it('is kept sealed, and leaves no trace of its key in events and audit log', async () => {
    const [, secret = ''] = current.privateKey.split('\n');
    for (const collection of ['wallet_certificates', 'domain_events', 'audit_log']) {
      const documents = await gateway().db.collection(collection).find().toArray();
      expect(JSON.stringify(documents)).not.toContain(secret);
    }
    const { body } = await admin.getAfter('latest', '/v1/admin/audit-log?size=100');
    expect(body.data).toContainEqual(
      expect.objectContaining({ type: 'wallet_certificate.created', resource: 'wallet_certificate' }),
    );
  });

  it('is refused a second time, and never stored twice', async () => {
    const processing = kit.processing();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => admin.post(certificatesOf(merchant), bodyOf(processing))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe('WALLET_CERTIFICATE_ALREADY_EXISTS');
  });

  it.each<[string, () => object, string]>([
    ['a key of another certificate', () => ({ privateKey: previous.privateKey }), 'privateKey'],
    ['the identifier of another merchant', () => ({ walletMerchantId: 'merchant.x' }), 'walletMerchantId'],
    ['an expired certificate', () => bodyOf(kit.processing({ to: new Date(0) })), 'certificate'],
    ['no certificate', () => ({ certificate: undefined }), 'certificate'],
    ['a name of 65 characters', () => ({ displayName: 'é'.repeat(65) }), 'displayName'],
    ['an unknown field', () => ({ password: 'x' }), 'password'],
  ])('with %s is refused', async (_, changes, path) => {
    const body = { ...bodyOf(kit.processing()), ...changes() };
    const answer = await admin.post(certificatesOf(merchant), body).expect(400);
    expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
  });

  it('may have a name of 64 characters, whatever their size, for merchants that exist', async () => {
    const body = { ...bodyOf(kit.processing()), displayName: '😀'.repeat(64) };
    await admin.post(certificatesOf({ id: `mer_${'0'.repeat(32)}` }), body).expect(404);
    await admin.post(certificatesOf(merchant), body).expect(201);
  });

  it('is found by when it expires, in a list and in the metrics', async () => {
    const other = await gateway().createMerchant();
    const soon = await register(other, kit.processing({ to: new Date(Date.now() + 20 * DAY_MS) }));
    const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
    const path = `/v1/admin/wallet-certificates?orderBy=notAfter&notAfter[lt]=${inDays(30)}`;
    expect((await admin.getAfter('latest', path)).body.data).toEqual([soon.body]);

    const metrics = await pollUntil(
      () => gateway().call('get', '/metrics'),
      ({ text }) => text.includes('portico_wallet_certificate_expires_timestamp_seconds{kind="root"}'),
    );
    expect(metrics.text).toMatch(/portico_wallet_certificate_expires_timestamp_seconds\{kind="root"\} \d+/);
  });
});

describe('a charge by device wallet', () => {
  it('is a charge by card like any other: record, statement, fees by brand and events', async () => {
    const seller = await gateway().createMerchant();
    await register(seller, current);
    const fee = (brand: string | null, fixed: number): object =>
      aSpreadFee({ brand, definition: { fixed, percentages: [1, 2, 3] } });
    await gateway().setFees(seller.id, [fee(null, 9), fee('visa', 0.5)]);
    const by = withKey(gateway, seller.testKey);
    const typed = aCardRequest();
    const paymentMethod = { ...typed.paymentMethod, installments: 3 };
    const byWallet = aWalletRequest(aToken());
    const ofThree = { ...byWallet, paymentMethod: { ...byWallet.paymentMethod, installments: 3 } };

    const first = await by.post('/v1/charges', { ...typed, paymentMethod }).expect(201);
    const second = await by.post('/v1/charges', ofThree).expect(201);
    expect(second.headers['x-possible-duplicate-of']).toBe(first.body.id);

    const own = { id: '', pspRefId: '', createdAt: '', updatedAt: '', paidAt: '' };
    expect({ ...second.body, ...own, settlements: [] }).toEqual({ ...first.body, ...own, settlements: [] });
    expect(second.body).toMatchObject({ status: 'paid', spread: 3.5, net: 96.5 });

    const { body: list } = await by.getAfter('latest', '/v1/charges?paymentMethod=credit_card');
    const [listedSecond, listedFirst] = list.data;
    expect(listedSecond.id).toBe(second.body.id);
    expect({ ...listedSecond, ...own }).toEqual({ ...listedFirst, ...own });

    const linesOf = async (id: string): Promise<unknown[]> => {
      const { body } = await by.getAfter('latest', `/v1/statement?referenceId=${id}`);
      return body.data
        .map(({ movement_type, amount, bucket }: Record<string, unknown>) =>
          [movement_type, amount, bucket].join(' '),
        )
        .sort();
    };
    expect(await linesOf(second.body.id)).toEqual(await linesOf(first.body.id));

    const eventsOf = async (resourceId: string): Promise<unknown[]> => {
      const events = await gateway().db.collection('domain_events').find({ resourceId }).toArray();
      return events
        .sort((a, b) => a.version - b.version)
        .map(({ type, data }) => [type, Object.keys(data), data.paymentMethod]);
    };
    expect(await eventsOf(second.body.id)).toEqual(await eventsOf(first.body.id));
  });

  it.each([
    ['4000000000000002', { status: 'refused', failureReason: 'card_declined' }],
    ['4000000000000119', { status: 'failed', failureReason: 'processing_error' }],
    ['4000000000005126', { status: 'in_analysis' }],
  ])('by the card %s ends as the simulator says', async (number, expected) => {
    expect((await charge(aToken({ number }), 201)).body).toMatchObject(expected);
  });

  it('may be for the previous certificate while there is a current one', async () => {
    expect((await charge(kit.token({ processing: previous }), 201)).body.status).toBe('paid');
  });

  it.each(
    MUTATIONS.filter(
      // One of each fault: all of them are tried beside the rules.
      ({ fault }, index) => MUTATIONS.findIndex((other) => other.fault === fault) === index,
    ),
  )('is refused with $name, and told no more than that', async ({ make }) => {
    const before = await gateway().db.collection('charges').countDocuments({});
    const { body } = await charge(make(kit, current), 422);
    expect(body).toEqual({
      statusCode: 422,
      code: 'WALLET_TOKEN_INVALID',
      message: 'The wallet token is not valid for this charge',
    });
    expect(await gateway().db.collection('charges').countDocuments({})).toBe(before);
  });

  it('uses its token up, under whatever name it comes again', async () => {
    const token = aToken();
    await charge(token, 201);
    const { id, testKey } = await gateway().createMerchant();
    await register({ id } as TestMerchant, current);
    for (const again of [token, { ...token, transactionIdentifier: 'another' }]) {
      expect((await charge(again, 422)).body.code).toBe('WALLET_TOKEN_INVALID');
      await withKey(gateway, testKey).post('/v1/charges', aWalletRequest(again)).expect(422);
    }
  });

  it('uses up no token of another payment or merchant, whatever its sender says beside what is signed', async () => {
    const genuine = aToken();
    const { transactionIdentifier } = genuine;
    await charge({ ...aToken(), transactionIdentifier }, 201);
    const processing = kit.processing();
    const thief = await gateway().createMerchant();
    await register(thief, processing);
    const transactionId = Buffer.from(genuine.paymentData.header.transactionId, 'hex');
    const same = kit.token({ processing, transactionId });
    await withKey(gateway, thief.testKey).post('/v1/charges', aWalletRequest(same)).expect(201);
    await charge(genuine, 201);
    await charge(genuine, 422);
  });

  it('that was used before its rows named a key is used up after the migration, too', async () => {
    const token = aToken();
    const { body } = await charge(token, 201);
    const spent = gateway().db.collection<{ _id: string }>('wallet_spent_tokens');
    await spent.deleteMany({ chargeId: body.id });
    const { transactionId } = token.paymentData.header;
    await spent.insertOne({ _id: transactionId, chargeId: body.id } as { _id: string });
    const migration = walletMigrations.find(({ id }) => id === '161-spent-tokens-by-key');
    for (let times = 0; times < 2; times += 1) await migration?.up(gateway().db);
    expect(await spent.countDocuments({ _id: transactionId })).toBe(0);
    await charge(token, 422);
  });

  it('is made once of any number that come at the same time with one token', async () => {
    const token = aToken();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => client.post('/v1/charges', aWalletRequest(token))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(4).fill(422)]);
    const bodies = answers.filter(({ status }) => status === 422).map(({ body }) => body.code);
    expect(new Set(bodies)).toEqual(new Set(['WALLET_TOKEN_INVALID']));
  });

  it('that was refused for another reason leaves its token usable', async () => {
    const token = aToken();
    const split = [{ merchantId: `mer_${'0'.repeat(32)}` as const, percentage: 10 }];
    await charge(token, 422, { split });
    await charge(token, 422, { amount: 99 });
    await charge(token, 400, { amount: -1 });
    await charge(token, 201);
  });

  it('is refused where the merchant has no certificate', async () => {
    const { testKey } = await gateway().createMerchant();
    const answer = await withKey(gateway, testKey).post('/v1/charges', aWalletRequest(aToken())).expect(422);
    expect(answer.body.code).toBe('WALLET_NOT_CONFIGURED');
  });

  it('is offered to merchants with a certificate only', async () => {
    const { testKey } = await gateway().createMerchant();
    const walletsOf = async (by: Client): Promise<unknown[]> =>
      (await by.get('/v1/payment-methods').expect(200)).body.data
        .filter(({ type }: { type: string }) => type === 'credit_card')
        .map(({ wallets }: { wallets?: string[] }) => wallets);
    expect(new Set((await walletsOf(client)).flat())).toEqual(new Set(['devicepay']));
    expect((await walletsOf(withKey(gateway, testKey))).flat()).toEqual([undefined]);
  });

  it('takes a token whole, with what else the device says in it', async () => {
    const token = {
      ...aToken(),
      paymentMethod: { displayName: 'x', network: 'Visa', type: 'debit', pass: {} },
    };
    await charge(token, 201);
  });

  it('leaves neither the card number nor its cryptogram anywhere', async () => {
    const everything = [
      ...(await everythingInMongo(gateway().db)),
      ...(await everythingInElastic(gateway().readStore)),
    ].join();
    expect(everything).toContain('424242');
    expect(everything.includes(PAYLOAD.applicationPrimaryAccountNumber)).toBe(false);
    expect(everything.includes(PAYLOAD.paymentData.onlinePaymentCryptogram)).toBe(false);
  });
});
