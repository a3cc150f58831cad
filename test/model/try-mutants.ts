import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildMutant, runMutant } from '../simulation/mutants/build-mutant.ts';
import type { Mutant } from '../simulation/mutants/mutants.ts';
import { MODEL_MUTANTS, PROGRAM_MUTANTS } from './mutants.ts';

/** A mutant is found by a broken promise in some traces of the model, or in playing some. */
const VARIABLES = { PLAYED: '50', SEED: '1' };
const FOUND = /the model breaks a promise|the program differs from the model: .*/;

const saved = (folder: string, { name, file, text, instead }: Mutant): string => {
  const whole = readFileSync(file, 'utf8');
  if (whole.split(text).length !== 2) throw new Error(`${name}: its text is not there once in ${file}`);
  const changed = join(folder, 'mutant.qnt');
  writeFileSync(
    changed,
    whole.replace(text, () => instead),
  );
  return changed;
};

/** The message by which the mutant was found; null where it was not. */
const findMutant = async (mutant: Mutant): Promise<string | null> => {
  const folder = join('dist/model', mutant.name.replaceAll(' ', '-'));
  mkdirSync(folder, { recursive: true });
  const isOfModel = MODEL_MUTANTS.includes(mutant);
  // A bug of the program breaks no promise of the model.
  const variables = {
    ...VARIABLES,
    TRACES: isOfModel ? '500' : '1',
    INTO: folder,
    ...(isOfModel ? { MODEL: saved(folder, mutant) } : {}),
  };
  const dir = isOfModel ? 'dist/test/model' : await buildMutant(mutant, 'test/model/cli.ts');
  const { output } = await runMutant(dir, variables);
  if (!isOfModel) rmSync(dir, { recursive: true });
  const [found = null] = FOUND.exec(output) ?? [];
  return found;
};

/** `make model-mutants MUTANT=…`: changes the model or the program, and looks whether the two still agree. */
const main = async (): Promise<void> => {
  const wanted = [...MODEL_MUTANTS, ...PROGRAM_MUTANTS].filter(({ name }) =>
    name.includes(process.env.MUTANT ?? ''),
  );
  if (wanted.length === 0) throw new Error('there is no such mutant');
  for (const mutant of wanted) {
    const found = await findMutant(mutant);
    if (found === null) process.exitCode = 1;
    process.stdout.write(`${mutant.name}: ${(found ?? 'NOT FOUND').slice(0, 200)}\n`);
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(2);
});
