import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Identifies a process by its pid and the time of its start, because the pid alone may belong to another process by
 * now.
 */
export type ProcessId = { readonly pid: number; readonly started: string };

/** The identity of a running process; null where there is none, or only a zombie of it. */
export function processId(pid: number): ProcessId | null {
  const started = process.platform === 'linux' ? startedByProc(pid) : startedByPs(pid);
  return started === null ? null : { pid, started };
}

export function isAlive(id: ProcessId): boolean {
  return processId(id.pid)?.started === id.started;
}

function startedByProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before this may contain spaces
    const [state, ticks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' ? null : `${boot()}/${ticks}`;
  } catch {
    return null;
  }
}

const boot = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

function startedByPs(pid: number): string | null {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const line = spawnSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { env, encoding: 'utf8' }).stdout;
  const [, state, started] = /^\s*(\S+)\s+(.*\S)/.exec(line ?? '') ?? [];
  return started === undefined || state?.startsWith('Z') ? null : started;
}

/** Content of a lock file: its holder (null once released) and the holder's message to others. */
type Held<State> = { readonly owner: ProcessId | null; readonly state: State };

export type Lock<State> = {
  /** The state that the previous holder left. */
  readonly previous: State | null;
  write(state: State): void;
  release(state: State): void;
};

/** The latest lock file, `<name>.<number>.json` in `dir`, whether or not its owner is still alive. */
export function readLock<State>(dir: string, name: string): (Held<State> & { number: number }) | null {
  for (;;) {
    const number = latest(dir, name);
    if (number === 0) return null;
    try {
      return { ...(JSON.parse(readFileSync(path(dir, name, number), 'utf8')) as Held<State>), number };
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error; // otherwise the next holder has just removed it
    }
  }
}

/**
 * Takes the lock, or returns the live process that holds it. Every holder creates the file with the next number, and no
 * number is used twice, so of two processes that find a dead owner only one succeeds. With a single lock file, the
 * slower process would remove the file of the new owner.
 */
export function takeLock<State>(dir: string, name: string, initial: State): Lock<State> | ProcessId {
  mkdirSync(dir, { recursive: true });
  const me = processId(process.pid);
  for (;;) {
    const held = readLock<State>(dir, name);
    if (held?.owner && isAlive(held.owner)) return held.owner;
    const previous = held?.state ?? null;
    const number = (held?.number ?? 0) + 1;
    const file = path(dir, name, number);
    const save = (owner: ProcessId | null, state: State, publish: typeof renameSync) => {
      const draft = join(dir, `${name}.${process.pid}.draft`);
      writeFileSync(draft, JSON.stringify({ owner, state }), { mode: 0o600 });
      publish(draft, file);
      rmSync(draft, { force: true });
    };
    try {
      save(me, previous ?? initial, linkSync); // fails where the file exists
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue;
      throw error;
    }
    if (latest(dir, name) !== number) {
      rmSync(file, { force: true }); // others have taken and released the lock since we looked
      continue;
    }
    for (const old of numbers(dir, name)) if (old < number) rmSync(path(dir, name, old), { force: true });
    return {
      previous,
      write: (state) => save(me, state, renameSync),
      release: (state) => save(null, state, renameSync),
    };
  }
}

const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;
const path = (dir: string, name: string, number: number) => join(dir, `${name}.${number}.json`);
const latest = (dir: string, name: string) => Math.max(0, ...numbers(dir, name));

function numbers(dir: string, name: string): number[] {
  if (!existsSync(dir)) return [];
  const pattern = new RegExp(`^${name}\\.(\\d+)\\.json$`);
  return readdirSync(dir).flatMap((file) => Number(pattern.exec(file)?.[1] ?? []));
}
