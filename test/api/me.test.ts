import { type Client, operator, PATIENT, withKey, withToken } from '../support/client.ts';
import { OPERATOR, useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);
const PASSWORD = 'a password of this test';

describe('GET /v1/auth/me', () => {
  it('tells an operator its permissions and environment', async () => {
    const { body } = await (await operator(gateway, 'test')).get('/v1/auth/me').expect(200);
    expect(body).toMatchObject({ email: OPERATOR.email, livemode: false, merchant: null });
    expect(body.permissions).toContain('admin.reports.read');
  });

  it("tells a merchant's user its merchant, with the permissions of this moment", async () => {
    const admin = await operator(gateway);
    const merchant = await gateway().createMerchant({ legalName: 'Padaria', timeZone: 'America/Sao_Paulo' });
    const login = { email: 'paula@example.test', password: PASSWORD };
    await admin
      .post('/v1/admin/users', { ...login, name: 'Paula', merchantId: merchant.id, groups: [] })
      .expect(201);
    const { body: session } = await gateway().call('post', '/v1/auth/login').send(login).expect(200);
    const user = withToken(gateway, session.accessToken);
    expect((await user.get('/v1/auth/me').expect(200)).body).toMatchObject({
      name: 'Paula',
      livemode: true,
      merchant: { id: merchant.id, legalName: 'Padaria', role: 'Merchant', timeZone: 'America/Sao_Paulo' },
    });
    const permissions = ['charges.read'];
    await admin.call('patch', `/v1/admin/merchants/${merchant.id}`, { permissions }).expect(200);
    expect((await user.get('/v1/auth/me').expect(200)).body.permissions).toEqual(permissions);
    await withKey(gateway, merchant.testKey).get('/v1/auth/me').expect(401);
  });
});

describe('saved views of lists', () => {
  const view = { screen: 'charges', name: 'Refused today', query: 'status=refused&orderBy=-amount' };
  const PATH = '/v1/auth/me/views';
  const userOf = async (email: string): Promise<Client> => {
    const login = { email, password: PASSWORD };
    await (await operator(gateway))
      .post('/v1/admin/users', { ...login, merchantId: null, groups: [] })
      .expect(201);
    const { body } = await gateway()
      .call('post', '/v1/auth/login')
      .send({ ...login, environment: 'test' })
      .expect(200);
    return withToken(gateway, body.accessToken);
  };
  const namesOf = async (user: Client): Promise<readonly string[]> =>
    (await user.get(PATH).expect(200)).body.data.map(({ name }: { readonly name: string }) => name);

  it('are kept by name for the user alone, in both environments', async () => {
    const ana = await userOf('ana@example.test');
    const first = (await ana.call('put', PATH, view).expect(200)).body;
    expect(first).toMatchObject(view);
    const again = (await ana.call('put', PATH, { ...view, query: 'status=paid' }).expect(200)).body;
    expect([again.id, again.query]).toEqual([first.id, 'status=paid']);
    await ana.call('put', PATH, { screen: 'charges', name: null, query: 'columns=net' }).expect(200);
    await ana.call('put', PATH, { ...view, screen: 'webhooks/endpoints' }).expect(200);
    expect(await namesOf(ana)).toEqual([view.name, null, view.name]);
    const { body: moved } = await ana
      .post('/v1/auth/refresh/environment', { environment: 'live' })
      .expect(200);
    const live = withToken(gateway, moved.accessToken);
    expect(await namesOf(live)).toHaveLength(3);
    const other = await userOf('other@example.test');
    expect(await namesOf(other)).toEqual([]);
    await other.call('delete', `${PATH}/${first.id}`).expect(404);
    await live.call('delete', `${PATH}/${first.id}`).expect(204);
    await live.call('delete', `${PATH}/${first.id}`).expect(404);
    expect(await namesOf(live)).toEqual([null, view.name]);
    const merchant = await gateway().createMerchant();
    await withKey(gateway, merchant.testKey).get(PATH).expect(401);
  });

  it.each([
    [{ screen: '../users' }],
    [{ screen: 'merchants/mer_1' }],
    [{ screen: '' }],
    [{ name: '' }],
    [{ name: 'x'.repeat(61) }],
    [{ name: undefined }],
    [{ query: 'x'.repeat(2_001) }],
    [{ query: undefined }],
    [{ more: true }],
  ])('are refused with %j', async (changes) => {
    const user = await operator(gateway, 'test');
    await user.call('put', PATH, { ...view, ...changes }).expect(400);
  });

  it('are a hundred at most, also where they come at once, and one of each name', async () => {
    const user = await userOf('many@example.test');
    const same = await Promise.all([1, 2, 3].map(() => user.call('put', PATH, view)));
    expect(same.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await namesOf(user)).toEqual([view.name]);
    const put = (name: string) => user.call('put', PATH, { ...view, name });
    for (let round = 0; round < 12; round += 1)
      await Promise.all(Array.from({ length: 8 }, (_, index) => put(`view ${round} ${index}`).expect(200)));
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => put(`last ${index}`)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill('SAVED_VIEW_LIMIT_REACHED'));
    expect(await namesOf(user)).toHaveLength(100);
    await user.call('put', PATH, { ...view, query: 'a=1' }).expect(200);
  });
});
