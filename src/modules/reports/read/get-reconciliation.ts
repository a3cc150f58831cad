import type { Db } from 'mongodb';
import type { Timestamp } from '../../../kernel/clock.ts';
import { dateOf, localTime, startOf } from '../../../kernel/local-time.ts';
import { type Minor, sum, toDecimal } from '../../../kernel/money.ts';
import { rangeOf } from '../../../kernel/time-range.ts';
import { TooManyBuckets } from '../../../platform/read-store/buckets.ts';
import type { AwaitConsistency } from '../../../platform/read-store/consistency.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import { ADJUSTMENTS } from '../../adjustments/write/adjustment.ts';
import { CHARGEBACK_ALERTS } from '../../chargebacks/write/chargebacks.store.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import { STATEMENT_VIEW } from '../../ledger/read/statement.view.ts';
import { JOURNALS } from '../../ledger/write/journal.ts';
import { PAYOUT_REQUESTS } from '../../payouts/write/payout-request.ts';
import type { Difference } from '../../reconciliation/read/check-charge.ts';
import type { GetDifferences } from '../../reconciliation/read/get-differences.ts';
import { REFUNDS } from '../../refunds/write/refund.store.ts';
import { SUSPENSE_ITEMS } from '../../suspense/write/suspense.store.ts';
import type { SuspenseItem } from '../../suspense/write/suspense.ts';
import type { ReportQuery } from './list-report.ts';
import { MAX_REPORT_ROWS } from './report.ts';
import { withinLimit } from './report-flow.ts';

/** A difference with what is known of the record that it is about. */
type Found = Difference & {
  readonly livemode: boolean | null;
  readonly merchantId: string | null;
  readonly currency: string | null;
  readonly amount: Minor | null;
  readonly createdAt: Timestamp | null;
};

/**
 * The whole ledger held against charges, refunds, alerts, adjustments and payout requests: one row for each
 * difference, and one for each amount that is in suspense. Read from the
 * write store, so that it also tells what a view would hide.
 */
export type GetReconciliation = (
  livemode: boolean,
  query: ReportQuery,
  consistencyToken: string | null,
) => Promise<ReturnType<typeof present>>;

export const createGetReconciliation =
  (deps: {
    readonly db: Db;
    readonly getDifferences: GetDifferences;
    readonly awaitConsistency: AwaitConsistency;
  }): GetReconciliation =>
  async (livemode, query, consistencyToken) => {
    const { from, to, timeZone } = rangeOf(query);
    await deps.awaitConsistency(STATEMENT_VIEW, consistencyToken);
    const found = await withinLimit(() => findAll(deps.db, deps.getDifferences));
    const asked = found.filter(
      (difference) =>
        matches(difference.livemode, livemode) &&
        matches(difference.merchantId, query.merchantId) &&
        matches(difference.currency, query.currency) &&
        isWithin(difference.createdAt, from, to),
    );
    return present(asked, query, timeZone);
  };

/** What is not known of a difference hides it from nobody: it may be what is wrong. */
const matches = <T>(known: T | null, asked: T | undefined): boolean =>
  known === null || asked === undefined || known === asked;

const isWithin = (createdAt: Timestamp | null, from: number | null, to: number | null): boolean => {
  if (createdAt === null) return true;
  const at = Date.parse(createdAt);
  return (from === null || at >= from) && (to === null || at < to);
};

const findAll = async (db: Db, getDifferences: GetDifferences): Promise<readonly Found[]> => {
  const found: Found[] = await findOpenSuspense(db);
  const checkLimit = (): void => {
    if (found.length > MAX_REPORT_ROWS) throw new TooManyBuckets();
  };
  checkLimit();
  for await (const difference of getDifferences(() => undefined)) {
    found.push({ ...difference, ...(await contextOf(db, difference.subject)) });
    checkLimit();
  }
  return found;
};

/** Money that came or went at the provider and belongs to nobody yet (decisions 3). */
const findOpenSuspense = async (db: Db): Promise<Found[]> => {
  const items = await db
    .collection(SUSPENSE_ITEMS.collection)
    .find<SuspenseItem>(
      { status: { $in: ['held', 'returning'] } },
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
  }));
};

const COLLECTIONS: Readonly<Record<string, string>> = {
  chg: CHARGES.collection,
  ref: REFUNDS.collection,
  cba: CHARGEBACK_ALERTS.collection,
  adj: ADJUSTMENTS.collection,
  po: PAYOUT_REQUESTS.collection,
  jrn: JOURNALS,
  sus: SUSPENSE_ITEMS.collection,
};

const UNKNOWN = { livemode: null, merchantId: null, currency: null, amount: null, createdAt: null };

/** The record that an id names, or the balance: `mer_…:test:BRL`. */
const contextOf = async (db: Db, subject: string): Promise<Omit<Found, keyof Difference>> => {
  const [merchantId, environment, currency] = subject.split(':');
  if (merchantId && environment && currency)
    return { ...UNKNOWN, livemode: environment === 'live', merchantId, currency };
  const collection = COLLECTIONS[subject.slice(0, subject.indexOf('_'))];
  if (collection === undefined) return UNKNOWN;
  const record = await db
    .collection<Omit<Found, keyof Difference> & { _id: string }>(collection)
    .findOne(
      { _id: subject },
      { projection: { _id: 0, livemode: 1, merchantId: 1, currency: 1, amount: 1, createdAt: 1 } },
    );
  return { ...UNKNOWN, ...record };
};

const present = (found: readonly Found[], { interval, groupBy }: ReportQuery, timeZone: string) => ({
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
    };
  }),
  totals: [...new Set(found.map(({ currency }) => currency))].sort().map((currency) => {
    const ofCurrency = found.filter((difference) => difference.currency === currency);
    const amounts = ofCurrency.map(({ amount }) => amount ?? 0);
    return {
      currency,
      count: ofCurrency.length,
      amount: currency === null ? null : toDecimal(sum(amounts), currency),
    };
  }),
});
