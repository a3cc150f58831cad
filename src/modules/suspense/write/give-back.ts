import type { Clock } from '../../../kernel/clock.ts';
import { type CommandContext, systemContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import type { ProviderNamed, RefundRequest, RefundState } from '../../providers/provider.ts';
import { returnedJournal } from './suspense.journal.ts';
import { SUSPENSE_ITEMS } from './suspense.store.ts';
import { applyReturn, type SuspenseItem } from './suspense.ts';

/** Stores what the provider says of a return; returns the item as it stands then. Old news changes nothing. */
export type CloseReturn = (
  item: SuspenseItem,
  state: RefundState,
  context: CommandContext,
) => Promise<SuspenseItem>;

export const createCloseReturn =
  (deps: { readonly transact: Transact; readonly clock: Clock; readonly newId: NewId }): CloseReturn =>
  (given, state, context) =>
    deps.transact(context, async (tx) => {
      const before = await tx.get(SUSPENSE_ITEMS, given.id);
      if (!before) throw new Error(`suspense item ${given.id} is gone`);
      const now = deps.clock();
      const decision = applyReturn(before, state, now);
      if (!decision) return before;
      const item = await tx.record(SUSPENSE_ITEMS, before, decision);
      if (item.status === 'returned') await postJournal(tx, returnedJournal(item, now, deps.newId));
      return item;
    });

type Deps = { readonly providerNamed: ProviderNamed; readonly closeReturn: CloseReturn };

/** The item's id is the reference at the provider: however often it is asked, it gives the money back once. */
const requestOf = ({ id, reference, amount, currency }: SuspenseItem): RefundRequest => ({
  reference: id,
  paymentReference: reference,
  amount,
  currency,
});

/**
 * Has the provider give back what is to be given back. Returns the item as it stands then, null where the provider
 * said nothing: whatever goes wrong is left to the reconciler.
 */
export type GiveBack = (item: SuspenseItem, context: CommandContext) => Promise<SuspenseItem | null>;

export const createGiveBack =
  ({ providerNamed, closeReturn }: Deps): GiveBack =>
  async (item, context) => {
    if (item.status !== 'returning') return null;
    const state = await providerNamed(item.provider)
      ?.refund(requestOf(item))
      .catch(() => null);
    return state ? closeReturn(item, state, context) : null;
  };

/** Finishes a return that a crash or a time-out left open. */
export const createSettleReturn =
  ({ providerNamed, closeReturn }: Deps) =>
  async (item: SuspenseItem): Promise<void> => {
    const provider = providerNamed(item.provider);
    if (!provider) return;
    const state = (await provider.describeRefund(item.id)) ?? (await provider.refund(requestOf(item)));
    await closeReturn(item, state, systemContext('reconciler'));
  };
