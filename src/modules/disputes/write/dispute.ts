import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { changed, created, type Decision, type MerchantRecord } from '../../../kernel/event.ts';
import type { ChargeId, Id, MerchantId } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { type Charge, grossOf } from '../../charges/write/charge.ts';
import type { DocumentId } from '../../documents/write/kept-document.ts';
import type { AlertFee } from '../../merchants/write/setting.ts';
import { disputeNotOpen, evidenceMissing } from './refusals.ts';

/** How a dispute began: the acquirer announced a chargeback, or took the money back without notice. */
export const DISPUTE_KINDS = ['alert', 'chargeback'] as const;
type DisputeKind = (typeof DISPUTE_KINDS)[number];

/**
 * `announced`: no chargeback has come yet; `open`: the acquirer has taken the money, and evidence may bring it back;
 * `under_review`: the evidence was submitted; `won` and `lost`: the acquirer has decided.
 */
export const DISPUTE_STATES = ['announced', 'open', 'under_review', 'won', 'lost'] as const;
type DisputeState = (typeof DISPUTE_STATES)[number];

/** Decisions of the acquirer. */
export const DISPUTE_OUTCOMES = ['won', 'lost'] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

/** States in which the acquirer has not decided on a chargeback yet. */
const UNDECIDED: readonly DisputeState[] = ['open', 'under_review'];

export type DisputeId = Id<'dsp'>;

/** Kinds of evidence. As card schemes require, a dispute has one document of each at most. */
export const EVIDENCE_TYPES = [
  'receipt',
  'shipping_documentation',
  'service_documentation',
  'customer_communication',
  'customer_signature',
  'refund_policy',
  'cancellation_policy',
  'duplicate_charge_documentation',
  'other',
] as const;
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/**
 * The delivery of submitted evidence: `delivered` to the provider, `refused` by it, or left to an operator because the
 * provider accepts none.
 */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'refused', 'by_operator'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type DisputeEvent =
  | 'dispute.announced'
  | 'dispute.evidence_attached'
  | 'dispute.evidence_delivered'
  | 'dispute.evidence_submitted'
  | 'dispute.lost'
  | 'dispute.opened'
  | 'dispute.won';

/** The payer's objection to a charge, from its announcement to the acquirer's decision. A charge has one at most. */
export type Dispute = MerchantRecord & {
  readonly id: DisputeId;
  readonly masterId: MerchantId | null;
  readonly chargeId: ChargeId;
  readonly kind: DisputeKind;
  readonly state: DisputeState;
  /** The whole amount of the charge. */
  readonly amount: Minor;
  readonly currency: string;
  /** The fee of the alert, in a currency of its own; null without an alert. */
  readonly fee: AlertFee | null;
  /** The current documents, without those that were replaced. */
  readonly evidence: readonly { readonly type: EvidenceType; readonly documentId: DocumentId }[];
  /** Null until the evidence is submitted; `reason` tells why the provider refused it. */
  readonly delivery: { readonly status: DeliveryStatus; readonly reason: string | null } | null;
  /** When the acquirer decided; null before. */
  readonly closedAt: Timestamp | null;
  /** When to hand the evidence to the provider; null where there is nothing to hand over. */
  readonly reconcileAt: Timestamp | null;
};

/** The id of a charge's dispute, which is derived from the charge's, so that a charge never gets a second one. */
export const disputeIdOf = (chargeId: string): DisputeId => `dsp_${chargeId.replace(/^chg_/, '')}`;

type DisputedCharge = Pick<
  Charge,
  'id' | 'merchantId' | 'masterId' | 'livemode' | 'amount' | 'paidAmount' | 'currency'
>;

/** The members of a new dispute, before its version and times are set. */
export const disputeOf = (
  charge: DisputedCharge,
  facts: Pick<Dispute, 'kind' | 'state' | 'fee'>,
): Omit<Dispute, 'version' | 'createdAt' | 'updatedAt'> => ({
  id: disputeIdOf(charge.id),
  merchantId: charge.merchantId,
  masterId: charge.masterId,
  livemode: charge.livemode,
  chargeId: charge.id,
  amount: grossOf(charge),
  currency: charge.currency,
  ...facts,
  evidence: [],
  delivery: null,
  closedAt: null,
  reconcileAt: null,
});

