import type { StoreLimits } from './limits.ts';

type Question<K, A> = { readonly key: K; answer(answer: A): void; fail(error: unknown): void };

/**
 * Joins reads into one statement: those of one turn of the event loop, and those that come while as many statements are
 * in flight as the store's limits allow. A read never gets the answer of an earlier statement, and no answer is kept,
 * so a change counts at once. `ask` returns answers in the order of the keys, each of which names `idsPerKey` values.
 * With `gatherMs` the first read waits this long for others.
 */
export const batched = <K, A>(
  { limits }: { readonly limits: () => StoreLimits },
  ask: (keys: readonly K[]) => Promise<readonly A[]>,
  { idsPerKey = 1, gatherMs = 0 }: { readonly idsPerKey?: number; readonly gatherMs?: number } = {},
): ((key: K) => Promise<A>) => {
  const waiting: Question<K, A>[] = [];
  let underWay = 0;
  let willStart = false;

  const next = async (): Promise<void> => {
    const questions = waiting.splice(0, Math.floor(limits().idsAtOnce / idsPerKey));
    underWay += 1;
    try {
      const answers = await ask(questions.map(({ key }) => key));
      questions.forEach(({ answer }, index) => {
        answer(answers[index] as A);
      });
    } catch (error) {
      for (const { fail } of questions) fail(error);
    }
    underWay -= 1;
    start();
  };
  const start = (): void => {
    willStart = false;
    while (waiting.length > 0 && underWay < limits().readsAtOnce) void next();
  };

  return (key) =>
    new Promise((answer, fail) => {
      waiting.push({ key, answer, fail });
      // Commands that were committed together continue, and read, in the same turn.
      if (!willStart && underWay < limits().readsAtOnce) {
        willStart = true;
        if (gatherMs === 0) setImmediate(start);
        else setTimeout(start, gatherMs);
      }
    });
};
