import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import { operatorsOnly, type Principal } from '../../../kernel/principal.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import type { AssertApprover } from '../../proposals/write/assert-approver.ts';
import type { BookToMerchant } from './book-to-merchant.ts';
import { approveClearing, type NewClearing, proposeClearing, rejectClearing } from './clearing.ts';
import type { GiveBack } from './give-back.ts';
import { bookedJournal } from './suspense.journal.ts';
import { SUSPENSE_ITEMS } from './suspense.store.ts';
import type { SuspenseItem } from './suspense.ts';

/**
 * Proposes, approves or rejects a clearing of stray money. Of concurrent calls exactly one takes effect, and the others
 * get 422. 404 for an item or a merchant that is not in the operator's environment.
 */
export type ClearSuspense = Command<
  { readonly principal: Principal; readonly id: string } & (
    | { readonly step: 'propose'; readonly clearing: NewClearing }
    | { readonly step: 'approve' }
    | { readonly step: 'reject'; readonly rejectionReason: string | null }
  ),
  SuspenseItem
>;

export const createClearSuspense =
  (
    deps: Creating & {
      readonly giveBack: GiveBack;
      readonly bookToMerchant: BookToMerchant;
      readonly assertApprover: AssertApprover;
    },
  ): ClearSuspense =>
  async ({ principal, id, ...command }, context) => {
    if (principal.kind !== 'operator') throw operatorsOnly();
    const { userId, livemode } = principal;
    const decided = await deps.transact.alone(context, async (tx) => {
      const item = await tx.get(SUSPENSE_ITEMS, id);
      if (item?.livemode !== livemode) throw notFound('Suspense item');
      const now = deps.clock();
      switch (command.step) {
        case 'propose': {
          const { merchantId } = command.clearing;
          const merchant = merchantId === null ? null : await tx.get(MERCHANTS, merchantId);
          if (merchantId !== null && (!merchant || (merchant.livemode ?? livemode) !== livemode))
            throw notFound('Merchant');
          return tx.record(SUSPENSE_ITEMS, item, proposeClearing(item, command.clearing, userId, now));
        }
        case 'approve': {
          const decision = approveClearing(item, userId, now);
          await deps.assertApprover(tx, userId);
          const approved = await tx.record(SUSPENSE_ITEMS, item, decision);
          if (approved.status === 'booked') await postJournal(tx, bookedJournal(approved, now, deps.newId));
          return approved;
        }
        case 'reject': {
          const { rejectionReason } = command;
          return tx.record(SUSPENSE_ITEMS, item, rejectClearing(item, { userId, rejectionReason }, now));
        }
      }
    });
    // Failures from here on are left to the reconciler, because the approval is stored.
    if (decided.status === 'booking') return deps.bookToMerchant(decided, context);
    return (await deps.giveBack(decided, context)) ?? decided;
  };
