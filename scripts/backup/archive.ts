import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BSON, type Document, type IndexDescription } from 'mongodb';
import { ConfigError } from '../../src/kernel/errors.ts';
import type { KeyRing } from '../../src/platform/secrets.ts';
import { BACKUPS } from '../../src/platform/write-store/backups.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import { applyChanges, type Change, changesSince, placeOfMark } from './changes.ts';
import { sealed, unsealed } from './sealed-file.ts';

/**
 * An archive of the write store: gzipped lines of MongoDB Extended JSON (canonical) in a sealed file. The first line
 * says when it was begun. For each collection there is a line with its name and indexes, followed by one line for each
 * document. Changes that were made meanwhile follow in their order. The last line has the number of documents and
 * changes together, and the number of changes.
 */
type Line =
  | { readonly at: string }
  | { readonly collection: string; readonly indexes: readonly IndexDescription[] }
  | { readonly document: Document }
  | { readonly change: Change }
  | { readonly documents: number; readonly changes?: number };

/** Collections of running processes, which mean nothing after a restore. */
const LEFT_OUT = ['workers', BACKUPS];
const BATCH = 500;

/**
 * Writes all documents of the database, as of one moment, to a file, and returns how many there are. Each collection is
 * read by a cursor of its own, however long that takes. Commits between a mark before the reads and one after them are
 * added, as `mongodump --oplog` does: applied in their order, they bring every document to the second moment.
 */
export const writeArchive = async (
  db: Database,
  file: string,
  ring: KeyRing,
  onProgress: (documents: number) => void,
): Promise<number> => {
  let documents = 0;
  let changes = 0;
  async function* lines(): AsyncGenerator<string> {
    const line = (value: Line): string => `${BSON.EJSON.stringify(value, { relaxed: false })}\n`;
    yield line({ at: new Date().toISOString() });
    const begun = await placeOfMark(db);
    for (const name of await collectionsOf(db)) {
      const collection = db.collection(name);
      yield line({ collection: name, indexes: await ownIndexes(db, name) });
      for await (const document of collection.find({}, { batchSize: BATCH })) {
        yield line({ document });
        documents += 1;
        onProgress(documents);
      }
    }
    for await (const change of changesSince(db, begun)) {
      if (LEFT_OUT.includes(change.collection)) continue;
      yield line({ change });
      changes += 1;
    }
    // The sum is written so that a version that does not know changes takes the file for an incomplete one.
    yield line({ documents: documents + changes, changes });
  }
  await pipeline(
    Readable.from(lines()),
    createGzip(),
    (zipped: AsyncIterable<Buffer>) => sealed(ring, zipped),
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  );
  return documents;
};

const collectionsOf = async (db: Database): Promise<readonly string[]> =>
  (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => !LEFT_OUT.includes(name) && !name.startsWith('system.'))
    .sort();

/** Index options in the form that `createIndexes` accepts. The index of `_id` is created with its collection. */
const ownIndexes = async (db: Database, collection: string): Promise<readonly IndexDescription[]> =>
  (await db.collection(collection).indexes())
    .filter(({ name }) => name !== '_id_')
    .map(({ v: _version, ...index }) => index as IndexDescription);

/**
 * Verifies an archive, then fills an empty database; returns the number of documents. Throws a ConfigError, and leaves
 * nothing behind, for a database that is not empty and for a broken archive. Archives of Portico 1.0 are not sealed and
 * need no ring.
 */
export const readArchive = async (
  db: Database,
  file: string,
  ring: KeyRing | null,
  onProgress: (documents: number) => void,
): Promise<number> => {
  for (const name of await collectionsOf(db))
    if ((await db.collection(name).findOne()) !== null)
      throw new ConfigError(`The database ${db.databaseName} is not empty: name another MONGODB_DATABASE.`);
  if (ring) for await (const _frame of unsealed(ring, file));
  try {
    return await fill(db, file, ring, onProgress);
  } catch (error) {
    const why =
      error instanceof ConfigError
        ? error.message
        : `${file} cannot be restored: ${(error as Error).message}`;
    await db.dropDatabase().catch((left: Error) => {
      throw new ConfigError(`${why}; remove ${db.databaseName} by hand: ${left.message}`, { cause: error });
    });
    throw new ConfigError(why, { cause: error });
  }
};

/** Fills the database from the lines. Indexes come last, because values are unique only after all changes. */
const fill = async (
  db: Database,
  file: string,
  ring: KeyRing | null,
  onProgress: (documents: number) => void,
): Promise<number> => {
  const indexes = new Map<string, readonly IndexDescription[]>();
  const done = { documents: 0, changes: 0 };
  let collection: string | null = null;
  let documents: Document[] = [];
  let changes: Change[] = [];
  let announced: { readonly documents: number; readonly changes: number } | null = null;
  const flush = async (): Promise<void> => {
    if (collection !== null && documents.length > 0) await db.collection(collection).insertMany(documents);
    await applyChanges(db, changes);
    done.documents += documents.length;
    done.changes += changes.length;
    onProgress(done.documents);
    documents = [];
    changes = [];
  };
  const source = ring ? Readable.from(unsealed(ring, file)) : createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error: Error) => unzipped.destroy(error));
  for await (const text of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = BSON.EJSON.parse(text, { relaxed: false }) as Line;
    if (documents.length + changes.length === BATCH || !('document' in line || 'change' in line))
      await flush();
    if ('document' in line) documents.push(line.document);
    else if ('change' in line) {
      if (documents.length > 0) await flush();
      changes.push(line.change);
    } else if ('collection' in line) {
      collection = line.collection;
      indexes.set(collection, line.indexes);
      await db.createCollection(collection);
    } else if ('documents' in line)
      announced = { documents: Number(line.documents), changes: Number(line.changes ?? 0) };
  }
  if (announced?.documents !== done.documents + done.changes || announced.changes !== done.changes)
    throw new ConfigError(`${file} is not whole.`);
  for (const [name, own] of indexes) if (own.length > 0) await db.collection(name).createIndexes([...own]);
  return done.documents;
};
