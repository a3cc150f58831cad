import { timestamp } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import { daysAfter, daysBefore, type Removal } from '../../../platform/retention.ts';
import type { OwnTransaction, Transact } from '../../../platform/write-store/transaction.ts';
import type { DocumentFiles } from '../../documents/write/document-files.store.ts';
import { type DocumentId, removeContent } from '../../documents/write/kept-document.ts';
import { disputeIdOf } from './dispute.ts';
import { DISPUTES, type FindEvidenceOf, type FindUnchangedOfTest } from './disputes.store.ts';
import { DISPUTE_DOCUMENTS, eraseEvidence, isEvidenceExpired } from './evidence.ts';

/** Removes the contents of evidence of disputes that were decided long ago, and files that no document refers to. */
export const createEvidenceRemoval = (deps: {
  readonly transact: Transact;
  readonly files: Pick<DocumentFiles, 'present' | 'letGo' | 'deleteUnnamed'>;
  readonly findUnchangedOfTest: FindUnchangedOfTest;
  readonly days: number | null;
}): Removal => {
  const removeOne = async (tx: OwnTransaction, id: DocumentId, now: Date, before: Date): Promise<number> => {
    const document = await tx.get(DISPUTE_DOCUMENTS, id);
    const dispute = document && (await tx.get(DISPUTES, document.disputeId));
    // Another worker may have been first.
    if (!dispute || !isEvidenceExpired(document, dispute, before)) return 0;
    await tx.record(DISPUTE_DOCUMENTS, document, removeContent(DISPUTE_DOCUMENTS, document, now));
    await deps.files.letGo(tx, document, dispute.id);
    return 1;
  };
  return {
    what: 'files of evidence',
    async run(now, signal, livemode) {
      let removed = 0;
      if (deps.days !== null) {
        const before = daysBefore(now, deps.days);
        for await (const batch of deps.files.present(signal))
          for (const { id, createdAt, livemode: own } of batch)
            if (new Date(createdAt) < before && (livemode === null || livemode === (own ?? true)))
              removed += await deps.transact.alone(systemContext('retention'), (tx) =>
                removeOne(tx, id, now, before),
              );
      }
      // Files have the real time, so that those of test documents go within a day.
      return livemode === false ? removed : deps.files.deleteUnnamed(now, signal);
    },
    ofTest: {
      async next(since) {
        const { days } = deps;
        if (days === null) return null;
        const from = timestamp(daysBefore(since, days));
        const [first] = (await deps.findUnchangedOfTest()).filter((at) => at >= from).sort();
        return first ? daysAfter(first, days) : null;
      },
      keepsUnread: false,
    },
  };
};

/** Removes the evidence about a charge whose payer is erased; returns the ids of all its documents. */
export type EraseEvidenceOf = (
  tx: OwnTransaction,
  chargeId: string,
  now: Date,
) => Promise<readonly DocumentId[]>;

export const createEraseEvidenceOf =
  (deps: {
    readonly findEvidenceOf: FindEvidenceOf;
    readonly files: Pick<DocumentFiles, 'letGo'>;
  }): EraseEvidenceOf =>
  async (tx, chargeId, now) => {
    const disputeId = disputeIdOf(chargeId);
    const ids = await deps.findEvidenceOf(disputeId);
    for (const id of ids) {
      const document = await tx.get(DISPUTE_DOCUMENTS, id);
      if (!document) continue;
      await tx.record(DISPUTE_DOCUMENTS, document, eraseEvidence(document, now));
      if (document.removedAt === null) await deps.files.letGo(tx, document, disputeId);
    }
    return ids;
  };
