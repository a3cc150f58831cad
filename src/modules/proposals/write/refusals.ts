import { refusal } from '../../../kernel/errors.ts';

export const approvalByAuthor = refusal(403, 'APPROVAL_BY_AUTHOR', 'The author may not approve');

export const approvalByConcerned = refusal(
  403,
  'APPROVAL_BY_CONCERNED',
  'The user whom the proposal concerns may not approve it',
);

export const approverNotAllowed = refusal(
  403,
  'APPROVER_NOT_ALLOWED',
  'The approver lost the permission meanwhile',
);

export const approverTooNew = refusal(
  403,
  'APPROVER_TOO_NEW',
  'The account of the approver is younger than a day',
);

export const authorNotAllowed = refusal(
  422,
  'AUTHOR_NOT_ALLOWED',
  'The author of the proposal may not do this any more',
);

export const proposalNotPending = refusal(
  422,
  'PROPOSAL_NOT_PENDING',
  'The proposal is decided or has expired',
  (state: string) => ({ message: `The proposal ${state}` }),
);

export const recordChanged = refusal(
  409,
  'VERSION_CHANGED',
  'The record has changed since this was proposed',
);
