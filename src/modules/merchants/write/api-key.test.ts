import { keyRing, lookupHashes, unseal } from '../../../platform/secrets.ts';
import {
  type ApiKey,
  isAccepted,
  issueApiKey,
  type KeyTerms,
  keepSecret,
  kindOfKey,
  newKeyPair,
  permissionsOfKey,
  revokeApiKey,
  rollApiKey,
  unrestricted,
} from './api-key.ts';
import { type Merchant, openMerchant } from './merchant.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const secondsLater = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const FIELDS = {
  legalName: 'Loja',
  email: 'loja@example.test',
  companyTaxId: null,
  role: 'Merchant',
  timeZone: 'UTC',
} as const;
const merchant: Merchant = openMerchant(FIELDS, 'mer_1', NOW).data;
const submerchant: Merchant = { ...merchant, masterId: 'mer_0', livemode: false };
const rings = { pepper: keyRing(['pepper']), sealing: keyRing(['sealing']) };
const issue = (): ApiKey => issueApiKey(merchant, unrestricted(false), newKeyPair(false), 'key_1', NOW).data;

describe('a pair of keys', () => {
  it('names its environment and carries at least 160 random bits', () => {
    expect(newKeyPair(false).secretKey).toMatch(/^sk_test_[0-9A-Za-z]{32}$/);
    expect(newKeyPair(true).publicKey).toMatch(/^pk_live_[0-9A-Za-z]{32}$/);
    expect(32 * Math.log2(62)).toBeGreaterThan(160);
  });

  it('is told apart by its prefixes; anything else is no key', () => {
    const { publicKey, secretKey } = newKeyPair(true);
    expect(kindOfKey(secretKey)).toBe('secret_key');
    expect(kindOfKey(publicKey)).toBe('public_key');
    for (const value of [
      '',
      'sk_test_',
      `${secretKey}x`,
      secretKey.replace('live', 'prod'),
      `${secretKey}\n`,
    ])
      expect(kindOfKey(value)).toBeNull();
  });

  it('is found by any pepper that was configured when it was made, and by no other', () => {
    const pair = newKeyPair(false);
    const rotating = { ...rings, pepper: keyRing(['new pepper', 'pepper']) };
    const { secretKeyHashes, publicKeyHashes } = keepSecret(merchant, pair, rotating);
    const isFoundBy = (peppers: readonly string[], secret: string, among: readonly string[]): boolean =>
      lookupHashes(keyRing(peppers), secret).some((hash) => among.includes(hash));
    for (const peppers of [['pepper'], ['new pepper'], ['newer pepper', 'new pepper']]) {
      expect(isFoundBy(peppers, pair.secretKey, secretKeyHashes)).toBe(true);
      expect(isFoundBy(peppers, pair.publicKey, publicKeyHashes)).toBe(true);
    }
    expect(isFoundBy(['newer pepper'], pair.secretKey, secretKeyHashes)).toBe(false);
  });

  it('is kept as hashes only', () => {
    const pair = newKeyPair(false);
    expect(JSON.stringify(keepSecret(merchant, pair, rings))).not.toContain(pair.secretKey.slice(8));
    const { data } = issueApiKey(merchant, unrestricted(false), pair, 'key_1', NOW);
    expect(JSON.stringify(data)).not.toContain(pair.secretKey.slice(8, -4));
  });

  it('of a sub-merchant is kept sealed as well, so that its master can read it again', () => {
    const pair = newKeyPair(false);
    const { sealedSecretKey } = keepSecret(submerchant, pair, rings);
    expect(sealedSecretKey && unseal(rings.sealing, sealedSecretKey)).toBe(pair.secretKey);
  });

  it("cannot belong to the other environment than its sub-merchant's", () => {
    expect(() => issueApiKey(submerchant, unrestricted(true), newKeyPair(true), 'key_1', NOW)).toThrow(
      expect.objectContaining({ statusCode: 422, code: 'MERCHANT_ENVIRONMENT_MISMATCH' }),
    );
  });
});

