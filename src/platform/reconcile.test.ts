import { later, NOW } from '../../test/builders.ts';
import { createFakeLogger } from '../../test/fakes/logger.ts';
import { createReconciler } from './reconcile.ts';

const setUp = (dueAtFirst: readonly string[], owns: (id: string) => boolean = () => true) => {
  const { logger, lines } = createFakeLogger();
  let now = NOW;
  const due = new Set(dueAtFirst);
  const failing = new Set<string>();
  const reconciled: string[] = [];
  const limits: number[] = [];
  const round = createReconciler({
    findDue: async (_now, limit) => {
      limits.push(limit);
      return [...due].slice(0, limit).map((id) => ({ id }));
    },
    reconcile: async ({ id }) => {
      reconciled.push(id);
      if (failing.has(id)) throw new Error('the provider does not answer');
    },
    owns,
    clock: () => now,
    logger,
  });
  return {
    due,
    failing,
    lines,
    limits,
    /** The ids that a round reconciles that begins `seconds` after the start. */
    async roundAt(seconds: number): Promise<string[]> {
      now = later(seconds);
      reconciled.length = 0;
      await round();
      return [...reconciled];
    },
  };
};

describe('a reconciler', () => {
  it('reconciles everything that is due', async () => {
    expect(await setUp(['a', 'b']).roundAt(0)).toEqual(['a', 'b']);
  });

  it('asks for what stays due again after 2, 4, 8 … seconds, and never later than after an hour', async () => {
    const test = setUp(['a']);
    const asked: number[] = [];
    for (let second = 0; second <= 20_000; second += 1)
      if ((await test.roundAt(second)).length > 0) asked.push(second);
    expect(asked.slice(0, 6)).toEqual([0, 2, 6, 14, 30, 62]);
    const gaps = asked.slice(1).map((second, index) => second - (asked[index] ?? 0));
    expect(Math.max(...gaps)).toBe(3_600);
  });

  it('goes on with the others where one cannot be reconciled, and logs it', async () => {
    const test = setUp(['a', 'b', 'c']);
    test.failing.add('b');
    expect(await test.roundAt(0)).toEqual(['a', 'b', 'c']);
    expect(test.lines).toEqual(['warn could not be reconciled yet']);
  });

  it('forgets what is no longer due, so that it starts afresh when it is due again', async () => {
    const test = setUp(['a']);
    await test.roundAt(0);
    test.due.delete('a');
    await test.roundAt(1);
    test.due.add('a');
    expect(await test.roundAt(1.5)).toEqual(['a']);
  });

  it('reaches new work behind any number of those that stay due', async () => {
    const stuck = Array.from({ length: 450 }, (_, index) => `stuck-${index}`);
    const test = setUp(stuck);
    const seen = new Set<string>();
    for (let round = 0; round < 4; round += 1) for (const id of await test.roundAt(round / 10)) seen.add(id);
    expect(seen.size).toBe(450);
    test.due.add('new');
    expect(await test.roundAt(0.9)).toEqual(['new']);
  });

  it('leaves to other workers what is theirs, and reaches its own behind any number of those', async () => {
    const others = Array.from({ length: 450 }, (_, index) => `other-${index}`);
    const test = setUp([...others, 'mine'], (id) => id === 'mine');
    const seen: string[] = [];
    for (let round = 0; round < 4; round += 1) seen.push(...(await test.roundAt(round / 10)));
    expect(seen).toEqual(['mine']);
  });

  it("takes over what was another worker's", async () => {
    let isMine = false;
    const test = setUp(['a'], () => isMine);
    expect(await test.roundAt(0)).toEqual([]);
    isMine = true;
    expect(await test.roundAt(1)).toEqual(['a']);
  });

  it('looks at so many at a time, and says that it has no more to do now', async () => {
    const test = setUp([]);
    await test.roundAt(0);
    expect(test.limits).toEqual([200]);
  });
});
