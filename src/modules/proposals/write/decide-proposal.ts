import { notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { OperatorPrincipal, Principal } from '../../../kernel/principal.ts';
import type { Changing, OwnTransaction } from '../../../platform/write-store/transaction.ts';
import type { Operators } from './operators.ts';
import { approveProposal, PROPOSALS, type Proposal, rejectProposal } from './proposal.ts';
import { approverNotAllowed, authorNotAllowed, recordChanged } from './refusals.ts';
import { type AnyProposable, transactIn } from './submit-command.ts';

/**
 * Whether an operator may decide on a proposal, which takes the permission of its kind and a token of its environment.
 */
export const mayDecide = (
  principal: Principal,
  { livemode, permission }: Pick<Proposal, 'livemode' | 'permission'>,
): principal is OperatorPrincipal =>
  principal.kind === 'operator' &&
  (livemode === null || livemode === principal.livemode) &&
  principal.permissions.includes(permission);

/**
 * Decides on a proposal; 404 where the caller may not. Of concurrent decisions exactly one counts, and the others get
 * 422.
 */
export type DecideProposal = {
  /**
   * Carries out the command as if it were given now, with the rights of both author and approver. The proposal stays
   * pending where a rule refuses the command, or where the record has changed since (409 VERSION_CHANGED).
   */
  approve(
    command: { readonly principal: Principal; readonly id: string },
    context: CommandContext,
  ): Promise<{ readonly proposal: Proposal; readonly result: object }>;
  reject(
    command: { readonly principal: Principal; readonly id: string; readonly reason: string },
    context: CommandContext,
  ): Promise<Proposal>;
};

export const createDecideProposal = (
  deps: Changing & {
    readonly operators: Operators;
    readonly proposables: readonly AnyProposable[];
    readonly findProposal: (id: string) => Promise<Proposal | null>;
    /** The waiting command as JSON; null where it is no longer kept. */
    readonly findCommand: (tx: OwnTransaction, id: string) => Promise<string | null>;
  },
): DecideProposal => {
  const { transact, operators, clock } = deps;

  const proposableOf = ({ kind }: Proposal): AnyProposable => {
    const found = deps.proposables.find((proposable) => proposable.kind === kind);
    if (!found) throw new Error(`nothing carries out proposals of kind ${kind}`);
    return found;
  };

  const carryOut = async (
    tx: OwnTransaction,
    proposal: Proposal,
    context: CommandContext,
  ): Promise<object> => {
    const author = await operators.find(tx, proposal.createdBy);
    if (!author?.permissions.includes(proposal.permission)) throw authorNotAllowed();
    const json = await deps.findCommand(tx, proposal.id);
    if (json === null) throw new Error(`${proposal.id} is pending without a command`);
    const command: unknown = JSON.parse(json);
    const proposable = proposableOf(proposal);
    const subject = await proposable.describe(tx, command);
    // The author did not see the record as it is now; it may also be gone, or no longer need a second operator.
    if (subject?.seen !== proposal.seen) throw recordChanged();
    return proposable.present(await proposable.run(transactIn(tx), command, context));
  };

  const visible = (principal: Principal, proposal: Proposal | null): Proposal => {
    if (!proposal || !mayDecide(principal, proposal)) throw notFound('Proposal');
    return proposal;
  };

  return {
    async approve({ principal, id }, context) {
      // The author never changes, so it can be read before the transaction, whose audit entries name it.
      const { createdBy } = visible(principal, await deps.findProposal(id));
      const proposed = { ...context, proposedBy: createdBy };
      return transact.alone(proposed, async (tx) => {
        const proposal = visible(principal, await tx.get(PROPOSALS, id));
        const approver = await operators.find(tx, principal.actor.id);
        if (!approver?.permissions.includes(proposal.permission)) throw approverNotAllowed();
        const decision = approveProposal(proposal, approver, clock());
        const result = await carryOut(tx, proposal, proposed);
        // This comes after the command, so that the whole transaction is of the command's tenant.
        await operators.serialize(tx);
        return { proposal: await tx.record(PROPOSALS, proposal, decision, {}), result };
      });
    },
    reject: ({ principal, id, reason }, context) =>
      transact(context, async (tx) => {
        const proposal = visible(principal, await tx.get(PROPOSALS, id));
        if (principal.kind !== 'operator') throw notFound('Proposal');
        const by = { userId: principal.userId, reason };
        return tx.record(PROPOSALS, proposal, rejectProposal(proposal, by, clock()), {});
      }),
  };
};