/** Opens a dispute because an alert was registered. */
export const announceDispute = (charge: Charge, fee: AlertFee, now: Date): Decision<Dispute, DisputeEvent> =>
  created(
    'dispute.announced',
    now,
    disputeOf(charge, {
      kind: 'alert',
      state: 'announced',
      fee: { amount: fee.amount, currency: fee.currency },
    }),
  );

/** Opens a dispute, or moves an announced one on, because the acquirer took the money back. */
export const openDispute = (
  charge: Charge,
  announced: Dispute | null,
  now: Date,
): Decision<Dispute, DisputeEvent> =>
  announced
    ? changed('dispute.opened', announced, now, { state: 'open' })
    : created('dispute.opened', now, disputeOf(charge, { kind: 'chargeback', state: 'open', fee: null }));

/** 422 DISPUTE_NOT_OPEN once the evidence was submitted or the acquirer has decided. */
export const assertTakesEvidence = ({ state }: Pick<Dispute, 'state'>): void => {
  if (state !== 'announced' && state !== 'open') throw disputeNotOpen(state);
};

/** Attaches a document, which replaces an earlier one of its type. 422 DISPUTE_NOT_OPEN. */
export const attachEvidence = (
  dispute: Dispute,
  added: Dispute['evidence'][number],
  now: Date,
): Decision<Dispute, DisputeEvent> => {
  assertTakesEvidence(dispute);
  const others = dispute.evidence.filter(({ type }) => type !== added.type);
  return changed('dispute.evidence_attached', dispute, now, { evidence: [...others, added] });
};

/** Submits the evidence, after which none can be added. 422 DISPUTE_NOT_OPEN, EVIDENCE_MISSING where there is none. */
export const submitEvidence = (dispute: Dispute, now: Date): Decision<Dispute, DisputeEvent> => {
  if (dispute.state !== 'open') throw disputeNotOpen(dispute.state);
  if (dispute.evidence.length === 0) throw evidenceMissing();
  return changed('dispute.evidence_submitted', dispute, now, {
    state: 'under_review',
    delivery: { status: 'pending', reason: null },
    reconcileAt: timestamp(now),
  });
};

/** Records what happened to the submitted evidence; null where that is recorded already. */
export const recordDelivery = (
  dispute: Dispute,
  delivery: NonNullable<Dispute['delivery']>,
  now: Date,
): Decision<Dispute, DisputeEvent> | null =>
  dispute.delivery?.status === 'pending'
    ? changed('dispute.evidence_delivered', dispute, now, { delivery, reconcileAt: null })
    : null;

/** Records the acquirer's decision for an operator. 422 DISPUTE_NOT_OPEN unless a decision is pending. */
export const closeDispute = (
  dispute: Dispute,
  outcome: DisputeOutcome,
  now: Date,
): Decision<Dispute, DisputeEvent> => {
  if (!UNDECIDED.includes(dispute.state)) throw disputeNotOpen(dispute.state);
  return decide(dispute, outcome, now);
};

/** Records the decision that the provider reports; null where it changes nothing. A lost dispute may still be won. */
export const applyOutcome = (
  dispute: Dispute,
  outcome: DisputeOutcome,
  now: Date,
): Decision<Dispute, DisputeEvent> | null => {
  const mayFollow = UNDECIDED.includes(dispute.state) || (dispute.state === 'lost' && outcome === 'won');
  return mayFollow ? decide(dispute, outcome, now) : null;
};

const decide = (dispute: Dispute, outcome: DisputeOutcome, now: Date): Decision<Dispute, DisputeEvent> =>
  changed(`dispute.${outcome}`, dispute, now, { state: outcome, closedAt: timestamp(now) });
