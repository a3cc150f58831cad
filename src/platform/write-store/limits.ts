import type { MongoClient } from 'mongodb';

/** How much of its write store this process uses at the same time. */
export type StoreLimits = {
  /** The number of values in one search. */
  readonly idsAtOnce: number;
  /** Statements of one kind of read that are in flight at once; further reads share the next statement. */
  readonly readsAtOnce: number;
  /** Transactions of one commit group that are in flight at once; further commands share the next one. */
  readonly groupCommitsAtOnce: number;
};

/** The limits for each kind of server. */
export const STORE_PROFILES = {
  /**
   * For the MongoDB-compatible server of `make run` and `make test`. It compares each value of a search with all the
   * others, and it handles one statement after the other. So few and large statements cost it less. A second read can
   * go on where the first one hangs, but a second group commit would only wait for the statements of the first.
   */
  local: { idsAtOnce: 50, readsAtOnce: 2, groupCommitsAtOnce: 1 },
  /**
   * For a MongoDB replica set or sharded cluster, which searches by index for each value and has processors of its own.
   */
  'replica-set': { idsAtOnce: 500, readsAtOnce: 8, groupCommitsAtOnce: 4 },
} as const satisfies Readonly<Record<string, StoreLimits>>;

export type StoreProfile = keyof typeof STORE_PROFILES;

/** The name by which the server of `make run` introduces its replica set. */
const LOCAL_SET_NAME = 'secantus';

/**
 * The limits of the profile that a setting names, else of the one for the server that introduces itself. Until then the
 * smaller limits apply, which suit every server.
 */
export const limitsFor = (
  client: Pick<MongoClient, 'on'>,
  profile: StoreProfile | null,
): (() => StoreLimits) => {
  if (profile) return () => STORE_PROFILES[profile];
  let limits: StoreLimits = STORE_PROFILES.local;
  client.on('serverDescriptionChanged', ({ newDescription }) => {
    if (newDescription.type === 'Unknown') return;
    limits = STORE_PROFILES[newDescription.setName === LOCAL_SET_NAME ? 'local' : 'replica-set'];
  });
  return () => limits;
};
