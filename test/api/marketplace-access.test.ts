import type { Response } from 'supertest';
import * as platform from '../../src/platform/platform.module.ts';
import { aPayoutFee } from '../builders.ts';
import type { Method } from '../support/call.ts';
import { type Client, operator, withKey } from '../support/client.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

const gateway = useGateway();
const PASSWORD = 'correct horse battery';

const CALLERS = [
  'master',
  'sub-merchant',
  'sibling',
  'of another group',
  'plain merchant',
  'operator',
  'blocked',
  'test key',
  'nobody',
  'wrong scheme',
] as const;
type Caller = (typeof CALLERS)[number];

/** A live merchant: a name that appears in no answer to a stranger, credentials, and records of its own. */
type Party = {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly token: string;
  readonly payoutRequest: string | null;
  /** Payout requests to be cancelled: the first by the master, the second by the sub-merchant itself. */
  readonly cancellable: readonly string[];
  readonly document: string | null;
};
type Name = 'master' | 'target' | 'sibling' | 'blocked' | 'otherMaster' | 'foreign' | 'plain';
let parties: Readonly<Record<Name, Party>>;
let testToken: string;
let testKey: string;
let admin: Client;

/** A caller, and the owners of records that it may find in answers; ids of its master appear in its own record. */
const CALLER_OF: Readonly<Record<Caller, Name | null>> = {
  master: 'master',
  'sub-merchant': 'target',
  sibling: 'sibling',
  'of another group': 'foreign',
  'plain merchant': 'plain',
  operator: null,
  blocked: 'blocked',
  'test key': 'master',
  nobody: null,
  'wrong scheme': 'master',
};
const MAY_SEE: Readonly<Record<Caller, readonly Name[]>> = {
  master: ['master', 'target', 'sibling', 'blocked'],
  'sub-merchant': ['target'],
  sibling: ['sibling'],
  'of another group': ['foreign'],
  'plain merchant': ['plain'],
  operator: ['master', 'target', 'sibling', 'blocked', 'otherMaster', 'foreign', 'plain'],
  blocked: ['blocked'],
  'test key': ['master'],
  nobody: [],
  'wrong scheme': [],
};

type Row = {
  readonly method: Method;
  /** As in OpenAPI: the request is about the live sub-merchant, for the blocked one about itself. */
  readonly path: string;
  readonly body?: object;
  readonly bearerOnly?: true;
  /** In the order of CALLERS; the last two are 401 everywhere. */
  readonly expected: readonly [number, number, number, number, number, number, number, number];
};

const FIELDS = { legalName: 'Nova Ltda', email: 'nova@example.test' };
const PDF = { type: 'identity', fileName: 'a.pdf', content: Buffer.from('%PDF-1.7').toString('base64') };
const OPERATORS_ONLY = [403, 403, 403, 403, 403, 200, 403, 403] as const;

