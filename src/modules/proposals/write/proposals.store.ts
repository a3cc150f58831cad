import type { Db } from 'mongodb';
import { type Clock, timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import { type KeyRing, unseal } from '../../../platform/secrets.ts';
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

/** The command of a proposal that waits, as JSON; null where there is none any more. */
export const createFindCommand =
  ({ db, sealing }: { readonly db: Db; readonly sealing: KeyRing }) =>
  async ({ session }: OwnTransaction, id: string): Promise<string | null> => {
    const found = await db
      .collection<{ _id: string; secret?: Partial<ProposalSecret> & { readonly command?: string } }>(
        PROPOSALS.collection,
      )
      .findOne({ _id: id }, { session, projection: { secret: 1 } });
    const { sealedCommand, command = null } = found?.secret ?? {};
    // Earlier versions did not seal it; no proposal waits for more than a week.
    return sealedCommand ? unseal(sealing, sealedCommand) : command;
  };

/** The proposals about a record that wait for a decision; as a transaction sees them where one is given. */
export type FindPending = (resourceId: string, tx?: OwnTransaction) => Promise<readonly Proposal[]>;

export const createFindPending =
  ({ db, clock }: { readonly db: Db; readonly clock: Clock }): FindPending =>
  (resourceId, tx) =>
    db
      .collection(PROPOSALS.collection)
      .find<Proposal>(
        { resourceId, status: 'pending', expiresAt: { $gt: timestamp(clock()) } },
        { projection: RESOURCE_ONLY, ...(tx && { session: tx.session }) },
      )
      .toArray();

/** Ends those that still wait because the record has been decided on without them. */
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

/** Ends proposals that nobody decided on in time, and removes their commands. Two workers may do so at once. */
export const createExpireProposals =
  (deps: { readonly db: Db; readonly transact: Transact }) =>
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
