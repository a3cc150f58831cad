import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { readArchive, writeArchive } from '../../scripts/backup/archive.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { keyRing } from '../../src/platform/secrets.ts';
import { type Database, databaseOf } from '../../src/platform/write-store/database.ts';

jest.setTimeout(180_000);
const RING = keyRing(['the secret of this installation']);
const ACCOUNTS = 3_000;
const TOTAL = ACCOUNTS * 100;

const folder = mkdtempSync(join(tmpdir(), 'portico-backup-'));
const client = new MongoClient(process.env.MONGODB_URI ?? '');
const databases: Database[] = [];
const newDatabase = (): Database => {
  const db = databaseOf(client.db(`t-${newCommitId().slice(-16)}`));
  databases.push(db);
  return db;
};
afterAll(async () => {
  for (const db of databases) await db.dropDatabase();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

type Account = { _id: number; amount: number; place: number | string; note?: string };

/** Moves money between accounts, journals it, and exchanges places that are unique, until it is stopped. */
const startTransfers = (db: Database) => {
  const accounts = db.collection<Account>('accounts');
  let isStopped = false;
  let transfers = 0;
  const transfer = async (from: number, to: number): Promise<void> => {
    const session = client.startSession();
    await session.withTransaction(async () => {
      await accounts.updateOne({ _id: from }, { $inc: { amount: -1 }, $set: { note: 'gave' } }, { session });
      await accounts.updateOne({ _id: to }, { $inc: { amount: 1 }, $unset: { note: '' } }, { session });
      await db.collection('journals').insertOne({ from, to }, { session });
    });
    await session.endSession();
    transfers += 1;
  };
  const running = (async () => {
    for (let turn = 1; !isStopped; turn += 1) {
      const [one, other] = [turn % 100, ACCOUNTS - 1 - (turn % 100)];
      await transfer(one, other);
      await accounts.updateOne({ _id: one }, { $set: { place: `was ${turn}` } });
      await accounts.updateOne({ _id: other }, { $set: { place: one } });
      await accounts.updateOne({ _id: one }, { $set: { place: other } });
      await accounts.updateOne({ _id: other }, { $set: { place: `is ${turn}` } });
      await accounts.deleteOne({ _id: ACCOUNTS + turn - 1 });
      await accounts.insertOne({ _id: ACCOUNTS + turn, amount: 0, place: `new ${turn}` });
      await accounts.updateOne({ _id: one }, { $set: { place: `rests ${turn}` } });
    }
  })();
  return {
    transfers: () => transfers,
    async stop() {
      isStopped = true;
      await running;
    },
  };
};

const contents = async (db: Database, collection: string): Promise<unknown[]> =>
  db.collection(collection).find().sort({ _id: 1 }).toArray();

it('a backup under writes is of one moment, without a transaction that lasts as long', async () => {
  const db = newDatabase();
  await db.collection<Account>('accounts').createIndex({ place: 1 }, { unique: true });
  await db
    .collection<Account>('accounts')
    .insertMany(
      Array.from({ length: ACCOUNTS }, (_, id) => ({ _id: id, amount: 100, place: `first ${id}` })),
    );
  const writers = startTransfers(db);
  while (writers.transfers() < 5) await new Promise((resolve) => setTimeout(resolve, 10));
  const before = writers.transfers();
  const file = join(folder, 'under-writes.backup');
  await writeArchive(db, file, RING, () => undefined);
  const after = writers.transfers();
  await writers.stop();
  expect(after).toBeGreaterThan(before);

  const restored = newDatabase();
  await readArchive(restored, file, RING, () => undefined);
  const accounts = (await contents(restored, 'accounts')) as Account[];
  expect(accounts.reduce((sum, { amount }) => sum + amount, 0)).toBe(TOTAL);
  const journals = await contents(restored, 'journals');
  expect(journals.length).toBeGreaterThanOrEqual(before);
  const first = accounts.filter(({ _id }) => _id < ACCOUNTS);
  const moved = first.reduce((sum, { amount }) => sum + Math.abs(amount - 100), 0);
  expect(moved).toBe(2 * journals.length);
  expect(await restored.collection('accounts').indexes()).toHaveLength(2);

  const second = join(folder, 'at-rest.backup');
  await writeArchive(db, second, RING, () => undefined);
  const again = newDatabase();
  await readArchive(again, second, RING, () => undefined);
  for (const name of ['accounts', 'journals'])
    expect(await contents(again, name)).toEqual(await contents(db, name));
  expect((await again.listCollections().toArray()).map(({ name }) => name)).not.toContain('backups');
});
