import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { type Store, store } from '../../../kernel/store.ts';
import type { PaymentType } from '../../providers/provider.ts';
import { assertSplitAllowed, mayReceive, type Participant, type SplitEntry } from './split.ts';

type DefaultSplitEvent = 'default_split.replaced';

/** The split of a merchant's charges that ask for none. `id` is the merchant's. */
export type DefaultSplit = Resource & {
  readonly id: MerchantId;
  readonly default: readonly SplitEntry[];
  /** Instead of `default` for charges by these methods. */
  readonly byPaymentMethod: Readonly<Partial<Record<PaymentType, readonly SplitEntry[]>>>;
  readonly updatedAt: Timestamp;
};

export const DEFAULT_SPLITS: Store<DefaultSplit, DefaultSplitEvent> = store(
  'default_splits',
  'default_split',
  { leased: 'all' },
);

export type DefaultSplitEntries = Pick<DefaultSplit, 'default' | 'byPaymentMethod'>;

/** Merchants that a default split names, each once. */
export const participantsOf = (split: DefaultSplitEntries): readonly MerchantId[] => [
  ...new Set(
    [split.default, ...Object.values(split.byPaymentMethod)].flatMap((entries) =>
      entries.map(({ merchantId }) => merchantId),
    ),
  ),
];

/**
 * Replaces the whole default split. A merchant that exists in both environments may name participants of either.
 */
export const replaceDefaultSplit = (
  merchant: Participant,
  split: DefaultSplitEntries,
  receivers: readonly Participant[],
  now: Date,
): Decision<DefaultSplit, DefaultSplitEvent> => {
  assertSplitAllowed(merchant, split.default, receivers, merchant.livemode, 'default');
  for (const [method, entries] of Object.entries(split.byPaymentMethod))
    assertSplitAllowed(merchant, entries, receivers, merchant.livemode, `byPaymentMethod.${method}`);
  const { default: always, byPaymentMethod } = split;
  return {
    type: 'default_split.replaced',
    data: { id: merchant.id, version: 0, default: always, byPaymentMethod, updatedAt: timestamp(now) },
  };
};

/** Entries of a default split for one payment method. */
export const standingEntries = (
  split: DefaultSplitEntries | null,
  type: PaymentType,
): readonly SplitEntry[] => split?.byPaymentMethod[type] ?? split?.default ?? [];

/** The part of a participant that may no longer receive stays with the originator. */
export const stillAllowed = (
  originator: Participant,
  entries: readonly SplitEntry[],
  receivers: readonly Participant[],
  livemode: boolean,
): readonly SplitEntry[] =>
  entries.filter(({ merchantId }) =>
    mayReceive(
      originator,
      receivers.find(({ id }) => id === merchantId),
      livemode,
    ),
  );
