import { randomInt, randomUUID } from 'node:crypto';
import { MERCHANT_PERMISSIONS, OPERATOR_PERMISSIONS } from '../../src/kernel/principal.ts';
import { type Client, operator, withKey, withToken } from '../support/client.ts';
import { type Method, useGateway } from '../support/gateway.ts';
import { inBatches } from '../support/in-batches.ts';
import { volume } from '../support/volume.ts';

/** Every cell, each after the other, may take long on a busy machine. */
jest.setTimeout(1_800_000);
const AT_ONCE = 8;

const gateway = useGateway();
const PASSWORD = 'a password of this matrix';
const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];
/** Permissions that come along with `admin.refunds.manual`. */
const INHERITED: readonly string[] = [
  'admin.chargeback_alerts.create',
  'admin.manual_refund_requests.read',
  'admin.manual_refund_requests.update',
];

/** A caller with one permission, or none. */
type Caller = {
  readonly name: string;
  readonly kind: 'operator' | 'merchant';
  readonly permissions: readonly string[];
  readonly client: Client;
};

/** An operation of the OpenAPI document, with the callers that its description names. */
type Operation = {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly isOpen: boolean;
  /** Null where it is for no caller of the kind, empty where it is for any. */
  readonly operator: readonly string[] | null;
  readonly merchant: readonly string[] | null;
};

const callers: Caller[] = [];
let operations: readonly Operation[];
let undefinedMethods: readonly (readonly [Method, string])[];

const permissionsIn = (text: string, kind: 'operator' | 'merchant'): readonly string[] | null => {
  if (text.includes(`any ${kind}`)) return [];
  const [, list] = new RegExp(`an? ${kind} with permission ((?:\`[^\`]+\`(?: or )?)+)`).exec(text) ?? [];
  return list === undefined ? null : [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
};

const readOperations = async (): Promise<void> => {
  const { body } = await gateway().call('get', '/v1/openapi.json').expect(200);
  const paths: [string, Record<string, { description: string; security: unknown[] }>][] = Object.entries(
    body.paths,
  );
  operations = paths.flatMap(([path, byMethod]) =>
    METHODS.filter((method) => byMethod[method]).map((method): Operation => {
      const { description = '', security = [] } = byMethod[method] ?? {};
      const [, who = ''] =
        /(?:^|\s)(For [^\n]*?\.(?: A public key[^\n]*)?|Needs no credentials\.)$/.exec(description) ?? [];
      return {
        name: `${method} ${path}`,
        method,
        path: path.replaceAll(/\{\w+\}/g, 'unknown'),
        isOpen: security.length === 0,
        operator: permissionsIn(who, 'operator'),
        merchant: permissionsIn(who, 'merchant'),
      };
    }),
  );
  undefinedMethods = paths.flatMap(([path, byMethod]) =>
    METHODS.filter((method) => !byMethod[method]).map(
      (method) => [method, path.replaceAll(/\{\w+\}/g, 'unknown')] as const,
    ),
  );
};

const createCallers = async (): Promise<void> => {
  const admin = await operator(gateway);
  for (const permission of [null, ...OPERATOR_PERMISSIONS]) {
    const permissions = permission === null ? [] : [permission];
    const group = `matrix ${randomUUID()}`;
    await admin.post('/v1/admin/groups', { name: group, permissions }).expect(201);
    const login = { email: `${randomUUID()}@example.test`, password: PASSWORD };
    await admin.post('/v1/admin/users', { ...login, merchantId: null, groups: [group] }).expect(201);
    const { body } = await gateway().call('post', '/v1/auth/login').send(login).expect(200);
    callers.push({
      name: `operator with ${permission ?? 'nothing'}`,
      kind: 'operator',
      permissions: permission === 'admin.refunds.manual' ? [permission, ...INHERITED] : permissions,
      client: withToken(gateway, body.accessToken),
    });
  }
  for (const permission of [null, ...MERCHANT_PERMISSIONS]) {
    const permissions = permission === null ? [] : [permission];
    const merchant = await gateway().createMerchant();
    await admin.call('patch', `/v1/admin/merchants/${merchant.id}`, { permissions }).expect(200);
    const name = `merchant with ${permission ?? 'nothing'}`;
    callers.push({ name, kind: 'merchant', permissions, client: withKey(gateway, merchant.testKey) });
  }
};

beforeAll(async () => {
  await readOperations();
  await createCallers();
});

const isFor = (operation: Operation, { kind, permissions }: Caller): boolean => {
  const needed = operation[kind];
  return needed !== null && (needed.length === 0 || needed.some((one) => permissions.includes(one)));
};

/** Sends what no operation takes: whoever may call it learns so (400), and nothing happens. */
const ask = async (
  { method, path }: Operation,
  { client }: Caller,
): Promise<{ status: number; code: string }> => {
  try {
    const { status, body } = await client.call(method, `${path}?no-such-parameter=1`);
    return { status, code: body.code ?? '' };
  } catch (error) {
    return { status: 0, code: String(error) };
  }
};

const REFUSALS = ['PERMISSION_MISSING', 'OPERATORS_ONLY', 'MERCHANTS_ONLY'];

describe('every operation of the OpenAPI document', () => {
  it('says in its description for whom it is', () => {
    expect(operations.length).toBeGreaterThan(110);
    const unclear = operations.filter(
      (one) => one.isOpen === (one.operator !== null || one.merchant !== null),
    );
    expect(unclear.map(({ name }) => name)).toEqual([]);
  });

  it('is open to callers with the one permission that it names, and closed to all others', async () => {
    const closedAtMost = volume({ usual: 3, proof: Number.POSITIVE_INFINITY });
    const wrong: string[] = [];
    let asked = 0;
    for (const operation of operations.filter((one) => !one.isOpen)) {
      const open = callers.filter((caller) => isFor(operation, caller));
      const closed = callers.filter((caller) => !isFor(operation, caller));
      while (closed.length > closedAtMost) closed.splice(randomInt(closed.length), 1);
      await inBatches([...open.slice(0, closedAtMost), ...closed], AT_ONCE, async (caller) => {
        const { status, code } = await ask(operation, caller);
        const isRight = open.includes(caller)
          ? status === 400 || (status === 401 && caller.kind === 'merchant')
          : (status === 403 && REFUSALS.includes(code)) || (status === 401 && caller.kind === 'merchant');
        if (!isRight) wrong.push(`${operation.name} by ${caller.name}: ${status} ${code}`);
        asked += 1;
      });
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(400);
  });

  it('has no method that the document does not name', async () => {
    const wrong: string[] = [];
    const [caller] = callers;
    for (const [method, path] of undefinedMethods) {
      const { status } = (await caller?.client.call(method, path)) ?? { status: 0 };
      if (status !== 405) wrong.push(`${method} ${path}: ${status}`);
    }
    expect(undefinedMethods.length).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });
});
