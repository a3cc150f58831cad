import { conflict, forbidden, refusal } from '../../../kernel/errors.ts';

export const approvalByAuthor = forbidden('APPROVAL_BY_AUTHOR', 'The author may not approve');

export const approvalByConcerned = forbidden(
  'APPROVAL_BY_CONCERNED',
  'The user whom the proposal concerns may not approve it',
);

export const approverNotAllowed = forbidden(
  'APPROVER_NOT_ALLOWED',
  'The approver lost the permission meanwhile',
);

export const approverTooNew = forbidden(
  'APPROVER_TOO_NEW',
  'The account of the approver is younger than a day',
);

export const authorNotAllowed = refusal(
  'AUTHOR_NOT_ALLOWED',
  'The author of the proposal may not do this any more',
);

export const proposalNotPending = refusal(
  'PROPOSAL_NOT_PENDING',
  'The proposal is decided or has expired',
  (state: string) => `The proposal ${state}`,
);

export const proposalAlreadyPending = refusal(
  'PROPOSAL_ALREADY_PENDING',
  'This command already waits for a second operator',
  (id: string) => `Proposal ${id} of the same command waits for a second operator already`,
);

export const recordChanged = conflict('VERSION_CHANGED', 'The record has changed since this was proposed');
