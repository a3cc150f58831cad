import type { Db, MongoClient } from 'mongodb';
import { tenantShownBy } from '../../src/kernel/tenant.ts';
import { TENANT_COLLECTIONS } from '../../src/main/tenants.ts';

const LOOKED_AT = 2_000;

/** Throws where a document does not name its tenant, or names another one than its merchant's. */
export const assertTenantsNamed = async (db: Db): Promise<void> => {
  const wrong: string[] = [];
  for (const [name, subjectOf] of TENANT_COLLECTIONS) {
    const documents = await db.collection<{ _id: string }>(name).find({}, { limit: LOOKED_AT }).toArray();
    for (const { tenantId, ...document } of documents as { _id: string; tenantId?: unknown }[]) {
      const shown = tenantShownBy(subjectOf(document));
      if (typeof tenantId !== 'string' || (shown !== null && shown !== tenantId))
        wrong.push(`${name}/${document._id} names ${tenantId}, and is of ${shown}`);
    }
  }
  if (wrong.length > 0) throw new Error(wrong.slice(0, 20).join('\n'));
};

type Statement = {
  readonly documents?: readonly { readonly tenantId?: unknown }[];
  readonly updates?: readonly { readonly u?: { readonly $set?: { readonly tenantId?: unknown } } }[];
  readonly lsid?: { readonly id: { toString(encoding: 'hex'): string } };
  readonly txnNumber?: unknown;
};

/** Tenants of which a statement writes documents. */
const tenantsIn = ({ documents = [], updates = [] }: Statement): readonly string[] =>
  [...documents.map(({ tenantId }) => tenantId), ...updates.map(({ u }) => u?.$set?.tenantId)].flatMap(
    (tenant) => (typeof tenant === 'string' ? [tenant] : []),
  );

/** Transactions that were committed, and the tenants of each that spans several, joined by a comma. */
type Watched = { readonly committed: number; readonly spanning: readonly string[] };

/** Listens to the commands of a driver that reports them. */
export const watchTransactions = (client: MongoClient): (() => Watched) => {
  const open = new Map<string, Set<string>>();
  const spanning: string[] = [];
  let committed = 0;
  client.on('commandStarted', ({ commandName, command }) => {
    const { lsid, txnNumber } = command as Statement;
    if (lsid === undefined || txnNumber === undefined) return;
    const name = `${lsid.id.toString('hex')} ${txnNumber}`;
    const tenants = open.get(name) ?? new Set<string>();
    open.set(name, tenants);
    for (const tenant of tenantsIn(command as Statement)) tenants.add(tenant);
    if (commandName !== 'commitTransaction') return;
    committed += 1;
    if (tenants.size > 1) spanning.push([...tenants].join());
    open.delete(name);
  });
  return () => ({ committed, spanning });
};

/** Throws where a transaction spanned tenants, and where none was seen at all. */
export const assertWithinTenants = ({ committed, spanning }: Watched): void => {
  if (committed === 0) throw new Error('the driver has reported no transaction');
  if (spanning.length > 0) throw new Error(`transactions span tenants: ${spanning.slice(0, 20).join('; ')}`);
};
