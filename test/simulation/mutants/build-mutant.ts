import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import type { Mutant } from './mutants.ts';

/**
 * Builds a program of which this is the source with a bug in it, below `dist`; throws where the bug's text is not there
 * once. Returns the folder.
 */
export const buildMutant = async ({ name, file, text, instead }: Mutant, source: string): Promise<string> => {
  const dir = resolve('dist/mutants', createHash('sha256').update(name).digest('hex').slice(0, 8));
  const planted = resolve(file);
  let times = 0;
  const bundle = await rolldown({
    input: { cli: source },
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

export type Ended = { readonly code: number | null; readonly output: string };

/** Runs the program in such a folder. */
export const runMutant = (dir: string, variables: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((done) => {
    const child = spawn(process.execPath, ['--max-semi-space-size=64', resolve(dir, 'cli.js')], {
      env: { ...process.env, ...variables },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output += part.toString();
      });
    child.on('close', (code) => done({ code, output }));
  });
