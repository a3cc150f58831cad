import type { MongoClient } from 'mongodb';
import { tenantShownBy } from '../../src/kernel/tenant.ts';
import { SPREAD_COLLECTIONS, TENANT_COLLECTIONS } from '../../src/main/tenants.ts';
import type { Database } from '../../src/platform/write-store/database.ts';

const LOOKED_AT = 2_000;

/** Throws for a document that does not name its tenant, or names another one than its merchant's. */
export const assertTenantsNamed = async (db: Database): Promise<void> => {
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

type Named = { readonly tenantId?: unknown; readonly $set?: { readonly tenantId?: unknown } };

type Statement = {
  readonly filter?: Named;
  readonly documents?: readonly Named[];
  readonly updates?: readonly { readonly q?: Named; readonly u?: Named }[];
  readonly deletes?: readonly { readonly q?: Named }[];
  readonly lsid?: { readonly id: { toString(encoding: 'hex'): string } };
  readonly txnNumber?: unknown;
};

/** Tenants whose documents a statement reads, changes or stores. */
const tenantsIn = ({ filter, documents = [], updates = [], deletes = [] }: Statement): readonly string[] =>
  [filter, ...documents, ...updates.flatMap(({ q, u }) => [q, u, u?.$set]), ...deletes.map(({ q }) => q)]
    .map((named) => named?.tenantId)
    .flatMap((named) => (isSeveral(named) ? named.$in : [named]))
    .flatMap((tenant) => (typeof tenant === 'string' ? [tenant] : []));

const isSeveral = (named: unknown): named is { readonly $in: readonly unknown[] } =>
  typeof named === 'object' && named !== null && '$in' in named;

/** Listens to the commands of a driver, and reports each transaction that spans tenants, with their collections. */
export const listenToTransactions = (client: MongoClient, tell: (spanning: string) => void): void => {
  const open = new Map<string, Map<string, string>>();
  client.on('commandStarted', ({ commandName, command }) => {
    const { lsid, txnNumber } = command as Statement;
    if (lsid === undefined || txnNumber === undefined) return;
    const name = `${lsid.id.toString('hex')} ${txnNumber}`;
    const tenants = open.get(name) ?? new Map<string, string>();
    open.set(name, tenants);
    const collection = String(command[commandName]);
    if (SPREAD_COLLECTIONS.includes(collection))
      for (const tenant of tenantsIn(command as Statement)) tenants.set(tenant, collection);
    if (commandName !== 'commitTransaction') return;
    if (tenants.size > 1) tell([...tenants].map((of) => of.join(' in ')).join());
    open.delete(name);
  });
};

/** Watches the transactions of a client; the returned function returns all reports so far. */
export const watchTransactions = (client: MongoClient): (() => readonly string[]) => {
  const spanning: string[] = [];
  listenToTransactions(client, (one) => spanning.push(one));
  return () => spanning;
};

/** Throws where a transaction spanned tenants. */
export const assertWithinTenants = (spanning: readonly string[]): void => {
  if (spanning.length > 0) throw new Error(`transactions span tenants: ${spanning.slice(0, 20).join('; ')}`);
};
