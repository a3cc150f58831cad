import { systemContext } from '../../../kernel/event.ts';
import { daysBefore, type Removal } from '../../../platform/retention.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import type { DocumentFiles } from '../../documents/write/document-files.store.ts';
import { removeContent } from '../../documents/write/kept-document.ts';
import type { FindMerchants } from '../../merchants/write/find-merchants.store.ts';
import { MERCHANTS } from '../../merchants/write/merchant.ts';
import { isExpired, SUBMERCHANT_DOCUMENTS } from './document.ts';

/** Removes the contents of documents of sub-merchants that were closed long ago, and files that no record refers to. */
export const createDocumentRemoval = (deps: {
  readonly transact: Transact;
  readonly files: Pick<DocumentFiles, 'present' | 'letGo' | 'deleteUnnamed'>;
  readonly findMerchants: FindMerchants;
  readonly days: number | null;
}): Removal => ({
  what: 'files of documents',
  async run(now, signal) {
    if (deps.days !== null) {
      const before = daysBefore(now, deps.days);
      for await (const batch of deps.files.present(signal)) {
        const merchants = await deps.findMerchants([...new Set(batch.map(({ merchantId }) => merchantId))]);
        const byId = new Map(merchants.map((merchant) => [merchant.id, merchant]));
        for (const { id, ...document } of batch) {
          const submerchant = byId.get(document.merchantId);
          if (!submerchant || !isExpired(document, submerchant, before)) continue;
          await deps.transact.alone(systemContext('retention'), async (tx) => {
            const found = await tx.get(SUBMERCHANT_DOCUMENTS, id);
            const owner = await tx.get(MERCHANTS, document.merchantId);
            // Another worker was first, or an operator has just reopened the sub-merchant.
            if (!found || !owner || !isExpired(found, owner, before)) return;
            await tx.record(SUBMERCHANT_DOCUMENTS, found, removeContent(SUBMERCHANT_DOCUMENTS, found, now));
            await deps.files.letGo(tx, found, found.merchantId);
          });
        }
      }
    }
    return deps.files.deleteUnnamed(now, signal);
  },
});
