import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import type { Id, MerchantId, NewId } from '../../../kernel/ids.ts';
import { type Minor, sum } from '../../../kernel/money.ts';

export const JOURNALS = 'journals';

/** Why a merchant's money moves. */
export const MOVEMENT_TYPES = [
  'charge',
  'charge_spread',
  'split_credit',
  'split_debit',
  'settlement',
  'anticipation',
  'anticipation_fee',
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
  'suspense_clearing',
  /** A merchant's own account at the provider received the money of a charge, or gave it back. */
  'own_collection',
] as const;
/** `suspense` and `suspense_return` move money between accounts of the gateway, so no statement shows them. */
export type MovementType = (typeof MOVEMENT_TYPES)[number] | 'suspense' | 'suspense_return';

export const REFERENCE_TYPES = [
  'charge',
  'refund',
  'chargeback_alert',
  'chargeback',
  'settlement',
  'anticipation',
  'payout_request',
  'adjustment',
  'suspense',
] as const;
export type ReferenceType = (typeof REFERENCE_TYPES)[number];

export type MerchantBucket = 'reserved' | 'available';
type GatewayAccount =
  | 'provider_clearing'
  | 'revenue'
  | 'payouts_in_transit'
  | 'adjustments'
  | 'suspense'
  /** Income or loss of the gateway from stray money. It is no fee, so it is not `revenue`. */
  | 'other_income';

/**
 * One side of a movement, with its signed amount: a merchant's bucket, or an account of the gateway (`merchantId`
 * null).
 */
export type Posting = {
  readonly id: Id<'led'>;
  readonly movement_type: MovementType;
  readonly amount: Minor;
} & (
  | { readonly merchantId: MerchantId; readonly bucket: MerchantBucket }
  | { readonly merchantId: null; readonly bucket: GatewayAccount }
);

/** How far a share of a charge is settled: the first `settled` of its `parts` are available. */
export type SettlementStage = { readonly parts: number; readonly settled: number };

/**
 * How far a whole charge is settled: `settled` parts are available to everybody, and more of them to a merchant that
 * has anticipated some.
 */
export type ChargeStage = SettlementStage & {
  /** The merchants that are ahead, each with the number of its available parts; absent where there are none. */
  readonly anticipated?: readonly Ahead[];
};
type Ahead = { readonly merchantId: MerchantId; readonly parts: number };

/** How far one merchant's share is settled. */
export const stageOf = (
  { parts, settled, anticipated }: ChargeStage,
  merchantId: MerchantId,
): SettlementStage => ({
  parts,
  settled: anticipated?.find((ahead) => ahead.merchantId === merchantId)?.parts ?? settled,
});

/** The subject of a movement. */
type JournalAbout = Omit<Journal, '_id' | 'settlement' | 'postings' | 'createdAt'> & {
  readonly settlement?: ChargeStage | null;
};

/** A movement: postings of one currency that sum to zero. Never changed; a correction is a new journal. */
export type Journal = {
  readonly _id: Id<'jrn'>;
  readonly livemode: boolean;
  readonly currency: string;
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
  /** The charge that the movement is about; null where it is about none. */
  readonly chargeId: string | null;
  /** How far that charge was settled before this movement; null where the posted amounts do not depend on it. */
  readonly settlement: ChargeStage | null;
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

/** Makes a journal and leaves out entries of zero. Throws where the entries do not sum to zero, which is a bug. */
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

/** The journal that takes another one back, with each posting reversed. */
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

/** Owners whose balances a journal changes, by the keys that the ledger's consumer uses. */
export const ownersOf = ({ postings, livemode }: Journal): string[] => [
  ...new Set(
    postings.flatMap((posting) => (posting.merchantId ? [ownerKey(posting.merchantId, livemode)] : [])),
  ),
];

/** A merchant whose balance the journal changes; null where it changes none. All of them belong to one tenant. */
export const merchantOf = ({ postings }: Pick<Journal, 'postings'>): MerchantId | null =>
  postings.find(({ merchantId }) => merchantId !== null)?.merchantId ?? null;

export const ownerKey = (merchantId: MerchantId, livemode: boolean): string =>
  `${merchantId}:${livemode ? 'live' : 'test'}`;
