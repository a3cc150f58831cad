import fc from 'fast-check';
import { solveChallenge } from './solve-challenge.ts';
import { zeroBitsOf } from './write/proof-of-work.ts';

describe('a solution of a challenge', () => {
  it('has as many zero bits as it asks for, whatever its length', async () => {
    const rest = fc.stringMatching(/^[\w.-]{0,150}$/);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), rest, async (bits, text) => {
        const challenge = `${bits}.${text}`;
        const proof = await solveChallenge(challenge);
        expect(proof).toMatch(/:\d+$/);
        expect(proof.startsWith(`${challenge}:`)).toBe(true);
        expect(zeroBitsOf(proof)).toBeGreaterThanOrEqual(bits);
      }),
    );
  });

  it('is the first that there is', async () => {
    const proof = await solveChallenge('6.first');
    const counted = Number(proof.split(':')[1]);
    const before = Array.from({ length: counted }, (_, number) => zeroBitsOf(`6.first:${number}`));
    expect(before.filter((bits) => bits >= 6)).toEqual([]);
  });
});
