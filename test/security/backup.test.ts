import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MongoClient } from 'mongodb';
import { readArchive, writeArchive } from '../../scripts/backup/archive.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import { type KeyRing, keyRing } from '../../src/platform/secrets.ts';
import { databaseOf } from '../../src/platform/write-store/database.ts';
import { aCardRequest } from '../builders.ts';
import { PATIENT } from '../support/client.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway(PATIENT);
const RING = keyRing(['the secret of this installation']);

const folder = mkdtempSync(join(tmpdir(), 'portico-attack-'));
const file = join(folder, 'portico.backup');
/** Not the gateway's, whose statements are those of an installation. */
const client = new MongoClient(process.env.MONGODB_URI ?? '');
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

const restore = async (bytes: Buffer, ring: KeyRing | null = RING): Promise<string> => {
  const changed = join(folder, 'changed.backup');
  writeFileSync(changed, bytes);
  const db = databaseOf(client.db(`t-${newCommitId().slice(-16)}`));
  const created: string[] = [];
  const watched = new Proxy(db, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (name === 'createCollection') created.push(String(given[0]));
        return member.apply(target, given);
      };
    },
  });
  const refusal = await readArchive(watched, changed, ring, () => undefined).then(
    (documents) => `restored ${documents}`,
    (error: Error) => error.message,
  );
  await db.dropDatabase();
  return created.length > 0 ? `wrote ${created.length} collections: ${refusal}` : refusal;
};

describe('a backup that somebody could write to', () => {
  let whole: Buffer;
  beforeAll(async () => {
    const { testKey } = await gateway().createMerchant();
    await gateway().call('post', '/v1/charges').auth(testKey, '').send(aCardRequest()).expect(201);
    await writeArchive(gateway().db, file, RING, () => undefined);
    whole = readFileSync(file);
  }, 120_000);

  it('tells nobody anything without the secret, and is readable for its owner only', () => {
    for (const known of ['Ana Souza', 'mer_', 'charges', 'loja@example.test'])
      expect([known, whole.includes(known)]).toEqual([known, false]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is restored as it was made', async () => {
    expect(await restore(whole)).toMatch(/^wrote \d+ collections: restored \d+$/);
  });

  it('of Portico 1.0, which nothing seals, is restored only where that is asked for', async () => {
    const lines = [
      { format: 'portico-backup-1', at: '2026-01-01T00:00:00.000Z' },
      { collection: 'kept', indexes: [] },
      { document: { _id: 1 } },
      { documents: 1 },
    ];
    const old = (count: number): Buffer =>
      gzipSync(
        lines
          .slice(0, count)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
    expect(await restore(old(4))).toMatch(/^\S+ is not sealed.* restore it with UNSEALED=1/);
    expect(await restore(old(4), null)).toBe('wrote 1 collections: restored 1');
    expect(await restore(old(3), null)).toMatch(/is not whole\.$/);
  });

  it.each([0.1, 0.5, 0.9, 0.999])(
    'is refused before anything is written where a bit at %d of it was changed',
    async (part) => {
      const changed = Buffer.from(whole);
      const place = Math.floor(changed.length * part);
      changed[place] = (changed[place] ?? 0) ^ 4;
      expect(await restore(changed)).toMatch(/^\S+ was changed or is not whole\.$/);
    },
  );

  it('is refused before anything is written where it was cut short, goes on, or is sealed by another', async () => {
    const refused = /^\S+ was (changed or is not whole\.|made with another SECRETS_KEY)/;
    expect(await restore(whole.subarray(0, whole.length - 1))).toMatch(refused);
    expect(await restore(whole.subarray(0, whole.length / 2))).toMatch(refused);
    expect(await restore(Buffer.concat([whole, whole]))).toMatch(refused);
    expect(await restore(whole, keyRing(['another secret']))).toMatch(refused);
  });
});
