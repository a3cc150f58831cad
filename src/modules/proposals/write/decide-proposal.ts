import { notFound } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { OperatorPrincipal, Principal } from '../../../kernel/principal.ts';
import type { Changing, OwnTransaction } from '../../../platform/write-store/transaction.ts';
import type { Operators } from './operators.ts';
import { approveProposal, PROPOSALS, type Proposal, rejectProposal } from './proposal.ts';
import { approverNotAllowed, authorNotAllowed, recordChanged } from './refusals.ts';
import { type AnyProposable, within } from './submit-command.ts';

/** An operator who may decide on a proposal: in the environment of the token, with the permission of its kind. */
export const mayDecide = (
  principal: Principal,
  { livemode, permission }: Pick<Proposal, 'livemode' | 'permission'>,
): principal is OperatorPrincipal =>
  principal.kind === 'operator' &&
  (livemode === null || livemode === principal.livemode) &&
  principal.permissions.includes(permission);

/** 404 where the caller may not decide on it. Of concurrent decisions exactly one counts, the others get 422. */
export type DecideProposal = {
  /**
   * Carries the command out as if it were given now, with the rights of author and approver. The proposal stays pending
   * where a rule refuses it, or the record has changed since (409 VERSION_CHANGED).
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
    /** The command that waits, as JSON; null where there is none any more. */
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
    // A record that is gone, or needs no second operator any more, is not what the author saw either.
    if (subject?.seen !== proposal.seen) throw recordChanged();
    return proposable.present(await proposable.run(within(tx), command, context));
  };

  const visible = (principal: Principal, proposal: Proposal | null): Proposal => {
    if (!proposal || !mayDecide(principal, proposal)) throw notFound('Proposal');
    return proposal;
  };

  return {
    async approve({ principal, id }, context) {
      // Known before the transaction, whose audit entries name the author; it never changes.
      const { createdBy } = visible(principal, await deps.findProposal(id));
      const proposed = { ...context, proposedBy: createdBy };
      return transact.alone(proposed, async (tx) => {
        const proposal = visible(principal, await tx.get(PROPOSALS, id));
        const approver = await operators.find(tx, principal.actor.id);
        if (!approver?.permissions.includes(proposal.permission)) throw approverNotAllowed();
        const decision = approveProposal(proposal, approver, clock());
        const result = await carryOut(tx, proposal, proposed);
        // After the command, so that all of the transaction is of its tenant.
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
