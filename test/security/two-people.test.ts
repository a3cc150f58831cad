import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { systemContext } from '../../src/kernel/event.ts';
import { newId } from '../../src/kernel/ids.ts';
import { OPERATOR_PERMISSIONS } from '../../src/kernel/principal.ts';
import { createExpireProposals } from '../../src/modules/proposals/write/proposals.store.ts';
import { holdMoney } from '../../src/modules/suspense/write/hold-money.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { aPayoutFee } from '../builders.ts';
import { type Client, operator, PATIENT, withKey } from '../support/client.ts';
import { everythingInElastic, everythingInMongo } from '../support/everything.ts';
import { OPERATOR, useGateway } from '../support/gateway.ts';
import { anOperator, logIn, type TestOperator } from '../support/operators.ts';

const gateway = useGateway({ ...PATIENT, TWO_PERSON_RULE: 'true', TWO_PERSON_PAYOUT_ABOVE_CENTS: '50000' });

const ADMINISTRATOR = ['admin.users.update'] as const;
const PASSWORD = 'a first pass phrase of hers';

let first: Client;
let ana: TestOperator;
let bia: TestOperator;
let carla: TestOperator;

const newUser = (changes: object = {}) => ({
  email: `${randomUUID()}@example.test`,
  password: PASSWORD,
  merchantId: null,
  groups: [],
  ...changes,
});
const code = ({ status, body }: Response): readonly [number, string | undefined] => [status, body.code];
const propose = async (request: PromiseLike<Response>): Promise<string> => {
  const { status, body } = await request;
  expect([status, body.status]).toEqual([202, 'pending']);
  return body.id;
};
const approve = (by: Client, id: string) => by.post(`/v1/admin/proposals/${id}/approve`);
const reject = (by: Client, id: string) => by.post(`/v1/admin/proposals/${id}/reject`, { reason: 'no need' });
const statusOf = async (id: string): Promise<string> =>
  (await ana.get(`/v1/admin/proposals/${id}`).expect(200)).body.status;
const rename = (by: Client, whom: TestOperator) =>
  by.call('patch', `/v1/admin/users/${whom.id}`, { name: `name ${randomUUID()}` });
const userCount = (email: string): Promise<number> =>
  gateway().db.collection('users').countDocuments({ email });

// The first test is about the time before there is anybody else.
describe('the first operator', () => {
  it('is exempt while nobody else can administer users, and not from then on', async () => {
    first = await operator(gateway, 'test');
    const readers = { name: 'readers', permissions: ['admin.reports.read'] };
    await first.post('/v1/admin/groups', readers).expect(201);
    await first.post('/v1/admin/users', newUser({ groups: ['readers'] })).expect(201);
    const second = newUser({ groups: ['operators'] });
    await first.post('/v1/admin/users', second).expect(201);
    const third = newUser();
    const id = await propose(first.post('/v1/admin/users', third));
    expect(await userCount(third.email)).toBe(0);
    // Made today, by the one who wants her approval.
    expect(code(await approve(await logIn(gateway, second), id))).toEqual([403, 'APPROVER_TOO_NEW']);
  });

  it('among others is no exception', async () => {
    [ana, bia, carla] = await Promise.all([
      anOperator(gateway, OPERATOR_PERMISSIONS),
      anOperator(gateway, OPERATOR_PERMISSIONS),
      anOperator(gateway, OPERATOR_PERMISSIONS),
    ]);
    await propose(rename(first, ana));
    await propose(rename(ana, ana));
  });
});

