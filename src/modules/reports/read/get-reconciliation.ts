import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { dateOf, localTime, startOf } from '../../../kernel/local-time.ts';
import { sum, toDecimal } from '../../../kernel/money.ts';
import { rangeOf } from '../../../kernel/time-range.ts';
import { TooManyBuckets } from '../../../platform/read-store/buckets.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import type { AwaitChecked } from '../../ledger-check/await-checked.ts';
import type { CheckState, CheckStates } from '../../ledger-check/check-state.store.ts';
import type { Differences, KeptDifference } from '../../ledger-check/differences.store.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { SuspenseItem } from '../../suspense/write/suspense.ts';
import type { ReportQuery } from './get-report.ts';
import { MAX_REPORT_ROWS } from './report.ts';
import { withinLimit } from './report-flow.ts';

type Found = Omit<KeptDifference, 'aspect'>;

type ReconciliationQuery = ReportQuery & { readonly status?: KeptDifference['status'] };

/**
 * Differences between the ledger and the records, as the check of the ledger has found them, and one row for each
 * amount in suspense. Reads the write store, so that it also shows what a view would hide.
 */
export type GetReconciliation = (
  livemode: boolean,
  query: ReconciliationQuery,
  consistencyToken: string | null,
) => Promise<ReturnType<typeof present>>;

export const createGetReconciliation =
  (deps: {
    readonly db: Database;
    readonly differences: Pick<Differences, 'find'>;
    readonly states: Pick<CheckStates, 'get'>;
    readonly awaitChecked: AwaitChecked;
  }): GetReconciliation =>
  async (livemode, query, consistencyToken) => {
    const { from, to, timeZone } = rangeOf(query);
    await deps.awaitChecked(consistencyToken);
    const state = await deps.states.get();
    const found = await withinLimit(() => findAll(deps, query.status));
    const asked = found.filter(
      (difference) =>
        matches(difference.livemode, livemode) &&
        matches(difference.merchantId, query.merchantId) &&
        matches(difference.currency, query.currency) &&
        isWithin(difference.createdAt, from, to),
    );
    return present(asked, state, query, timeZone);
  };

/**
 * Whether a difference matches a filter. An unknown fact matches every filter, because the fact may itself be the
 * fault.
 */
const matches = <T>(known: T | null, asked: T | undefined): boolean =>
  known === null || asked === undefined || known === asked;

const isWithin = (createdAt: Timestamp | null, from: number | null, to: number | null): boolean => {
  if (createdAt === null) return true;
  const at = Date.parse(createdAt);
  return (from === null || at >= from) && (to === null || at < to);
};

/** Open differences first, and among them the ones that were found last. */
const findAll = async (
  deps: { readonly db: Database; readonly differences: Pick<Differences, 'find'> },
  status: KeptDifference['status'] | undefined,
): Promise<readonly Found[]> => {
  const found: Found[] = [];
  const add = (more: readonly Found[]): void => {
    found.push(...[...more].sort((left, right) => right.foundAt.getTime() - left.foundAt.getTime()));
    if (found.length > MAX_REPORT_ROWS) throw new TooManyBuckets();
  };
  const limit = MAX_REPORT_ROWS + 1;
  if (status !== 'resolved')
    add([...(await findOpenSuspense(deps.db)), ...(await deps.differences.find('open', limit))]);
  if (status !== 'open') add(await deps.differences.find('resolved', limit));
  return found;
};

/** Money that came to the provider or left it, and is not assigned to anybody yet. */
const findOpenSuspense = async (db: Database): Promise<Found[]> => {
  const items = await db
    .collection(SUSPENSE_ITEMS.collection)
    .find<SuspenseItem>(
      { status: { $in: ['held', 'returning', 'booking'] } },
      { projection: RESOURCE_ONLY, limit: MAX_REPORT_ROWS + 1 },
    )
    .toArray();
  return items.map(({ id, direction, reason, reference, status, returnFailure, ...item }) => ({
    kind: 'suspense',
    subject: id,
    message:
      `${direction === 'in' ? 'came to' : 'left'} the provider ${item.provider} as ${reference}: ${reason}` +
      (status === 'returning' ? ', being given back' : '') +
      (returnFailure === null ? '' : `, could not be given back: ${returnFailure}`),
    livemode: item.livemode,
    merchantId: item.merchantId,
    currency: item.currency,
    amount: item.amount,
    createdAt: item.createdAt,
    status: 'open',
    foundAt: new Date(item.createdAt),
    lastSeenAt: new Date(),
    resolvedAt: null,
  }));
};

const present = (
  found: readonly Found[],
  { checkedUpTo, fullCheck }: CheckState,
  { interval, groupBy }: ReportQuery,
  timeZone: string,
) => {
  const open = found.filter(({ status }) => status === 'open');
  return {
    checkedUpTo: checkedUpTo && timestamp(checkedUpTo),
    fullCheckAt: fullCheck && timestamp(fullCheck.startedAt),
    data: found.map((difference) => {
      const { kind, subject, message, merchantId, currency, amount, createdAt } = difference;
      const local = createdAt === null ? null : localTime(Date.parse(createdAt), timeZone);
      return {
        period: local === null ? null : dateOf(startOf(local, interval ?? 'day')),
        group: groupBy === 'currency' || groupBy === 'merchantId' ? difference[groupBy] : null,
        currency,
        count: 1,
        amount: amount === null || currency === null ? null : toDecimal(amount, currency),
        merchantId,
        kind,
        subject,
        message,
        foundAt: timestamp(difference.foundAt),
        lastSeenAt: timestamp(difference.lastSeenAt),
        resolvedAt: difference.resolvedAt && timestamp(difference.resolvedAt),
      };
    }),
    totals: [...new Set(open.map(({ currency }) => currency))].sort().map((currency) => {
      const ofCurrency = open.filter((difference) => difference.currency === currency);
      const amounts = ofCurrency.map(({ amount }) => amount ?? 0);
      return {
        currency,
        count: ofCurrency.length,
        amount: currency === null ? null : toDecimal(sum(amounts), currency),
      };
    }),
  };
};
