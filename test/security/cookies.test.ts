import type { Response } from 'supertest';
import { useGateway } from '../support/gateway.ts';
import { PRODUCTION } from '../support/production.ts';

const gateway = useGateway({ ...PRODUCTION, LOG_LEVEL: 'error' });

/** The one cookie of an answer, its attributes in order. */
const cookieOf = ({ headers }: Response): readonly string[] => {
  const cookies = (headers['set-cookie'] ?? []) as readonly string[];
  expect(cookies).toHaveLength(1);
  return String(cookies[0]).split('; ');
};
const post = (path: string) => gateway().call('post', path).set('X-Forwarded-Proto', 'https');
const ATTRIBUTES = ['Path=/v1/auth/refresh', 'HttpOnly', 'SameSite=Strict', 'Secure'];
const attributesOf = (cookie: readonly string[]): readonly string[] =>
  cookie.slice(1).filter((attribute) => !attribute.startsWith('Max-Age='));

describe('a cookie in production', () => {
  const credentials = {
    email: PRODUCTION.BOOTSTRAP_OPERATOR_EMAIL,
    password: PRODUCTION.BOOTSTRAP_OPERATOR_PASSWORD,
  };

  it('is for TLS, its route and this site only, and out of reach of scripts, whichever route sets it', async () => {
    const login = await post('/v1/auth/login')
      .send({ ...credentials, refresh: true })
      .expect(200);
    const first = cookieOf(login);
    const next = await post('/v1/auth/refresh')
      .set('Cookie', first[0] ?? '')
      .set('X-Requested-With', 'portico')
      .expect(200);
    for (const cookie of [first, cookieOf(next)]) {
      expect(cookie[0]).toMatch(/^portico_refresh=[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(attributesOf(cookie)).toEqual(ATTRIBUTES);
      // No domain: subdomains do not get it.
      expect(cookie.join()).not.toContain('Domain');
      const seconds = Number(/Max-Age=(\d+)/.exec(cookie.join())?.[1]);
      expect([seconds > 0, seconds <= 12 * 3_600]).toEqual([true, true]);
    }
  });

  it('is set by no other answer, and not without TLS', async () => {
    const answers = await Promise.all([
      post('/v1/auth/login').send(credentials).expect(200),
      post('/v1/auth/login')
        .send({ ...credentials, password: 'wrong', refresh: true })
        .expect(401),
      post('/v1/auth/refresh').expect(403),
      gateway()
        .call('post', '/v1/auth/login')
        .send({ ...credentials, refresh: true })
        .expect(403),
    ]);
    for (const { headers } of answers) expect(headers['set-cookie']).toBeUndefined();
  });
});

it('an answer over TLS tells browsers to come in no other way for a year, and one without tells nothing', async () => {
  for (const path of ['/health/live', '/v1/openapi.json', '/v1/nothing']) {
    const { headers } = await gateway().call('get', path).set('X-Forwarded-Proto', 'https');
    expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
    const plain = await gateway().call('get', path);
    expect([path, plain.headers['strict-transport-security']]).toEqual([path, undefined]);
  }
});
