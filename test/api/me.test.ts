import { operator, PATIENT, withKey, withToken } from '../support/client.ts';
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
