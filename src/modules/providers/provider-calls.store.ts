import { type Clock, type Timestamp, timestamp } from '../../kernel/clock.ts';
import type { Id, NewId } from '../../kernel/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { daysBefore, inBatches, type Removal, type Retention } from '../../platform/retention.ts';
import type { Database } from '../../platform/write-store/database.ts';
import { collections, type Migration } from '../../platform/write-store/migrate.ts';
import { findAmong, inParts } from '../../platform/write-store/mongo.ts';
import { idsBefore } from '../../platform/write-store/ranges.ts';

const PROVIDER_CALLS = 'provider_calls';

/** One call to a provider: kept for people who look into a payment, and needed by no rule. */
export type ProviderCall = {
  readonly id: Id<'pcl'>;
  readonly at: Timestamp;
  readonly provider: string;
  readonly operation: string;
  /** Id of the charge, the refund, the card token or the payment method that the call was about. */
  readonly reference: string;
  /** The status that was answered, `not_found`, `timeout` or `error`. */
  readonly outcome: string;
  readonly durationMs: number;
};

export const providerCallMigrations: readonly Migration[] = [
  collections('108-provider-calls', { [PROVIDER_CALLS]: [{ key: { reference: 1 } }] }),
];

const WRITTEN_WITHIN_MS = 250;
/** A charge that nobody decides on is asked about every hour. */
const MAX_SHOWN = 200;
/** Calls that wait while the store is down; further ones are forgotten. */
const MAX_WAITING = 10_000;

export type ProviderCalls = ReturnType<typeof createProviderCalls>;

/**
 * Keeps calls beside the payments: many with one statement, and never in the way of one. A process that is killed
 * takes those of its last moment with it.
 */
export const createProviderCalls = (deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
}) => {
  const calls = deps.db.collection<{ _id: string }>(PROVIDER_CALLS);
  let waiting: ProviderCall[] = [];
  let timer: NodeJS.Timeout | null = null;
  const write = async (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    await calls
      .insertMany(batch.map((call) => ({ ...call, _id: call.id })))
      .catch((error: unknown) => deps.logger.warn({ err: error }, 'provider calls were not kept'));
  };
  return {
    /** Notes a call that has just ended. */
    note(call: Omit<ProviderCall, 'id' | 'at'>): void {
      if (waiting.length >= MAX_WAITING) return;
      const at = timestamp(new Date(deps.clock().getTime() - call.durationMs));
      waiting.push({ id: deps.newId('pcl'), at, ...call });
      timer ??= setTimeout(() => void write(), WRITTEN_WITHIN_MS).unref();
    },

    /** The newest calls about these charges and refunds, in no order; 200 at most for each search. */
    async find(references: readonly string[]): Promise<readonly ProviderCall[]> {
      await write();
      const options = { projection: { _id: 0 }, sort: { _id: -1 }, limit: MAX_SHOWN } as const;
      return findAmong(deps.db, PROVIDER_CALLS, 'reference', references, options);
    },
  };
};

/** Removes calls along with the events of their time. */
export const removeProviderCalls = (deps: {
  readonly db: Database;
  readonly retention: Retention;
}): Removal => ({
  what: 'provider calls',
  async run(now, signal) {
    const { eventDays } = deps.retention;
    if (eventDays === null) return 0;
    const calls = deps.db.collection<{ _id: string }>(PROVIDER_CALLS);
    const old = { _id: idsBefore('pcl', daysBefore(now, eventDays)) };
    let removed = 0;
    for await (const batch of inBatches(calls, old, { _id: 1 }, signal))
      for (const part of inParts(batch.map(({ _id }) => _id)))
        removed += (await calls.deleteMany({ _id: { $in: [...part] } })).deletedCount;
    return removed;
  },
});
