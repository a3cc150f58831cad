import { createHmac } from 'node:crypto';
import { aWalletRequest } from '../builders.ts';
import { PATIENT } from '../support/client.ts';
import { startTestGateway, type TestGateway, testVariables } from '../support/gateway.ts';
import { buildProgram, endPrograms, startProgram } from '../support/program.ts';
import { createWalletKit } from '../support/wallet-kit.ts';

jest.setTimeout(240_000);
const kit = createWalletKit();
const installation = { ...testVariables(), ...PATIENT, ROLE: 'api', WALLET_ROOT_CERT: kit.rootPem };
beforeAll(buildProgram);
afterAll(endPrograms);

type Generation = 'old' | 'new';
/** The secrets of a process: what the generations name, the first one in front. */
const secretsOf = (...generations: readonly Generation[]) =>
  Object.fromEntries(
    ['JWT_SECRET', 'SECRETS_KEY', 'KEY_PEPPER'].map((name) => [
      name,
      generations.map((generation) => `the ${generation} ${name} of an installation`).join(','),
    ]),
  );
const startWith = (...generations: readonly Generation[]): Promise<TestGateway> =>
  startTestGateway({ ...installation, ...secretsOf(...generations) });

const PDF = Buffer.from('%PDF-1.7 the papers of a sub-merchant').toString('base64');

