import { SignJWT, UnsecuredJWT } from 'jose';
import { keyRing } from '../../../platform/secrets.ts';
import { openSession } from './session.ts';
import { issueTokens, readRefreshToken, readToken, TOKEN_SECONDS } from './tokens.ts';
import { openUser } from './user.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const secondsLater = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const ring = keyRing(['first']);
const user = openUser(
  { email: 'ana@example.test', name: null, merchantId: null, groups: [], disabled: false },
  false,
  'usr_1',
  NOW,
).data;
const sessionOf = (refresh: boolean) =>
  openSession(user, { livemode: false, address: '192.0.2.1', userAgent: null, refresh }, 'ses_1', NOW);
const claims = { userId: 'usr_1', sessionId: 'ses_1', livemode: false };
const issue = (refresh = false, at = NOW) => issueTokens(ring, sessionOf(refresh), at);
const tokenOf = async (): Promise<string> => (await issue()).accessToken;
const refusal = (code: string) => expect.objectContaining({ statusCode: 401, code });
const INVALID = refusal('CREDENTIALS_INVALID');

describe('a token', () => {
  it('says who logged in, in which session and environment', async () => {
    expect(await readToken(ring, await tokenOf(), secondsLater(1))).toEqual(claims);
  });

  it('lasts one hour, but no longer than its session', async () => {
    const token = await tokenOf();
    expect(await issue()).toMatchObject({ expiresIn: 3_600, refreshToken: null });
    expect(await issue(false, secondsLater(12 * 3_600 - 60))).toMatchObject({ expiresIn: 60 });
    expect(await readToken(ring, token, secondsLater(TOKEN_SECONDS - 1))).toEqual(claims);
    await expect(readToken(ring, token, secondsLater(TOKEN_SECONDS))).rejects.toEqual(
      refusal('TOKEN_EXPIRED'),
    );
  });

  it('is read with any key of the ring, by its kid', async () => {
    const token = await tokenOf();
    expect(await readToken(keyRing(['second', 'first']), token, NOW)).toEqual(claims);
    await expect(readToken(keyRing(['second']), token, NOW)).rejects.toEqual(INVALID);
  });

  describe('is refused', () => {
    const build = (fields: {
      readonly alg?: string;
      readonly kid?: string | undefined;
      readonly issuer?: string;
      readonly audience?: string;
      readonly secret?: Uint8Array;
      readonly sid?: unknown;
    }): Promise<string> =>
      new SignJWT({ environment: 'live', sid: 'sid' in fields ? fields.sid : 'ses_1' })
        .setProtectedHeader({
          alg: fields.alg ?? 'HS256',
          ...('kid' in fields ? (fields.kid ? { kid: fields.kid } : {}) : { kid: ring.current.id }),
        })
        .setSubject('usr_1')
        .setIssuer(fields.issuer ?? 'portico')
        .setAudience(fields.audience ?? 'portico-api')
        .setExpirationTime(Math.floor(secondsLater(60).getTime() / 1000))
        .sign(fields.secret ?? ring.current.bytes);

    it.each<[string, Parameters<typeof build>[0]]>([
      ['with another issuer', { issuer: 'other' }],
      ['for another audience', { audience: 'other' }],
      ['with another algorithm', { alg: 'HS512' }],
      ['without a kid', { kid: undefined }],
      ['with an unknown kid', { kid: 'other' }],
      ['without a session', { sid: undefined }],
      ['with a session that is an object', { sid: { $ne: null } }],
      ['with a wrong signature', { secret: keyRing(['other']).current.bytes }],
    ])('%s', async (_, fields) => {
      expect(await readToken(ring, await build({}), NOW)).toMatchObject({ userId: 'usr_1' });
      await expect(readToken(ring, await build(fields), NOW)).rejects.toEqual(INVALID);
    });

    it('without a signature', async () => {
      const unsigned = new UnsecuredJWT({ sub: 'usr_1', environment: 'live', sid: 'ses_1' })
        .setIssuer('portico')
        .setAudience('portico-api')
        .setExpirationTime(Math.floor(secondsLater(60).getTime() / 1000))
        .encode();
      await expect(readToken(ring, unsigned, NOW)).rejects.toEqual(INVALID);
    });

    it.each(['', 'x', 'a.b.c', `${'a'.repeat(10_000)}.b.c`])('where it is none', async (token) => {
      await expect(readToken(ring, token, NOW)).rejects.toEqual(INVALID);
    });
  });
});

describe('a refresh token', () => {
  it('says which of its session it is, until the session ends', async () => {
    const { refreshToken, refreshSeconds } = await issue(true);
    expect(refreshSeconds).toBe(12 * 3_600);
    const expected = { sessionId: 'ses_1', refreshNumber: 1 };
    expect(await readRefreshToken(ring, refreshToken ?? '', secondsLater(refreshSeconds - 1))).toEqual(
      expected,
    );
    await expect(readRefreshToken(ring, refreshToken ?? '', secondsLater(refreshSeconds))).rejects.toEqual(
      refusal('TOKEN_EXPIRED'),
    );
  });

  it('is no access token, nor the other way round', async () => {
    const { accessToken, refreshToken } = await issue(true);
    await expect(readToken(ring, refreshToken ?? '', NOW)).rejects.toEqual(INVALID);
    await expect(readRefreshToken(ring, accessToken, NOW)).rejects.toEqual(INVALID);
  });
});
