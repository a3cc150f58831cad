import { rmSync } from 'node:fs';
import { wholeNumber } from '../../../scripts/whole-number.ts';
import { buildMutant, runMutant } from './build-mutant.ts';
import { MUTANTS } from './mutants.ts';

/** A bug counts as found where one of so many seeds fails: they take about a minute of a free processor. */
const SEEDS = wholeNumber('SEEDS', 40, 1_000);

/** `make mutants MUTANT=…`: plants each bug whose name has this text, and has the simulation look for it. */
const main = async (): Promise<void> => {
  const wanted = MUTANTS.filter(({ name }) => name.includes(process.env.MUTANT ?? ''));
  if (wanted.length === 0) throw new Error('there is no such mutant');
  let survivors = 0;
  for (const mutant of wanted) {
    const dir = await buildMutant(mutant, 'test/simulation/cli.ts');
    const { code, output } = await runMutant(dir, { SEED: '1', SEEDS: String(SEEDS) });
    rmSync(dir, { recursive: true });
    const [, seed = ''] = /seed (\d+) \S+ \S+ h FAILED/.exec(output) ?? [];
    const [, rounds] = /repeat it with: make simulate SEED=\d+ ROUNDS=(\d+)/.exec(output) ?? [];
    const isFound = code === 1 && rounds !== undefined;
    if (!isFound) survivors += 1;
    const problem = output.split('\n').find((line) => line.startsWith('  ')) ?? '';
    const told = isFound
      ? `found by seed ${seed}, shrunk to ${rounds} rounds: ${problem.trim()}`
      : `NOT FOUND: ${output.split('\n').at(-2)}`;
    process.stdout.write(`${mutant.name}: ${told.slice(0, 200)}\n`);
  }
  process.exitCode = survivors > 0 ? 1 : 0;
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(2);
});
