import { createHash } from 'node:crypto';
import { aCard, aCardRequest, aPayoutFee, aSpreadFee } from '../builders.ts';
import type { Method } from '../support/call.ts';
import { type Client, operator, PATIENT, withKey, withToken } from '../support/client.ts';
import { METHODS, openApiOf } from '../support/document.ts';
import { useGateway } from '../support/gateway.ts';
import { inBatches } from '../support/in-batches.ts';
import { patiently } from '../support/patiently.ts';
import { volume } from '../support/volume.ts';

const AT_ONCE = 8;

const gateway = useGateway(PATIENT);
const PASSWORD = 'a password of this matrix';
/** A group whose members administer keys and users of their merchant. */
const PEOPLE = 'people of merchants';
const TAX_ID = '11222333000181';
const EVIDENCE = { type: 'receipt', fileName: 'a.pdf', content: Buffer.from('%PDF-1.7').toString('base64') };
const PDF = { type: 'identity', fileName: 'a.pdf', content: Buffer.from('%PDF-1.7').toString('base64') };

/** A master with one sub-merchant, and one record of each kind. `word` stands in every text of its own. */
type Tenant = {
  readonly word: string;
  readonly masterId: string;
  readonly subId: string;
  readonly clients: Readonly<
    Record<'key of the master' | 'user of the master' | 'key of the sub-merchant', Client>
  >;
};

let mine: Tenant;
/** The one whose ids are named in bodies and filters. */
let theirs: Tenant;
let others: readonly [Tenant, Tenant];
/** An id of each kind that the other tenant has, by its prefix. */
let foreign: ReadonlyMap<string, string>;
/** Ids that are tried in paths: one of each kind, or with `make proofs` all ids of two tenants. */
let tried: readonly string[];

const createTenant = async (admin: Client, word: string): Promise<Tenant> => {
  const names = { legalName: word, email: `${word.toLowerCase()}@example.test`, companyTaxId: TAX_ID };
  const master = await gateway().createMaster(names);
  await gateway().setFees(master.id, [aPayoutFee(), aSpreadFee()]);
  const key = withKey(gateway, master.testKey);
  const { body: sub } = await key.post('/v1/submerchants', names).expect(201);
  await key.post(`/v1/submerchants/${sub.id}/documents`, PDF).expect(201);
  await admin.post(`/v1/admin/submerchants/${sub.id}/status`, { status: 'active' }).expect(200);
  const { body: keys } = await key.get(`/v1/submerchants/${sub.id}/api-keys`).expect(200);
  const subKey = withKey(gateway, keys.secretKey);
  const url = 'http://127.0.0.1:9/hook';
  await key
    .post('/v1/webhook-endpoints', { url, events: ['*'], enabled: false, description: word })
    .expect(201);
  const customer = { name: word, email: names.email };
  const split = [{ merchantId: sub.id, percentage: 10 }];
  const { body: charge } = await key
    .post('/v1/charges', { ...aCardRequest({ customer, reference: word }), split })
    .expect(201);
  await key.post('/v1/refunds', { chargeId: charge.id, reason: word }).expect(201);
  const { body: payer } = await key.post('/v1/customers', customer).expect(201);
  const aToken = async () => (await key.post('/v1/card-tokens', { ...aCard(), holderName: word })).body.id;
  const consent = { token: await aToken(), consentAt: '2026-01-31T12:00:00Z' };
  const { body: stored } = await key.post(`/v1/customers/${payer.id}/payment-methods`, consent).expect(201);
  await aToken();
  const monthly = { amount: 10, currency: 'BRL', interval: 'month' };
  const { body: plan } = await key
    .post('/v1/plans', { ...monthly, name: word, description: word })
    .expect(201);
  const agreed = {
    customerId: payer.id,
    planId: plan.id,
    collection: 'automatic',
    paymentMethodId: stored.id,
  };
  const { body: subscription } = await key
    .post('/v1/subscriptions', { ...agreed, description: word, reference: word })
    .expect(201);
  await key.post(`/v1/subscriptions/${subscription.id}/portal`).expect(200);
  const sold = { amount: 10, currency: 'BRL', customer, description: word, reference: word };
  await key.post('/v1/checkout-sessions', sold).expect(201);
  const linked = { amount: 10, currency: 'BRL', description: word, reference: word };
  await key.post('/v1/payment-links', linked).expect(201);
  await subKey.post('/v1/charges', aCardRequest({ customer, reference: word })).expect(201);
  const { body: disputed } = await key
    .post('/v1/charges', aCardRequest({ customer, reference: word }))
    .expect(201);
  await key.post(`/v1/test-helpers/charges/${disputed.id}/chargeback`).expect(200);
  const dispute = disputed.id.replace('chg_', 'dsp_');
  await key.post(`/v1/disputes/${dispute}/evidence`, { ...EVIDENCE, fileName: `${word}.pdf` }).expect(201);
  await subKey.post(`/v1/submerchants/${sub.id}/payout-requests`, { amount: 1_000 }).expect(201);
  const login = { email: `user-${names.email}`, password: PASSWORD };
  await admin
    .post('/v1/admin/users', { ...login, name: word, merchantId: master.id, groups: [PEOPLE] })
    .expect(201);
  const { body: session } = await patiently(() =>
    gateway()
      .call('post', '/v1/auth/login')
      .send({ ...login, environment: 'test' }),
  );
  return {
    word,
    masterId: master.id,
    subId: sub.id,
    clients: {
      'key of the master': key,
      'user of the master': withToken(gateway, session.accessToken),
      'key of the sub-merchant': subKey,
    },
  };
};

