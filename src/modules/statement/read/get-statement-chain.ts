import { existing } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { toDecimal } from '../../../kernel/money.ts';
import type { Principal } from '../../../kernel/principal.ts';
import type { FindTenant } from '../../../kernel/tenant.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { ofTenant } from '../../../platform/write-store/spread.ts';
import { ownerKey } from '../../ledger/write/journal.ts';
import { BALANCES, type Balance } from '../../ledger/write/ledger.store.ts';
import {
  chainOf,
  hashedText,
  STATEMENT_LINES,
  type StatementLine,
} from '../../ledger/write/statement-line.ts';
import { assertMayNameMerchant, type FindMerchants } from '../../merchants/write/find-merchants.store.ts';

type ChainQuery = {
  readonly merchantId?: MerchantId;
  readonly currency: string;
  /** The answer begins after this place. */
  readonly after: number;
  readonly size: number;
};

/**
 * Lines of a statement in their order, each with the text that is hashed; 403 for a merchant that the caller may not
 * name, 404 for an unknown one.
 */
export type GetStatementChain = (
  principal: Principal,
  merchantId: MerchantId,
  query: ChainQuery,
) => Promise<{
  readonly merchantId: MerchantId;
  readonly currency: string;
  readonly end: { readonly place: number; readonly available: number; readonly reserved: number };
  readonly data: readonly {
    readonly place: number;
    readonly id: string;
    readonly content: string;
    readonly hash: string;
  }[];
}>;

export const createGetStatementChain =
  (deps: {
    readonly db: Database;
    readonly findMerchants: FindMerchants;
    readonly findTenant: FindTenant;
  }): GetStatementChain =>
  async (principal, merchantId, { currency, after, size }) => {
    await assertMayNameMerchant(principal, merchantId, deps.findMerchants);
    const chain = chainOf(ownerKey(merchantId, principal.livemode), currency);
    const tenantId = existing(await deps.findTenant(merchantId), 'Merchant');
    // The balance is read before the lines, so that all lines up to its end exist by then.
    const balance = await deps.db
      .collection<Balance>(BALANCES)
      .findOne({ _id: chain, ...ofTenant(deps.db, BALANCES, tenantId) });
    const { collection } = STATEMENT_LINES;
    const places = { chain, seq: { $gte: after + 1, $lt: after + 1 + size } };
    const lines = await deps.db
      .collection(collection)
      .find<StatementLine>({ ...places, ...ofTenant(deps.db, collection, tenantId) }, { batchSize: size })
      .sort({ seq: 1 })
      .toArray();
    return {
      merchantId,
      currency,
      end: {
        place: balance?.seq ?? 0,
        available: toDecimal(balance?.available ?? 0, currency),
        reserved: toDecimal(balance?.reserved ?? 0, currency),
      },
      data: lines.map((line) => ({
        place: line.seq,
        id: line.id,
        content: hashedText(line),
        hash: line.hash,
      })),
    };
  };
