import { ContainerModule, type ServiceIdentifier } from 'inversify';
import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { createLoop } from '../../platform/loop.ts';
import {
  BACKGROUND,
  CLOCK,
  DB,
  LOGGER,
  MIGRATIONS,
  READ_VIEW,
  ROUTES,
  TRANSACT,
  VIEW,
} from '../../platform/platform.module.ts';
import type { ReadView } from '../../platform/read-store/read-view.ts';
import { readResource } from '../../platform/write-store/mongo.ts';
import type { Transact } from '../../platform/write-store/transact.ts';
import { proposalRoutes } from './proposals.http.ts';
import { createListProposals } from './read/list-proposals.ts';
import { PROPOSALS_VIEW } from './read/proposal.view.ts';
import { createDecideProposal } from './write/decide-proposal.ts';
import type { Operators } from './write/operators.ts';
import { PROPOSALS } from './write/proposal.ts';
import { createExpireProposals, createFindCommand, proposalMigrations } from './write/proposals.store.ts';
import { type AnyProposable, createSubmitCommand, type SubmitCommand } from './write/submit-command.ts';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(name);

export type TwoPersonOptions = {
  readonly isEnabled: boolean;
  /** Payouts above so many cents need a second operator. */
  readonly payoutAboveCents: number;
};

export const TWO_PERSON_OPTIONS = token<TwoPersonOptions>('TwoPersonOptions');
export const OPERATORS = token<Operators>('Operators');
export const SUBMIT_COMMAND = token<SubmitCommand>('SubmitCommand');
/** A command that may need a second operator: bound by the module that it belongs to. */
export const PROPOSABLE = token<AnyProposable>('Proposable');

const CHORE = 'proposals';
const EXPIRE_EVERY_MS = 60_000;

export const proposalsModule = new ContainerModule(({ bind }) => {
  bind(MIGRATIONS).toConstantValue(proposalMigrations);
  bind(VIEW).toConstantValue(PROPOSALS_VIEW);
  bind(SUBMIT_COMMAND).toResolvedValue(
    (transact, { isEnabled }, operators, clock) =>
      createSubmitCommand({ transact, isEnabled, operators, clock, newId }),
    [TRANSACT, TWO_PERSON_OPTIONS, OPERATORS, CLOCK],
  );
  bind(ROUTES).toResolvedValue(
    (
      db: Db,
      transact: Transact,
      clock: Clock,
      readView: ReadView,
      operators: Operators,
      proposables: AnyProposable[],
    ) => {
      const findProposal = (id: string) => readResource(db, PROPOSALS, id);
      return proposalRoutes({
        decide: createDecideProposal({
          transact,
          findProposal,
          operators,
          proposables,
          findCommand: createFindCommand(db),
          clock,
        }),
        findProposal,
        listProposals: createListProposals(readView),
        permissions: [...new Set(proposables.map(({ permission }) => permission))],
      });
    },
    [DB, TRANSACT, CLOCK, READ_VIEW, OPERATORS, { serviceIdentifier: PROPOSABLE, isMultiple: true }],
  );
  bind(BACKGROUND).toResolvedValue(
    (db, transact, clock, logger) => {
      const expire = createExpireProposals({ db, transact });
      return ({ owns }) =>
        createLoop({
          name: CHORE,
          everyMs: EXPIRE_EVERY_MS,
          logger,
          round: async () => {
            if (owns(CHORE)) await expire(clock());
            return false;
          },
        });
    },
    [DB, TRANSACT, CLOCK, LOGGER],
  );
});
