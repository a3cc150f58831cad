import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { wholeNumber } from '../../scripts/whole-number.ts';
import { ROUNDS, type Run, runSeed } from './run.ts';

/** Seeds and rounds go up to here; fewer than one would play nothing and find nothing wrong. */
const MOST = 1_000_000_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The fewest rounds with which the seed still fails: what comes later has no part in it. */
const shrunk = async (
  failed: Run,
  rounds: number,
): Promise<{ readonly run: Run; readonly rounds: number }> => {
  for (let fewer = 1; fewer < rounds; fewer += 1) {
    const run = await runSeed(failed.seed, fewer);
    if (run.problems.length > 0) return { run, rounds: fewer };
  }
  return { run: failed, rounds };
};

/** `make simulate SEEDS=200`, also SEED, the first one, and ROUNDS: plays the gateway on seeds. */
const main = async (): Promise<void> => {
  const first = wholeNumber('SEED', 1, MOST);
  const seeds = wholeNumber('SEEDS', process.env.SEED ? 1 : 100, MOST);
  const rounds = wholeNumber('ROUNDS', ROUNDS, MOST);
  const startedAt = Date.now();
  let hours = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const run = await runSeed(seed, rounds);
    hours += run.hours;
    say(
      `seed ${seed} ${run.hash.slice(0, 16)} ${run.hours.toFixed(1)} h${run.problems.length > 0 ? ' FAILED' : ''}`,
    );
    if (run.problems.length === 0) continue;
    const least = process.env.SHRINK === '0' ? { run, rounds } : await shrunk(run, rounds);
    for (const problem of least.run.problems.slice(0, 20)) say(`  ${problem}`);
    if (process.env.LOG) writeFileSync(process.env.LOG, `${least.run.tail.join('\n')}\n`);
    say(`repeat it with: make simulate SEED=${seed} ROUNDS=${least.rounds} LOG=simulated.log`);
    process.exitCode = 1;
    return;
  }
  const seconds = (Date.now() - startedAt) / 1_000;
  say(`${seeds} seeds, ${Math.round(hours)} simulated hours in ${seconds.toFixed(1)} s: nothing is wrong`);
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(2);
});
