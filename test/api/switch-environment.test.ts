import type { Response } from 'supertest';
import { createSubMerchant, operator, PATIENT } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);
const PASSWORD = 'a password of this test';

const login = (email: string, environment: string, more: object = {}) =>
  gateway()
    .call('post', '/v1/auth/login')
    .send({ email, password: PASSWORD, environment, ...more })
    .expect(200);
const PATH = '/v1/auth/refresh/environment';
const switchTo = (token: string, environment: unknown, cookie = '') =>
  gateway()
    .call('post', PATH)
    .auth(token, { type: 'bearer' })
    .set(cookie === '' ? {} : { Cookie: cookie })
    .send({ environment });
const me = (token: string) => gateway().call('get', '/v1/auth/me').auth(token, { type: 'bearer' });
const sessions = async (token: string): Promise<Response['body'][]> =>
  (await gateway().call('get', '/v1/auth/sessions').auth(token, { type: 'bearer' }).expect(200)).body.data;
const cookieOf = ({ headers }: Response): string =>
  String([headers['set-cookie']].flat()[0] ?? '').split(';')[0] ?? '';
const refresh = (cookie: string) =>
  gateway().call('post', '/v1/auth/refresh').set('X-Requested-With', 'portico').set('Cookie', cookie);

let count = 0;
const createUser = async (merchantId: string | null): Promise<string> => {
  const admin = await operator(gateway);
  count += 1;
  const email = `switcher-${count}@example.test`;
  await admin.post('/v1/admin/users', { email, password: PASSWORD, merchantId, groups: [] }).expect(201);
  return email;
};

describe('the environment of a session', () => {
  it('is changed without another login, and the former token and cookie no longer work', async () => {
    const { id } = await gateway().createMerchant();
    const email = await createUser(id);
    const first = await login(email, 'test', { refresh: true });
    const former = first.body.accessToken;
    const [before] = await sessions(former);
    const switched = await switchTo(former, 'live', cookieOf(first)).expect(200);
    const { accessToken } = switched.body;
    expect((await me(accessToken).expect(200)).body).toMatchObject({ email, livemode: true });
    await me(former).expect(401);
    await refresh(cookieOf(first)).expect(401);
    const [after, ...others] = await sessions(accessToken);
    expect(others).toEqual([]);
    // The end of a session does not move, however often somebody switches.
    expect(after).toMatchObject({ livemode: true, expiresAt: before.expiresAt, address: before.address });
    const refreshed = await refresh(cookieOf(switched)).expect(200);
    expect((await me(refreshed.body.accessToken).expect(200)).body.livemode).toBe(true);
    const back = await switchTo(refreshed.body.accessToken, 'test', cookieOf(refreshed)).expect(200);
    expect((await me(back.body.accessToken).expect(200)).body.livemode).toBe(false);
  });

  it('stays as it is where it is asked for again, with the cookie that the browser has', async () => {
    const email = await createUser(null);
    const first = await login(email, 'test', { refresh: true });
    const same = await switchTo(first.body.accessToken, 'test', cookieOf(first)).expect(200);
    expect(cookieOf(same)).toBe('');
    await me(first.body.accessToken).expect(200);
    await me(same.body.accessToken).expect(200);
    await refresh(cookieOf(first)).expect(200);
  });

  it('is not changed by the token alone where there is a cookie, nor with the cookie of another session', async () => {
    const email = await createUser(null);
    const first = await login(email, 'test', { refresh: true });
    const other = await login(email, 'test', { refresh: true });
    const used = await refresh(cookieOf(first)).expect(200);
    const token = first.body.accessToken;
    for (const cookie of ['', cookieOf(other), cookieOf(first), 'portico_refresh=nonsense'])
      await switchTo(token, 'live', cookie).expect(401);
    await me(token).expect(200);
    await switchTo(token, 'live', cookieOf(used)).expect(200);
  });

  it('lasts no longer than the token where there is no cookie, however often it is changed', async () => {
    const { body } = await login(await createUser(null), 'test');
    const hourAgo = new Date(Date.now() - 50 * 60_000).toISOString();
    const [{ id }] = await sessions(body.accessToken);
    await gateway()
      .db.collection<{ _id: string }>('sessions')
      .updateOne({ _id: id }, { $set: { createdAt: hourAgo } });
    const same = await switchTo(body.accessToken, 'test').expect(200);
    const switched = await switchTo(same.body.accessToken, 'live').expect(200);
    const back = await switchTo(switched.body.accessToken, 'test').expect(200);
    for (const { expiresIn } of [same.body, switched.body, back.body])
      expect(expiresIn).toBeLessThanOrEqual(600);
  });

  it('is changed once by requests at the same time, so that one session never becomes two', async () => {
    const email = await createUser(null);
    const { body } = await login(email, 'test');
    const all = await Promise.all(Array.from({ length: 6 }, () => switchTo(body.accessToken, 'live')));
    const done = all.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect(all.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(await sessions(done[0]?.body.accessToken)).toHaveLength(1);
  });

  it('of a sub-merchant is the one that it exists in, and keys have no session', async () => {
    const master = await gateway().createMaster();
    const sub = await createSubMerchant(gateway, master);
    const { body } = await login(await createUser(sub.id), 'test');
    const refused = await switchTo(body.accessToken, 'live').expect(422);
    expect(refused.body.code).toBe('ENVIRONMENT_NOT_AVAILABLE');
    await me(body.accessToken).expect(200);
    for (const wrong of ['production', null, 1]) await switchTo(body.accessToken, wrong).expect(400);
    await gateway().call('post', PATH).auth(master.testKey, '').send({ environment: 'live' }).expect(401);
  });
});
