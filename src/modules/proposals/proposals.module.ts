import { createChoreLoop } from '../../platform/loop.ts';
import type { Services } from '../../platform/services.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import { createSealedRenewal } from '../../platform/write-store/renew-sealed.ts';
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

export type ProposalsModule = ReturnType<typeof createProposalsModule>;

const EXPIRE_EVERY_MS = 60_000;

export const createProposalsModule = (
  services: Services,
  given: { readonly operators: Operators; readonly isEnabled: boolean },
) => {
  const proposables: AnyProposable[] = [];
  const findPending = createFindPending(services);
  const deps = {
    ...services,
    ...given,
    findPending,
    findProposal: createFindById(services, PROPOSALS),
    findCommand: createFindCommand(services),
    proposables,
  };
  return {
    findPending,
    assertApprover: createAssertApprover(deps),
    submitCommand: createSubmitCommand(deps),
    /** Called by the modules whose commands may need a second operator. */
    addProposables: (...added: readonly AnyProposable[]): void => void proposables.push(...added),
    contributions: {
      migrations: proposalMigrations,
      views: [PROPOSAL_LIST.view],
      routes: () => [
        ...PROPOSAL_LIST.routes(deps),
        ...proposalRoutes({ ...deps, decideProposal: createDecideProposal(deps) }),
      ],
      renewals: [
        createSealedRenewal(services, { what: 'proposals', from: PROPOSALS, name: 'sealedCommand' }),
      ],
      work: () => ({
        loops: [
          createChoreLoop({
            ...services,
            name: 'proposals',
            everyMs: EXPIRE_EVERY_MS,
            chore: createExpireProposals(services),
          }),
        ],
      }),
    },
  };
};
