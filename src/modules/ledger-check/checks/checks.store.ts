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

/** Journals are swept once they are so old: the folding of younger ones may be in flight. */
const SWEPT_AFTER_MS = 60_000;

/** All that is checked, in this order. A new check is one line here. Each full check makes its own, for its tallies. */
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

/** Makes the checks anew for each full check. */
export const createMakeChecks = (given: Parameters<typeof createChecks>[0]) => (): readonly Check[] =>
  createChecks(given);

/** Resources whose events name what is to be checked; charges, journals and balances are known by their views' rows. */
export const HEARD_OF: readonly string[] = [
  REFUNDS,
  ADJUSTMENTS,
  SUSPENSE_ITEMS,
  PAYOUT_REQUESTS,
  ANTICIPATIONS,
].map(({ resource }) => resource);
