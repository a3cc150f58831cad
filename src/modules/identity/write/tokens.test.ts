import { SignJWT, UnsecuredJWT } from 'jose';
import { keyRing } from '../../../platform/secrets.ts';
import { readToken, signToken, TOKEN_SECONDS } from './tokens.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const secondsLater = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const ring = keyRing(['first']);
const claims = { userId: 'usr_1', livemode: false, credentialsVersion: 3 } as const;
const refusal = (code: string): object => expect.objectContaining({ statusCode: 401, code });
const INVALID = refusal('CREDENTIALS_INVALID');

describe('a token', () => {
  it('says who logged in, where, and with which credentials', async () => {
    expect(await readToken(ring, await signToken(ring, claims, NOW), secondsLater(1))).toEqual(claims);
  });

  it('lasts one hour', async () => {
    const token = await signToken(ring, claims, NOW);
    expect(await readToken(ring, token, secondsLater(TOKEN_SECONDS - 1))).toEqual(claims);
    await expect(readToken(ring, token, secondsLater(TOKEN_SECONDS))).rejects.toEqual(
      refusal('TOKEN_EXPIRED'),
    );
  });

  it('is read with any key of the ring, by its kid', async () => {
    const token = await signToken(ring, claims, NOW);
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
    }): Promise<string> =>
      new SignJWT({ environment: 'live', credentials: 1 })
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
      ['with a wrong signature', { secret: keyRing(['other']).current.bytes }],
    ])('%s', async (_, fields) => {
      expect(await readToken(ring, await build({}), NOW)).toMatchObject({ userId: 'usr_1' });
      await expect(readToken(ring, await build(fields), NOW)).rejects.toEqual(INVALID);
    });

    it('without a signature', async () => {
      const unsigned = new UnsecuredJWT({ sub: 'usr_1', environment: 'live', credentials: 1 })
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
