import { randomBytes } from 'node:crypto';
import { ConfigError } from '../kernel/errors.ts';
import { loadConfig } from './config.ts';

const random = (): string => randomBytes(32).toString('base64');

const RIGHT = {
  NODE_ENV: 'production',
  MONGODB_URI: 'mongodb://portico:secret@db1,db2:27017/?replicaSet=rs0&tls=true',
  ELASTICSEARCH_NODE: 'https://portico:secret@search:9200',
  REDIS_URL: 'rediss://:secret@cache',
  JWT_SECRET: random(),
  SECRETS_KEY: random(),
  KEY_PEPPER: random(),
  PUBLIC_URL: 'https://pay.example.com',
  TRUSTED_PROXIES: '10.0.0.7,fd00::/64',
  BOOTSTRAP_OPERATOR_EMAIL: 'ops@example.com',
  BOOTSTRAP_OPERATOR_PASSWORD: 'correct horse battery',
};
const faultOf = (changes: Readonly<Record<string, string>>): string => {
  try {
    loadConfig({ ...RIGHT, ...changes });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
};

describe('production', () => {
  it('starts with settings that are right', () => {
    expect(faultOf({})).toBe('');
    expect(faultOf({ MONGODB_URI: 'mongodb+srv://portico:secret@db.example.com/' })).toBe('');
    const several = 'mongodb://portico:sec,ret@db1:27017,db2:27017/?replicaSet=rs0&tls=true';
    expect(faultOf({ MONGODB_URI: several })).toBe('');
    expect(faultOf({ TRUSTED_PROXIES: '10.0.0.0/8,fd00::/16,::ffff:10.0.0.0/104,loopback' })).toBe('');
    expect(faultOf({ METRICS_TOKEN: 'a token of metrics' })).toBe('');
    expect(faultOf({ PUBLIC_URL: '', TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' })).toBe('');
    expect(faultOf({ JWT_SECRET: `${random()},${random()}` })).toBe('');
    expect(faultOf({ JWT_SECRET: randomBytes(16).toString('hex') })).toBe('');
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['BOOTSTRAP_OPERATOR_EMAIL', { BOOTSTRAP_OPERATOR_EMAIL: 'Operator@portico.test' }],
    ['BOOTSTRAP_OPERATOR_PASSWORD', { BOOTSTRAP_OPERATOR_PASSWORD: 'portico-demo' }],
    ['BOOTSTRAP_OPERATOR_PASSWORD', { BOOTSTRAP_OPERATOR_PASSWORD: 'password1234' }],
    ['BOOTSTRAP_OPERATOR_PASSWORD', { BOOTSTRAP_OPERATOR_PASSWORD: 'ops@example.com' }],
    ['SECRETS_KEY', { SECRETS_KEY: RIGHT.JWT_SECRET }],
    ['KEY_PEPPER', { KEY_PEPPER: RIGHT.SECRETS_KEY }],
    ['METRICS_TOKEN', { METRICS_TOKEN: RIGHT.KEY_PEPPER }],
    ['KEY_PEPPER', { KEY_PEPPER: `${random()},${RIGHT.JWT_SECRET}` }],
    ['JWT_SECRET', { JWT_SECRET: `${RIGHT.JWT_SECRET},${RIGHT.JWT_SECRET}` }],
    ['JWT_SECRET', { JWT_SECRET: 'a'.repeat(40) }],
    ['JWT_SECRET', { JWT_SECRET: 'abcdefgh'.repeat(6) }],
    ['JWT_SECRET', { JWT_SECRET: 'abcdefghijklmnopqrstuvwxyz012345' }],
    ['JWT_SECRET', { JWT_SECRET: '0123456789abcdef0123456789abcdef' }],
    ['JWT_SECRET', { JWT_SECRET: 'short' }],
    ['JWT_SECRET', { JWT_SECRET: random().slice(0, 31) }],
    ['JWT_SECRET', { JWT_SECRET: `${random()},${random().slice(0, 31)}` }],
    ['LIVE_PROVIDER', { LIVE_PROVIDER: 'simulator' }],
    ['LIVE_PROVIDERS', { LIVE_PROVIDERS: 'pix=simulator' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '0.0.0.0/0' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.7,128.0.0.0/1' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/7' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '::/0' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '2000::/15' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '::ffff:0.0.0.0/96' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '0:0:0:0:0:FFFF:0:0/103' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://pay.example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://10.0.0.7:3000' }],
    ['PUBLIC_URL', { PUBLIC_URL: '' }],
    ['DEMO_DATA', { DEMO_DATA: '1' }],
    ['TEST_CLOCK', { TEST_CLOCK: '1' }],
    ['WEBHOOK_ALLOW_LOOPBACK', { WEBHOOK_ALLOW_LOOPBACK: 'true' }],
    ['PASSWORD_CHANGE_AT_FIRST_LOGIN', { PASSWORD_CHANGE_AT_FIRST_LOGIN: 'false' }],
    ['MONGODB_URI', { MONGODB_URI: 'mongodb://db/?tls=true' }],
    ['MONGODB_URI', { MONGODB_URI: 'mongodb://portico:secret@db1,db2/?replicaSet=rs0' }],
    ['MONGODB_URI', { MONGODB_URI: 'mongodb+srv://portico:secret@db.example.com/?tls=false' }],
    ['MONGODB_URI', { MONGODB_URI: 'mongodb://db1:27017,db2:27017/?tls=true' }],
    ['MONGODB_URI', { MONGODB_URI: 'mongodb://portico:secret@db1:port/?tls=true' }],
    ['MONGODB_URI', { MONGODB_URI: 'https://portico:secret@db1/?tls=true' }],
    ['ELASTICSEARCH_NODE', { ELASTICSEARCH_NODE: 'http://portico:secret@search:9200' }],
    ['ELASTICSEARCH_NODE', { ELASTICSEARCH_NODE: 'https://search:9200' }],
    ['REDIS_URL', { REDIS_URL: 'redis://:secret@cache' }],
    ['REDIS_URL', { REDIS_URL: 'rediss://cache' }],
  ])('refuses %s with a message that names it and no other: %j', (name, changes) => {
    const fault = faultOf(changes);
    expect(fault).toMatch(/^Wrong configuration: /);
    expect([...new Set(fault.match(/[A-Z]+(?:_[A-Z]+)+(?= must)/g))]).toEqual([name]);
    // A fault must not show secrets, because it goes to the log.
    for (const value of Object.values(changes)) if (value.length > 12) expect(fault).not.toContain(value);
  });

  it('names all that is wrong in one message', () => {
    const fault = faultOf({
      PORT: 'x',
      DEMO_DATA: '1',
      LIVE_PROVIDER: 'simulator',
      REDIS_URL: 'redis://cache',
    });
    for (const name of ['PORT', 'DEMO_DATA', 'LIVE_PROVIDER', 'REDIS_URL']) expect(fault).toContain(name);
  });

  it('takes no secret twice, of a provider neither', () => {
    const secret = randomBytes(32).toString('hex');
    const fault = faultOf({ JWT_SECRET: secret, PIX_API_CALLBACK_SECRET__B: secret });
    expect(fault).toContain('PIX_API_CALLBACK_SECRET__B must not repeat a secret of JWT_SECRET');
  });

  it('takes stores without password and TLS where the network is said to be private', () => {
    const plain = {
      MONGODB_URI: 'mongodb://db/',
      ELASTICSEARCH_NODE: 'http://search',
      REDIS_URL: 'redis://cache',
    };
    expect(faultOf({ ...plain, ALLOW_PLAIN_STORES: 'true' })).toBe('');
    expect(faultOf({ ...plain, ALLOW_PLAIN_STORES: 'yes' })).toContain('ALLOW_PLAIN_STORES');
    for (const name of Object.keys(plain))
      expect(faultOf({ ...plain, ALLOW_PLAIN_STORES: 'false' })).toContain(`${name} must`);
  });

  it('asks none of it of development', () => {
    const stores = {
      MONGODB_URI: 'mongodb://db/',
      ELASTICSEARCH_NODE: 'http://search',
      REDIS_URL: 'redis://cache',
    };
    const secret = 'a'.repeat(32);
    const secrets = { JWT_SECRET: secret, SECRETS_KEY: secret, KEY_PEPPER: secret };
    expect(() => loadConfig({ NODE_ENV: 'development', ...stores, ...secrets })).not.toThrow();
  });
});
