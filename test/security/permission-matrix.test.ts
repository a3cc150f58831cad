import { randomInt, randomUUID } from 'node:crypto';
import { isForPeople, MERCHANT_PERMISSIONS, OPERATOR_PERMISSIONS } from '../../src/kernel/principal.ts';
import type { Method } from '../support/call.ts';
import { type Client, operator, withKey, withToken } from '../support/client.ts';
import { METHODS, openApiOf } from '../support/document.ts';
import { useGateway } from '../support/gateway.ts';
import { inBatches } from '../support/in-batches.ts';
import { patiently } from '../support/patiently.ts';
import { volume } from '../support/volume.ts';

const AT_ONCE = 8;
/** Callers of each kind that a cell is tried with; `make proofs` tries all. */
const CALLERS_AT_MOST = volume({ usual: 3, proof: Number.POSITIVE_INFINITY });

const gateway = useGateway();
const PASSWORD = 'a password of this matrix';
/** Permissions that come along with `admin.refunds.manual`. */
const INHERITED: readonly string[] = [
  'admin.chargeback_alerts.create',
  'admin.manual_refund_requests.read',
  'admin.manual_refund_requests.update',
];

type Kind = 'operator' | 'merchant';
/** A caller with one permission, or none. */
type Caller = {
  readonly name: string;
  readonly kind: Kind;
  readonly permissions: readonly string[];
  /** Whether it is a key, which routes for users alone may refuse as such. */
  readonly isKey: boolean;
  readonly client: Client;
};

/** An operation of the OpenAPI document, with the callers that its description names. */
type Operation = {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly isOpen: boolean;
  /** Whether it takes keys; where it takes tokens only, a key may be refused as such. */
  readonly takesKeys: boolean;
  /** Null where it is for no caller of the kind, empty where it is for any. */
  readonly operator: readonly string[] | null;
  readonly merchant: readonly string[] | null;
};

