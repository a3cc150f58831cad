import type { Clock } from '../../../kernel/clock.ts';
import { systemContext } from '../../../kernel/event.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createLoop, type Loop } from '../../../platform/loop.ts';
import type { Scan } from '../../../platform/outbound/clamd.ts';
import { createReconciler } from '../../../platform/reconcile.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import type { Membership } from '../../../platform/write-store/workers.ts';
import { type DocumentId, recordScan, SUBMERCHANT_DOCUMENTS } from './document.ts';
import type { DocumentFiles } from './documents.store.ts';

const EVERY_MS = 1_000;

/** Has the scanner look at each document that it has not seen, and records its verdict. */
export const startScanning = (deps: {
  readonly scan: Scan;
  readonly files: Pick<DocumentFiles, 'notScanned' | 'open'>;
  readonly transact: Transact;
  readonly owns: Membership['owns'];
  readonly clock: Clock;
  readonly logger: Logger;
}): Loop => {
  const scanOne = async (id: DocumentId): Promise<void> => {
    const content = await deps.files.open(id);
    if (!content) return;
    const { signature } = await deps.scan(content);
    await deps.transact(systemContext('scanner'), async (tx) => {
      const document = await tx.get(SUBMERCHANT_DOCUMENTS, id);
      const scanned = document && recordScan(document, signature, deps.clock());
      if (scanned) await tx.record(SUBMERCHANT_DOCUMENTS, document, scanned);
    });
  };
  return createLoop({
    name: 'scan documents',
    everyMs: EVERY_MS,
    logger: deps.logger,
    round: createReconciler({
      findDue: (_now, limit) => deps.files.notScanned(limit),
      settle: ({ id }) => scanOne(id),
      owns: deps.owns,
      clock: deps.clock,
      logger: deps.logger,
    }),
  });
};
