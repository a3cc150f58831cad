import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

/** Prefixes of resource ids. The rest of an id is a UUIDv7 (RFC 9562), so ids sort by time. */
export type IdPrefix =
  | 'chg'
  | 'ref'
  | 'evt'
  | 'mer'
  | 'led'
  | 'usr'
  | 'key'
  | 'grp'
  | 'fee'
  | 'jrn'
  | 'cba'
  | 'cus'
  | 'mrr'
  | 'adj'
  | 'ant'
  | 'aud'
  | 'prp'
  | 'ses'
  | 'po'
  | 'pcl'
  | 'ers'
  | 'doc'
  | 'dsp'
  | 'sus'
  | 'pno'
  | 'pac'
  | 'tok'
  | 'pm'
  | 'plan'
  | 'sub'
  | 'prt'
  | 'chk'
  | 'plk'
  | 'whe'
  | 'whd'
  | 'rql'
  | 'nte'
  | 'viw'
  | 'wct'
  | 'set';

export type Id<P extends IdPrefix> = `${P}_${string}`;
export type ChargeId = Id<'chg'>;
export type RefundId = Id<'ref'>;
export type AlertId = Id<'cba'>;
export type AnticipationId = Id<'ant'>;
export type CardTokenId = Id<'tok'>;
export type CustomerId = Id<'cus'>;
export type PaymentMethodId = Id<'pm'>;
export type PlanId = Id<'plan'>;
export type SubscriptionId = Id<'sub'>;
export type PortalId = Id<'prt'>;
export type CheckoutSessionId = Id<'chk'>;
export type PaymentLinkId = Id<'plk'>;
export type SuspenseId = Id<'sus'>;
export type MerchantId = Id<'mer'>;
export type SettingId = Id<'set'>;
export type UserId = Id<'usr'>;
export type SessionId = Id<'ses'>;

/** Makes ids. It is passed in, so that tests can predict them. */
export type NewId = <P extends IdPrefix>(prefix: P) => Id<P>;

/**
 * As long as the clock is behind the latest id by no more than this, ids count on from the latest one. Further behind,
 * the clock was set back.
 */
const BEHIND_AT_MOST_MS = 1_000;

const RANDOM_BYTES = 16;
const POOL_BYTES = 4_096;

/** Returns random bytes for one id at a time from a pool, because a system call for each id took most of its time. */
const createRandomBytes = (): (() => Uint8Array) => {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += RANDOM_BYTES;
    return pool.subarray(used - RANDOM_BYTES, used);
  };
};

/**
 * Makes UUIDs in the order of their time. The library's own generator continues from the latest time that it has seen,
 * so after a clock that was ahead for a moment its ids would stay ahead until the process ends.
 */
export const createUuids = (now: () => number): (() => string) => {
  const randomBytes = createRandomBytes();
  let last = { msecs: 0, seq: 0 };
  return () => {
    const msecs = now();
    const isOfLast = msecs <= last.msecs && msecs > last.msecs - BEHIND_AT_MOST_MS;
    last = isOfLast ? { msecs: last.msecs, seq: last.seq + 1 } : { msecs, seq: randomInt(2 ** 31) };
    return v7({ ...last, random: randomBytes() });
  };
};

/** A UUID with the present time. */
export const newUuid = createUuids(() => Date.now());

export const newId: NewId = (prefix) => `${prefix}_${newUuid().replaceAll('-', '')}`;

/** Separates ids by time: ids that were made before this moment sort below it, and later ones do not. */
export const firstIdAt = (prefix: IdPrefix, at: Date): string =>
  `${prefix}_${at.getTime().toString(16).padStart(12, '0')}`;

/** When an id was made. */
export const timeOfId = (id: string): Date =>
  new Date(Number.parseInt(id.slice(id.indexOf('_') + 1).slice(0, 12), 16));

/** Id of one commit of the write store, which a consistency token contains. */
export const newCommitId = (): string => newUuid().replaceAll('-', '');
