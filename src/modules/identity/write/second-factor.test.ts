import { Secret, TOTP } from 'otpauth';
import {
  isTotp,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUrl,
  recoveryHash,
  stepOf,
} from './second-factor.ts';

const AT = new Date(59_000);
/** The secret of RFC 6238, appendix B. */
const secret = Secret.fromLatin1('12345678901234567890').base32;

describe('a code of an authenticator', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('is that of RFC 6238 at %d seconds', (seconds, code) => {
    expect(stepOf(secret, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  });

  it('is taken one step before and after its time, and stands for its own step', () => {
    expect(stepOf(secret, '287082', new Date(29_000))).toBe(1);
    expect(stepOf(secret, '287082', new Date(89_000))).toBe(1);
    expect(stepOf(secret, '287082', new Date(90_000))).toBeNull();
  });

  it.each(['287083', '28708', '2870820', '', 'ABCDEF'])('is not %p', (code) => {
    expect(stepOf(secret, code, AT)).toBeNull();
  });

  it('is told from a recovery code by its six digits', () => {
    expect(['123456', '12345', '123456a', 'ABCD-EFGH-IJKL-MNOP'].map(isTotp)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

it('a secret has 160 random bits and goes into the address that authenticators read', () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(made);
  const url = new URL(otpauthUrl(made, 'ana@example.test'));
  expect(url.protocol).toBe('otpauth:');
  expect(decodeURIComponent(url.pathname)).toContain('Portico:ana@example.test');
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    secret: made,
    issuer: 'Portico',
    period: '30',
  });
  const code = new TOTP({ secret: Secret.fromBase32(made) }).generate({ timestamp: AT.getTime() });
  expect(stepOf(made, code, AT)).toBe(1);
});

it('recovery codes are ten, known by their hashes, and read however they are typed', () => {
  const codes = newRecoveryCodes();
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  const [code = ''] = codes;
  expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const hash = recoveryHash('usr_1', code);
  expect(recoveryHash('usr_1', code.toLowerCase().replaceAll('-', ' '))).toBe(hash);
  expect(recoveryHash('usr_2', code)).not.toBe(hash);
  expect(hash).not.toContain(code);
});
