import { createPasswords } from './passwords.ts';

const passwords = createPasswords();

describe('a password', () => {
  it('is kept as argon2id with the parameters that OWASP recommends', async () => {
    expect(await passwords.hash('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is right or wrong', async () => {
    const hash = await passwords.hash('correct horse battery');
    expect(await passwords.verify(hash, 'correct horse battery')).toBe(true);
    expect(await passwords.verify(hash, 'correct horse batterY')).toBe(false);
  });

  it('is wrong for a user that does not exist', async () => {
    expect(await passwords.verify(null, 'correct horse battery')).toBe(false);
  });
});