const isOf = ({ masterId, subId }: Tenant, text: string): boolean =>
  [masterId, subId].some((id) => text.includes(id));
const isTheirs = (text: string): boolean => others.some((tenant) => isOf(tenant, text));
const tellsTheirs = (text: string): boolean =>
  isTheirs(text) || others.some(({ word }) => text.includes(word));

/** Collections in which work goes on in the background, or uses of a key are noted. */
const VOLATILE =
  /^(outbox|workers|drift|ledger_.*|balances|statement_lines|sessions|.*check.*|.*difference.*|audit_chain.*)$/;

/** The documents of tenants, by collection and id, each as a hash. */
const documentsOf = async (tenants: readonly Tenant[]): Promise<ReadonlyMap<string, string>> => {
  const { db } = gateway();
  const found = new Map<string, string>();
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (VOLATILE.test(name)) continue;
    for (const { lastUsedAt: _, ...document } of await db.collection(name).find().toArray()) {
      const text = JSON.stringify(document);
      if (tenants.some((tenant) => isOf(tenant, text)))
        found.set(`${name} ${document._id}`, createHash('sha256').update(text).digest('hex'));
    }
  }
  return found;
};

/** All ids of a tenant's documents, and of its statement's lines. */
const idsOf = async (tenant: Tenant): Promise<readonly string[]> => {
  const { body } = await tenant.clients['key of the master'].getAfter('latest', '/v1/statement');
  const stored = [...(await documentsOf([tenant])).keys()].flatMap(
    (key) => /(?:^|\s)([a-z]{2,4}_[0-9a-z]{20,})$/.exec(key)?.slice(1) ?? [],
  );
  return [...new Set([...stored, ...body.data.map(({ id }: { id: string }) => id)])];
};

beforeAll(async () => {
  const admin = await operator(gateway);
  await admin
    .post('/v1/admin/groups', { name: PEOPLE, permissions: ['keys.manage', 'users.manage'] })
    .expect(201);
  mine = await createTenant(admin, 'Jabuticaba');
  theirs = await createTenant(admin, 'Seriguela');
  others = [theirs, await createTenant(admin, 'Cambuci')];
  for (const list of ['/v1/charges', '/v1/statement', '/v1/refunds', '/v1/events'])
    await theirs.clients['key of the master'].getAfter('latest', list);
  const first = await idsOf(theirs);
  foreign = new Map(first.map((id) => [id.slice(0, id.indexOf('_')), id]));
  const all = [...first, ...(await idsOf(others[1]))];
  tried = volume({ usual: [...foreign.values()], proof: all });
  known = all.length;
});

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
};
type Described = {
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
};
type Operation = { readonly method: Method; readonly path: string; readonly body: Schema | null };
const { paths, components } = openApiOf<{
  paths: Record<string, Partial<Record<Method, Described>>>;
  components: { schemas: Record<string, Schema> };
}>();
const OPERATIONS = Object.entries(paths).flatMap(([path, byMethod]) =>
  METHODS.filter((method) => byMethod[method]).map(
    (method): Operation => ({
      method,
      path,
      body: byMethod[method]?.requestBody?.content['application/json']?.schema ?? null,
    }),
  ),
);

