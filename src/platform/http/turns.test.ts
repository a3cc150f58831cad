import { setImmediate as afterThis } from 'node:timers/promises';
import { createTurns } from './turns.ts';

const TURN_MS = 50;
const work = (): void => {
  for (const end = performance.now() + TURN_MS; performance.now() < end; );
};

describe('turns of long work', () => {
  it('leave others as much time as each took', async () => {
    const takeTurn = createTurns(10, 'too many');
    const startedAt = performance.now();
    let others = 0;
    let isDone = false;
    const look = async (): Promise<void> => {
      while (!isDone) {
        await afterThis();
        others += 1;
      }
    };
    const looking = look();
    const ends: number[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        await takeTurn();
        const before = others;
        work();
        ends.push(performance.now() - startedAt);
        expect(others).toBe(before);
      }),
    );
    isDone = true;
    await looking;
    expect(others).toBeGreaterThan(4);
    // There are four turns, and a pause after each but the last.
    expect(ends.at(-1)).toBeGreaterThan(6.5 * TURN_MS);
    for (const [index, end] of ends.entries())
      expect(end - (ends[index - 1] ?? -2 * TURN_MS)).toBeGreaterThan(1.9 * TURN_MS);
  });

  it('come at once where nobody waits', async () => {
    const takeTurn = createTurns(0, 'too many');
    let isMine = false;
    takeTurn().then(() => {
      isMine = true;
    });
    await Promise.resolve().then(() => Promise.resolve());
    await afterThis();
    expect(isMine).toBe(true);
  });

  it('are refused where too many wait', async () => {
    const takeTurn = createTurns(1, 'too many');
    const asked = [takeTurn(), takeTurn(), takeTurn()];
    await expect(asked[2]).rejects.toMatchObject({ statusCode: 503, message: 'too many' });
    await Promise.all(asked.slice(0, 2));
  });
});
