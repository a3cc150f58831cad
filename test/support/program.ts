import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { takeLock } from '../../scripts/engines/lock.ts';
import { pollUntil } from './client.ts';
import { newDataDir } from './data-dir.ts';

/** The program in a process of its own, as a user starts it. */
export type Program = {
  readonly pid: number;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves to how it ended: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  signal(signal: NodeJS.Signals): void;
};

/**
 * Compiles the sources where they are newer than the compiled program; several suites may call it at once. Packages may
 * be installed in the process, so the lock is in another folder.
 */
export const buildProgram = async (): Promise<void> => {
  for (;;) {
    const lock = takeLock('dist/.building', 'build', null);
    if ('pid' in lock) {
      await sleep(200);
      continue;
    }
    try {
      await promisify(execFile)('make', ['--silent', 'build']);
    } finally {
      lock.release(null);
    }
    return;
  }
};

const END_WITHIN_MS = 15_000;

const running = new Set<ChildProcess>();
const killAll = (): void => {
  for (const child of running) child.kill('SIGKILL');
};
process.once('exit', killAll);

/** Files in which programs note statements that would be slow on a sharded cluster, or refused by one. */
const watched: string[] = [];

/** Arguments of Node.js and variables by which a program that works by tenant takes these notes. */
const watching = ({ COMMIT_GROUPS }: Readonly<Record<string, string>>) => {
  if (COMMIT_GROUPS !== 'tenant') return { args: [], env: {} };
  const into = join(newDataDir('watched'), 'notes');
  watched.push(into);
  return {
    args: ['--import', resolve('dist/test/support/watched.js')],
    env: { WATCH_INTO: into },
  };
};

/** Variables by which programs that a shell starts are watched as well. */
export const watchedVariables = (
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const { args, env } = watching(variables);
  return args.length === 0 ? variables : { ...variables, ...env, NODE_OPTIONS: args.join(' ') };
};

/**
 * Starts a compiled script, `dist/…`, with these variables and none of the tests' own. `endPrograms` throws where one
 * that works by tenant sent statements that it must not send.
 */
export const startProgram = (
  script: string,
  variables: Readonly<Record<string, string>>,
  ...given: readonly string[]
): Program => {
  const { PATH = '', HOME = '' } = process.env;
  const { args, env } = watching(variables);
  const child = spawn(process.execPath, ['--enable-source-maps', ...args, script, ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...variables, ...env },
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  running.add(child);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    // `close` comes after the last output.
    child.once('close', (code, signal) => resolve(code ?? signal)).once('error', reject);
  });
  ended.finally(() => running.delete(child)).catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    ended,
    signal: (signal) => {
      child.kill(signal);
    },
  };
};

/** Ends every program that a test has left running, orderly if possible. */
export const endPrograms = async (): Promise<void> => {
  for (const child of running) child.kill('SIGTERM');
  if (!(await pollUntil(async () => running.size === 0, Boolean, END_WITHIN_MS))) killAll();
  while (running.size > 0) await sleep(20);
  const notes = watched.splice(0).flatMap((file) => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    rmSync(dirname(file), { recursive: true, force: true });
    return lines;
  });
  if (notes.length > 0) throw new Error(`programs by tenant: ${[...new Set(notes)].join('; ')}`);
};

/** Waits until the program has printed a match of `pattern`; throws where it ends before, or takes too long. */
export const untilPrinted = async (
  program: Program,
  pattern: RegExp,
  withinMs = 60_000,
): Promise<RegExpExecArray> => {
  const until = Date.now() + withinMs;
  let end: string | null = null;
  program.ended.then(
    (code) => {
      end = `ended with ${code}`;
    },
    () => undefined,
  );
  for (;;) {
    const match = pattern.exec(program.stdout());
    if (match) return match;
    const reason = end ?? (Date.now() > until ? 'did not get there in time' : null);
    if (reason !== null) throw new Error(`the program ${reason}:\n${program.stdout()}\n${program.stderr()}`);
    await sleep(20);
  }
};

/** Waits until `condition` holds; throws with `what` where it does not in time. */
export const eventually = async (
  what: string,
  condition: () => Promise<boolean> | boolean,
  withinMs?: number,
): Promise<void> => {
  if (!(await pollUntil(async () => condition(), Boolean, withinMs))) throw new Error(`not in time: ${what}`);
};
