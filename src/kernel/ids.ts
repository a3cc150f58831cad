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
  | 'sus'
  | 'pno'
  | 'pac'
  | 'whe'
  | 'whd'
  | 'wct'
  | 'set';

export type Id<P extends IdPrefix> = `${P}_${string}`;
export type ChargeId = Id<'chg'>;
export type RefundId = Id<'ref'>;
export type AlertId = Id<'cba'>;
export type AnticipationId = Id<'ant'>;
export type CustomerId = Id<'cus'>;
export type SuspenseId = Id<'sus'>;
export type MerchantId = Id<'mer'>;
export type SettingId = Id<'set'>;
export type UserId = Id<'usr'>;
export type SessionId = Id<'ses'>;

/** Makes ids; passed in, so that tests can foresee them. */
export type NewId = <P extends IdPrefix>(prefix: P) => Id<P>;

export const newId: NewId = (prefix) => `${prefix}_${v7().replaceAll('-', '')}`;

/** Ids that were made before that moment are below it, those made from then on are not. */
export const firstIdAt = (prefix: IdPrefix, at: Date): string =>
  `${prefix}_${at.getTime().toString(16).padStart(12, '0')}`;

/** When an id was made. */
export const timeOfId = (id: string): Date =>
  new Date(Number.parseInt(id.slice(id.indexOf('_') + 1).slice(0, 12), 16));

/** Names one commit of the write store; what a consistency token carries. */
export const newCommitId = (): string => v7().replaceAll('-', '');
