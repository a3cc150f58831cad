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

/** A command that may need a second operator. The command is kept as sealed JSON while it waits. */
export type Proposable<C, R> = {
  readonly kind: ProposalKind;
  readonly permission: (typeof DECIDERS)[number];
  /** Whether one of them may wait for a record at a time: 422 PROPOSAL_ALREADY_PENDING for another. */
  readonly isSingle?: boolean;
  /** Refusals of the command, which an approval can answer, too. */
  readonly refusals: readonly Refusal[];
  /** Subject for a second operator, as the transaction sees it; null where none is needed. */
  describe(tx: OwnTransaction, command: C): Promise<Subject | null>;
  /** The command, with all its checks. */
  run(transact: Transact, command: C, context: CommandContext): Promise<R>;
  /** The result as the API answers it; where it comes from an approval it is shown once and kept nowhere. */
  present(result: R): object;
};

/** A command in which the types of one proposable do not show. */
export type AnyProposable = Proposable<unknown, unknown>;

/** Outcome of a command: it is done, or waits for a second operator. */
export type Submitted<R> = { readonly result: R } | { readonly proposal: Proposal };

export type SubmitCommand = <C, R>(
  proposable: Proposable<C, R>,
  command: C,
  context: CommandContext,
) => Promise<Submitted<R>>;

/** Runs a command's own transaction as a part of another one. */
export const within = (tx: OwnTransaction): Transact => {
  const run: Transact['alone'] = (_context, work) => work(tx);
  return Object.assign(run, { alone: run });
};

/** Thrown out of the transaction in which a command was tried, so that the trial leaves nothing. */
class NeedsApproval extends Error {
  readonly subject: Subject;

  constructor(subject: Subject) {
    super('A second operator has to approve');
    this.subject = subject;
  }
}

/**
 * Does a command, or tries it and proposes it: a command that would be refused is refused at once. The first operator
 * is exempt while nobody else could approve.
 */
export const createSubmitCommand = (
  deps: Creating & {
    /** Whether the rule of two people counts. */
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
        const result = await proposable.run(within(tx), command, context);
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
        // Where several are made at once, the second transaction runs again and then finds the first proposal.
        await operators.serialize(tx);
        return { proposal: await tx.record(PROPOSALS, null, decision, secret) };
      });
    }
  };
};
