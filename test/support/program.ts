import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { takeLock } from '../../scripts/engines/lock.ts';
import { pollUntil } from './client.ts';

/** The program in a process of its own, as a user starts it. */
export type Program = {
  readonly pid: number;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** How it ended: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  signal(signal: NodeJS.Signals): void;
};

/**
 * Compiles the sources where they are newer than what is compiled; several suites may ask at once. Installing packages,
 * which may be a part of it, leaves the folder of the lock alone.
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

/** Starts a compiled script, `dist/…`, with these variables and none of those of the tests. */
export const startProgram = (script: string, variables: Readonly<Record<string, string>>): Program => {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--enable-source-maps', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...variables },
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  running.add(child);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    // `close`: after the last of the output.
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

/** Ends every program that a test has left running, in good order where it can. */
export const endPrograms = async (): Promise<void> => {
  for (const child of running) child.kill('SIGTERM');
  if (!(await pollUntil(async () => running.size === 0, Boolean, END_WITHIN_MS))) killAll();
  while (running.size > 0) await sleep(20);
};

/** Waits until the program has written what `pattern` looks for; throws if it ends before or takes too long. */
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
