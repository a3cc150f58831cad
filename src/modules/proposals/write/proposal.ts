import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import type { Decision, Resource } from '../../../kernel/event.ts';
import type { Id, UserId } from '../../../kernel/ids.ts';
import type { OperatorPermission } from '../../../kernel/principal.ts';
import { type SecretStore, secretStore } from '../../../kernel/store.ts';
import type { Sealed } from '../../../platform/secrets.ts';
import { approvalByAuthor, approvalByConcerned, approverTooNew, proposalNotPending } from './refusals.ts';

export const PROPOSAL_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;
export const PROPOSAL_KINDS = [
  'user.create',
  'user.update',
  'user.password_reset',
  'user.second_factor_reset',
  'group.create',
  'group.update',
  'payout.approve',
  'provider_account.create',
  'provider_account.replace',
  'setting.routes',
  'setting.routes_removal',
] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];
/** The permission of each command that may wait: it allows both to propose and to decide. */
export const DECIDERS = [
  'admin.users.update',
  'admin.payout_requests.update',
  'admin.merchants.update',
] as const;

type ProposalEvent = 'proposal.approved' | 'proposal.created' | 'proposal.expired' | 'proposal.rejected';

/** A command of an operator that takes effect once a second operator approves it. */
export type Proposal = Resource & {
  readonly id: Id<'prp'>;
  readonly kind: ProposalKind;
  /** A description for people. */
  readonly summary: string;
  /** The record that would change, or the id under which it would be created. */
  readonly resourceId: string;
  /** The environment of the record; null for a record that both environments share. */
  readonly livemode: boolean | null;
  /** The permission that proposing and deciding take. */
  readonly permission: OperatorPermission;
  /** The user whom the change concerns, who may not approve it. */
  readonly concernedUserId: UserId | null;
  /** JSON of `{before, after}` with the members that would change, but never a secret. */
  readonly change: string;
  /** JSON of the record as the author saw it. An approval is refused where the record differs by then. */
  readonly seen: string;
  readonly status: (typeof PROPOSAL_STATUSES)[number];
  readonly createdBy: UserId;
  readonly decidedBy: UserId | null;
  readonly rejectionReason: string | null;
  readonly decidedAt: Timestamp | null;
  readonly expiresAt: Timestamp;
  readonly createdAt: Timestamp;
};

export const PROPOSALS: SecretStore<Proposal, ProposalEvent> = secretStore('proposals', 'proposal', {
  followsCommand: true,
});

/**
 * Secret of a proposal until its decision: the command as JSON, sealed because it may hold credentials. Passwords are
 * in it as hashes only.
 */
export type ProposalSecret = { readonly sealedCommand: Sealed };

/** The change that a command would make, as the second operator sees it. */
export type Subject = Pick<
  Proposal,
  'summary' | 'resourceId' | 'livemode' | 'concernedUserId' | 'change' | 'seen'
>;

/** A proposal lapses after this many days. */
export const PROPOSAL_DAYS = 7;

export const openProposal = (
  subject: Subject,
  by: Pick<Proposal, 'id' | 'kind' | 'permission' | 'createdBy'>,
  now: Date,
): Decision<Proposal, ProposalEvent> => ({
  type: 'proposal.created',
  data: {
    ...subject,
    ...by,
    version: 0,
    status: 'pending',
    decidedBy: null,
    rejectionReason: null,
    decidedAt: null,
    expiresAt: timestamp(new Date(now.getTime() + PROPOSAL_DAYS * DAY_MS)),
    createdAt: timestamp(now),
  },
});

/**
 * 403 APPROVER_TOO_NEW for an account that is younger than a day, so that nobody creates an account just to approve
 * with it.
 */
export const assertOldEnough = (approver: { readonly since: Timestamp }, now: Date): void => {
  if (approver.since > timestamp(new Date(now.getTime() - DAY_MS))) throw approverTooNew();
};

const assertPending = (proposal: Proposal, now: Date): void => {
  if (proposal.status !== 'pending') throw proposalNotPending(`is ${proposal.status} already`);
  if (hasExpired(proposal, now)) throw proposalNotPending('has expired');
};

export const hasExpired = ({ expiresAt }: Proposal, now: Date): boolean => expiresAt <= timestamp(now);

/**
 * Approves a proposal, which takes a second operator: 403 APPROVAL_BY_AUTHOR, APPROVAL_BY_CONCERNED, APPROVER_TOO_NEW;
 * 422 PROPOSAL_NOT_PENDING.
 */
export const approveProposal = (
  proposal: Proposal,
  approver: { readonly id: UserId; readonly since: Timestamp },
  now: Date,
): Decision<Proposal, ProposalEvent> => {
  if (proposal.createdBy === approver.id) throw approvalByAuthor();
  if (proposal.concernedUserId === approver.id) throw approvalByConcerned();
  assertOldEnough(approver, now);
  assertPending(proposal, now);
  return {
    type: 'proposal.approved',
    data: { ...proposal, status: 'approved', decidedBy: approver.id, decidedAt: timestamp(now) },
  };
};

/** Rejects a proposal. The author may do it as well as any approver, because nothing changes. */
export const rejectProposal = (
  proposal: Proposal,
  by: { readonly userId: UserId; readonly reason: string },
  now: Date,
): Decision<Proposal, ProposalEvent> => {
  assertPending(proposal, now);
  return {
    type: 'proposal.rejected',
    data: {
      ...proposal,
      status: 'rejected',
      decidedBy: by.userId,
      rejectionReason: by.reason,
      decidedAt: timestamp(now),
    },
  };
};

/** Ends a proposal that there is nothing left to decide on, because the record was decided on in another way. */
export const endProposal = (
  proposal: Proposal,
  reason: string,
  now: Date,
): Decision<Proposal, ProposalEvent> => ({
  type: 'proposal.rejected',
  data: {
    ...proposal,
    status: 'rejected',
    rejectionReason: reason,
    decidedAt: timestamp(now),
  },
});

export const expireProposal = (proposal: Proposal): Decision<Proposal, ProposalEvent> => ({
  type: 'proposal.expired',
  data: { ...proposal, status: 'expired' },
});
