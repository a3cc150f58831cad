import type { Reply } from '../../platform/http/route.ts';
import { dateTime, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { anyObject, boolean, object, string } from '../../platform/http/typed.ts';
import { presentProposal } from './read/proposal.view.ts';
import { PROPOSAL_DAYS, PROPOSAL_KINDS, PROPOSAL_STATUSES } from './write/proposal.ts';
import type { Proposable, Submitted } from './write/submit-command.ts';

export const TAG = 'Proposals (administration)';

const userId = resourceId('usr');
const members = anyObject().unknown().label('ProposedMembers');

const proposalFields = {
  id: resourceId('prp').required(),
  kind: oneOf(PROPOSAL_KINDS).description('The proposed command.'),
  summary: string().required().description('Effect of the command, in words.'),
  resourceId: string().required().description('Id of the record that would be changed or created.'),
  livemode: boolean()
    .allow(null)
    .required()
    .description('Null for a record that exists once for both environments.'),
  change: object({
    before: members
      .allow(null)
      .required()
      .description('The present values of the members that would change; null if the record would be new.'),
    after: members.required().description('The new values of these members. Secrets are left out.'),
  })
    .required()
    .description('The change on which a second operator decides, with amounts in minor units.'),
  status: oneOf(PROPOSAL_STATUSES).description(
    `A proposal is \`pending\` for ${PROPOSAL_DAYS} days at most. It is carried out when it is \`approved\`, and not before.`,
  ),
  createdBy: userId.required().description('The operator who gave the command, and who may not approve it.'),
  decidedBy: userId.allow(null).required().description('The operator who decided; null before.'),
  rejectionReason: string()
    .allow(null)
    .required()
    .description('Reason of the rejection; null unless the proposal was rejected.'),
  decidedAt: dateTime().allow(null).required().description('When it was decided; null before.'),
  expiresAt: dateTime()
    .required()
    .description('When the proposal expires; from then on nobody can decide on it.'),
  createdAt: dateTime().required(),
};

export const proposalAnswer = object(proposalFields).label('Proposal');

export const approvedProposalAnswer = object({
  ...proposalFields,
  result: members
    .required()
    .description('The answer of the command. If it has a secret, no other answer shows this secret.'),
}).label('ApprovedProposal');

/** The answer of a command that waits for a second operator, besides the answer of one that is done. */
export const PROPOSED = {
  202: {
    description:
      'With `TWO_PERSON_RULE` the answer is a proposal: nothing has changed yet, because a second operator has to approve it.',
    schema: proposalAnswer,
  },
} as const;

/** Answers a command: `status` with its result where it is done, or 202 with the proposal. */
export const replyTo = <C, R>(
  submitted: Submitted<R>,
  { present }: Pick<Proposable<C, R>, 'present'>,
  status: 200 | 201 = 200,
): Reply =>
  'proposal' in submitted
    ? { status: 202, body: presentProposal(submitted.proposal) }
    : { status, body: present(submitted.result) };
