import { MongoClient } from 'mongodb';
import { type MerchantId, newCommitId } from '../../src/kernel/ids.ts';
import type { TenantId } from '../../src/kernel/tenant.ts';
import { databaseOf } from '../../src/platform/write-store/database.ts';
import { nameTenants } from '../../src/platform/write-store/name-tenants.ts';

const BATCH = 500;
const DOCUMENTS = 1_300;

type Charge = { readonly _id: string; readonly merchantId: MerchantId; readonly tenantId?: TenantId };

let client: MongoClient;
beforeAll(async () => {
  client = await new MongoClient(process.env.MONGODB_URI ?? '').connect();
});
afterAll(() => client.close());

describe('documents of a collection that do not name their tenant', () => {
  it('are named in batches, and those before the place where it was killed are not looked at again', async () => {
    const db = databaseOf(client.db(`t-${newCommitId().slice(-16)}`));
    const charges = db.collection<Charge>('charges');
    await charges.insertMany(
      Array.from({ length: DOCUMENTS }, (_, at) => ({
        _id: `chg_${String(at).padStart(5, '0')}`,
        merchantId: `mer_${at % 3}`,
      })),
    );
    const killed = new AbortController();
    let dies = false;
    const run = ({ signal } = new AbortController()) =>
      nameTenants({
        db,
        collections: new Map([['charges', (document) => document]]),
        findTenant: async (id) => {
          killed.abort();
          if (dies) throw new Error('it died');
          return id as unknown as TenantId;
        },
        onNamed: () => undefined,
        signal,
      });
    const nameless = () => charges.countDocuments({ tenantId: { $exists: false } });
    await expect(run(killed)).rejects.toThrow();
    expect(await nameless()).toBe(DOCUMENTS - BATCH);

    // The last one before the place.
    await charges.updateOne(
      { _id: `chg_${String(BATCH - 1).padStart(5, '0')}` },
      { $unset: { tenantId: 1 } },
    );
    dies = true;
    await expect(run()).rejects.toThrow('it died');
    dies = false;
    expect(await run()).toBe(DOCUMENTS - BATCH);
    expect(await nameless()).toBe(1);
    // A run that came to its end begins anew.
    expect(await run()).toBe(1);
    expect(await charges.countDocuments({ $expr: { $eq: ['$tenantId', '$merchantId'] } })).toBe(DOCUMENTS);
    await db.dropDatabase();
  });
});
