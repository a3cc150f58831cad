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
  /** A merchant's own account at the provider took the money of a charge, or gave it back. */
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
  /** Income or loss of the gateway by stray money; no fee, so not `revenue`. */
  | 'other_income';

/** One side of a movement: a merchant's bucket, or an account of the gateway (`merchantId` null). Signed amount. */
export type Posting = {
  readonly id: Id<'led'>;
  readonly movement_type: MovementType;
  readonly amount: Minor;
} & (
  | { readonly merchantId: MerchantId; readonly bucket: MerchantBucket }
  | { readonly merchantId: null; readonly bucket: GatewayAccount }
);

/** A share of a charge is settled in `parts`, of which the first `settled` are available. */
export type SettlementStage = { readonly parts: number; readonly settled: number };

/** The stage of a whole charge: `settled` parts are available to everybody, more of them to who anticipated some. */
export type ChargeStage = SettlementStage & {
  /** The merchants that are ahead, each with how many of its parts are available; absent where nobody is. */
  readonly anticipated?: readonly Ahead[];
};
type Ahead = { readonly merchantId: MerchantId; readonly parts: number };

/** The stage of one merchant's share. */
export const stageOf = (
  { parts, settled, anticipated }: ChargeStage,
  merchantId: MerchantId,
): SettlementStage => ({
  parts,
  settled: anticipated?.find((ahead) => ahead.merchantId === merchantId)?.parts ?? settled,
});

/** Subject of a movement. */
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
  /** The charge that the movement is about, null for one that is about none. */
  readonly chargeId: string | null;
  /** How far that charge was settled before this movement; null where no figure depends on it. */
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

/** Owners whose balance a journal changes, as the ledger's consumer names them. */
export const ownersOf = ({ postings, livemode }: Journal): string[] => [
  ...new Set(
    postings.flatMap((posting) => (posting.merchantId ? [ownerKey(posting.merchantId, livemode)] : [])),
  ),
];

/** One of those whose balance a journal changes, null where none does. All of them are of one tenant. */
export const merchantOf = ({ postings }: Pick<Journal, 'postings'>): MerchantId | null =>
  postings.find(({ merchantId }) => merchantId !== null)?.merchantId ?? null;

export const ownerKey = (merchantId: MerchantId, livemode: boolean): string =>
  `${merchantId}:${livemode ? 'live' : 'test'}`;
