import {
  choreLoop,
  defineModule,
  findById,
  sealedRenewal,
  services,
} from '../../platform/platform.module.ts';
import { all, member, provide, provideEach, token } from '../../platform/wiring.ts';
import { proposalRoutes } from './proposals.http.ts';
import { PROPOSAL_LIST } from './read/list-proposals.ts';
import { createAssertApprover } from './write/assert-approver.ts';
import { createDecideProposal } from './write/decide-proposal.ts';
import type { Operators } from './write/operators.ts';
import { PROPOSALS } from './write/proposal.ts';
import {
  createExpireProposals,
  createFindCommand,
  createFindPending,
  proposalMigrations,
} from './write/proposals.store.ts';
import { type AnyProposable, createSubmitCommand } from './write/submit-command.ts';

type TwoPersonOptions = {
  readonly isEnabled: boolean;
  /** Payouts above so many cents need a second operator. */
  readonly payoutAboveCents: number;
};

export const twoPersonOptions = token<TwoPersonOptions>('twoPersonOptions');
/** Implemented by the module of identity. */
export const operators = token<Operators>('operators');
/** Commands that may need a second operator, contributed by the modules that they belong to. */
export const proposables = token<AnyProposable>('proposables');
export const findPending = provide(createFindPending, services);
const scope = { ...services, operators, findPending, isEnabled: member(twoPersonOptions, 'isEnabled') };
export const { assertApprover, submitCommand } = provideEach(scope, {
  createAssertApprover,
  createSubmitCommand,
});

const findProposal = findById(PROPOSALS);
const findCommand = provide(createFindCommand, services);
const deciding = { ...scope, findProposal, findCommand, proposables: all(proposables) };
const EXPIRE_EVERY_MS = 60_000;

export const proposalsModule = defineModule(provideEach(deciding, { createDecideProposal }), {
  migrations: [proposalMigrations],
  lists: [PROPOSAL_LIST],
  routes: [proposalRoutes],
  renewals: [sealedRenewal('proposals', PROPOSALS, 'sealedCommand')],
  loops: [choreLoop('proposals', EXPIRE_EVERY_MS, provide(createExpireProposals, services))],
});
