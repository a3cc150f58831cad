import { readFileSync } from 'node:fs';

/** Clock ticks a second in which Linux reports processor time to programs. */
const TICKS = 100;

/** Milliseconds of processor time that a process has used so far; null where there is no /proc. */
export const processorTime = (pid: number): number | null => {
  try {
    // The name in brackets may contain spaces; utime and stime are the 12th and 13th member after it.
    const members = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return ((Number(members[11]) + Number(members[12])) * 1_000) / TICKS;
  } catch {
    return null;
  }
};
