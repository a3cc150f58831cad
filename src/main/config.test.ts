import { PRODUCTION } from '../../test/support/production.ts';
import { loadConfig } from './config.ts';

const SECRET = 'a secret of the tests that is long enough to be one';
const VARIABLES = {
  MONGODB_URI: 'mongodb://127.0.0.1/',
  ELASTICSEARCH_NODE: 'http://127.0.0.1:9200',
  REDIS_URL: 'redis://127.0.0.1',
  JWT_SECRET: SECRET,
  SECRETS_KEY: SECRET,
  KEY_PEPPER: SECRET,
};

describe('settings of webhooks', () => {
  it('let webhooks reach this machine in development, and never in production', () => {
    expect(loadConfig({ ...VARIABLES, NODE_ENV: 'development' }).webhookAllowLoopback).toBe(true);
    const production = { ...VARIABLES, ...PRODUCTION };
    expect(loadConfig(production).webhookAllowLoopback).toBe(false);
    const asked = { ...production, WEBHOOK_ALLOW_LOOPBACK: 'true' };
    expect(() => loadConfig(asked)).toThrow('WEBHOOK_ALLOW_LOOPBACK must be false in production');
  });

  it('have the schedule of the decisions unless told otherwise', () => {
    const schedule = (value?: string) =>
      loadConfig({ ...VARIABLES, NODE_ENV: 'test', WEBHOOK_RETRY_SCHEDULE: value }).webhookRetrySchedule;
    expect(schedule()).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
    expect(schedule('1,20')).toEqual([1, 20]);
    for (const wrong of ['soon', '1,', '-1', '1;2'])
      expect(() => schedule(wrong)).toThrow('WEBHOOK_RETRY_SCHEDULE');
  });
});
