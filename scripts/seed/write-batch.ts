import type { Container } from 'inversify';
import type { ClientSession, Document } from 'mongodb';
import type { Resource } from '../../src/kernel/event.ts';
import { newCommitId } from '../../src/kernel/ids.ts';
import {
  GATEWAY_TENANT,
  ownerShownBy,
  type TenantId,
  tenantOf,
  tenantShownBy,
} from '../../src/kernel/tenant.ts';
import { TENANT_COLLECTIONS } from '../../src/main/tenants.ts';
import { type Chain, extendStatements } from '../../src/modules/ledger/write/fold-balances.ts';
import { type Journal, ownerKey, ownersOf } from '../../src/modules/ledger/write/journal.ts';
import {
  chainOf,
  STATEMENT_LINES,
  type StatementLine,
} from '../../src/modules/ledger/write/statement-line.ts';
import { PAYMENTS, REFUNDS } from '../../src/modules/providers/simulator/simulator.store.ts';
import * as platform from '../../src/platform/platform.module.ts';
import { knownOf } from '../../src/platform/read-store/resources.ts';
import { indexResources } from '../../src/platform/read-store/view.ts';
import { AUDIT_LOG } from '../../src/platform/write-store/audit.ts';
import { AUDIT_CHAIN_CONSUMER, AUDIT_CHAIN_KEY } from '../../src/platform/write-store/audit-chain.ts';
import type { Database } from '../../src/platform/write-store/database.ts';
import type { Subject } from '../../src/platform/write-store/name-tenants.ts';
import {
  addRows,
  type OutboxRow,
  outboxRow,
  rowsOfCommit,
  takeCommit,
} from '../../src/platform/write-store/outbox.ts';
import { DOMAIN_EVENTS } from '../../src/platform/write-store/write-set.ts';
import type { Booked } from './books.ts';
import type { Batch } from './histories.ts';
import type { SeedMerchant } from './merchants.ts';

/** The documents of a batch, without statement lines and outbox rows. */
export const documentsOf = (
  { recorded, simulated }: Batch,
  merchants: readonly SeedMerchant[],
): ReadonlyMap<string, readonly Document[]> => {
  const tenantOfDocument = createTenantOfDocument(recorded.resources, merchants);
  /** Adds the tenant where a document has to name it. */
  const named = (name: string, document: Document): Document => {
    const tenantId = tenantOfDocument(name, document);
    return tenantId === null ? document : { ...document, tenantId };
  };
  return new Map<string, readonly Document[]>(
    [
      ...[...recorded.resources].map(([name, all]) => [name, all.map(withKey)] as const),
      [DOMAIN_EVENTS, recorded.events.map(withKey)] as const,
      ...recorded.appended,
      [PAYMENTS, simulated.payments] as const,
      [REFUNDS, simulated.refunds] as const,
    ].map(([name, all]) => [name, all.map((document) => named(name, document))]),
  );
};

/** Finds the tenant where a document has to name it. */
const createTenantOfDocument = (
  recorded: Batch['recorded']['resources'],
  merchants: readonly SeedMerchant[],
) => {
  const tenants = new Map<string, TenantId>(
    merchants.map(({ merchant: { id, masterId } }) => [id, tenantOf({ merchantId: id, masterId })]),
  );
  const tell = (subject: Subject): TenantId => {
    const own = tenantShownBy(subject) ?? tenants.get(ownerShownBy(subject) ?? '');
    const { beside } = subject;
    const other = beside && recorded.get(beside.collection)?.find(({ id }) => id === beside.id);
    return own ?? (other ? tell(other) : GATEWAY_TENANT);
  };
  return (collection: string, document: Document): TenantId | null => {
    const subject = TENANT_COLLECTIONS.get(collection)?.(document);
    return subject ? tell(subject) : null;
  };
};

/** Outbox rows by which audit entries get their places in the chain. */
const chainRowsOf = ({ recorded }: Batch): readonly OutboxRow[] => {
  const commit = newCommitId();
  return (recorded.resources.get(AUDIT_LOG.collection) ?? []).map(({ id }) =>
    outboxRow(AUDIT_CHAIN_CONSUMER, id, AUDIT_CHAIN_KEY, commit, new Date()),
  );
};

