import { readArchive } from './backup/archive.ts';
import { runOnWriteStore } from './backup/run-on-write-store.ts';

/**
 * `make restore FILE=…`: fills an empty write store; a gateway builds the views from it when it starts. `UNSEALED=1`
 * accepts a backup of Portico 1.0.
 */
runOnWriteStore(async ({ db, file, ring, say, onProgress, dropViews }) => {
  const documents = await readArchive(db, file, process.env.UNSEALED === '1' ? null : ring, onProgress);
  await dropViews();
  say(`${documents} documents are in ${db.databaseName}; the views are built at the next start`);
});
