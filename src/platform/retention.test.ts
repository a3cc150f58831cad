import { NOW } from '../../test/builders.ts';
import { createFakeLogger } from '../../test/fakes/logger.ts';
import { type Removal, startRetention } from './retention.ts';

/** Runs one round of a worker that owns the chore or does not; returns what each removal was asked for, and the log. */
const round = async (owns: boolean, runs: readonly Removal['run'][]) => {
  const { logger, lines } = createFakeLogger();
  const asked: Date[] = [];
  const loop = startRetention({
    removals: runs.map((run, index) => ({
      what: `things ${index}`,
      run(now, signal) {
        asked.push(now);
        return run(now, signal);
      },
    })),
    membership: { owns: () => owns },
    clock: () => NOW,
    logger,
  });
  // Work that waits for nothing has ended by now.
  await new Promise((resolve) => setImmediate(resolve));
  await loop.stop();
  return { asked, lines };
};

describe('retention', () => {
  it('removes what is due of every kind, whatever becomes of another', async () => {
    const broken = () => Promise.reject(new Error('a store is down'));
    const { asked, lines } = await round(true, [broken, async () => 0, async () => 3]);
    expect(asked).toEqual([NOW, NOW, NOW]);
    expect(lines).toEqual([
      'error could not remove what was kept long enough',
      'info removed what was kept long enough',
    ]);
  });

  it('is the work of one worker', async () => {
    expect((await round(false, [async () => 1])).asked).toEqual([]);
  });

  it('ends in the middle when the worker stops', async () => {
    const cutShort: Removal['run'] = async (_, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
      return 1;
    };
    expect(await round(true, [cutShort, async () => 1])).toMatchObject({ asked: [NOW], lines: [] });
  });
});
