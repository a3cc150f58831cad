import { aMerchant, later, NOW } from '../../../test/builders.ts';
import { createFakeTime } from '../../../test/fakes/environment-time.ts';
import { createFakeIdentity } from '../../../test/fakes/identity.ts';
import { timestamp } from '../../kernel/clock.ts';
import { keyRing } from '../../platform/secrets.ts';
import { type ApiKey, issueApiKey, newKeyPair, unrestricted } from '../merchants/write/api-key.ts';
import type { Merchant } from '../merchants/write/merchant.ts';
import { createPrincipals } from './principals.ts';
import { openSession, type Session } from './write/session.ts';
import { issueTokens } from './write/tokens.ts';
import type { User } from './write/user.ts';

const invalid = expect.objectContaining({ statusCode: 401, code: 'CREDENTIALS_INVALID' });
const expired = expect.objectContaining({ statusCode: 401, code: 'TOKEN_EXPIRED' });
const jwt = keyRing(['a secret that signs tokens of tests']);
const pair = newKeyPair(false);
const merchant = aMerchant({ permissions: ['charges.read', 'charges.create'] });
const keyOf = (changes: Partial<ApiKey> = {}): ApiKey => ({
  ...issueApiKey(merchant, unrestricted(false), pair, 'key_1', NOW).data,
  ...changes,
});

type Known = {
  readonly key?: ApiKey;
  readonly merchant?: Merchant | null;
  readonly session?: Session;
  readonly user?: User;
  readonly requireSecondFactor?: boolean;
};
const principalsOf = ({
  key,
  merchant: owner = merchant,
  session,
  user,
  requireSecondFactor = false,
}: Known) => {
  const touched: string[] = [];
  const principals = createPrincipals({
    store: {
      findApiKey: async () => (key ? { key, merchant: owner } : null),
      noteUse: async () => undefined,
      findMerchant: async () => owner,
      findSession: async () => (session && user ? { session, user, groups: [], merchant: owner } : null),
    },
    sessions: {
      async touch(id) {
        touched.push(id);
      },
    },
    requireSecondFactor,
    keyRings: { jwt, sealing: jwt, pepper: jwt },
    clock: () => NOW,
    time: createFakeTime(),
  });
  return { ...principals, touched };
};

describe('the caller of a key', () => {
  it('may do what the merchant may, from everywhere', async () => {
    const caller = await principalsOf({ key: keyOf() }).ofApiKey(pair.secretKey);
    expect(caller).toMatchObject({ kind: 'merchant', livemode: false, permissions: merchant.permissions });
    expect(caller).not.toHaveProperty('restrictedTo');
    expect(caller.allowedNetworks).toEqual([]);
  });

  it('may do what a restricted key and the merchant both may, which goes along to what it makes', async () => {
    const key = keyOf({ permissions: ['charges.read', 'refunds.create'], allowedNetworks: ['192.0.2.0/24'] });
    expect(await principalsOf({ key }).ofApiKey(pair.secretKey)).toMatchObject({
      permissions: ['charges.read'],
      restrictedTo: ['charges.read'],
      allowedNetworks: ['192.0.2.0/24'],
    });
    const { allowedNetworks } = await principalsOf({ key }).ofApiKey(pair.publicKey);
    expect(allowedNetworks).toBeUndefined();
  });

  it.each<[string, Known]>([
    ['that is unknown', {}],
    ['that has ended', { key: keyOf({ expiresAt: timestamp(NOW) }) }],
    ['that is revoked', { key: keyOf({ revokedAt: timestamp(later(-1)) }) }],
    ['whose merchant is gone', { key: keyOf(), merchant: null }],
    ["outside its sub-merchant's environment", { key: keyOf(), merchant: aMerchant({ livemode: true }) }],
  ])('is nobody with a key %s', async (_, known) => {
    await expect(principalsOf(known).ofApiKey(pair.secretKey)).rejects.toEqual(invalid);
  });

  it.each(['', 'sk_test_short', `sk_test_${'é'.repeat(32)}`, `xk_test_${'a'.repeat(32)}`])(
    'is nobody with %j, which is not even looked up',
    async (value) => {
      await expect(principalsOf({ key: keyOf() }).ofApiKey(value)).rejects.toEqual(invalid);
    },
  );
});

describe('the caller of a token', () => {
  const user = createFakeIdentity().addUser('usr_ana', { allowedNetworks: ['192.0.2.0/24'] });
  const opened = { livemode: false, address: '192.0.2.1', userAgent: null, refresh: false };
  const session = openSession(user, opened, 'ses_1', NOW);
  const tokenOf = async (changes: Partial<Session> = {}): Promise<string> =>
    (await issueTokens(jwt, { ...session, ...changes }, NOW)).accessToken;

  it('is the operator of the session, or the merchant that the user belongs to', async () => {
    expect(await principalsOf({ session, user }).ofToken(await tokenOf())).toMatchObject({
      kind: 'operator',
      userId: user.id,
      livemode: false,
      permissions: [],
      allowedNetworks: ['192.0.2.0/24'],
      session: { id: 'ses_1', pending: null },
    });
    const ofMerchant = { ...user, merchantId: merchant.id };
    expect(await principalsOf({ session, user: ofMerchant }).ofToken(await tokenOf())).toMatchObject({
      kind: 'merchant',
      merchantId: merchant.id,
      permissions: merchant.permissions,
      allowedNetworks: ['192.0.2.0/24'],
    });
  });

  it.each<[string, Known, Partial<Session>]>([
    ['without a session', {}, {}],
    ["of somebody else's session", { session, user }, { userId: 'usr_eva' }],
    ["of another environment than its session's", { session, user }, { livemode: true }],
    ['of a disabled user', { session, user: { ...user, disabled: true } }, {}],
    [
      'of a user whose merchant is gone',
      { session, user: { ...user, merchantId: 'mer_1' }, merchant: null },
      {},
    ],
    [
      "outside its sub-merchant's environment",
      { session, user: { ...user, merchantId: 'mer_1' }, merchant: aMerchant({ livemode: true }) },
      {},
    ],
  ])('is nobody with a token %s', async (_, known, changes) => {
    await expect(principalsOf(known).ofToken(await tokenOf(changes))).rejects.toEqual(invalid);
  });

  it.each<[string, Known]>([
    ['a logout', { session: { ...session, endedAt: timestamp(NOW) }, user }],
    ['other credentials', { session, user: { ...user, credentialsVersion: 2 } }],
  ])('is asked to log in again after %s', async (_, known) => {
    await expect(principalsOf(known).ofToken(await tokenOf())).rejects.toEqual(expired);
  });

  it('is asked to log in again after 15 idle minutes', async () => {
    const idle = { ...session, lastSeenAt: timestamp(later(-15 * 60)) };
    await expect(principalsOf({ session: idle, user }).ofToken(await tokenOf())).rejects.toEqual(expired);
  });

  it('is noted as seen once a minute', async () => {
    for (const [seconds, times] of [
      [59, 0],
      [61, 1],
    ] as const) {
      const known = principalsOf({ session: { ...session, lastSeenAt: timestamp(later(-seconds)) }, user });
      await known.ofToken(await tokenOf());
      expect(known.touched).toHaveLength(times);
    }
  });

  it('has to set up a second factor first where it is required', async () => {
    const known = principalsOf({ session, user, requireSecondFactor: true });
    expect((await known.ofToken(await tokenOf())).session?.pending).toBe('SECOND_FACTOR_SETUP_REQUIRED');
  });
});
