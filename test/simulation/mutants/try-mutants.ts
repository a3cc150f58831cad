import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { wholeNumber } from '../../../scripts/whole-number.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

/** A bug counts as found where one of so many seeds fails: they take less than a minute of a free processor. */
const SEEDS = wholeNumber('SEEDS', 25, 1_000);

/** The simulation of the program with a bug, built below `dist`; throws where the bug's text is not there once. */
const build = async ({ name, file, text, instead }: Mutant): Promise<string> => {
  const dir = resolve('dist/mutants', createHash('sha256').update(name).digest('hex').slice(0, 8));
  const planted = resolve(file);
  let times = 0;
  const bundle = await rolldown({
    input: { cli: 'test/simulation/cli.ts' },
    platform: 'node',
    external: ['@node-rs/argon2'],
    plugins: [
      {
        name: 'plant',
        transform(code, id) {
          if (id !== planted) return null;
          times = code.split(text).length - 1;
          return code.replace(text, () => instead);
        },
      },
    ],
  });
  await bundle.write({ dir, keepNames: true });
  await bundle.close();
  if (times !== 1) throw new Error(`${name}: its text is ${times} times in ${file}`);
  return dir;
};

type Ended = { readonly code: number | null; readonly output: string };

const play = (dir: string): Promise<Ended> =>
  new Promise((done) => {
    const child = spawn(process.execPath, ['--max-semi-space-size=64', resolve(dir, 'cli.js')], {
      env: { ...process.env, SEED: '1', SEEDS: String(SEEDS), SHRINK: '0' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output += part.toString();
      });
    child.on('close', (code) => done({ code, output }));
  });

/** `make mutants MUTANT=…`: plants each bug whose name has this text, and has the simulation look for it. */
const main = async (): Promise<void> => {
  const wanted = MUTANTS.filter(({ name }) => name.includes(process.env.MUTANT ?? ''));
  if (wanted.length === 0) throw new Error('there is no such mutant');
  let survivors = 0;
  for (const mutant of wanted) {
    const dir = await build(mutant);
    const { code, output } = await play(dir);
    rmSync(dir, { recursive: true });
    const [, seed = ''] = /seed (\d+) \S+ \S+ h FAILED/.exec(output) ?? [];
    const isFound = code === 1 && output.includes('repeat it with: make simulate SEED=');
    if (!isFound) survivors += 1;
    const problem = output.split('\n').find((line) => line.startsWith('  ')) ?? '';
    const told = isFound
      ? `found by seed ${seed}: ${problem.trim()}`
      : `NOT FOUND: ${output.split('\n').at(-2)}`;
    process.stdout.write(`${mutant.name}: ${told.slice(0, 200)}\n`);
  }
  process.exitCode = survivors > 0 ? 1 : 0;
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(2);
});
