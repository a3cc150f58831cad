import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import {
  MERCHANT_PERMISSIONS,
  OPERATOR_PERMISSIONS,
  type OperatorPermission,
} from '../../src/kernel/principal.ts';
import type { Route } from '../../src/platform/http/route.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { leasesEnd } from '../../src/platform/write-store/leases.ts';
import { type TestMerchant, useGateway } from '../support/gateway.ts';

jest.setTimeout(60_000);

const gateway = useGateway();
/** Permissions that come along with `admin.refunds.manual`. */
const INHERITED: readonly string[] = [
  'admin.chargeback_alerts.create',
  'admin.manual_refund_requests.read',
  'admin.manual_refund_requests.update',
];

const group = `group ${randomUUID()}`;
let merchant: TestMerchant;
let user: string;
let routes: readonly Route[];

const root = async (method: 'post' | 'patch', path: string, body: object): Promise<Response> =>
  gateway()
    .call(method, path)
    .auth(await gateway().operatorToken(), { type: 'bearer' })
    .send(body);
const hold = async (permissions: readonly string[]): Promise<void> => {
  const { status } = await root('patch', `/v1/admin/groups/${encodeURIComponent(group)}`, { permissions });
  expect(status).toBe(200);
};

beforeAll(async () => {
  merchant = await gateway().createMerchant();
  await root('post', '/v1/admin/groups', { name: group, permissions: [] });
  const login = { email: `${randomUUID()}@example.test`, password: 'correct horse battery' };
  await root('post', '/v1/admin/users', { ...login, merchantId: null, groups: [group] });
  user = (await gateway().call('post', '/v1/auth/login').send(login)).body.accessToken;
  routes = gateway().container.getAll(platform.routes).flat();
});

const pathOf = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, 'unknown');
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
/** A request that the route refuses by its shape, or with 404, but only after the permission. */
const ask = (route: Route, by: { readonly bearer: string } | { readonly key: string }) => {
  const request = gateway().call(route.method, pathOf(route));
  return 'bearer' in by ? request.auth(by.bearer, { type: 'bearer' }) : request.auth(by.key, '');
};
const needs = ({ access }: Route): readonly OperatorPermission[] =>
  access?.operator === undefined || access.operator === 'any' ? [] : [access.operator].flat();

/** Everything that a command could leave behind; what workers do by themselves is left out. */
const written = async (): Promise<Readonly<Record<string, number>>> => {
  const { db } = gateway();
  const names = (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter(
      (name) => !['workers', 'outbox', 'drift', 'api_key_uses', 'audit_links', 'audit_chain'].includes(name),
    )
    .sort();
  // Refusals of operators are written down.
  const butDenials = { type: { $ne: 'permission.denied' }, 'data.type': { $ne: 'permission.denied' } };
  const counts = await Promise.all(
    names.map((name) =>
      // The store knows how many documents there are in all; to count some of them costs it three times as much.
      ['audit_log', 'domain_events'].includes(name)
        ? db.collection(name).countDocuments(butDenials)
        : db.collection(name).estimatedDocumentCount(),
    ),
  );
  return Object.fromEntries(names.map((name, index) => [name, counts[index] ?? 0]));
};

describe('every administrative route', () => {
  it('is among those that are tried', () => {
    const administrative = routes.filter(({ path }) => path.startsWith('/v1/admin/'));
    expect(administrative.length).toBeGreaterThan(25);
    for (const route of administrative) {
      expect([nameOf(route), needs(route).length > 0]).toEqual([nameOf(route), true]);
      expect([nameOf(route), route.access?.merchant]).toEqual([nameOf(route), undefined]);
    }
  });

  it('answers 403 to an operator without any permission, to merchants and to public keys', async () => {
    await hold([]);
    const before = await written();
    const answers: [string, number][] = [];
    for (const route of routes.filter((one) => needs(one).length > 0)) {
      answers.push([nameOf(route), (await ask(route, { bearer: user })).status]);
      if (route.access?.merchant !== undefined || route.access?.schemes) continue;
      answers.push([nameOf(route), (await ask(route, { key: merchant.liveKey })).status]);
      answers.push([nameOf(route), (await ask(route, { key: merchant.publicKey })).status]);
    }
    expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
    expect(await written()).toEqual(before);
  });

  it('answers 403 where its own permission alone is missing, and writes nothing', async () => {
    const sets = [...new Set(routes.map((route) => needs(route).join()).filter(Boolean))];
    const answers: [string, number][] = [];
    for (const set of sets) {
      const missing = set.split(',');
      const isInherited = missing.some((permission) => INHERITED.includes(permission));
      await hold(
        OPERATOR_PERMISSIONS.filter(
          (permission) =>
            !missing.includes(permission) && !(isInherited && permission === 'admin.refunds.manual'),
        ),
      );
      const before = await written();
      for (const route of routes.filter((one) => needs(one).join() === set))
        answers.push([nameOf(route), (await ask(route, { bearer: user })).status]);
      expect(await written()).toEqual(before);
    }
    expect(answers.length).toBeGreaterThan(25);
    expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
  });

  it('is open to each permission that it names, and to no other thing than that', async () => {
    const answers: [string, number][] = [];
    for (const permission of new Set(routes.flatMap(needs))) {
      await hold([permission]);
      for (const route of routes.filter((one) => needs(one).includes(permission)))
        answers.push([`${nameOf(route)} with ${permission}`, (await ask(route, { bearer: user })).status]);
    }
    expect(answers.filter(([, status]) => status === 403 || status === 401 || status >= 500)).toEqual([]);
  });

  it('that needs what admin.refunds.manual brings is open to it', async () => {
    await hold(['admin.refunds.manual']);
    const inherited = routes.filter((route) => needs(route).some((one) => INHERITED.includes(one)));
    const answers = await Promise.all(
      inherited.map(async (route) => [nameOf(route), (await ask(route, { bearer: user })).status] as const),
    );
    expect(answers.length).toBeGreaterThan(4);
    expect(answers.filter(([, status]) => status === 403)).toEqual([]);
  });
});

describe('every route of merchants', () => {
  it('answers 403 where its permission is missing, and to operators whom it does not name', async () => {
    await hold(OPERATOR_PERMISSIONS);
    const before = await written();
    const answers: [string, number][] = [];
    for (const permission of MERCHANT_PERMISSIONS) {
      const named = routes.filter((route) => route.access?.merchant === permission);
      if (named.length === 0) continue;
      await gateway()
        .db.collection('merchants')
        .updateOne(
          { id: merchant.id },
          { $set: { permissions: MERCHANT_PERMISSIONS.filter((one) => one !== permission) } },
        );
      await leasesEnd();
      for (const route of named) {
        if (!route.access?.schemes)
          answers.push([nameOf(route), (await ask(route, { key: merchant.testKey })).status]);
        if (route.access?.operator === undefined)
          answers.push([nameOf(route), (await ask(route, { bearer: user })).status]);
      }
    }
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
    expect(await written()).toEqual(before);
  });
});
