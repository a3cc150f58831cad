/** Shows the progress of long work: on a terminal as one line that is redrawn, otherwise as one line for each tenth. */
export type Progress = {
  update(done: number): void;
  /** Ends the line if it has not ended; returns how many seconds the work took. */
  end(): number;
};

const WIDTH = 24;
const REDRAW_MS = 150;

export const createProgress = (label: string, total: number): Progress => {
  const { stderr } = process;
  const startedAt = performance.now();
  let drawnAt = 0;
  let drawnDone = 0;
  let isEnded = false;
  const seconds = (): number => (performance.now() - startedAt) / 1000;

  const line = (done: number): string => {
    // There may be more than were counted beforehand, because somebody may write meanwhile.
    const share = Math.min(1, total === 0 ? 1 : done / total);
    const filled = Math.round(share * WIDTH);
    const rate = done / Math.max(seconds(), 0.001);
    const left = rate > 0 ? `${Math.ceil((total - done) / rate)} s left` : '';
    const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
    return `${label} ${bar} ${done}/${total}  ${Math.round(rate)}/s  ${done < total ? left : ''}`.trimEnd();
  };

  return {
    update(done) {
      const isDue = stderr.isTTY ? performance.now() - drawnAt > REDRAW_MS : done - drawnDone >= total / 10;
      if (!isDue && done < total) return;
      drawnAt = performance.now();
      drawnDone = done;
      stderr.write(stderr.isTTY ? `\r\x1b[K${line(done)}` : `${line(done)}\n`);
    },
    end() {
      if (stderr.isTTY && !isEnded) stderr.write('\n');
      isEnded = true;
      return seconds();
    },
  };
};
