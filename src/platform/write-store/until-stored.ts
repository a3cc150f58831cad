import { unavailable } from '../../kernel/errors.ts';
import type { CommandContext } from '../../kernel/event.ts';
import { findStored } from './commit.ts';
import { NOT_IN_TIME } from './committer.ts';
import type { Database } from './database.ts';
import { mayRunAgain, pauseAfter, Uncertain } from './failures.ts';
import { leasesEnd } from './leases.ts';
import type { WriteSet } from './write-set.ts';

/** One run of a command, with its result and its write set. */
export type Attempt<T> = { readonly result: T; readonly set: WriteSet };

type StoringDeps = {
  readonly db: Database;
  /** Called for a write set that turned out to be stored although its commit was uncertain. */
  readonly onCommit: (sets: readonly WriteSet[]) => void;
  readonly onRetry: () => void;
};

/**
 * Runs a command until it is stored. `run` calls `sending` when it hands a write set in, because only a write set that
 * may have been stored is looked for afterwards.
 */
export const untilStored = async <T>(
  deps: StoringDeps,
  context: CommandContext,
  giveUpAt: number,
  run: (sending: (attempt: Attempt<T>) => void) => Promise<Attempt<T>>,
): Promise<T> => {
  const uncertain: Attempt<T>[] = [];
  const findCommitted = async (): Promise<Attempt<T> | null> => {
    const found = await findStored(
      deps.db,
      uncertain.map(({ set }) => set),
    );
    return uncertain.find(({ set }) => set === found) ?? null;
  };
  for (let tries = 1; ; tries += 1) {
    let sent: Attempt<T> | null = null;
    try {
      return await finish(
        context,
        await run((attempt) => {
          sent = attempt;
        }),
      );
    } catch (thrown) {
      const isUncertain = thrown instanceof Uncertain;
      if (isUncertain && sent) uncertain.push(sent);
      let reason = isUncertain ? thrown.cause : thrown;
      try {
        // This check also comes before a refusal is accepted, because the rule may have seen the effect of this
        // command's own earlier try.
        const committed = await findCommitted();
        if (committed) {
          deps.onCommit([committed.set]);
          return await finish(context, committed);
        }
      } catch (unknown) {
        reason = unknown;
      }
      if (!mayRunAgain(reason)) throw reason;
      if (Date.now() > giveUpAt) throw unavailable(NOT_IN_TIME, reason);
      deps.onRetry();
      await pauseAfter(tries);
    }
  }
};

const finish = async <T>(context: CommandContext, { result, set }: Attempt<T>): Promise<T> => {
  context.commits.push(set.commit);
  if (set.isLeased) await leasesEnd();
  return result;
};