const permissionsIn = (text: string, kind: Kind): readonly string[] | null => {
  if (text.includes(`any ${kind}`)) return [];
  const [, list] = new RegExp(`an? ${kind} with permission ((?:\`[^\`]+\`(?: or )?)+)`).exec(text) ?? [];
  return list === undefined ? null : [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
};

type Described = { readonly description?: string; readonly security?: readonly object[] };
const { paths } = openApiOf<{ paths: Record<string, Partial<Record<Method, Described>>> }>();
const concrete = (path: string): string => path.replaceAll(/\{\w+\}/g, 'unknown');
const operationsOf = (path: string): readonly Operation[] =>
  METHODS.flatMap((method) => {
    const described = paths[path]?.[method];
    if (!described) return [];
    const { description = '', security = [] } = described;
    const [, who = ''] =
      /(?:^|\s)(For [^\n]*?\.(?: A public key[^\n]*)?|Needs no credentials\.)$/.exec(description) ?? [];
    return [
      {
        name: `${method} ${path}`,
        method,
        path: concrete(path),
        isOpen: security.length === 0,
        takesKeys: security.some((scheme) => 'basic' in scheme),
        operator: permissionsIn(who, 'operator'),
        merchant: permissionsIn(who, 'merchant'),
      },
    ];
  });
const PATHS = Object.keys(paths);
const OPERATIONS = PATHS.flatMap(operationsOf);
const CLOSED_PATHS = PATHS.filter((path) => operationsOf(path).some(({ isOpen }) => !isOpen));

const logIn = async (admin: Client, merchantId: string | null, group: string): Promise<Client> => {
  const login = { email: `${randomUUID()}@example.test`, password: PASSWORD };
  const user = { ...login, merchantId, groups: [group] };
  await patiently(() => admin.post('/v1/admin/users', user)).then(created);
  const { status, body } = await patiently(() => gateway().call('post', '/v1/auth/login').send(login));
  expect(status).toBe(200);
  return withToken(gateway, body.accessToken);
};

const callers: Caller[] = [];
const cells = { asked: 0, skipped: 0 };

beforeAll(async () => {
  const admin = await operator(gateway);
  for (const permission of [null, ...OPERATOR_PERMISSIONS]) {
    const permissions = permission === null ? [] : [permission];
    const group = `matrix ${randomUUID()}`;
    await patiently(() => admin.post('/v1/admin/groups', { name: group, permissions })).then(created);
    callers.push({
      name: `operator with ${permission ?? 'nothing'}`,
      kind: 'operator',
      permissions: permission === 'admin.refunds.manual' ? [permission, ...INHERITED] : permissions,
      isKey: false,
      client: await logIn(admin, null, group),
    });
  }
  for (const permission of [null, ...MERCHANT_PERMISSIONS]) {
    const permissions = permission === null ? [] : [permission];
    const merchant = await gateway().createMerchant();
    await admin.call('patch', `/v1/admin/merchants/${merchant.id}`, { permissions }).expect(200);
    const name = `merchant with ${permission ?? 'nothing'}`;
    const isKey = !isForPeople(permission ?? '');
    const group = `matrix ${randomUUID()}`;
    if (!isKey)
      await patiently(() => admin.post('/v1/admin/groups', { name: group, permissions })).then(created);
    const client = isKey ? withKey(gateway, merchant.testKey) : await logIn(admin, merchant.id, group);
    callers.push({ name, kind: 'merchant', permissions, isKey, client });
  }
});

afterAll(() => {
  const { asked, skipped } = cells;
  process.stderr.write(`permission matrix: ${asked} cells asked, ${skipped} left to make proofs\n`);
});

const created = ({ status }: { readonly status: number }): void => expect(status).toBe(201);

const isFor = (operation: Operation, { kind, permissions }: Caller): boolean => {
  const needed = operation[kind];
  return needed !== null && (needed.length === 0 || needed.some((one) => permissions.includes(one)));
};

/** So many of them by chance; the others count as skipped. */
const some = (all: readonly Caller[]): readonly Caller[] => {
  const chosen = [...all];
  while (chosen.length > CALLERS_AT_MOST) chosen.splice(randomInt(chosen.length), 1);
  cells.skipped += all.length - chosen.length;
  return chosen;
};

const REFUSALS = ['PERMISSION_MISSING', 'OPERATORS_ONLY', 'MERCHANTS_ONLY'];

/** Sends what no operation takes, so that a permitted caller gets 400 and nothing happens. */
const faultOf = async (operation: Operation, caller: Caller): Promise<string | null> => {
  const path = `${operation.path}?no-such-parameter=1`;
  const { status, body } = await patiently(() => caller.client.call(operation.method, path));
  cells.asked += 1;
  const isRight = (): boolean => {
    if (caller.isKey && !operation.takesKeys && status === 401) return true;
    if (isFor(operation, caller)) return status === 400;
    return status === 403 && REFUSALS.includes(body.code ?? '');
  };
  return isRight() ? null : `${operation.name} by ${caller.name}: ${status} ${body.code}`;
};

describe('every operation of the OpenAPI document', () => {
  it('says in its description for whom it is', () => {
    expect(OPERATIONS.length).toBeGreaterThan(110);
    const unclear = OPERATIONS.filter(
      (one) => one.isOpen === (one.operator !== null || one.merchant !== null),
    );
    expect(unclear.map(({ name }) => name)).toEqual([]);
  });

  it.each(CLOSED_PATHS)(
    '%s is open to callers with the one permission that it names, and closed to all others',
    async (path) => {
      const faults: string[] = [];
      for (const operation of operationsOf(path).filter(({ isOpen }) => !isOpen)) {
        const open = callers.filter((caller) => isFor(operation, caller));
        const closed = callers.filter((caller) => !isFor(operation, caller));
        await inBatches([...some(open), ...some(closed)], AT_ONCE, async (caller) => {
          const fault = await faultOf(operation, caller);
          if (fault !== null) faults.push(fault);
        });
        const { status } = await patiently(() => gateway().call(operation.method, operation.path));
        cells.asked += 1;
        if (status !== 401) faults.push(`${operation.name} by nobody: ${status}`);
      }
      expect(faults).toEqual([]);
    },
  );

  it.each(PATHS)('%s has no method that the document does not name', async (path) => {
    const faults: string[] = [];
    for (const method of METHODS.filter((one) => !paths[path]?.[one]))
      await inBatches(some(callers), AT_ONCE, async ({ name, client }) => {
        const { status } = await patiently(() => client.call(method, concrete(path)));
        cells.asked += 1;
        if (status !== 405) faults.push(`${method} ${path} by ${name}: ${status}`);
      });
    expect(faults).toEqual([]);
  });

  it('was asked by every caller that `make test` or `make proofs` promises', () => {
    const closed = OPERATIONS.filter(({ isOpen }) => !isOpen).length;
    const undefinedMethods = PATHS.length * METHODS.length - OPERATIONS.length;
    expect(callers).toHaveLength(OPERATOR_PERMISSIONS.length + MERCHANT_PERMISSIONS.length + 2);
    expect(cells.asked + cells.skipped).toBe(
      closed * (callers.length + 1) + undefinedMethods * callers.length,
    );
    if (CALLERS_AT_MOST > callers.length) expect(cells.skipped).toBe(0);
  });
});