const WEBHOOK_SECRET = `whsec_${'b'.repeat(20)}`;
/** News that the gateway does not act upon, as Stripe sends it. */
const NEWS = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'customer.created',
  livemode: false,
  data: { object: { id: 'cus_1' } },
});
const signatureOf = (body: string): string => {
  const at = Math.floor(Date.now() / 1_000);
  return `t=${at},v1=${createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${body}`).digest('hex')}`;
};

/** One of everything that depends on a secret, made by this gateway. */
const makeAll = async (gateway: TestGateway) => {
  const token = await gateway.operatorToken();
  const master = await gateway.createMaster();
  const asOperator = async (path: string, body: object) =>
    (await gateway.call('post', path).auth(token, { type: 'bearer' }).send(body).expect(201)).body;
  const asMaster = async (path: string, body: object) =>
    (await gateway.call('post', path).auth(master.testKey, '').send(body).expect(201)).body;
  const { id } = await asMaster('/v1/submerchants', { legalName: 'Filial', email: 'filial@example.test' });
  const { id: documentId } = await asMaster(`/v1/submerchants/${id}/documents`, {
    type: 'identity',
    fileName: 'papers.pdf',
    content: PDF,
  });
  const processing = kit.processing();
  const { walletMerchantId, certificate, privateKey } = processing;
  await asOperator(`/v1/admin/merchants/${master.id}/wallet-certificates`, {
    ...{ walletMerchantId, certificate, privateKey },
    displayName: 'Loja Exemplo',
  });
  const settings = { STRIPE_SECRET_KEY: `sk_test_${'a'.repeat(20)}`, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET };
  const accounts = `/v1/admin/merchants/${master.id}/provider-accounts`;
  const { name: account } = await asOperator(accounts, { provider: 'stripe', settings });
  return {
    token,
    master,
    account: account as string,
    submerchant: id as string,
    documentId: documentId as string,
    processing,
  };
};
type Made = Awaited<ReturnType<typeof makeAll>>;

/** Uses all of it but the token. */
const expectUsable = async ({ call, operatorToken }: TestGateway, made: Made): Promise<void> => {
  const { master, submerchant, documentId, processing } = made;
  const { body: pair } = await call('get', `/v1/submerchants/${submerchant}/api-keys`)
    .auth(master.testKey, '')
    .expect(200);
  await call('get', '/v1/balance').auth(pair.secretKey, '').expect(200);
  await call('post', '/v1/charges')
    .auth(master.testKey, '')
    .send(aWalletRequest(kit.token({ processing })))
    .expect(201);
  await call('post', `/v1/providers/${made.account}/notifications`)
    .type('json')
    .set('stripe-signature', signatureOf(NEWS))
    .send(NEWS)
    .expect(200);
  const { body: file } = await call('get', `/v1/admin/submerchants/${submerchant}/documents/${documentId}`)
    .auth(await operatorToken(), { type: 'bearer' })
    .expect(200);
  expect(Buffer.from(file).toString('base64')).toBe(PDF);
};
const statusOfToken = async ({ call }: TestGateway, { token, master }: Made): Promise<number> =>
  (await call('get', `/v1/admin/merchants/${master.id}`).auth(token, { type: 'bearer' })).status;

describe('JWT_SECRET, SECRETS_KEY and KEY_PEPPER', () => {
  const rotate = async () => {
    const variables = { ...installation, ...secretsOf('new', 'old') };
    const program = startProgram('dist/scripts/rotate.js', variables);
    return { code: await program.ended, said: `${program.stdout()}${program.stderr()}` };
  };

  it('are rotated process by process, and nothing that was made before or in between stops working', async () => {
    let [one, other] = await Promise.all([startWith('old'), startWith('old')]);
    const replace = async (gateway: TestGateway, ...generations: readonly Generation[]) => {
      await gateway.stop({ keepData: true });
      return startWith(...generations);
    };
    const expectAllUsable = async (...all: readonly Made[]): Promise<void> => {
      for (const gateway of [one, other])
        for (const made of all) {
          await expectUsable(gateway, made);
          expect(await statusOfToken(gateway, made)).toBe(200);
        }
    };
    const before = await makeAll(one);
    const unused = await one.createMerchant();

    // First every process learns to read what the new secrets make.
    one = await replace(one, 'old', 'new');
    const first = await makeAll(one);
    await expectAllUsable(before, first);
    other = await replace(other, 'old', 'new');

    // Then one after the other makes things with them.
    one = await replace(one, 'new', 'old');
    const second = await makeAll(one);
    await expectAllUsable(before, first, second);
    other = await replace(other, 'new', 'old');

    // Stored values go over to them, but for the hash of a secret key that nobody has shown since.
    const early = await rotate();
    expect(early.said).toContain(`of ${unused.id} was not used since KEY_PEPPER was changed`);
    expect(early.code).toBe(1);
    for (const key of [unused.testKey, unused.liveKey])
      await other.call('get', '/v1/balance').auth(key, '').expect(200);
    for (const { master } of [before, first])
      await one.call('get', '/v1/balance').auth(master.liveKey, '').expect(200);
    const late = await rotate();
    expect(late.said).toContain('Nothing needs an older secret any more');
    expect(late.code).toBe(0);

    // The old ones can go: only tokens of theirs end, which last an hour.
    one = await replace(one, 'new');
    for (const made of [before, first, second]) await expectUsable(one, made);
    await one.call('get', '/v1/balance').auth(unused.testKey, '').expect(200);
    await one.call('get', '/v1/balance').auth(before.master.publicKey, '').expect(403);
    expect(await statusOfToken(one, second)).toBe(200);
    expect(await statusOfToken(one, before)).toBe(401);

    await other.stop({ keepData: true });
    await one.stop();
  });

  it('find API keys that were stored with one hash each, before there could be several', async () => {
    const first = await startWith('old');
    const merchant = await first.createMerchant();
    const keys = first.db.collection<{ _id: string; secret: Record<string, unknown> }>('api_keys');
    for (const index of ['secret.secretKeyHashes_1', 'secret.publicKeyHashes_1']) await keys.dropIndex(index);
    for (const { _id, secret } of await keys.find().toArray()) {
      const { secretKeyHashes, publicKeyHashes, ...rest } = secret as Record<string, unknown[]>;
      const [secretKeyHash, publicKeyHash] = [secretKeyHashes?.[0], publicKeyHashes?.[0]];
      await keys.updateOne({ _id }, { $set: { secret: { ...rest, secretKeyHash, publicKeyHash } } });
    }
    for (const name of ['secretKeyHash', 'publicKeyHash'])
      await keys.createIndex({ [`secret.${name}`]: 1 }, { unique: true });
    const migrations = first.db.collection<{ _id: string }>('migrations');
    await migrations.deleteOne({ _id: '170-api-keys-by-any-pepper' });
    await first.stop({ keepData: true });

    const second = await startWith('new', 'old');
    await second.call('get', '/v1/balance').auth(merchant.testKey, '').expect(200);
    await second.call('get', '/v1/balance').auth(merchant.publicKey, '').expect(403);
    await second.createMerchant();
    await second.stop();
  });
});