describe('rolling a pair', () => {
  it('ends it at once by default, whatever the clock of the instance that looks it up', () => {
    const { data } = rollApiKey(issue(), { validForSeconds: 0 }, 'key_2', NOW);
    expect(isAccepted(data, secondsLater(-60))).toBe(false);
    expect(data.rolledTo).toBe('key_2');
  });

  it('leaves it valid for the chosen time', () => {
    const { data } = rollApiKey(issue(), { validForSeconds: 60 }, 'key_2', NOW);
    expect(isAccepted(data, secondsLater(59))).toBe(true);
    expect(isAccepted(data, secondsLater(60))).toBe(false);
  });

  it.each([
    ['rolled', rollApiKey(issue(), { validForSeconds: 60 }, 'key_2', NOW).data],
    ['revoked', revokeApiKey(issue(), NOW)?.data],
  ])('is refused for a pair that was %s before', (_, key) => {
    if (!key) throw new Error('no key');
    expect(() => rollApiKey(key, { validForSeconds: 60 }, 'key_3', secondsLater(1))).toThrow(
      expect.objectContaining({ statusCode: 422, code: 'API_KEY_NOT_ACTIVE' }),
    );
  });
});

describe('revoking a pair', () => {
  it('ends it, also during the time that rolling left it', () => {
    const rolled = rollApiKey(issue(), { validForSeconds: 60 }, 'key_2', NOW).data;
    const revoked = revokeApiKey(rolled, secondsLater(1))?.data;
    expect(revoked && isAccepted(revoked, secondsLater(1))).toBe(false);
  });

  it('changes nothing the second time', () => {
    const revoked = revokeApiKey(issue(), NOW)?.data;
    expect(revoked && revokeApiKey(revoked, secondsLater(1))).toBeNull();
  });
});

describe('a restricted pair', () => {
  const restricted = (changes: Partial<KeyTerms>, of = merchant): ApiKey =>
    issueApiKey(of, { ...unrestricted(false), ...changes }, newKeyPair(false), 'key_1', NOW).data;

  it('may do what it was given, as long as the merchant may', () => {
    const key = restricted({ permissions: ['charges.read', 'charges.create'] });
    expect(permissionsOfKey(key, merchant)).toEqual(['charges.create', 'charges.read']);
    expect(permissionsOfKey(key, { ...merchant, permissions: ['charges.read'] })).toEqual(['charges.read']);
    expect(permissionsOfKey(restricted({ permissions: [] }), merchant)).toEqual([]);
    const ofKeys = merchant.permissions.filter((one) => one !== 'keys.manage' && one !== 'users.manage');
    expect(permissionsOfKey(issue(), merchant)).toEqual(ofKeys);
  });

  it('is given nothing that the merchant does not have', () => {
    const reader = { ...merchant, permissions: ['charges.read'] as const };
    expect(() => restricted({ permissions: ['charges.read', 'payouts.create'] }, reader)).toThrow(
      expect.objectContaining({
        code: 'GRANT_NOT_HELD',
        errors: [
          { path: 'permissions', message: 'permissions must be held by the caller: payouts.create is not' },
        ],
      }),
    );
  });

  it('ends when it was told to, and a roll makes that no later', () => {
    const expiresAt = secondsLater(60).toISOString();
    const key = restricted({ expiresAt });
    expect([isAccepted(key, secondsLater(59)), isAccepted(key, secondsLater(60))]).toEqual([true, false]);
    expect(rollApiKey(key, { validForSeconds: 3_600 }, 'key_2', NOW).data.expiresAt).toBe(expiresAt);
    expect(rollApiKey(key, { validForSeconds: 30 }, 'key_2', NOW).data.expiresAt).toBe(
      secondsLater(30).toISOString(),
    );
    expect(() => restricted({ expiresAt: NOW.toISOString() })).toThrow('must lie in the future');
  });
});
