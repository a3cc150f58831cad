import type { TestGateway } from './gateway.ts';

const PASSWORD = 'a password of this test';

/** The token, for the test environment, of a merchant's user who administers its keys and users. */
export const tokenOfPerson = async (gateway: TestGateway, merchantId: string): Promise<string> => {
  const admin = await gateway.operatorToken('test');
  const name = `people of ${merchantId}`;
  const email = `person-of-${merchantId}@example.test`.toLowerCase();
  const send = (path: string, body: object) =>
    gateway.call('post', path).auth(admin, { type: 'bearer' }).send(body).expect(201);
  await send('/v1/admin/groups', { name, permissions: ['keys.manage', 'users.manage'] });
  await send('/v1/admin/users', { email, password: PASSWORD, name: 'Pessoa', merchantId, groups: [name] });
  const login = { email, password: PASSWORD, environment: 'test' };
  return (await gateway.call('post', '/v1/auth/login').send(login).expect(200)).body.accessToken;
};
