import type { ClientSession, Collection } from 'mongodb';
import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { SessionId, UserId } from '../../../kernel/ids.ts';
import { siteOf } from '../../../platform/networks.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { idleSince, notedUntil, type Session } from './session.ts';
import type { User } from './user.ts';

export const SESSIONS = 'sessions';

/**
 * `site` is the address, for IPv6 its /64 network, because privacy extensions change the rest of the address every day.
 */
export type SessionDocument = Session & { readonly _id: string; readonly site: string };

const SHOWN_AT_MOST = 100;

/** Sessions of users, written in the transaction of a command or by one conditional update. */
export type SessionsStore = {
  insert(session: Session, within: ClientSession): Promise<void>;
  /** Whether the user has logged in before from this address, or for IPv6 from its /64 network. */
  isKnownAddress(userId: UserId, address: string): Promise<boolean>;
  /** Sessions of the user that have not ended, the newest first, a hundred at most. */
  findLasting(user: User, now: Date): Promise<readonly Session[]>;
  /** Notes that the session is in use, at most once a minute. */
  touch(id: SessionId, now: Date): Promise<void>;
  /** Replaces this refresh cookie by the next; false where it no longer counts. */
  advance(id: SessionId, refreshNumber: number, now: Date): Promise<boolean>;
  /** Ends one session, or all sessions of the user; returns how many. */
  end(
    which: { readonly userId: UserId; readonly id?: SessionId },
    at: Timestamp,
    within: ClientSession,
  ): Promise<number>;
};

export const createSessionsStore = (db: Database): SessionsStore => {
  const sessions: Collection<SessionDocument> = db.collection<SessionDocument>(SESSIONS);
  return {
    async insert(session, within) {
      await sessions.insertOne(
        { _id: session.id, ...session, site: siteOf(session.address) },
        { session: within },
      );
    },
    isKnownAddress: async (userId, address) =>
      (await sessions.findOne({ userId, site: siteOf(address) }, { projection: { _id: 1 } })) !== null,
    findLasting: (user, now) =>
      sessions
        .find<Session>(
          {
            userId: user.id,
            credentialsVersion: user.credentialsVersion,
            endedAt: null,
            lastSeenAt: { $gt: idleSince(now) },
          },
          { projection: { _id: 0, site: 0 }, sort: { createdAt: -1 }, limit: SHOWN_AT_MOST },
        )
        .toArray()
        .then((found) => found.filter(({ expiresAt }) => expiresAt > timestamp(now))),
    async touch(id, now) {
      await sessions.updateOne(
        { _id: id, endedAt: null, lastSeenAt: { $lt: notedUntil(now) } },
        { $set: { lastSeenAt: timestamp(now) } },
      );
    },
    async advance(id, refreshNumber, now) {
      const { modifiedCount } = await sessions.updateOne(
        { _id: id, refreshNumber, endedAt: null },
        { $set: { refreshNumber: refreshNumber + 1, lastSeenAt: timestamp(now) } },
      );
      return modifiedCount === 1;
    },
    async end({ userId, id }, at, within) {
      const { modifiedCount } = await sessions.updateMany(
        { userId, endedAt: null, ...(id === undefined ? {} : { _id: id }) },
        { $set: { endedAt: at } },
        { session: within },
      );
      return modifiedCount;
    },
  };
};
