import Joi from 'joi';
import type { Reply } from '../../platform/http/route.ts';
import { dateTime, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { presentProposal } from './read/proposal.view.ts';
import { PROPOSAL_DAYS, PROPOSAL_KINDS, PROPOSAL_STATUSES } from './write/proposal.ts';
import type { Proposable, Submitted } from './write/submit-command.ts';

export const TAG = 'Proposals (administration)';

const userId = resourceId('usr');
const members = Joi.object().unknown().label('ProposedMembers');

const proposalFields = {
  id: resourceId('prp').required(),
  kind: oneOf(PROPOSAL_KINDS).description('The command that waits.'),
  summary: Joi.string().required().description('Effect of the command, in words.'),
  resourceId: Joi.string().required().description('The record that would change, or be made under this id.'),
  livemode: Joi.boolean()
    .allow(null)
    .required()
    .description('Null for what exists once for both environments.'),
  change: Joi.object({
    before: members
      .allow(null)
      .required()
      .description('The members that would change, as they were; null where the record is new.'),
    after: members.required().description('The same members as they would become. Never a secret.'),
  })
    .required()
    .description('Change that a second operator decides on; amounts in minor units.'),
  status: oneOf(PROPOSAL_STATUSES).description(
    `Pending for ${PROPOSAL_DAYS} days at most. Carried out once it is \`approved\`, and only then.`,
  ),
  createdBy: userId.required().description('The operator who gave the command, and may not approve it.'),
  decidedBy: userId.allow(null).required().description('The operator who decided; null before.'),
  rejectionReason: Joi.string().allow(null).required().description('Null unless it was rejected.'),
  decidedAt: dateTime().allow(null).required().description('When it was decided; null before.'),
  expiresAt: dateTime().required().description('Nobody can decide from then on.'),
  createdAt: dateTime().required(),
};

export const proposalAnswer = Joi.object(proposalFields).label('Proposal');

export const approvedProposalAnswer = Joi.object({
  ...proposalFields,
  result: members.required().description("The command's own answer. A secret in it is shown this once."),
}).label('ApprovedProposal');

/** The answer of a command that may need a second operator, besides the one that says it is done. */
export const PROPOSED = {
  202: {
    description: 'With `TWO_PERSON_RULE`. Nothing has changed yet, because a second operator has to approve.',
    schema: proposalAnswer,
  },
} as const;

/** Answers what became of a command: `status` with its result, or 202 with the proposal. */
export const replyTo = <C, R>(
  submitted: Submitted<R>,
  { present }: Pick<Proposable<C, R>, 'present'>,
  status: 200 | 201 = 200,
): Reply =>
  'proposal' in submitted
    ? { status: 202, body: presentProposal(submitted.proposal) }
    : { status, body: present(submitted.result) };
