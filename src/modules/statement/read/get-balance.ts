import type { Db } from 'mongodb';
import type { MerchantId } from '../../../kernel/ids.ts';
import { asMerchant, type Principal } from '../../../kernel/principal.ts';
import { outstandingRows } from '../../../platform/write-store/outbox.ts';
import type { Snapshot } from '../../../platform/write-store/snapshot.ts';
import { balanceChanges } from '../../ledger/write/fold-balances.ts';
import { JOURNALS, type Journal, ownerKey } from '../../ledger/write/journal.ts';
import { BALANCES, type Balance, LEDGER_CONSUMER } from '../../ledger/write/ledger.store.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';

type CurrencyBalance = {
  readonly currency: string;
  readonly available: number;
  readonly reserved: number;
};

/**
 * Balances in minor units, by currency: what is folded plus what is still to be folded. Of the caller, or of the
 * sub-merchant that it names; 403 for any other merchant.
 */
export type GetBalance = (
  principal: Principal,
  merchantId: MerchantId | undefined,
) => Promise<readonly CurrencyBalance[]>;

/** Reads in one snapshot: a fold between two reads would count a journal twice or not at all. */
export const createGetBalance =
  (deps: {
    readonly db: Db;
    readonly snapshot: Snapshot;
    readonly findMerchants: FindMerchants;
  }): GetBalance =>
  async (principal, merchantId) => {
    const caller = asMerchant(principal);
    await assertMayNameMerchant(caller, merchantId, deps.findMerchants);
    const owner = ownerKey(merchantId ?? caller.merchantId, caller.livemode);
    return deps.snapshot(async (session) => {
      const folded = await deps.db.collection<Balance>(BALANCES).find({ owner }, { session }).toArray();
      const rows = await outstandingRows(deps.db, LEDGER_CONSUMER.name, owner, { session });
      const journals =
        rows.length === 0
          ? []
          : await deps.db
              .collection<Journal>(JOURNALS)
              .find({ _id: { $in: rows.map((row) => row.subject as Journal['_id']) } }, { session })
              .toArray();
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
    });
  };
