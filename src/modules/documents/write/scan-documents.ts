import { systemContext } from '../../../kernel/event.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createLoop, IDLE, type StartLoop } from '../../../platform/loop.ts';
import type { Scan } from '../../../platform/outbound/clamd.ts';
import { createReconciler } from '../../../platform/reconcile.ts';
import type { Changing } from '../../../platform/write-store/transaction.ts';
import type { DocumentFiles } from './document-files.store.ts';
import { type DocumentId, type DocumentStore, type KeptDocument, recordScan } from './kept-document.ts';

const EVERY_MS = 1_000;

/** Lets the scanner check each document that it has not checked, and records the verdict; idle without a scanner. */
export const scanLoopOf =
  <D extends KeptDocument, K extends string>(store: DocumentStore<D, K>, name: string) =>
  (
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
        const document = await tx.get(store, id);
        const scanned = document && recordScan(store, document, signature, deps.clock());
        if (scanned) await tx.record(store, document, scanned);
      });
    };
    return ({ owns }) =>
      createLoop({
        name,
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
