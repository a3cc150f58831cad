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

  it('is wrong for a user that does not exist, after the same work', async () => {
    expect(await passwords.verify(null, 'correct horse battery')).toBe(false);
    const hash = await passwords.hash('correct horse battery');
    /** The least processor time of some tries in microseconds, which other programs do not change. */
    const workOf = async (passwordHash: string | null): Promise<number> => {
      const times: number[] = [];
      for (let tries = 0; tries < 5; tries += 1) {
        const before = process.cpuUsage();
        await passwords.verify(passwordHash, 'wrong');
        const { user, system } = process.cpuUsage(before);
        times.push(user + system);
      }
      return Math.min(...times);
    };
    expect(await workOf(null)).toBeGreaterThan((await workOf(hash)) / 3);
  });
});