const ROWS: readonly Row[] = [
  {
    method: 'post',
    path: '/v1/submerchants',
    body: FIELDS,
    expected: [201, 403, 403, 403, 403, 403, 403, 201],
  },
  { method: 'get', path: '/v1/submerchants', expected: [200, 200, 200, 200, 403, 403, 200, 200] },
  { method: 'get', path: '/v1/submerchants/{id}', expected: [200, 200, 404, 404, 403, 403, 200, 404] },
  {
    method: 'patch',
    path: '/v1/submerchants/{id}',
    body: { phone: '+55 11' },
    expected: [200, 403, 403, 403, 403, 403, 403, 404],
  },
  {
    method: 'get',
    path: '/v1/submerchants/{id}/api-keys',
    expected: [200, 403, 403, 403, 403, 403, 403, 404],
  },
  {
    method: 'post',
    path: '/v1/submerchants/{id}/documents',
    body: PDF,
    expected: [201, 201, 404, 404, 403, 403, 422, 404],
  },
  {
    method: 'get',
    path: '/v1/submerchants/{id}/documents',
    expected: [200, 200, 404, 404, 403, 403, 200, 404],
  },
  {
    // A sub-account gets its own data whatever the id.
    method: 'get',
    path: '/v1/connect/sub-accounts/{id}/fees-info',
    expected: [200, 200, 200, 200, 403, 403, 200, 404],
  },
  {
    method: 'post',
    path: '/v1/submerchants/{merchantId}/payout-requests',
    body: { amount: 1_000 },
    expected: [201, 201, 404, 404, 404, 403, 422, 404],
  },
  {
    // One's own: the plain merchant has no payout fee, the blocked one is not active.
    method: 'post',
    path: '/v1/payout-requests',
    body: { amount: 1_000 },
    expected: [201, 201, 201, 201, 422, 403, 422, 201],
  },
  {
    method: 'get',
    path: '/v1/payout-requests',
    bearerOnly: true,
    expected: [200, 200, 200, 200, 200, 200, 200, 200],
  },
  {
    method: 'get',
    path: '/v1/payout-requests/{payoutRequestId}',
    bearerOnly: true,
    expected: [200, 200, 404, 404, 404, 200, 200, 404],
  },
  {
    method: 'post',
    path: '/v1/payout-requests/{payoutRequestId}/cancel',
    expected: [200, 200, 404, 404, 404, 403, 200, 404],
  },
  { method: 'get', path: '/v1/admin/submerchants', expected: OPERATORS_ONLY },
  { method: 'get', path: '/v1/admin/submerchants/{id}', expected: OPERATORS_ONLY },
  { method: 'get', path: '/v1/admin/submerchants/{id}/documents', expected: OPERATORS_ONLY },
  { method: 'get', path: '/v1/admin/submerchants/{id}/documents/{documentId}', expected: OPERATORS_ONLY },
  // One's own, so every merchant that may read charges has it.
  { method: 'get', path: '/v1/default-split', expected: [200, 200, 200, 200, 200, 403, 200, 200] },
  {
    method: 'put',
    path: '/v1/admin/merchants/{id}/split',
    body: { default: [] },
    expected: OPERATORS_ONLY,
  },
  { method: 'get', path: '/v1/admin/merchants/{id}/split', expected: OPERATORS_ONLY },
  {
    method: 'post',
    path: '/v1/admin/submerchants/{id}/status',
    body: { status: 'blocked' },
    expected: OPERATORS_ONLY,
  },
  {
    // 422: it has nothing to pay out.
    method: 'post',
    path: '/v1/admin/payout-requests/{id}/approve',
    expected: [403, 403, 403, 403, 403, 422, 403, 403],
  },
  {
    // 422: it was not approved.
    method: 'post',
    path: '/v1/admin/payout-requests/{id}/transfer',
    body: { status: 'sent' },
    expected: [403, 403, 403, 403, 403, 422, 403, 403],
  },
  {
    method: 'post',
    path: '/v1/admin/payout-requests/{id}/reject',
    body: { rejectionReason: 'no' },
    expected: OPERATORS_ONLY,
  },
];

const loginOf = async (id: string, environment: 'live' | 'test' = 'live'): Promise<string> => {
  const email = `${id}@example.test`;
  if (environment === 'live') {
    const user = { email, password: PASSWORD, merchantId: id, groups: [] };
    await admin.post('/v1/admin/users', user).expect(201);
  }
  const login = { email, password: PASSWORD, environment };
  return (await gateway().call('post', '/v1/auth/login').send(login).expect(200)).body.accessToken;
};

const createMaster = async (legalName: string): Promise<TestMerchant> => {
  const master = await gateway().createMaster({ legalName, companyTaxId: '11222333000181' });
  await gateway().setFees(master.id, [aPayoutFee()]);
  return master;
};

const createParty = async (master: TestMerchant, name: string): Promise<Party> => {
  const by = withKey(gateway, master.liveKey);
  const fields = { legalName: name, email: `${name}@example.test`, companyTaxId: '11222333000181' };
  const { id } = (await by.post('/v1/submerchants', fields).expect(201)).body;
  await admin.post(`/v1/admin/submerchants/${id}/status`, { status: 'active' }).expect(200);
  const { body: keys } = await by.get(`/v1/submerchants/${id}/api-keys`).expect(200);
  const requestPayout = async (): Promise<string> =>
    (await by.post(`/v1/submerchants/${id}/payout-requests`, { amount: 5_000 }).expect(201)).body.id;
  const payoutRequest = await requestPayout();
  const cancellable = [await requestPayout(), await requestPayout()];
  const document = await by.post(`/v1/submerchants/${id}/documents`, PDF).expect(201);
  const token = await loginOf(id);
  return { id, name, key: keys.secretKey, token, payoutRequest, cancellable, document: document.body.id };
};

const asParty = async ({ id, liveKey }: TestMerchant, name: string): Promise<Party> => {
  const token = await loginOf(id);
  return { id, name, key: liveKey, token, payoutRequest: null, cancellable: [], document: null };
};

