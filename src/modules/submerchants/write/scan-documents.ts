import { systemContext } from '../../../kernel/event.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createLoop, IDLE, type StartLoop } from '../../../platform/loop.ts';
import type { Scan } from '../../../platform/outbound/clamd.ts';
import { createReconciler } from '../../../platform/reconcile.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import { type DocumentId, recordScan, SUBMERCHANT_DOCUMENTS } from './document.ts';
import type { DocumentFiles } from './documents.store.ts';

const EVERY_MS = 1_000;

/** Has the scanner look at each document that it has not seen, and records its verdict; idle without a scanner. */
export const createScanLoop = (
  deps: Changing & {
    readonly scan: Scan | null;
    readonly files: Pick<DocumentFiles, 'notScanned' | 'open'>;
    readonly logger: Logger;
  },
): StartLoop => {
  const { scan } = deps;
  if (!scan) return () => IDLE;
  const scanOne = async (id: DocumentId): Promise<void> => {
    const content = await deps.files.open(id);
    if (!content) return;
    const { signature } = await scan(content);
    await deps.transact(systemContext('scanner'), async (tx) => {
      const document = await tx.get(SUBMERCHANT_DOCUMENTS, id);
      const scanned = document && recordScan(document, signature, deps.clock());
      if (scanned) await tx.record(SUBMERCHANT_DOCUMENTS, document, scanned);
    });
  };
  return ({ owns }) =>
    createLoop({
      name: 'scan documents',
      everyMs: EVERY_MS,
      logger: deps.logger,
      round: createReconciler({
        findDue: (_now, limit) => deps.files.notScanned(limit),
        reconcile: ({ id }) => scanOne(id),
        owns,
        clock: deps.clock,
        logger: deps.logger,
      }),
    });
};
