import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that Linux keeps in memory. */
const IN_MEMORY = '/dev/shm';
/** Free memory that is required; containers have 64 MiB by default. */
const ROOM = 4 * 1024 ** 3;

const hasRoom = (): boolean => {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM;
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Memory is scarcer than disk space, so the next run removes what one that was cut short has left. */
const removeLeftovers = (): void => {
  for (const name of readdirSync(IN_MEMORY)) {
    const [, pid] = /^portico-[a-z]+-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(IN_MEMORY, name), { recursive: true, force: true });
  }
};

/**
 * A new folder for the data of servers, in memory if there is room. On a disk the servers wait for each write, and a
 * gateway takes four times as long to start. `kill -9` ends only programs and leaves the folder as it is.
 */
export const newDataDir = (what: string): string => {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), `portico-${what}-`));
  removeLeftovers();
  return mkdtempSync(join(IN_MEMORY, `portico-${what}-${process.pid}-`));
};
