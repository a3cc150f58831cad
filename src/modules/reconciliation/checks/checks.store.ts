import type { Db } from 'mongodb';
import { firstIdAt } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { ADJUSTMENTS } from '../../adjustments/write/adjustment.ts';
import { ANTICIPATIONS } from '../../anticipations/write/anticipation.ts';
import { PAYOUT_REQUESTS } from '../../payouts/write/payout-request.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { Check } from '../check.ts';
import { createTally } from '../tally.ts';
import { adjustmentsCheck } from './adjustments.store.ts';
import { anticipationsCheck } from './anticipations.store.ts';
import { auditLogCheck } from './audit-log.store.ts';
import { chargesCheck, refundsCheck } from './charges.store.ts';
import { journalsCheck } from './journals.store.ts';
import { payoutRequestsCheck } from './payout-requests.store.ts';
import { statementsCheck } from './statements.store.ts';
import { suspenseCheck } from './suspense.store.ts';

/** Journals are swept once they are so old: the folding of younger ones may be under way. */
const SWEPT_AFTER_MS = 60_000;

/** All that is checked, in this order. A new check is one line here. Each full check makes its own, for its tallies. */
export const createChecks = (given: {
  readonly db: Db;
  /** The same, through connections that wait for a scan of a whole collection to begin. */
  readonly scans: Db;
  readonly transact: Transact;
  readonly sweptBefore?: Date;
}): readonly Check[] => {
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
    adjustmentsCheck(deps),
    suspenseCheck(deps),
    payoutRequestsCheck(deps),
    anticipationsCheck(deps),
    auditLogCheck(deps),
  ];
};

/** Resources whose events name what is to be checked; charges, journals and balances are known by their views' rows. */
export const HEARD_OF: readonly string[] = [
  REFUNDS,
  ADJUSTMENTS,
  SUSPENSE_ITEMS,
  PAYOUT_REQUESTS,
  ANTICIPATIONS,
].map(({ resource }) => resource);
