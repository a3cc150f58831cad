import { newCommitId, type UserId } from '../../src/kernel/ids.ts';
import { identityMigrations } from '../../src/modules/identity/write/identity.store.ts';
import { createSessionsStore, SESSIONS } from '../../src/modules/identity/write/sessions.store.ts';
import { openWriteStore } from '../../src/platform/write-store/mongo.ts';

const { client, db } = openWriteStore(process.env.MONGODB_URI ?? '', `t-${newCommitId().slice(-16)}`);
const [ana, bia] = ['usr_ana', 'usr_bia'] as const satisfies readonly UserId[];

beforeAll(async () => {
  // As a former version stored them.
  const sessions = [
    { _id: 'ses_1', userId: ana, address: '2001:db8:7:1:9a:b0:c1:d2' },
    { _id: 'ses_2', userId: ana, address: '192.0.2.7' },
  ];
  await db.collection<{ _id: string }>(SESSIONS).insertMany(sessions);
  for (const migration of identityMigrations) await migration.up(db);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

describe('an address of former logins', () => {
  it.each<[string, UserId, boolean]>([
    ['2001:db8:7:1:9a:b0:c1:d2', ana, true],
    ['2001:db8:7:1::5', ana, true],
    ['2001:db8:7:2::5', ana, false],
    ['192.0.2.7', ana, true],
    ['192.0.2.8', ana, false],
    ['2001:db8:7:1::5', bia, false],
  ])('of IPv6 is any of the same network of 64 bits: %s of %s', async (address, userId, isKnown) => {
    expect(await createSessionsStore(db).isKnownAddress(userId, address)).toBe(isKnown);
  });
});
