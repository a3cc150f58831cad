import type { ClientSession } from 'mongodb';
import { unavailable } from '../../kernel/errors.ts';
import { mayRunAgain, pauseAfter } from './failures.ts';
import type { WriteStore } from './mongo.ts';

/**
 * Reads several documents as of one moment. It takes no command's place among the transactions. `read` may run several
 * times.
 */
export type Snapshot = <T>(read: (session: ClientSession) => Promise<T>) => Promise<T>;

export const createSnapshot = (deps: {
  readonly writeStore: WriteStore;
  readonly retryForMs: number;
}): Snapshot => {
  const { client } = deps.writeStore;
  const readOnce: Snapshot = async (read) => {
    const session = client.startSession();
    try {
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      const result = await read(session);
      await session.commitTransaction();
      return result;
    } catch (error) {
      await session.abortTransaction().catch(() => undefined);
      throw error;
    } finally {
      await session.endSession();
    }
  };
  return async (read) => {
    const giveUpAt = Date.now() + deps.retryForMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await readOnce(read);
      } catch (error) {
        if (!mayRunAgain(error)) throw error;
        if (Date.now() > giveUpAt) throw unavailable('The write store did not answer in time', error);
        await pauseAfter(tries);
      }
    }
  };
};
