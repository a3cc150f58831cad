import { timestamp } from '../../kernel/clock.ts';
import { firstIdAt, type IdPrefix } from '../../kernel/ids.ts';

/**
 * Ranges that have both a lower and an upper bound, of which the upper one is excluded. The server of `make run`
 * searches the whole index for a range with one bound, and answers `$lte` wrongly; for a replica set it makes no
 * difference.
 */

/** Selects times up to and including a moment. */
export const upToMoment = (at: Date) => ({ $gte: '0', $lt: timestamp(new Date(at.getTime() + 1)) });

/** Selects ids that were made before a moment. */
export const idsBefore = (prefix: IdPrefix, at: Date) => ({ $gte: `${prefix}_`, $lt: firstIdAt(prefix, at) });