/** A body of the right shape whose ids are the other tenant's. */
const bodyOf = (schema: Schema, name = ''): unknown => {
  if (schema.$ref) return bodyOf(components.schemas[schema.$ref.replace(/^.*\//, '')] ?? {}, name);
  if (/merchantId$/i.test(name)) return theirs.subId;
  if (/chargeId$/i.test(name)) return foreign.get('chg');
  const [example] = schema.examples ?? [schema.example];
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice) return bodyOf(choice, name);
  if (schema.properties) {
    const known = (example ?? {}) as Record<string, unknown>;
    const wanted = Object.entries(schema.properties).filter(
      ([key]) => schema.required?.includes(key) || key in known,
    );
    return Object.fromEntries(
      wanted.map(([key, member]) => [
        key,
        key in known && !/Id$/.test(key) ? known[key] : bodyOf(member, key),
      ]),
    );
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (example !== undefined) return example;
  const [type] = [schema.type].flat();
  if (type === 'array') return schema.minItems && schema.items ? [bodyOf(schema.items, name)] : [];
  if (type === 'integer' || type === 'number') return 1_000;
  if (type === 'boolean') return true;
  return /url/i.test(name) ? 'http://127.0.0.1:9/' : /email/i.test(name) ? 'a@example.test' : 'text';
};

/** Every path with these ids in it; with two ids, also behind a merchant of one's own. */
const pathsOf = (path: string, ids: readonly string[]): readonly string[] => {
  const [first, second] = path.match(/\{\w+\}/g) ?? [];
  if (first === undefined) return [path];
  if (second === undefined) return ids.map((id) => path.replace(first, id));
  return [theirs.subId, mine.subId, mine.masterId].flatMap((owner) =>
    ids.map((id) => path.replace(first, owner).replace(second, id)),
  );
};

/**
 * The ids that a caller tries in an operation: the key of the master all of them, and the other two callers every other
 * one in turn. With `make proofs` all three try all.
 */
const idsFor = (caller: number, operation: number): readonly string[] =>
  volume({
    usual: tried.filter((_, place) => caller === 0 || (place + operation + caller) % 2 === 0),
    proof: tried,
  });

/** Answers a sub-account with its own record, whatever id it names. */
const IGNORES_ITS_ID = '/v1/connect/sub-accounts/{id}/fees-info';
/** Ends the session or changes the password of the caller itself, or is called by providers. */
const isAside = ({ path }: Operation): boolean =>
  path.startsWith('/v1/auth/') || path.includes('/providers/');
const OPERATIONS_TRIED = OPERATIONS.filter((operation) => !isAside(operation));
const LISTS = OPERATIONS.filter(
  ({ method, path }) => method === 'get' && !path.includes('{') && path.startsWith('/v1/'),
).map(({ path }) => path);

/** Text of an answer without the ids that were asked for. */
const toldBy = (text: string, asked: string): string =>
  text.replaceAll(/[a-z]{2,4}_[0-9a-z]{20,}/g, (id) => (asked.includes(id) ? '' : id));

let asked = 0;
let known = 0;
afterAll(() => {
  process.stderr.write(
    `tenant matrix: ${asked} calls of ${OPERATIONS_TRIED.length} operations with ${tried.length} of ${known} ids\n`,
  );
});

describe('a tenant that knows every id of another', () => {
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    before = await documentsOf(others);
  });

  it('has an id of each kind to try', () => {
    expect([...foreign.keys()].sort()).toEqual(
      expect.arrayContaining([
        ...['chg', 'cus', 'doc', 'evt', 'key', 'led', 'mer', 'pm', 'po', 'ref', 'set', 'tok', 'usr', 'whe'],
      ]),
    );
  });

  it.each(
    OPERATIONS_TRIED.map(
      (operation, place) => [`${operation.method} ${operation.path}`, operation, place] as const,
    ),
  )('reads and changes nothing of it by %s', async (_, { method, path, body }, place) => {
    const wrong: string[] = [];
    const statuses = new Set<number>();
    for (const [caller, [name, client]] of Object.entries(mine.clients).entries()) {
      await inBatches(pathsOf(path, idsFor(caller, place)), AT_ONCE, async (concrete) => {
        const sent = body === null || method === 'get' ? undefined : bodyOf(body);
        const { status, text = '' } = await patiently(() => client.call(method, concrete, sent));
        asked += 1;
        statuses.add(status);
        const told = toldBy(text, concrete);
        const leaks = tellsTheirs(told);
        const isForeign = concrete !== path && path !== IGNORES_ITS_ID;
        if (leaks || status >= 500 || (isForeign && status < 400))
          wrong.push(`${method} ${concrete} by ${name}: ${status} ${leaks ? 'leaks' : ''}`);
      });
    }
    expect(wrong).toEqual([]);
    // A body that is refused for its shape would hide what a right one can do.
    if (path.includes('{') && path !== IGNORES_ITS_ID)
      expect([403, 404, 422].some((status) => statuses.has(status))).toBe(true);
  });

  it.each(LISTS)('finds nothing of it by any filter of %s', async (path) => {
    const wrong: string[] = [];
    const filters = [
      `merchantId=${theirs.subId}`,
      `merchantId=${theirs.masterId}`,
      `chargeId=${foreign.get('chg')}`,
      `referenceId=${foreign.get('chg')}`,
      `resourceId=${foreign.get('chg')}`,
      `reference=${theirs.word}`,
      `q=${theirs.word}`,
    ];
    for (const filter of filters) {
      const { status, text = '' } = await patiently(() =>
        mine.clients['key of the master'].get(`${path}?${filter}`).set('X-Consistency-Token', 'latest'),
      );
      asked += 1;
      const told = toldBy(text, filter);
      if (isTheirs(told) || (status < 400 && tellsTheirs(told))) wrong.push(`${path}?${filter}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('has left every document of it as it was, and added none', async () => {
    const after = await documentsOf(others);
    expect([...before].filter(([key, hash]) => after.get(key) !== hash).map(([key]) => key)).toEqual([]);
    expect([...after.keys()].filter((key) => !before.has(key))).toEqual([]);
  });
});
