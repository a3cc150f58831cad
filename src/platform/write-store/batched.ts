import { IDS_AT_ONCE, READS_AT_ONCE } from './local-server.ts';

type Question<K, A> = { readonly key: K; answer(answer: A): void; fail(error: unknown): void };

/**
 * Joins reads of one turn of the event loop, or that come while `READS_AT_ONCE` are in flight, into one statement. It
 * answers no read that came later, and no answer is kept, so a change counts at once. `ask` answers at most `atOnce`
 * keys in their order. With `gatherMs` the first read waits so long for others.
 */
export const batched = <K, A>(
  ask: (keys: readonly K[]) => Promise<readonly A[]>,
  atOnce: number = IDS_AT_ONCE,
  gatherMs = 0,
): ((key: K) => Promise<A>) => {
  const waiting: Question<K, A>[] = [];
  let underWay = 0;
  let willStart = false;

  const next = async (): Promise<void> => {
    const questions = waiting.splice(0, atOnce);
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
    while (waiting.length > 0 && underWay < READS_AT_ONCE) void next();
  };

  return (key) =>
    new Promise((answer, fail) => {
      waiting.push({ key, answer, fail });
      // Commands whose commit was one ask in the same turn.
      if (!willStart && underWay < READS_AT_ONCE) {
        willStart = true;
        if (gatherMs === 0) setImmediate(start);
        else setTimeout(start, gatherMs);
      }
    });
};
