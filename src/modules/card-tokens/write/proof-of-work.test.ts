import fc from 'fast-check';
import { later, NOW } from '../../../../test/builders.ts';
import { keyRing } from '../../../platform/secrets.ts';
import { createProofOfWork, zeroBitsOf } from './proof-of-work.ts';

const ring = (secret: string) => keyRing([`${secret} that is as long as a secret has to be`]);
const at = (now: Date, secret = 'one') => createProofOfWork({ pepper: ring(secret), clock: () => now });
const proofs = at(NOW);

const solve = (challenge: string, bits: number): string => {
  for (let counter = 0; ; counter += 1)
    if (zeroBitsOf(`${challenge}:${counter}`) >= bits) return `${challenge}:${counter}`;
};
const BITS = 8;
const challenge = proofs.challenge('mer_1:live', BITS);
const solution = solve(challenge, BITS);

describe('a proof of work', () => {
  it('solves the challenge that was made for the same key', () => {
    expect(proofs.isSolved('mer_1:live', solution)).toBe(true);
    expect(proofs.isSolved('mer_1:test', solution)).toBe(false);
    expect(proofs.isSolved('mer_2:live', solution)).toBe(false);
  });

  it('counts for two minutes, and at every process with the same pepper', () => {
    expect(at(later(119)).isSolved('mer_1:live', solution)).toBe(true);
    expect(at(later(120)).isSolved('mer_1:live', solution)).toBe(false);
    expect(at(NOW, 'other').isSolved('mer_1:live', solution)).toBe(false);
  });

  it('needs as many zero bits as the challenge asks for, and its bits cannot be lowered', () => {
    const hard = proofs.challenge('mer_1:live', 40);
    expect(proofs.isSolved('mer_1:live', `${hard}:0`)).toBe(false);
    const lowered = hard.replace(/^40/, '1');
    expect(proofs.isSolved('mer_1:live', solve(lowered, 1))).toBe(false);
  });

  it('is no other text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(proofs.isSolved('mer_1:live', text)).toBe(false)));
    for (const text of [challenge, `${challenge}:`, `${challenge}:x`, ` ${solution}`, `${solution}\n`])
      expect(proofs.isSolved('mer_1:live', text)).toBe(false);
  });
});

it.each([
  // The SHA-256 of these texts begin with ca97, 3e23, 0032, 000f and 0003.
  ['a', 0],
  ['b', 2],
  ['286', 10],
  ['886', 12],
  ['1039', 14],
])('the SHA-256 of %s begins with %i zero bits', (text, bits) => {
  expect(zeroBitsOf(text)).toBe(bits);
});