const withKey = (document: { readonly id: string }) => ({ _id: document.id, ...document });

/**
 * The statements to which these journals are added. `isTaken` tells which journals a worker has already folded for an
 * owner.
 */
export const chainsOf = (
  folded: readonly Booked[],
  merchants: readonly SeedMerchant[],
  isTaken: (journalId: string, owner: string) => boolean = () => false,
): readonly Chain[] => {
  const masters = new Map(
    merchants.map(({ merchant: { id, masterId } }) => [ownerKey(id, false), masterId] as const),
  );
  const chains = new Map<string, Chain & { readonly journals: Journal[] }>();
  for (const { journal } of folded) {
    const { currency } = journal;
    for (const owner of ownersOf(journal).filter((one) => !isTaken(journal._id, one))) {
      const chain = chains.get(chainOf(owner, currency));
      if (chain) chain.journals.push(journal);
      else
        chains.set(chainOf(owner, currency), {
          owner,
          currency,
          masterId: masters.get(owner) ?? null,
          journals: [journal],
        });
    }
  }
  return [...chains.values()];
};

/**
 * Writes a batch completely or not at all, and folds the journals that can be folded; returns a function that projects
 * it. Outbox rows for views would take a third more time, so the drift detector repairs the views where the process
 * dies in between.
 */
export const createWriteBatch = (
  container: Container,
  merchants: readonly SeedMerchant[],
): ((batch: Batch) => Promise<() => Promise<void>>) => {
  const { client, db } = container.get(platform.services).writeStore;
  const { readStore } = container.get(platform.services);
  const views = container.get(platform.views);

  /** Adds the journals that can be folded to the statements, except for those that a worker has taken over. */
  const fold = async (
    { folded, commit }: Batch['booked'],
    session: ClientSession,
    isTakenOver: boolean,
  ): Promise<readonly StatementLine[]> => {
    const rows = folded.flatMap((one) => one.rows);
    // This is checked only where a worker has been there, because it takes long in a transaction.
    const left = isTakenOver ? await rowsOfCommit(db, session, commit) : rows;
    if ((await takeCommit(db, session, commit)) !== left.length) throw new TakenOver();
    const there = new Set(left.map((row) => `${row.subject} ${row.key}`));
    const taken = new Set(rows.map((row) => `${row.subject} ${row.key}`).filter((one) => !there.has(one)));
    const chains = chainsOf(folded, merchants, (journalId, owner) => taken.has(`${journalId} ${owner}`));
    return extendStatements(db, session, chains);
  };

  return async (batch) => {
    const documents = [...documentsOf(batch, merchants)];
    const rows = [...batch.booked.deferred.flatMap((one) => one.rows), ...chainRowsOf(batch)];
    const store = (isTakenOver: boolean): Promise<readonly StatementLine[]> =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          const placed = await fold(batch.booked, session, isTakenOver);
          for (const [name, all] of documents) await insert(db, name, all, session);
          await addRows(db, rows, session);
          return placed;
        }),
      );
    const lines = await store(false).catch((error: unknown) => {
      if (!(error instanceof TakenOver)) throw error;
      return store(true);
    });
    const shown = new Map<string, readonly Resource[]>([
      ...batch.recorded.resources,
      [STATEMENT_LINES.collection, lines],
    ]);
    const tenantOfDocument = createTenantOfDocument(batch.recorded.resources, merchants);
    return async () => {
      for (const view of views) {
        const { collection } = view.source;
        const ofView = [
          ...(shown.get(collection) ?? []).map((resource) => ({
            resource,
            tenantId: tenantOfDocument(collection, resource),
          })),
          ...knownOf(view, batch.recorded.events),
        ];
        if (ofView.length === 0) continue;
        for (const [id, error] of await indexResources(readStore, view, ofView))
          throw new Error(`${id} cannot be projected: ${error}`);
      }
    };
  };
};

/** Workers took this process for dead, and have folded some of the journals that it was to fold. */
class TakenOver extends Error {}

const insert = async (
  db: Database,
  name: string,
  documents: readonly Document[],
  session: ClientSession,
): Promise<void> => {
  if (documents.length > 0) await db.collection(name).insertMany([...documents], { session });
};
