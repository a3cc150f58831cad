import { noteBackup } from '../src/platform/write-store/backups.ts';
import { writeArchive } from './backup/archive.ts';
import { runOnWriteStore } from './backup/run-on-write-store.ts';

/** `make backup FILE=…`: writes this installation's write store to a new file, even while a gateway works on it. */
runOnWriteStore(async ({ db, file, ring, say, onProgress }) => {
  const documents = await writeArchive(db, file, ring, onProgress);
  await noteBackup(db, documents);
  say(`${documents} documents of ${db.databaseName} are in ${file}`);
});