beforeAll(async () => {
  admin = await operator(gateway);
  const master = await createMaster('Jabuticaba');
  const otherMaster = await createMaster('Pitanga');
  parties = {
    master: await asParty(master, 'Jabuticaba'),
    otherMaster: await asParty(otherMaster, 'Pitanga'),
    target: await createParty(master, 'Acerola'),
    sibling: await createParty(master, 'Carambola'),
    blocked: await createParty(master, 'Graviola'),
    foreign: await createParty(otherMaster, 'Seriguela'),
    plain: await asParty(await gateway().createMerchant({ legalName: 'Mangaba' }), 'Mangaba'),
  };
  await admin.post(`/v1/admin/submerchants/${parties.blocked.id}/status`, { status: 'blocked' }).expect(200);
  testKey = master.testKey;
  testToken = await loginOf(master.id, 'test');
  await admin.getAfter('latest', '/v1/admin/submerchants');
  await admin.getAfter('latest', '/v1/payout-requests');
});

const pathFor = ({ path }: Row, caller: Caller): string => {
  const target = caller === 'blocked' ? parties.blocked : parties.target;
  const cancelled = target.cancellable[caller === 'master' ? 0 : 1];
  const isPayout = path.startsWith('/v1/admin/payout-requests/');
  return path
    .replace('{id}', (isPayout ? target.payoutRequest : target.id) ?? '')
    .replace('{merchantId}', target.id)
    .replace('{payoutRequestId}', (path.endsWith('/cancel') ? cancelled : target.payoutRequest) ?? '')
    .replace('{documentId}', target.document ?? '');
};

const ask = async (row: Row, caller: Caller): Promise<Response> => {
  const request = gateway().call(row.method, pathFor(row, caller));
  const name = CALLER_OF[caller];
  if (caller === 'operator') request.auth(await gateway().operatorToken(), { type: 'bearer' });
  else if (caller === 'wrong scheme' && !row.bearerOnly) request.set('Authorization', 'Digest username="me"');
  else if (caller === 'test key' && row.bearerOnly) request.auth(testToken, { type: 'bearer' });
  else if (caller === 'test key') request.auth(testKey, '');
  else if (name !== null && row.bearerOnly && caller !== 'wrong scheme')
    request.auth(parties[name].token, { type: 'bearer' });
  else if (name !== null) request.auth(parties[name].key, '');
  return row.body === undefined ? request : request.send(row.body);
};

const COLLECTIONS = [
  'merchants',
  'api_keys',
  'settings',
  'fee_definitions',
  'submerchant_documents',
  'submerchant_files.files',
  'payout_requests',
  'default_splits',
  'audit_log',
  'journals',
];
const RESOURCES = [
  'merchant',
  'api_key',
  'setting',
  'fee_definitions',
  'submerchant_document',
  'payout_request',
  'default_split',
];

/** All that commands of the marketplace leave behind; an event is there for every change of what exists already. */
const written = async (): Promise<readonly number[]> => {
  const { db } = gateway();
  return Promise.all([
    // A refused operator is written down.
    ...COLLECTIONS.map((name) => db.collection(name).countDocuments({ type: { $ne: 'permission.denied' } })),
    db.collection('domain_events').countDocuments({ resource: { $in: RESOURCES } }),
  ]);
};

/** Words that no answer to this caller may hold: names and ids of parties that it may not see. */
const hiddenFrom = (caller: Caller): readonly string[] => {
  const seen = MAY_SEE[caller].map((name) => parties[name]);
  const name = CALLER_OF[caller];
  const isSubmerchant = name !== null && ['target', 'sibling', 'blocked', 'foreign'].includes(name);
  const masterOf = name === 'foreign' ? parties.otherMaster : parties.master;
  return Object.values(parties)
    .filter((party) => !seen.includes(party))
    .flatMap((party) => [party.name, ...(isSubmerchant && party === masterOf ? [] : [party.id])]);
};

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

describe('every route of the marketplace', () => {
  it('is in the matrix', () => {
    const routes = gateway().container.getAll(platform.routes).flat();
    const ofMarketplace = routes.filter(({ path }) =>
      /submerchants|payout-requests|connect|split/.test(path),
    );
    expect(ROWS.map(nameOf).sort()).toEqual(ofMarketplace.map(nameOf).sort());
  });

  it.each(ROWS.map((row) => [nameOf(row), row] as const))('%s', async (_, row) => {
    const expected = [...row.expected, 401, 401];
    const cells = CALLERS.map((caller, index) => ({ caller, status: expected[index] ?? 0 }));
    // Refused callers come first, so that nothing at all may be written until the others have their turn.
    const isRefused = ({ status }: { readonly status: number }): boolean => status >= 400;
    const before = await written();
    for (const cell of [...cells.filter(isRefused), ...cells.filter((one) => !isRefused(one))]) {
      const { status, text } = await ask(row, cell.caller);
      expect({ caller: cell.caller, status }).toEqual(cell);
      for (const hidden of hiddenFrom(cell.caller)) expect(text ?? '').not.toContain(hidden);
      if (isRefused(cell)) expect(await written()).toEqual(before);
    }
  });
});
