import { type CommandContext, systemContext } from '../../../kernel/event.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { postJournal } from '../../ledger/write/ledger.store.ts';
import type { HearLateFailure } from '../../providers/late-failures.ts';
import {
  type PaymentProvider,
  type ProviderNamed,
  type RefundRequest,
  type RefundState,
  UNKNOWN_UNTIL_NOTIFIED,
} from '../../providers/provider.ts';
import { cameBackJournal, returnedJournal } from './suspense.journal.ts';
import { SUSPENSE_ITEMS } from './suspense.store.ts';
import { applyReturn, isLateFailure, returnRequestedAt, type SuspenseItem } from './suspense.ts';

/**
 * Stores the provider's answer about a return, and returns the item as it stands then. An outdated answer changes
 * nothing.
 */
export type RecordReturnOutcome = (
  item: SuspenseItem,
  state: RefundState,
  context: CommandContext,
) => Promise<SuspenseItem>;

export const createRecordReturnOutcome =
  (deps: Creating): RecordReturnOutcome =>
  (given, state, context) =>
    deps.transact(context, async (tx) => {
      const before = await tx.get(SUSPENSE_ITEMS, given.id);
      if (!before) throw new Error(`suspense item ${given.id} is gone`);
      // The answer is about an earlier return, which has been decided.
      if (before.returnReference !== given.returnReference) return before;
      const now = deps.clock();
      const decision = applyReturn(before, state, now);
      if (!decision) return before;
      const item = await tx.record(SUSPENSE_ITEMS, before, decision);
      const [was, is] = [before.status === 'returned', item.status === 'returned'];
      if (is && !was) await postJournal(tx, returnedJournal(item, now, deps.newId));
      if (was && !is) await postJournal(tx, cameBackJournal(item, now, deps.newId));
      return item;
    });

type Deps = { readonly providerNamed: ProviderNamed; readonly recordReturnOutcome: RecordReturnOutcome };

/** The request carries one reference, so that the provider gives the money back once, however often it is asked. */
const requestOf = ({
  id,
  returnReference,
  reference,
  pspRefId,
  amount,
  currency,
  ...item
}: SuspenseItem): RefundRequest => ({
  reference: returnReference ?? id,
  paymentReference: reference,
  paymentPspRefId: pspRefId,
  openedAt: returnRequestedAt(item),
  amount,
  currency,
});

/**
 * Asks the provider to give the money of an item back. Returns the item as it stands then, or null where the provider
 * did not answer. Failures are left to the reconciler.
 */
export type GiveBack = (item: SuspenseItem, context: CommandContext) => Promise<SuspenseItem | null>;

export const createGiveBack =
  ({ providerNamed, recordReturnOutcome }: Deps): GiveBack =>
  async (item, context) => {
    if (item.status !== 'returning') return null;
    const provider = await providerNamed(item.provider);
    const state = await provider?.refund(requestOf(item)).catch(() => null);
    return state ? recordReturnOutcome(item, state, context) : null;
  };

type ReconcileDeps = Deps & { readonly hearers: readonly HearLateFailure[] };

/**
 * Completes a return that a crash or a time-out left open. A return that is done is only asked about, because the
 * payer's bank may have sent the money back since.
 */
export const createReconcileReturn =
  (deps: ReconcileDeps) =>
  async (item: SuspenseItem): Promise<void> => {
    const provider = await deps.providerNamed(item.provider);
    if (item.status === 'returned') return lookAgain(deps, item, provider);
    if (!provider) return;
    const request = requestOf(item);
    const state = (await provider.describeRefund(request)) ?? (await provider.refund(request));
    if (state.status === UNKNOWN_UNTIL_NOTIFIED.status) return;
    await deps.recordReturnOutcome(item, state, systemContext('reconciler'));
  };

/** Nothing is requested here, whatever the provider says: the payer has the money, or an operator decides. */
const lookAgain = async (
  deps: ReconcileDeps,
  item: SuspenseItem,
  provider: PaymentProvider | null,
): Promise<void> => {
  const context = systemContext('reconciler');
  // A provider that does not answer is asked again at the next age, so that such returns do not stay due.
  const state = await provider?.describeRefund(requestOf(item)).catch(() => null);
  if (state && state.status !== UNKNOWN_UNTIL_NOTIFIED.status && isLateFailure(item, state)) {
    const { livemode, amount, currency } = item;
    const reference = item.returnReference ?? item.id;
    const about = { kind: 'refund', livemode, reference, amount, currency, state } as const;
    for (const hear of deps.hearers)
      await hear(item.provider, { ...about, id: `${reference}/failed late` }, context);
    return;
  }
  const { pspRefundRefId } = item;
  await deps.recordReturnOutcome(item, { status: 'refunded', reason: null, pspRefundRefId }, context);
};
