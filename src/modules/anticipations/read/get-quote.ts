import type { Clock } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { readResource } from '../../../platform/write-store/read-resource.ts';
import { FEE_DEFINITIONS } from '../../merchants/write/fees.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import type { AnticipationCommand, FindReservedFor } from '../write/anticipate.ts';
import { type Quote, quote } from '../write/anticipation.ts';

/** Quotes an anticipation from the write store, with the same refusals as the anticipation. */
export type GetQuote = (command: AnticipationCommand) => Promise<Quote>;

export const createGetQuote =
  (deps: {
    readonly db: Database;
    readonly findReservedFor: FindReservedFor;
    readonly clock: Clock;
  }): GetQuote =>
  async ({ principal, request }) => {
    const [reserved, merchant, fees] = await Promise.all([
      deps.findReservedFor(principal, request),
      readResource(deps.db, MERCHANTS, principal.merchantId),
      readResource(deps.db, FEE_DEFINITIONS, principal.merchantId),
    ]);
    if (!merchant) throw notFound('Merchant');
    return quote(request, { merchant, fees }, reserved, deps.clock());
  };
