import type { Readable } from 'node:stream';
import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import { assertReadable, SUBMERCHANT_DOCUMENTS, type SubmerchantDocument } from './document.ts';
import type { DocumentFiles } from './documents.store.ts';
import { documentRemoved } from './refusals.ts';

/**
 * For operators; every download is in the audit log before its first byte is sent. 422 DOCUMENT_REMOVED,
 * DOCUMENT_NOT_SCANNED and DOCUMENT_INFECTED.
 */
export type DownloadDocument = Command<
  { readonly id: string; readonly documentId: string },
  { readonly document: SubmerchantDocument; readonly content: Readable }
>;

export const createDownloadDocument =
  (deps: {
    readonly transact: Transact;
    readonly files: Pick<DocumentFiles, 'open'>;
    /** Whether a scanner looks at documents. */
    readonly needsScan: boolean;
  }): DownloadDocument =>
  async ({ id, documentId }, context) => {
    const document = await deps.transact(context, async (tx) => {
      const found = await tx.get(SUBMERCHANT_DOCUMENTS, documentId);
      if (!found || found.merchantId !== id) throw notFound('Document');
      assertReadable(found, deps.needsScan);
      const { resource } = SUBMERCHANT_DOCUMENTS;
      const { livemode } = found;
      await tx.audit({ type: 'submerchant_document.downloaded', resource, resourceId: found.id, livemode });
      return found;
    });
    const content = await deps.files.open(document.id);
    if (!content) throw documentRemoved();
    return { document, content };
  };
