import type { Refusal } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { UserId } from '../../../kernel/ids.ts';
import { type KeyRing, seal } from '../../../platform/secrets.ts';
import type { Creating, OwnTransaction, Transact } from '../../../platform/write-store/transaction.ts';
import type { Operators } from './operators.ts';
import {
  type DECIDERS,
  openProposal,
  PROPOSALS,
  type Proposal,
  type ProposalKind,
  type Subject,
} from './proposal.ts';
import type { FindPending } from './proposals.store.ts';
import { proposalAlreadyPending } from './refusals.ts';

/** A command that may need a second operator. While it waits, it is kept as sealed JSON. */
export type Proposable<C, R> = {
  readonly kind: ProposalKind;
  readonly permission: (typeof DECIDERS)[number];
  /** Whether a record may have only one pending proposal of this kind: 422 PROPOSAL_ALREADY_PENDING for another. */
  readonly isSingle?: boolean;
  /** Refusals of the command, which an approval can answer as well. */
  readonly refusals: readonly Refusal[];
  /**
   * The change for the second operator to judge, as the transaction sees it; null where no second operator is needed.
   */
  describe(tx: OwnTransaction, command: C): Promise<Subject | null>;
  /** Runs the command with all its checks. */
  run(transact: Transact, command: C, context: CommandContext): Promise<R>;
  /** The result as the API answers it. The answer to an approval shows it once, and it is kept nowhere. */
  present(result: R): object;
};

/** A proposable whose command and result have any type. */
export type AnyProposable = Proposable<unknown, unknown>;

/** Outcome of a submitted command: it is done, or it waits for a second operator. */
export type Submitted<R> = { readonly result: R } | { readonly proposal: Proposal };

export type SubmitCommand = <C, R>(
  proposable: Proposable<C, R>,
  command: C,
  context: CommandContext,
) => Promise<Submitted<R>>;

/** Lets a command run its own transaction as a part of another one. */
export const transactIn = (tx: OwnTransaction): Transact => {
  const run: Transact['alone'] = (_context, work) => work(tx);
  return Object.assign(run, { alone: run });
};

/** Thrown to roll back the transaction in which a command was tried. */
class NeedsApproval extends Error {
  readonly subject: Subject;

  constructor(subject: Subject) {
    super('A second operator has to approve');
    this.subject = subject;
  }
}

/**
 * Carries out a command, or tries it and proposes it, so that a command that a rule refuses is refused at once. The
 * first operator needs no second one as long as there is nobody who could approve.
 */
export const createSubmitCommand = (
  deps: Creating & {
    /** Whether commands need a second operator at all. */
    readonly isEnabled: boolean;
    readonly operators: Operators;
    readonly sealing: KeyRing;
    readonly findPending: FindPending;
  },
): SubmitCommand => {
  const { transact, operators } = deps;
  return async (proposable, command, context) => {
    if (!deps.isEnabled || context.actor.kind !== 'operator')
      return { result: await proposable.run(transact, command, context) };
    const author = context.actor.id as UserId;
    try {
      return await transact.alone(context, async (tx) => {
        const subject = await proposable.describe(tx, command);
        const isExempt = subject === null || (await operators.isAlone(tx, author));
        const result = await proposable.run(transactIn(tx), command, context);
        if (!isExempt) throw new NeedsApproval(subject);
        if (subject !== null) await operators.serialize(tx);
        return { result };
      });
    } catch (error) {
      if (!(error instanceof NeedsApproval)) throw error;
      const { kind, permission } = proposable;
      const by = { id: deps.newId('prp'), kind, permission, createdBy: author };
      const decision = openProposal(error.subject, by, deps.clock());
      const secret = { sealedCommand: seal(deps.sealing, JSON.stringify(command)) };
      if (!proposable.isSingle)
        return { proposal: await transact(context, (tx) => tx.record(PROPOSALS, null, decision, secret)) };
      return transact.alone(context, async (tx) => {
        const [other] = await deps.findPending(error.subject.resourceId, tx);
        if (other) throw proposalAlreadyPending(other.id);
        // When two are proposed at once, the second transaction runs again and then finds the first proposal.
        await operators.serialize(tx);
        return { proposal: await tx.record(PROPOSALS, null, decision, secret) };
      });
    }
  };
};
