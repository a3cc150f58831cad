import { hash } from '@node-rs/argon2';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords();

describe('a password', () => {
  it('is kept as argon2id with the parameters that OWASP recommends', async () => {
    expect(await passwords.hash('correct horse battery', null)).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
    );
  });

  it('is right or wrong', async () => {
    const hash = await passwords.hash('correct horse battery', null);
    expect(await passwords.verify(hash, 'correct horse battery', null)).toBe(true);
    expect(await passwords.verify(hash, 'correct horse batterY', null)).toBe(false);
  });

  it('is wrong for a user that does not exist, after the same work', async () => {
    expect(await passwords.verify(null, 'correct horse battery', null)).toBe(false);
    const hash = await passwords.hash('correct horse battery', null);
    /** The least processor time that one of a few tries takes, in microseconds. Other programs do not change it. */
    const workOf = async (passwordHash: string | null): Promise<number> => {
      const times: number[] = [];
      for (let tries = 0; tries < 5; tries += 1) {
        const before = process.cpuUsage();
        await passwords.verify(passwordHash, 'wrong', null);
        const { user, system } = process.cpuUsage(before);
        times.push(user + system);
      }
      return Math.min(...times);
    };
    expect(await workOf(null)).toBeGreaterThan((await workOf(hash)) / 3);
  });
});

describe('a password with accents', () => {
  const composed = 'coração de papel';
  const decomposed = composed.normalize('NFD');

  it('is the same however a keyboard composes it', async () => {
    for (const [set, typed] of [
      [composed, decomposed],
      [decomposed, composed],
      ['Ｐａｐｅｌ\u3000de parede', 'Papel de parede'],
    ] as const)
      expect(await passwords.verify(await passwords.hash(set, null), typed, null)).toBe(true);
  });

  it('that a former version hashed as it was typed counts as it was typed', async () => {
    const former = await hash(decomposed);
    expect(await passwords.verify(former, decomposed, null)).toBe(true);
    expect(await passwords.verify(former, 'something else', null)).toBe(false);
  });
});

it('many passwords from one address are refused, and another address waits for none of them', async () => {
  const answered: string[] = [];
  const ask = (name: string, address: string) =>
    passwords.hash(name, address).then(
      () => answered.push(name),
      ({ statusCode }: { readonly statusCode: number }) => answered.push(String(statusCode)),
    );
  const crowd = Array.from({ length: 95 }, (_, index) => ask('crowd', `2001:db8::${index + 1}`));
  const alone = ask('alone', '203.0.113.9');
  await alone;
  // In a single queue the whole crowd would have come first. A part of it runs at the same time, on the other
  // processor.
  expect(answered.filter((one) => one === 'crowd').length).toBeLessThan(17);
  await Promise.all(crowd);
  expect(answered.filter((one) => one === '429')).toHaveLength(95 - 32 - 2);
});
