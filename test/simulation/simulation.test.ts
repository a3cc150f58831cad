import { buildProgram, endPrograms, startProgram } from '../support/program.ts';
import { someOf, volume } from '../support/volume.ts';
import { MUTANTS } from './mutants/mutants.ts';

jest.setTimeout(volume({ usual: 600_000, proof: 7_200_000 }));

beforeAll(buildProgram, 600_000);
afterAll(endPrograms);

const simulate = async (variables: Readonly<Record<string, string>>) => {
  const program = startProgram('dist/test/simulation/cli.js', { SHRINK: '0', ...variables });
  return { code: await program.ended, lines: program.stdout().trim().split('\n'), errors: program.stderr() };
};
/** Seeds with their hashes and simulated hours. */
const seedsOf = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => /^seed \d+ [0-9a-f]{16} [\d.]+ h$/.test(line));

describe('the gateway on a seed', () => {
  it('loses, doubles and mistakes nothing, whatever the seed does to it', async () => {
    const seeds = volume({ usual: '24', proof: '1000' });
    const run = await simulate({ SEED: '1', SEEDS: seeds, ROUNDS: volume({ usual: '3', proof: '8' }) });
    expect([run.code, run.errors, run.lines.at(-1)]).toEqual([
      0,
      '',
      expect.stringMatching(/ seeds, \d+ simulated hours in [\d.]+ s: nothing is wrong$/),
    ]);
    expect(seedsOf(run.lines)).toHaveLength(Number(seeds));
  });

  it('does the same for one seed each time, whatever the process has played before', async () => {
    const several = await simulate({ SEED: '1001', SEEDS: '3', ROUNDS: '3' });
    const alone = await simulate({ SEED: '1003', SEEDS: '1', ROUNDS: '3' });
    for (const run of [several, alone])
      expect([run.code, run.errors, run.lines.at(-1)]).toEqual([
        0,
        '',
        expect.stringMatching(/nothing is wrong$/),
      ]);
    expect(seedsOf(several.lines)).toHaveLength(3);
    expect(new Set(seedsOf(several.lines).map((line) => line.split(' ')[2])).size).toBe(3);
    expect(seedsOf(alone.lines)).toEqual(seedsOf(several.lines).slice(2));
  });
});

describe('a planted bug', () => {
  it.each(someOf(MUTANTS, 2).map(({ name }) => name))('is found: %s', async (name) => {
    const program = startProgram('dist/test/simulation/mutants/try-mutants.js', { MUTANT: name });
    expect([await program.ended, program.stdout()]).toEqual([
      0,
      expect.stringMatching(/^.*: found by seed \d+, shrunk to \d+ rounds: /),
    ]);
  });
});