describe('a command that needs a second operator', () => {
  it('changes nothing until it is approved, and is carried out then, once', async () => {
    const user = newUser({ name: 'Dora', groups: ['readers'] });
    const { body } = await ana.post('/v1/admin/users', user).expect(202);
    expect(body).toEqual({
      id: expect.stringMatching(/^prp_/),
      kind: 'user.create',
      summary: `Create operator ${user.email} with groups: readers`,
      resourceId: expect.stringMatching(/^usr_/),
      livemode: null,
      change: {
        before: null,
        after: {
          email: user.email,
          name: 'Dora',
          merchantId: null,
          groups: ['readers'],
          disabled: false,
          allowedNetworks: [],
        },
      },
      status: 'pending',
      createdBy: ana.id,
      decidedBy: null,
      rejectionReason: null,
      decidedAt: null,
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(await userCount(user.email)).toBe(0);
    await gateway()
      .call('post', '/v1/auth/login')
      .send({ email: user.email, password: PASSWORD })
      .expect(401);
    const listed = await bia.getAfter('latest', `/v1/admin/proposals?status=pending&createdBy=${ana.id}`);
    expect(listed.body.data).toContainEqual(body);
    expect((await bia.get(`/v1/admin/proposals/${body.id}`).expect(200)).body).toEqual(body);

    const approved = await approve(bia, body.id).expect(200);
    expect(approved.body).toMatchObject({
      status: 'approved',
      decidedBy: bia.id,
      decidedAt: expect.any(String),
      result: { id: body.resourceId, email: user.email, groups: ['readers'] },
    });
    await logIn(gateway, { email: user.email, password: PASSWORD });
    expect(code(await approve(carla, body.id))).toEqual([422, 'PROPOSAL_NOT_PENDING']);
    expect(code(await reject(carla, body.id))).toEqual([422, 'PROPOSAL_NOT_PENDING']);

    const trail = await ana.getAfter('latest', `/v1/admin/audit-log?resourceId=${body.id}&orderBy=createdAt`);
    expect(
      trail.body.data.map((entry: { type: string; actor: { id: string } }) => [entry.type, entry.actor.id]),
    ).toEqual([
      ['proposal.created', ana.id],
      ['proposal.approved', bia.id],
    ]);
    const made = await ana.getAfter(
      'latest',
      `/v1/admin/audit-log?type=user.created&resourceId=${body.resourceId}`,
    );
    expect(made.body.data[0]).toMatchObject({
      type: 'user.created',
      actor: { id: bia.id },
      details: { proposedBy: ana.id },
      requestId: approved.headers['x-request-id'],
    });
  });

  it('keeps the hash of a password sealed, and not even that once it is decided', async () => {
    const password = `a secret of ${randomUUID()}`;
    const id = await propose(ana.post('/v1/admin/users', newUser({ password })));
    const hash = async () =>
      JSON.stringify(await gateway().db.collection<{ _id: string }>('proposals').findOne({ _id: id }));
    expect(await hash()).toContain('sealedCommand');
    expect(await hash()).not.toContain('argon2');
    const shown = await ana.getAfter('latest', '/v1/admin/proposals?size=100');
    expect(JSON.stringify(shown.body)).not.toContain('argon2');
    await reject(bia, id).expect(200);
    expect(await hash()).not.toContain('argon2');
    const stored = [
      ...(await everythingInMongo(gateway().db)),
      ...(await everythingInElastic(gateway().readStore)),
    ];
    expect(stored.filter(([, text]) => text.includes(password))).toEqual([]);
  });

  it('is refused at once where a rule refuses it', async () => {
    const user = newUser();
    expect(code(await ana.post('/v1/admin/users', { ...user, groups: ['unknown'] }))).toEqual([
      422,
      'GROUP_NOT_FOUND',
    ]);
    expect(code(await ana.post('/v1/admin/users', { ...user, email: bia.email }))).toEqual([
      422,
      'EMAIL_ALREADY_USED',
    ]);
    expect(code(await ana.call('patch', '/v1/admin/users/usr_unknown', { name: null }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(code(await ana.call('patch', '/v1/admin/groups/unknown', { permissions: [] }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  it('is approved by nobody who gave it or whom it concerns, and may be taken back', async () => {
    const id = await propose(rename(ana, bia));
    expect(code(await approve(ana, id))).toEqual([403, 'APPROVAL_BY_AUTHOR']);
    expect(code(await approve(bia, id))).toEqual([403, 'APPROVAL_BY_CONCERNED']);
    expect(await statusOf(id)).toBe('pending');
    expect((await reject(ana, id).expect(200)).body).toMatchObject({
      status: 'rejected',
      rejectionReason: 'no need',
      decidedBy: ana.id,
    });
    expect(code(await approve(carla, id))).toEqual([422, 'PROPOSAL_NOT_PENDING']);
  });

  it('is approved by nobody who is disabled while the request is under way', async () => {
    const id = await propose(rename(ana, bia));
    const approveLate = async (afterMs: number): Promise<Response> => {
      const late = await anOperator(gateway, ADMINISTRATOR);
      const request = approve(late, id).set('Content-Type', 'application/json');
      request.write('{');
      await sleep(afterMs);
      await gateway()
        .db.collection<{ _id: string }>('users')
        .updateOne({ _id: late.id }, { $set: { disabled: true } });
      request.write('}');
      return request;
    };
    // Nobody hears when the gateway knows the caller and waits for the body, so later and later is tried.
    let answer = await approveLate(100);
    for (let afterMs = 200; answer.status === 401 && afterMs <= 6_400; afterMs *= 2)
      answer = await approveLate(afterMs);
    expect(code(answer)).toEqual([403, 'APPROVER_NOT_ALLOWED']);
    expect(await statusOf(id)).toBe('pending');
  });

  it('is carried out once by two who approve at the same time', async () => {
    const id = await propose(ana.post('/v1/admin/groups', { name: `g ${randomUUID()}`, permissions: [] }));
    const answers = await Promise.all([approve(bia, id), approve(carla, id), approve(bia, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  it('is carried out for one of two who want each other disabled at the same time', async () => {
    const [dora, eva] = [await anOperator(gateway, ADMINISTRATOR), await anOperator(gateway, ADMINISTRATOR)];
    const disable = (by: Client, whom: TestOperator) =>
      propose(by.call('patch', `/v1/admin/users/${whom.id}`, { disabled: true }));
    const [one, other] = [await disable(dora, eva), await disable(eva, dora)];
    const answers = await Promise.all([approve(bia, one), approve(carla, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.map(({ body }) => body.code)).toContain('AUTHOR_NOT_ALLOWED');
  });

  it('is not carried out on a record that its author did not see', async () => {
    const dora = await anOperator(gateway, []);
    const [one, other] = [await propose(rename(ana, dora)), await propose(rename(bia, dora))];
    await approve(carla, one).expect(200);
    expect(code(await approve(carla, other))).toEqual([409, 'VERSION_CHANGED']);
    expect(await statusOf(other)).toBe('pending');

    const group = `g ${randomUUID()}`;
    await approve(bia, await propose(ana.post('/v1/admin/groups', { name: group, permissions: [] }))).expect(
      200,
    );
    const path = `/v1/admin/groups/${encodeURIComponent(group)}`;
    const change = (permissions: readonly string[]) => ana.call('patch', path, { permissions });
    const late = await propose(change(['admin.audit.read']));
    await approve(bia, await propose(change(['admin.reports.read']))).expect(200);
    expect(code(await approve(bia, late))).toEqual([409, 'VERSION_CHANGED']);
  });

  it('is checked again, and refused but kept where it has become impossible', async () => {
    const user = newUser();
    const [one, other] = [
      await propose(ana.post('/v1/admin/users', user)),
      await propose(ana.post('/v1/admin/users', user)),
    ];
    await approve(bia, one).expect(200);
    expect(code(await approve(bia, other))).toEqual([422, 'EMAIL_ALREADY_USED']);
    expect(await statusOf(other)).toBe('pending');
  });

  it('has had its time after a week', async () => {
    const id = await propose(rename(ana, bia));
    const { db, container } = gateway();
    const proposals = db.collection<{ _id: string }>('proposals');
    await proposals.updateOne({ _id: id }, { $set: { expiresAt: new Date().toISOString() } });
    expect(code(await approve(carla, id))).toEqual([422, 'PROPOSAL_NOT_PENDING']);
    await createExpireProposals({ db, transact: container.get(platform.services).transact })(new Date());
    expect(await statusOf(id)).toBe('expired');
    expect(await proposals.findOne({ _id: id })).toMatchObject({ secret: {} });
  });

  it('does not come from work on merchants and their users', async () => {
    const merchant = await gateway().createMerchant();
    const { body } = await ana.post('/v1/admin/users', newUser({ merchantId: merchant.id })).expect(201);
    await ana.call('patch', `/v1/admin/users/${body.id}`, { name: 'Eva' }).expect(200);
    // She becomes an operator, though.
    await propose(ana.call('patch', `/v1/admin/users/${body.id}`, { merchantId: null }));
  });
});

describe('an operator who wants more than she has', () => {
  it('makes no puppet, and gives no group and no permission that she does not hold', async () => {
    const weak = await anOperator(gateway, ADMINISTRATOR);
    const refused = await weak.post('/v1/admin/users', newUser({ groups: ['operators'] }));
    expect(code(refused)).toEqual([403, 'GRANT_NOT_HELD']);
    expect(refused.body.errors).toContainEqual({
      path: 'permissions',
      message: 'permissions must be held by the caller: admin.adjustments.approve is not',
    });
    const permissions = ['admin.adjustments.approve'];
    for (const attempt of [
      weak.call('patch', `/v1/admin/users/${weak.id}`, { groups: [weak.group, 'operators'] }),
      weak.post('/v1/admin/groups', { name: `g ${randomUUID()}`, permissions }),
      weak.call('patch', `/v1/admin/groups/${encodeURIComponent(weak.group)}`, { permissions }),
      weak.call('patch', '/v1/admin/groups/readers', { permissions: ['admin.refunds.manual'] }),
      // The account of somebody stronger, by way of an address of her own.
      weak.call('patch', `/v1/admin/users/${ana.id}`, { email: `${randomUUID()}@example.test` }),
    ])
      expect(code(await attempt)).toEqual([403, 'GRANT_NOT_HELD']);
    const trail = await ana.getAfter('latest', `/v1/admin/audit-log?actor=${weak.id}&type=permission.denied`);
    expect(trail.body.total).toBe(6);
    expect(trail.body.data[0].details.code).toBe('GRANT_NOT_HELD');
    await propose(weak.post('/v1/admin/groups', { name: `g ${randomUUID()}`, permissions: ADMINISTRATOR }));
  });

  it('does not approve what she could not give herself', async () => {
    const weak = await anOperator(gateway, ADMINISTRATOR);
    const id = await propose(ana.post('/v1/admin/users', newUser({ groups: ['operators'] })));
    expect(code(await approve(weak, id))).toEqual([403, 'GRANT_NOT_HELD']);
    expect(await statusOf(id)).toBe('pending');
    await approve(bia, id).expect(200);
  });

  it('proposes nothing any more that is approved once her own rights are gone', async () => {
    const dora = await anOperator(gateway, OPERATOR_PERMISSIONS);
    const user = newUser({ groups: ['operators'] });
    const [one, other] = [
      await propose(dora.post('/v1/admin/users', user)),
      await propose(dora.post('/v1/admin/groups', { name: `g ${randomUUID()}`, permissions: [] })),
    ];
    const path = `/v1/admin/groups/${encodeURIComponent(dora.group)}`;
    await approve(bia, await propose(ana.call('patch', path, { permissions: ADMINISTRATOR }))).expect(200);
    expect(code(await approve(bia, one))).toEqual([403, 'GRANT_NOT_HELD']);
    await approve(bia, await propose(ana.call('patch', path, { permissions: [] }))).expect(200);
    expect(code(await approve(bia, other))).toEqual([422, 'AUTHOR_NOT_ALLOWED']);
    const disabled = ana.call('patch', `/v1/admin/users/${dora.id}`, { disabled: true });
    await approve(bia, await propose(disabled)).expect(200);
    expect(code(await approve(bia, other))).toEqual([422, 'AUTHOR_NOT_ALLOWED']);
    expect(await userCount(user.email)).toBe(0);
  });

  it("approves nothing with an old account of a merchant's user, made an operator today", async () => {
    const merchant = await gateway().createMerchant();
    const puppet = newUser({ merchantId: merchant.id });
    const { body: made } = await ana.post('/v1/admin/users', puppet).expect(201);
    await gateway()
      .db.collection('users')
      .updateOne({ id: made.id }, { $set: { createdAt: '2026-01-01T00:00:00.000Z' } });
    const move = { merchantId: null, groups: [ana.group] };
    const moving = await propose(ana.call('patch', `/v1/admin/users/${made.id}`, move));
    await approve(bia, moving).expect(200);
    const id = await propose(ana.post('/v1/admin/users', newUser()));
    expect(code(await approve(await logIn(gateway, puppet), id))).toEqual([403, 'APPROVER_TOO_NEW']);
  });

  it('approves no adjustment with an account of the same day', async () => {
    const merchant = await gateway().createMerchant();
    const asked = { merchantId: merchant.id, amount: 10, currency: 'BRL', reason: 'a gift' };
    const { body } = await ana.post('/v1/admin/adjustments', asked).expect(201);
    const puppet = await anOperator(gateway, OPERATOR_PERMISSIONS, 0);
    expect(code(await puppet.post(`/v1/admin/adjustments/${body.id}/approve`))).toEqual([
      403,
      'APPROVER_TOO_NEW',
    ]);
    await bia.post(`/v1/admin/adjustments/${body.id}/approve`).expect(200);
  });
});

describe('the clearing of a suspense item', () => {
  it('is approved with no account of the same day', async () => {
    const stray = {
      livemode: false,
      provider: 'simulator',
      reason: 'unknown_payment',
      reference: `ref ${randomUUID()}`,
      pspRefId: null,
      direction: 'in',
      amount: 100_00,
      currency: 'BRL',
      chargeId: null,
      merchantId: null,
      accountOwnerId: null,
    } as const;
    const { id } = await gateway()
      .container.get(platform.services)
      .transact(systemContext('test'), (tx) => holdMoney(tx, stray, new Date(), newId));
    const clearing = `/v1/admin/suspense-items/${id}/clearing`;
    await ana.post(clearing, { method: 'gateway', reason: 'nobody asks for it' }).expect(200);
    const puppet = await anOperator(gateway, OPERATOR_PERMISSIONS, 0);
    expect(code(await puppet.post(`${clearing}/approve`))).toEqual([403, 'APPROVER_TOO_NEW']);
    expect((await bia.get(`/v1/admin/suspense-items/${id}`)).body.status).toBe('held');
    await bia.post(`${clearing}/approve`).expect(200);
  });
});

describe("the reset of an operator's password", () => {
  const reset = (by: Client, id: string) => by.post(`/v1/admin/users/${id}/password-reset`);

  it('needs a second operator, who alone is told the one-time password', async () => {
    const dora = await anOperator(gateway, []);
    const { body } = await reset(ana, dora.id).expect(202);
    expect(body).toMatchObject({ kind: 'user.password_reset', resourceId: dora.id, change: { after: {} } });
    // Nothing has happened: her session goes on.
    await dora.get('/v1/auth/sessions').expect(200);
    expect(code(await approve(ana, body.id))).toEqual([403, 'APPROVAL_BY_AUTHOR']);
    const { result } = (await approve(bia, body.id).expect(200)).body;
    await dora.get('/v1/auth/sessions').expect(401);
    await logIn(gateway, { email: dora.email, password: result.oneTimePassword });
    const read = await ana.get(`/v1/admin/proposals/${body.id}`).expect(200);
    expect(JSON.stringify(read.body)).not.toContain(result.oneTimePassword);
    const stored = [
      ...(await everythingInMongo(gateway().db)),
      ...(await everythingInElastic(gateway().readStore)),
    ];
    expect(stored.filter(([, text]) => text.includes(result.oneTimePassword))).toEqual([]);
  });

  it('gives nobody an account that can do more than their own', async () => {
    const weak = await anOperator(gateway, ADMINISTRATOR);
    expect(code(await reset(weak, ana.id))).toEqual([403, 'GRANT_NOT_HELD']);
    const id = await propose(reset(bia, ana.id));
    expect(code(await approve(weak, id))).toEqual([403, 'GRANT_NOT_HELD']);
    expect(code(await approve(ana, id))).toEqual([403, 'APPROVAL_BY_CONCERNED']);
    expect(code(await weak.post(`/v1/admin/users/${ana.id}/second-factor-reset`))).toEqual([
      403,
      'GRANT_NOT_HELD',
    ]);
    await ana.get('/v1/auth/sessions').expect(200);
  });

  it("of a merchant's user is done at once", async () => {
    const merchant = await gateway().createMerchant();
    const { body } = await ana.post('/v1/admin/users', newUser({ merchantId: merchant.id })).expect(201);
    expect((await reset(ana, body.id).expect(200)).body).toMatchObject({
      oneTimePassword: expect.any(String),
    });
  });
});

describe('the way of a merchant’s money', () => {
  const settings = {
    STRIPE_SECRET_KEY: 'rk_live_of_the_merchant_0001',
    STRIPE_WEBHOOK_SECRET: 'whsec_of_its_endpoint_01',
  };
  const rowsOf = (collection: string, merchantId: string): Promise<number> =>
    gateway().db.collection(collection).countDocuments({ merchantId });

  it('is registered, routed to and given other credentials by two operators', async () => {
    const { id } = await gateway().createMerchant();
    const accounts = `/v1/admin/merchants/${id}/provider-accounts`;
    const { body: proposed } = await ana.post(accounts, { provider: 'stripe', settings }).expect(202);
    expect(proposed).toMatchObject({
      kind: 'provider_account.create',
      resourceId: expect.stringMatching(/^pac_/),
      change: {
        before: null,
        after: {
          merchantId: id,
          provider: 'stripe',
          settings: { STRIPE_SECRET_KEY: null, STRIPE_WEBHOOK_SECRET: null },
        },
      },
    });
    expect(await rowsOf('provider_accounts', id)).toBe(0);
    const stored = [...(await everythingInMongo(gateway().db)).values()].join();
    expect(Object.values(settings).filter((secret) => stored.includes(secret))).toEqual([]);
    expect(code(await approve(ana, proposed.id))).toEqual([403, 'APPROVAL_BY_AUTHOR']);
    const { body: approved } = await approve(bia, proposed.id).expect(200);
    const account = approved.result;
    expect(account).toMatchObject({ id: proposed.resourceId, merchantId: id, provider: 'stripe' });

    const route = { name: 'live_providers', content: `credit_card=${account.name}` };
    const routing = await propose(ana.post(`/v1/merchants/${id}/settings`, route));
    expect(await rowsOf('settings', id)).toBe(0);
    const { body: routed } = await approve(bia, routing).expect(200);
    expect(routed.result).toMatchObject({ merchantId: id, ...route });
    expect(await rowsOf('settings', id)).toBe(1);
    // Routing that is no longer what its author saw.
    const elsewhere = { ...route, content: 'credit_card=simulator' };
    const late = await propose(ana.post(`/v1/merchants/${id}/settings`, elsewhere));
    await approve(bia, await propose(carla.post(`/v1/merchants/${id}/settings`, elsewhere))).expect(200);
    expect(code(await approve(bia, late))).toEqual([409, 'VERSION_CHANGED']);

    const removing = await propose(ana.call('delete', `/v1/merchants/${id}/settings/live_providers`));
    expect(await rowsOf('settings', id)).toBe(1);
    expect(code(await approve(ana, removing))).toEqual([403, 'APPROVAL_BY_AUTHOR']);
    const { body: removed } = await approve(bia, removing).expect(200);
    expect(removed).toMatchObject({
      kind: 'setting.routes_removal',
      result: {},
      change: { before: { content: elsewhere.content } },
    });
    await ana.call('delete', `/v1/merchants/${id}/settings/live_providers`).expect(404);

    const replacing = await propose(ana.call('put', `${accounts}/${account.id}`, { settings }));
    expect((await approve(bia, replacing).expect(200)).body.result.id).toBe(account.id);
    await ana.call('delete', `${accounts}/${account.id}`).expect(204);
  });

  it('is led nowhere by what would be refused, and other settings need nobody else', async () => {
    const { id } = await gateway().createMerchant();
    const accounts = `/v1/admin/merchants/${id}/provider-accounts`;
    await ana.post(accounts, { provider: 'stripe', settings: {} }).expect(400);
    const unknown = { name: 'live_providers', content: 'pix=nobody' };
    await ana.post(`/v1/merchants/${id}/settings`, unknown).expect(400);
    await ana.post('/v1/admin/settings', unknown).expect(400);
    await propose(ana.post('/v1/admin/settings', { name: 'live_providers', content: 'pix=simulator' }));
    await ana.post(`/v1/merchants/${id}/settings`, { name: 'reads_own_writes', content: true }).expect(201);
    await ana.call('delete', `/v1/merchants/${id}/settings/reads_own_writes`).expect(204);
    const nobody = `/v1/merchants/mer_${'0'.repeat(32)}/settings`;
    await ana.post(nobody, { name: 'live_providers', content: 'pix=simulator' }).expect(404);
  });
});

describe('a payout above the set amount', () => {
  it('is approved by two operators, and debited once', async () => {
    const merchant = await gateway().createMerchant({ companyTaxId: '11222333000181' });
    await ana.call('put', `/v1/admin/merchants/${merchant.id}/fee-definitions`, [aPayoutFee(0)]).expect(200);
    const gift = { merchantId: merchant.id, amount: 1_200, currency: 'BRL', reason: 'opening balance' };
    const { body: adjustment } = await ana.post('/v1/admin/adjustments', gift).expect(201);
    await bia.post(`/v1/admin/adjustments/${adjustment.id}/approve`).expect(200);
    const key = withKey(gateway, merchant.testKey);
    const ask = async (amount: number): Promise<string> =>
      (await key.post('/v1/payout-requests', { amount }).expect(201)).body.id;
    const balance = async () => (await key.get('/v1/balance').expect(200)).body.data[0].available;

    await ana.post(`/v1/admin/payout-requests/${await ask(50_000)}/approve`).expect(200);
    expect(await balance()).toBe(700);
    const large = await ask(50_001);
    const { body } = await ana.post(`/v1/admin/payout-requests/${large}/approve`).expect(202);
    expect(body).toMatchObject({
      kind: 'payout.approve',
      resourceId: large,
      livemode: false,
      change: { before: { status: 'pending' }, after: { amount: 50_001 } },
    });
    expect(await balance()).toBe(700);
    // It is a matter of the environment, and of who may approve payouts.
    await (await logIn(gateway, OPERATOR, 'live')).get(`/v1/admin/proposals/${body.id}`).expect(404);
    const others = await anOperator(gateway, ADMINISTRATOR);
    await others.get(`/v1/admin/proposals/${body.id}`).expect(404);
    expect((await others.getAfter('latest', '/v1/admin/proposals?kind=payout.approve')).body.total).toBe(0);
    await approve(others, body.id).expect(404);

    expect(code(await approve(ana, body.id))).toEqual([403, 'APPROVAL_BY_AUTHOR']);
    const answers = await Promise.all([approve(bia, body.id), approve(carla, body.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 200)?.body.result).toMatchObject({
      id: large,
      status: 'approved',
    });
    expect(await balance()).toBe(199.99);

    const tooLarge = await ask(60_000);
    expect(code(await ana.post(`/v1/admin/payout-requests/${tooLarge}/approve`))).toEqual([
      422,
      'INSUFFICIENT_BALANCE',
    ]);

    const more = await ana.post('/v1/admin/adjustments', { ...gift, amount: 2_000 }).expect(201);
    await bia.post(`/v1/admin/adjustments/${more.body.id}/approve`).expect(200);
    // One proposal waits for a payout at a time, and none outlives it.
    const twice = await ask(51_000);
    const propose51 = (by: Client) => by.post(`/v1/admin/payout-requests/${twice}/approve`);
    const proposals = await Promise.all([propose51(ana), propose51(bia), propose51(carla)]);
    expect(proposals.map(({ status }) => status).sort()).toEqual([202, 422, 422]);
    expect(code(await propose51(ana))).toEqual([422, 'PROPOSAL_ALREADY_PENDING']);
    const reason = { rejectionReason: 'another account' };
    const waiting = proposals.find(({ status }) => status === 202)?.body.id;
    await ana.post(`/v1/admin/payout-requests/${twice}/reject`, reason).expect(200);
    expect(await statusOf(waiting)).toBe('rejected');
    const cancelled = await ask(51_000);
    const ended = await propose(ana.post(`/v1/admin/payout-requests/${cancelled}/approve`));
    await key.post(`/v1/payout-requests/${cancelled}/cancel`).expect(200);
    expect((await bia.get(`/v1/admin/proposals/${ended}`).expect(200)).body).toMatchObject({
      status: 'rejected',
      decidedBy: null,
      rejectionReason: 'the merchant cancelled the payout request',
    });
  });
});

describe('wrong input', () => {
  it('is refused', async () => {
    await approve(ana, 'prp_unknown').expect(404);
    await reject(ana, 'prp_unknown').expect(404);
    await ana.get('/v1/admin/proposals/prp_unknown').expect(404);
    const id = await propose(rename(ana, bia));
    for (const body of [{}, { reason: 1 }, { reason: '' }, { reason: 'x', more: true }])
      await ana.post(`/v1/admin/proposals/${id}/reject`, body).expect(400);
    for (const query of ['status=open', 'kind=any', 'orderBy=summary', 'page=0'])
      await ana.get(`/v1/admin/proposals?${query}`).expect(400);
    await (await anOperator(gateway, ['admin.reports.read'])).get('/v1/admin/proposals').expect(403);
    await withKey(gateway, (await gateway().createMerchant()).testKey)
      .get('/v1/admin/proposals')
      .expect(403);
  });
});
