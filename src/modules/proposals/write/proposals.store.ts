import type { Db } from 'mongodb';
import { systemContext } from '../../../kernel/event.ts';
import { type KeyRing, unseal } from '../../../platform/secrets.ts';
import { collections, type Migration } from '../../../platform/write-store/migrate.ts';
import type { OwnTransaction, Transact } from '../../../platform/write-store/transaction.ts';
import { expireProposal, hasExpired, PROPOSALS, type ProposalSecret } from './proposal.ts';

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
