import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

/** Prefixes of resource ids. The body is a UUIDv7 (RFC 9562), so ids sort by time. */
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

/** Makes ids; passed in, so that tests can foresee them. */
export type NewId = <P extends IdPrefix>(prefix: P) => Id<P>;

/** How far the clock may be behind the last id, whose time counts until then. It has been set back where it is more. */
const BEHIND_AT_MOST_MS = 1_000;

const RANDOM_BYTES = 16;
const POOL_BYTES = 4_096;

/** Random bytes for one id after the other from a pool: a call of the system for each took most of the time of an id. */
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
 * Makes UUIDs in the order of their time. Those of the library's own go on from the latest time that was ever seen. After a
 * clock that was ahead for a moment they would stay ahead until the process ends.
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

/** A UUID of this moment. */
export const newUuid = createUuids(() => Date.now());

export const newId: NewId = (prefix) => `${prefix}_${newUuid().replaceAll('-', '')}`;

/** Ids that were made before that moment are below it, those made from then on are not. */
export const firstIdAt = (prefix: IdPrefix, at: Date): string =>
  `${prefix}_${at.getTime().toString(16).padStart(12, '0')}`;

/** When an id was made. */
export const timeOfId = (id: string): Date =>
  new Date(Number.parseInt(id.slice(id.indexOf('_') + 1).slice(0, 12), 16));

/** Names one commit of the write store; what a consistency token carries. */
export const newCommitId = (): string => newUuid().replaceAll('-', '');
