import { PRODUCTION } from '../../test/support/production.ts';
import { REQUIRED_SETTINGS } from '../../test/support/required-settings.ts';
import { loadConfig } from './config.ts';
import { createContainer } from './container.ts';

describe('settings of webhooks', () => {
  it('let webhooks reach this machine in development, and never in production', () => {
    expect(loadConfig({ ...REQUIRED_SETTINGS, NODE_ENV: 'development' }).webhookAllowLoopback).toBe(true);
    const production = { ...REQUIRED_SETTINGS, ...PRODUCTION };
    expect(loadConfig(production).webhookAllowLoopback).toBe(false);
    const asked = { ...production, WEBHOOK_ALLOW_LOOPBACK: 'true' };
    expect(() => loadConfig(asked)).toThrow('WEBHOOK_ALLOW_LOOPBACK must be false in production');
  });

  it('have the schedule of the decisions unless told otherwise', () => {
    const schedule = (value?: string) =>
      loadConfig({ ...REQUIRED_SETTINGS, NODE_ENV: 'test', WEBHOOK_RETRY_SCHEDULE: value })
        .webhookRetrySchedule;
    expect(schedule()).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
    expect(schedule('1,20')).toEqual([1, 20]);
    for (const wrong of ['soon', '1,', '-1', '1;2'])
      expect(() => schedule(wrong)).toThrow('WEBHOOK_RETRY_SCHEDULE');
  });
});

describe('the primary shards of views', () => {
  const shardsOf = (VIEW_SHARDS: string) =>
    loadConfig({ ...REQUIRED_SETTINGS, NODE_ENV: 'test', VIEW_SHARDS }).viewShards.of;

  it('are given by the names of views', () => {
    expect(['charges', 'statement', 'refunds'].map(shardsOf('charges=8,payout-requests=2,4'))).toEqual([
      8, 4, 4,
    ]);
  });

  it('are refused for a view that does not exist, with the setting and the names of those that do', () => {
    const config = loadConfig({ ...REQUIRED_SETTINGS, NODE_ENV: 'test', VIEW_SHARDS: 'charge=8' });
    expect(() => createContainer(config)).toThrow(
      /VIEW_SHARDS: there is no view charge; views are .*charges, .*statement/,
    );
  });
});

describe('rules for operators', () => {
  const inProduction = (changes: object = {}) =>
    loadConfig({ ...REQUIRED_SETTINGS, ...PRODUCTION, ...changes });

  it('are strict in production unless told otherwise: a second factor, a second person, an own password', () => {
    const { requireSecondFactor, twoPerson, passwordChangeAtFirstLogin } = inProduction();
    expect([requireSecondFactor, twoPerson, passwordChangeAtFirstLogin]).toEqual([
      true,
      { isEnabled: true, payoutAboveCents: 1_000_000 },
      true,
    ]);
    const without = inProduction({ TWO_PERSON_RULE: 'false', REQUIRE_SECOND_FACTOR: 'false' });
    expect([without.requireSecondFactor, without.twoPerson.isEnabled]).toEqual([false, false]);
  });
});

describe('the address of MongoDB', () => {
  const at = (MONGODB_URI: string) => loadConfig({ ...REQUIRED_SETTINGS, NODE_ENV: 'test', MONGODB_URI });

  it.each([
    'mongodb://:secret@host/',
    'mongodb://@host/',
    'mongodb://us/er:secret@host/',
    'mongodb://user:sec%zzret@host/',
    'mongodb://host:99999/',
    'mongodb://host/?tls=maybe',
    'mongodb://host/?unknown=1',
  ])('is refused as a setting, in one sentence that quotes no password: %s', (uri) => {
    expect(() => at(uri)).toThrow(/^Wrong configuration: MONGODB_URI [^\n]+$/);
    expect(() => at(uri)).not.toThrow(/sec(%zz)?ret/);
  });

  it('may have several hosts, an empty password and options', () => {
    for (const uri of ['mongodb://a,b:27018/?replicaSet=rs0', 'mongodb://user:@host/', 'mongodb+srv://host/'])
      expect(at(uri).mongodbUri).toBe(uri);
  });
});
