import { tokenReply } from './sessions.http.ts';

const ISSUED = { accessToken: 'a', expiresIn: 3_600, refreshToken: 'r', refreshSeconds: 43_200 };
const cookie = (secure: boolean): readonly string[] =>
  String(tokenReply(ISSUED, secure).headers?.['Set-Cookie']).split('; ');

describe('the refresh cookie', () => {
  it('is for its route only, out of reach of scripts and other sites, and as long as the session', () => {
    expect(cookie(false)).toEqual([
      'portico_refresh=r',
      'Path=/v1/auth/refresh',
      'Max-Age=43200',
      'HttpOnly',
      'SameSite=Strict',
    ]);
  });

  it('is for TLS only in production', () => {
    expect(cookie(true)).toEqual([...cookie(false), 'Secure']);
  });

  it('is not set for a session without one, and never in the body', () => {
    expect(tokenReply({ ...ISSUED, refreshToken: null }, true).headers).toBeUndefined();
    expect(tokenReply(ISSUED, true).body).toEqual({
      accessToken: 'a',
      tokenType: 'Bearer',
      expiresIn: 3_600,
    });
  });
});
