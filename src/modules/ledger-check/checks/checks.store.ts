import { firstIdAt } from '../../../kernel/ids.ts';
import { ADJUSTMENTS } from '../../adjustments/write/adjustment.ts';
import { ANTICIPATIONS } from '../../anticipations/write/anticipation.ts';
import { PAYOUT_REQUESTS } from '../../payouts/write/payout-request.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { Check } from '../check.ts';
import { createTally } from '../tally.ts';
import { auditLogCheck } from './audit-log.store.ts';
import { bookingChecks } from './bookings.store.ts';
import { chargesCheck, cyclesCheck, refundsCheck } from './charges.store.ts';
import { journalsCheck } from './journals.store.ts';
import type { Stores } from './records.store.ts';
import { statementsCheck } from './statements.store.ts';

/** Journals are swept once they are this old, because younger ones may still be being folded. */
const SWEPT_AFTER_MS = 60_000;

/**
 * All checks, in the order in which they run. A new check is one line here. Each full check makes its own set, because
 * a set carries tallies.
 */
export const createChecks = (given: Stores & { readonly sweptBefore?: Date }): readonly Check[] => {
  const { sweptBefore = new Date(Date.now() - SWEPT_AFTER_MS) } = given;
  const tallies = {
    lines: createTally(),
    payments: createTally(),
    youngFrom: firstIdAt('jrn', sweptBefore),
  };
  const deps = { ...given, tallies };
  return [
    statementsCheck(deps),
    journalsCheck(deps),
    chargesCheck(deps),
    refundsCheck(deps),
    cyclesCheck(deps),
    ...bookingChecks(deps),
    auditLogCheck(deps),
  ];
};

/** Returns a function that makes a new set of checks for each full check. */
export const createMakeChecks = (given: Parameters<typeof createChecks>[0]) => (): readonly Check[] =>
  createChecks(given);

/**
 * Resources whose changes the check learns of from their events. Changes of charges, journals and balances come to it
 * by the rows of their views.
 */
export const HEARD_OF: readonly string[] = [
  REFUNDS,
  ADJUSTMENTS,
  SUSPENSE_ITEMS,
  PAYOUT_REQUESTS,
  ANTICIPATIONS,
].map(({ resource }) => resource);
