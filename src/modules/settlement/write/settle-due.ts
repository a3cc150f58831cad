import type { CommandContext } from '../../../kernel/event.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createSparingLog } from '../../../platform/sparing-log.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import type { Membership } from '../../../platform/write-store/workers.ts';
import { CHARGES } from '../../charges/write/charge.store.ts';
import type { Charge } from '../../charges/write/charge.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { settlementJournal } from './settlement.journal.ts';
import type { FindSettleable, SettlementScope } from './settlement.store.ts';
import { isSettlementDue, settlePart } from './settlement.ts';

export type Settled = { readonly charges: number; readonly parts: number };

/**
 * Settles every part that is due by `until` and is not taken by a refund, an alert or a chargeback. Several runs may
 * overlap: each part is written together with its charge, so that it is settled once.
 */
export type SettleDue = (
  command: {
    readonly until: Date;
    readonly scope: SettlementScope;
    /** Says which charges this process settles; others settle the rest. */
    readonly owns: Membership['owns'];
    /** How many charges are settled at a time; eight where it is absent. */
    readonly atOnce?: number;
    /** Ends the work once the charges in flight are done. */
    readonly stopping: AbortSignal | null;
  },
  context: CommandContext,
) => Promise<Settled>;

/** Charges that are settled at a time. */
const AT_ONCE = 8;

export const createSettleDue = (
  deps: Creating & { readonly findSettleable: FindSettleable; readonly logger: Logger },
): SettleDue => {
  const settle = createSettleParts(deps);
  const complain = createSparingLog(deps.logger, 'error');
  return async ({ until, scope, owns, stopping, atOnce = AT_ONCE }, context) => {
    let charges = 0;
    let parts = 0;
    for await (const ids of deps.findSettleable(until, scope)) {
      const queue = ids.filter(owns);
      const work = async (): Promise<void> => {
        for (let id = queue.shift(); id !== undefined && !stopping?.aborted; id = queue.shift()) {
          const settled = await settle(id, until, context).catch((error: unknown) => {
            // A charge that cannot be settled holds up no other, and the next round tries it again.
            complain(error, { chargeId: id }, 'a charge could not be settled');
            return 0;
          });
          charges += settled > 0 ? 1 : 0;
          parts += settled;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      if (stopping?.aborted) break;
    }
    return { charges, parts };
  };
};

/** Settles the due parts of one charge, each with a journal of its own; returns how many. */
export const createSettleParts =
  (deps: Creating) =>
  (id: Charge['id'], until: Date, context: CommandContext): Promise<number> =>
    deps.transact(context, async (tx) => {
      let charge = await tx.get(CHARGES, id);
      let parts = 0;
      for (; charge && isSettlementDue(charge, until); parts += 1) {
        const journal = settlementJournal(charge, deps.clock(), deps.newId);
        charge = await tx.record(CHARGES, charge, settlePart(charge));
        // A share may be so small that a part of it rounds to zero.
        if (journal.postings.length > 0) await postJournal(tx, journal);
      }
      return parts;
    });
