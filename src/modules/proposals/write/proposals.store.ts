import { type Clock, timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import { type KeyRing, unseal } from '../../../platform/secrets.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import { RESOURCE_ONLY } from '../../../platform/write-store/mongo.ts';
import type { OwnTransaction, Transact, Transaction } from '../../../platform/write-store/transaction.ts';
import {
  endProposal,
  expireProposal,
  hasExpired,
  PROPOSALS,
  type Proposal,
  type ProposalSecret,
} from './proposal.ts';

export const proposalMigrations: readonly Migration[] = [
  collections('200-proposals', { [PROPOSALS.collection]: [{ key: { status: 1 } }] }),
];

/** The command of a pending proposal as JSON; null where it is no longer kept. */
export const createFindCommand =
  ({ db, sealing }: { readonly db: Database; readonly sealing: KeyRing }) =>
  async ({ session }: OwnTransaction, id: string): Promise<string | null> => {
    const found = await db
      .collection<{ _id: string; secret?: Partial<ProposalSecret> & { readonly command?: string } }>(
        PROPOSALS.collection,
      )
      .findOne({ _id: id }, { session, projection: { secret: 1 } });
    const { sealedCommand, command = null } = found?.secret ?? {};
    // Earlier versions did not seal the command. Such proposals are gone a week after the upgrade, because none waits
    // longer.
    return sealedCommand ? unseal(sealing, sealedCommand) : command;
  };

/** The pending proposals about a record, as the transaction sees them where one is given. */
export type FindPending = (resourceId: string, tx?: OwnTransaction) => Promise<readonly Proposal[]>;

export const createFindPending =
  ({ db, clock }: { readonly db: Database; readonly clock: Clock }): FindPending =>
  (resourceId, tx) =>
    db
      .collection(PROPOSALS.collection)
      .find<Proposal>(
        { resourceId, status: 'pending', expiresAt: { $gt: timestamp(clock()) } },
        { projection: RESOURCE_ONLY, ...(tx && { session: tx.session }) },
      )
      .toArray();

/** Ends the pending proposals about a record that was decided on without them. */
export const endProposals = async (
  tx: Transaction,
  pending: readonly Proposal[],
  reason: string,
  now: Date,
): Promise<void> => {
  for (const { id } of pending) {
    const proposal = await tx.get(PROPOSALS, id);
    if (proposal?.status === 'pending')
      await tx.record(PROPOSALS, proposal, endProposal(proposal, reason, now), {});
  }
};

/** Ends proposals that nobody decided on in time, and removes their commands. Two workers may run it at once. */
export const createExpireProposals =
  (deps: { readonly db: Database; readonly transact: Transact }) =>
  async (now: Date): Promise<void> => {
    const pending = await deps.db
      .collection<{ _id: string }>(PROPOSALS.collection)
      .find({ status: 'pending' }, { projection: { _id: 1 } })
      .toArray();
    for (const { _id } of pending)
      await deps.transact(systemContext('proposals'), async (tx) => {
        const proposal = await tx.get(PROPOSALS, _id);
        if (proposal?.status === 'pending' && hasExpired(proposal, now))
          await tx.record(PROPOSALS, proposal, expireProposal(proposal), {});
      });
  };
