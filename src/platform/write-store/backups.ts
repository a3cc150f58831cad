import type { Logger } from '../logger.ts';
import { createLoop, type Loop } from '../loop.ts';
import type { Database } from './database.ts';

/** The collection with the last backup of this write store, which is left out of backups. */
export const BACKUPS = 'backups';
const LAST = 'last';
const LOOK_EVERY_MS = 60_000;

type LastBackup = { readonly _id: typeof LAST; readonly finishedAt: Date; readonly documents: number };

/** Notes that a backup is complete and on disk. */
export const noteBackup = async (db: Database, documents: number): Promise<void> => {
  await db
    .collection<LastBackup>(BACKUPS)
    .replaceOne({ _id: LAST }, { finishedAt: new Date(), documents }, { upsert: true });
};

/** Reports when the last backup ended; null before the first one. */
export const startBackupWatch = (deps: {
  readonly db: Database;
  readonly logger: Logger;
  readonly report: (finishedAt: Date | null) => void;
}): Loop =>
  createLoop({
    name: 'watch of backups',
    everyMs: LOOK_EVERY_MS,
    logger: deps.logger,
    async round() {
      const last = await deps.db.collection<LastBackup>(BACKUPS).findOne({ _id: LAST });
      deps.report(last?.finishedAt ?? null);
      return false;
    },
  });
