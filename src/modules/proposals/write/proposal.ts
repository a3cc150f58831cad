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
/** Permissions of the commands that may wait; each lets operators propose and decide. */
export const DECIDERS = [
  'admin.users.update',
  'admin.payout_requests.update',
  'admin.merchants.update',
] as const;

/** A command of an operator that takes effect once a second operator approves it. */
export type Proposal = Resource & {
  readonly id: Id<'prp'>;
  readonly kind: ProposalKind;
  /** For people. */
  readonly summary: string;
  /** The record that would change, or be made under this id. */
  readonly resourceId: string;
  /** The environment of the record; null for one that exists once for both. */
  readonly livemode: boolean | null;
  /** Needed to propose and to decide. */
  readonly permission: OperatorPermission;
  /** The user that would change, who may not approve. */
  readonly concernedUserId: UserId | null;
  /** JSON of `{before, after}`: the members that would change. Never a secret. */
  readonly change: string;
  /** JSON of the record as the author saw it; an approval of anything else is refused. */
  readonly seen: string;
  readonly status: (typeof PROPOSAL_STATUSES)[number];
  readonly createdBy: UserId;
  readonly decidedBy: UserId | null;
  readonly rejectionReason: string | null;
  readonly decidedAt: Timestamp | null;
  readonly expiresAt: Timestamp;
  readonly createdAt: Timestamp;
};

export const PROPOSALS: SecretStore<Proposal> = secretStore('proposals', 'proposal', {
  followsCommand: true,
});

/**
 * Secret of a proposal until its decision: the command as sealed JSON, because it may hold credentials; a password as
 * its hash only.
 */
export type ProposalSecret = { readonly sealedCommand: Sealed };

/** Change that a command would make, for the second operator. */
export type Subject = Pick<
  Proposal,
  'summary' | 'resourceId' | 'livemode' | 'concernedUserId' | 'change' | 'seen'
>;

/** Nobody decides on a proposal that is older. */
export const PROPOSAL_DAYS = 7;

export const openProposal = (
  subject: Subject,
  by: Pick<Proposal, 'id' | 'kind' | 'permission' | 'createdBy'>,
  now: Date,
): Decision<Proposal> => ({
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

/** 403 APPROVER_TOO_NEW: nobody makes an account and approves with it on the same day. */
export const assertOldEnough = (approver: { readonly since: Timestamp }, now: Date): void => {
  if (approver.since > timestamp(new Date(now.getTime() - DAY_MS))) throw approverTooNew();
};

const assertPending = (proposal: Proposal, now: Date): void => {
  if (proposal.status !== 'pending') throw proposalNotPending(`is ${proposal.status} already`);
  if (hasExpired(proposal, now)) throw proposalNotPending('has expired');
};

export const hasExpired = ({ expiresAt }: Proposal, now: Date): boolean => expiresAt <= timestamp(now);

/**
 * Needs a second operator: 403 APPROVAL_BY_AUTHOR, APPROVAL_BY_CONCERNED, APPROVER_TOO_NEW; 422 PROPOSAL_NOT_PENDING.
 */
export const approveProposal = (
  proposal: Proposal,
  approver: { readonly id: UserId; readonly since: Timestamp },
  now: Date,
): Decision<Proposal> => {
  if (proposal.createdBy === approver.id) throw approvalByAuthor();
  if (proposal.concernedUserId === approver.id) throw approvalByConcerned();
  assertOldEnough(approver, now);
  assertPending(proposal, now);
  return {
    type: 'proposal.approved',
    data: { ...proposal, status: 'approved', decidedBy: approver.id, decidedAt: timestamp(now) },
  };
};

/** Anybody who may decide may do it, its author included: nothing changes. */
export const rejectProposal = (
  proposal: Proposal,
  by: { readonly userId: UserId; readonly reason: string },
  now: Date,
): Decision<Proposal> => {
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

/** Nothing is left to decide on, because the record was decided on otherwise. */
export const endProposal = (proposal: Proposal, reason: string, now: Date): Decision<Proposal> => ({
  type: 'proposal.rejected',
  data: {
    ...proposal,
    status: 'rejected',
    rejectionReason: reason,
    decidedAt: timestamp(now),
  },
});

export const expireProposal = (proposal: Proposal): Decision<Proposal> => ({
  type: 'proposal.expired',
  data: { ...proposal, status: 'expired' },
});
