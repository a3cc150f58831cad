import { createHash } from 'node:crypto';

/** Everything that happened in a run, in its order. Two runs that are the same have the same hash. */
export type Log = {
  note(line: string): void;
  hash(): string;
  /** The last lines, for somebody who looks for what went wrong. */
  tail(): readonly string[];
};

const KEPT = 4_000;

export const createLog = (now: () => number): Log => {
  const hash = createHash('sha256');
  const lines: string[] = [];
  return {
    note(line) {
      const entry = `${now().toFixed(3)} ${line}`;
      hash.update(`${entry}\n`);
      lines.push(entry);
      if (lines.length > 2 * KEPT) lines.splice(0, KEPT);
    },
    hash: () => hash.copy().digest('hex'),
    tail: () => lines.slice(-KEPT),
  };
};
