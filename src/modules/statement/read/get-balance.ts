import type { MerchantId } from '../../../kernel/ids.ts';
import { asMerchant, type Principal } from '../../../kernel/principal.ts';
import { type TenantId, tenantOf } from '../../../kernel/tenant.ts';
import { batched } from '../../../platform/write-store/batched.ts';
import type { Database, Wanted } from '../../../platform/write-store/database.ts';
import { type OutboxRow, outstandingRows } from '../../../platform/write-store/outbox.ts';
import { findOfTenants } from '../../../platform/write-store/spread.ts';
import { balanceChanges } from '../../ledger/write/fold-balances.ts';
import { JOURNALS, type Journal, ownerKey } from '../../ledger/write/journal.ts';
import { BALANCES, type Balance, LEDGER_CONSUMER } from '../../ledger/write/ledger.store.ts';
import { STATEMENT_LINES, type StatementLine } from '../../ledger/write/statement-line.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';

type CurrencyBalance = {
  readonly currency: string;
  readonly available: number;
  readonly reserved: number;
};

/**
 * Balances in minor units by currency, including journals that are not folded yet. They are the caller's, or those of
 * the sub-merchant that the caller names; 403 for any other merchant.
 */
export type GetBalance = (
  principal: Principal,
  merchantId: MerchantId | undefined,
) => Promise<readonly CurrencyBalance[]>;

/**
 * Needs no transaction, because its reads come in a fixed order. The journals that are still to be folded are read
 * first. Where one is folded afterwards, the place of its line tells whether the balance includes it already.
 */
export const createGetBalance = (deps: {
  readonly db: Database;
  readonly findMerchants: FindMerchants;
}): GetBalance => {
  const { db } = deps;
  const options = { readConcern: { level: 'majority' } } as const;
  const findUnfolded = batched<Wanted, readonly OutboxRow[]>(db, async (owners) => {
    const rows = await outstandingRows(db, LEDGER_CONSUMER.name, owners);
    return owners.map(({ value }) => rows.filter(({ key }) => key === value));
  });
  const findFolded = batched<Wanted, readonly Balance[]>(db, async (owners) => {
    const found = await findOfTenants<Balance>(db, BALANCES, 'owner', owners, options);
    return owners.map(({ value }) => found.filter(({ owner }) => owner === value));
  });

  /** The journals behind these rows that the balances, which were read after the rows, do not include. */
  const journalsBeside = async (
    rows: readonly OutboxRow[],
    folded: readonly Balance[],
    tenantId: TenantId,
  ): Promise<readonly Journal[]> => {
    const ids = [...new Set(rows.map(({ subject }) => subject))];
    const wanted = ids.map((value) => ({ value, tenantId }));
    const { collection } = STATEMENT_LINES;
    const lines = await findOfTenants<StatementLine>(db, collection, 'journalId', wanted, {
      ...options,
      projection: { _id: 0, chain: 1, seq: 1, journalId: 1 },
    });
    const ends = new Map(folded.map(({ _id, seq }) => [_id, seq]));
    const held = new Set<string>(
      lines.filter(({ chain, seq }) => seq <= (ends.get(chain) ?? 0)).map(({ journalId }) => journalId),
    );
    const open = wanted.filter(({ value }) => !held.has(value));
    return findOfTenants<Journal>(db, JOURNALS, '_id', open, options);
  };

  return async (principal, merchantId) => {
    const caller = asMerchant(principal);
    await assertMayNameMerchant(caller, merchantId, deps.findMerchants);
    const owner = ownerKey(merchantId ?? caller.merchantId, caller.livemode);
    // The merchant is the caller or its own sub-merchant, so everything is of the caller's tenant.
    const tenantId = tenantOf(caller);
    const rows = await findUnfolded({ value: owner, tenantId });
    const folded = await findFolded({ value: owner, tenantId });
    const journals = rows.length === 0 ? [] : await journalsBeside(rows, folded, tenantId);
    const balances = new Map<string, CurrencyBalance>(
      folded.map(({ currency, available, reserved }) => [currency, { currency, available, reserved }]),
    );
    for (const [currency, change] of balanceChanges(journals, owner)) {
      const { available, reserved } = balances.get(currency) ?? { available: 0, reserved: 0 };
      balances.set(currency, {
        currency,
        available: available + change.available,
        reserved: reserved + change.reserved,
      });
    }
    return [...balances.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  };
};
