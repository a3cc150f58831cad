import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Id, MerchantId, NewId } from '../../../kernel/ids.ts';
import { type Minor, sum } from '../../../kernel/money.ts';

export const JOURNALS = 'journals';

/** Why money of a merchant moves. */
export const MOVEMENT_TYPES = [
  'charge',
  'charge_spread',
  'split_credit',
  'split_debit',
  'settlement',
  'refund',
  'refund_split',
  'refund_reversal',
  'chargeback_alert_refund',
  'chargeback_alert_fee',
  'chargeback',
  'payout',
  'payout_fee',
  'payout_reversal',
  'payout_fee_reversal',
  'adjustment',
] as const;
/** `suspense…` moves money between accounts of the gateway, so no statement shows it. */
export type MovementType = (typeof MOVEMENT_TYPES)[number] | 'suspense' | 'suspense_return';

export const REFERENCE_TYPES = [
  'charge',
  'refund',
  'chargeback_alert',
  'chargeback',
  'settlement',
  'payout_request',
  'adjustment',
] as const;
export type ReferenceType = (typeof REFERENCE_TYPES)[number] | 'suspense';

export type MerchantBucket = 'reserved' | 'available';
export type GatewayAccount =
  | 'provider_clearing'
  | 'revenue'
  | 'payouts_in_transit'
  | 'adjustments'
  | 'suspense';

/** One side of a movement: a merchant's bucket, or an account of the gateway (`merchantId` null). Signed amount. */
export type Posting = {
  readonly id: Id<'led'>;
  readonly movement_type: MovementType;
  readonly amount: Minor;
} & (
  | { readonly merchantId: MerchantId; readonly bucket: MerchantBucket }
  | { readonly merchantId: null; readonly bucket: GatewayAccount }
);

/** A charge is settled in `parts`, of which the first `settled` are available. */
export type SettlementStage = { readonly parts: number; readonly settled: number };

/** What a movement is about. */
export type JournalAbout = Omit<Journal, '_id' | 'settlement' | 'postings' | 'createdAt'> & {
  readonly settlement?: SettlementStage | null;
};

/** A movement: postings of one currency that sum to zero. Never changed; a correction is a new journal. */
export type Journal = {
  readonly _id: Id<'jrn'>;
  readonly livemode: boolean;
  readonly currency: string;
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
  /** The charge that the movement is about, null for one that is about none. */
  readonly chargeId: string | null;
  /** How far that charge was settled before this movement; null where no figure depends on it. */
  readonly settlement: SettlementStage | null;
  readonly postings: readonly Posting[];
  readonly createdAt: Timestamp;
};

/** A posting before it has an id. */
export type Entry =
  | {
      readonly merchantId: MerchantId;
      readonly bucket: MerchantBucket;
      readonly movement_type: MovementType;
      readonly amount: Minor;
    }
  | {
      readonly merchantId: null;
      readonly bucket: GatewayAccount;
      readonly movement_type: MovementType;
      readonly amount: Minor;
    };

/** Makes a journal; entries of zero are left out. Throws where the others do not sum to zero: that is a bug. */
export const journal = (about: JournalAbout, entries: readonly Entry[], now: Date, newId: NewId): Journal => {
  if (sum(entries.map((entry) => entry.amount)) !== 0)
    throw new Error(`journal of ${about.referenceType} ${about.referenceId} does not sum to zero`);
  return {
    ...about,
    settlement: about.settlement ?? null,
    _id: newId('jrn'),
    postings: entries.filter((entry) => entry.amount !== 0).map((entry) => ({ ...entry, id: newId('led') })),
    createdAt: timestamp(now),
  };
};

/** The journal that takes another one back, each posting reversed. */
export const reversed = (
  original: Journal,
  movementType: MovementType,
  about: JournalAbout,
  now: Date,
  newId: NewId,
): Journal =>
  journal(
    { ...about, settlement: original.settlement },
    original.postings.map(({ id: _, ...posting }) => ({
      ...posting,
      movement_type: movementType,
      amount: -posting.amount,
    })),
    now,
    newId,
  );

/** Those whose balance a journal changes, as the ledger's consumer names them. */
export const ownersOf = ({ postings, livemode }: Journal): string[] => [
  ...new Set(
    postings.flatMap((posting) => (posting.merchantId ? [ownerKey(posting.merchantId, livemode)] : [])),
  ),
];

export const ownerKey = (merchantId: MerchantId, livemode: boolean): string =>
  `${merchantId}:${livemode ? 'live' : 'test'}`;
