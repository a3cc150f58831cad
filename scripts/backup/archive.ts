import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BSON, type ClientSession, type Db, type Document, type IndexDescription } from 'mongodb';
import { ConfigError } from '../../src/kernel/errors.ts';
import type { KeyRing } from '../../src/platform/secrets.ts';
import { sealed, unsealed } from './sealed-file.ts';

/**
 * An archive of the write store: gzipped lines of MongoDB Extended JSON (canonical) in a sealed file. The first line
 * says of which moment it is; then come, for each collection, a line with its name and indexes and one for each
 * document; the last one counts the documents.
 */
type Line =
  | { readonly at: string }
  | { readonly collection: string; readonly indexes: readonly IndexDescription[] }
  | { readonly document: Document }
  | { readonly documents: number };

/** Collections of the running processes, which mean nothing after a restore. */
const LEFT_OUT = ['workers'];
const BATCH = 500;

/** Writes all documents of the database, as they are at one moment, to a file. Returns how many there are. */
export const writeArchive = async (
  db: Db,
  file: string,
  ring: KeyRing,
  onProgress: (documents: number) => void,
): Promise<number> => {
  // Of a transaction all reads see the same moment; nothing is written in it.
  const session = db.client.startSession();
  let documents = 0;
  async function* lines(): AsyncGenerator<string> {
    const line = (value: Line): string => `${BSON.EJSON.stringify(value, { relaxed: false })}\n`;
    yield line({ at: new Date().toISOString() });
    for (const name of await collectionsOf(db)) {
      const collection = db.collection(name);
      yield line({ collection: name, indexes: await ownIndexes(db, name) });
      for await (const document of collection.find({}, { session, batchSize: BATCH })) {
        yield line({ document });
        documents += 1;
        onProgress(documents);
      }
    }
    yield line({ documents });
  }
  try {
    await openSnapshot(db, session);
    await pipeline(
      Readable.from(lines()),
      createGzip(),
      (zipped: AsyncIterable<Buffer>) => sealed(ring, zipped),
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    );
  } finally {
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    await session.endSession();
  }
  return documents;
};

/** The moment is that of the first read. */
const openSnapshot = async (db: Db, session: ClientSession): Promise<void> => {
  session.startTransaction({ readConcern: { level: 'snapshot' } });
  await db.collection('migrations').findOne({}, { session });
};

const collectionsOf = async (db: Db): Promise<readonly string[]> =>
  (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => !LEFT_OUT.includes(name) && !name.startsWith('system.'))
    .sort();

/** Options that `createIndexes` takes again; the index of `_id` is made with its collection. */
const ownIndexes = async (db: Db, collection: string): Promise<readonly IndexDescription[]> =>
  (await db.collection(collection).indexes())
    .filter(({ name }) => name !== '_id_')
    .map(({ v: _version, ...index }) => index as IndexDescription);

/**
 * Verifies an archive, then fills an empty database. Returns the number of documents. ConfigError, with nothing kept,
 * for a database that is not empty, or a broken archive. Archives of Portico 1.0 are not sealed and have no ring.
 */
export const readArchive = async (
  db: Db,
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

const fill = async (
  db: Db,
  file: string,
  ring: KeyRing | null,
  onProgress: (documents: number) => void,
): Promise<number> => {
  let collection: string | null = null;
  let batch: Document[] = [];
  let documents = 0;
  let announced: number | null = null;
  const flush = async (): Promise<void> => {
    if (collection !== null && batch.length > 0) await db.collection(collection).insertMany(batch);
    documents += batch.length;
    onProgress(documents);
    batch = [];
  };
  const source = ring ? Readable.from(unsealed(ring, file)) : createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error: Error) => unzipped.destroy(error));
  for await (const text of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = BSON.EJSON.parse(text, { relaxed: false }) as Line;
    if ('document' in line) {
      batch.push(line.document);
      if (batch.length === BATCH) await flush();
    } else if ('collection' in line) {
      await flush();
      collection = line.collection;
      await db.createCollection(collection);
      if (line.indexes.length > 0) await db.collection(collection).createIndexes([...line.indexes]);
    } else if ('documents' in line) {
      await flush();
      announced = Number(line.documents);
    }
  }
  if (announced !== documents) throw new ConfigError(`${file} is not whole.`);
  return documents;
};
