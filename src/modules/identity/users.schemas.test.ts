import { newUser } from './users.schemas.ts';

const faultOf = (password: string): string | undefined =>
  newUser.validate({ email: 'ana@example.test', password, merchantId: null, groups: [] }).error?.message;

describe('a password', () => {
  it.each([12, 128])('may have %d characters', (length) => {
    expect(faultOf('x'.repeat(length))).toBeUndefined();
  });

  it.each([11, 129])('may not have %d characters', (length) => {
    expect(faultOf('x'.repeat(length))).toContain('password');
  });
});
