import type { MerchantId } from '../../../kernel/ids.ts';
import { type Minor, PERCENTAGE_DECIMALS, scaleDecimal, sum } from '../../../kernel/money.ts';
import { splitNotAllowed } from './refusals.ts';

/** One entry of a split request; `percentage` has at most four decimals. */
export type SplitEntry = { readonly merchantId: MerchantId; readonly percentage: number };

/** Share of a participant in a charge's net amount. */
export type SplitPart = SplitEntry & { readonly amount: Minor };

/** A merchant as the split rules see it. */
export type Participant = {
  readonly id: MerchantId;
  readonly masterId: MerchantId | null;
  readonly status: string;
  /** The environment of a sub-merchant; null for a merchant that exists in both. */
  readonly livemode: boolean | null;
};

/**
 * Both sides belong to one group. The receiver is another member of it than the originator, active and in the
 * environment (null: whichever). A master is the member that its sub-merchants name.
 */
export const mayReceive = (
  originator: Pick<Participant, 'id' | 'masterId'>,
  receiver: Participant | undefined,
  livemode: boolean | null,
): boolean =>
  receiver !== undefined &&
  receiver.id !== originator.id &&
  receiver.status === 'active' &&
  (livemode === null || (receiver.livemode ?? livemode) === livemode) &&
  (receiver.masterId ?? receiver.id) === (originator.masterId ?? originator.id);

/** 422 SPLIT_NOT_ALLOWED where one of the entries names a merchant that may not receive; `path` is where they stand. */
export const assertSplitAllowed = (
  originator: Pick<Participant, 'id' | 'masterId'>,
  entries: readonly SplitEntry[],
  receivers: readonly Participant[],
  livemode: boolean | null,
  path = 'split',
): void => {
  for (const [index, { merchantId }] of entries.entries()) {
    const receiver = receivers.find((candidate) => candidate.id === merchantId);
    if (!mayReceive(originator, receiver, livemode)) throw splitNotAllowed(`${path}.${index}`);
  }
};

/**
 * Divides `net` by largest remainder in minor units: ties in the order of the entries, the originator last.
 * Parts and the originator's remainder sum to `net`.
 */
export const divide = <E extends Pick<SplitEntry, 'percentage'>>(
  net: Minor,
  entries: readonly E[],
): (E & Pick<SplitPart, 'amount'>)[] => {
  const whole = 100n * 10n ** BigInt(PERCENTAGE_DECIMALS);
  const shares = entries.map((entry) => {
    const percentage = scaleDecimal(entry.percentage, PERCENTAGE_DECIMALS);
    if (percentage === null) throw new RangeError(`percentage ${entry.percentage} has too many decimals`);
    const scaled = BigInt(percentage);
    const product = BigInt(net) * scaled;
    return { amount: Number(product / whole), remainder: product % whole, scaled };
  });
  const originatorScaled = whole - shares.reduce((total, share) => total + share.scaled, 0n);
  const originator = {
    amount: Number((BigInt(net) * originatorScaled) / whole),
    remainder: (BigInt(net) * originatorScaled) % whole,
  };
  const all = [...shares, originator];
  const left = net - sum(all.map((share) => share.amount));
  const byRemainder = all
    .map((share, index) => ({ index, remainder: share.remainder }))
    // A stable sort leaves ties in their order.
    .sort((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1));
  const favoured = new Set(byRemainder.slice(0, left).map((share) => share.index));
  return entries.map((entry, index) => ({
    ...entry,
    amount: (shares[index]?.amount ?? 0) + (favoured.has(index) ? 1 : 0),
  }));
};
