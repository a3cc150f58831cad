import { notFound, unprocessable } from '../../../kernel/errors.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import { type KeyRings, unsealBytes } from '../../../platform/secrets.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import { SUBMERCHANT_DOCUMENTS, type SubmerchantDocument } from './document.ts';
import type { DocumentFiles } from './documents.store.ts';

const documentRemoved = () =>
  unprocessable('DOCUMENT_REMOVED', 'The content of the document is no longer kept');

/**
 * For operators; every download is in the audit log before its first byte is sent (decisions 9). 422 DOCUMENT_REMOVED
 * for one whose content is no longer kept.
 */
export type DownloadDocument = (
  command: { readonly id: string; readonly documentId: string },
  context: CommandContext,
) => Promise<{ readonly document: SubmerchantDocument; readonly content: Buffer }>;

export const createDownloadDocument =
  (deps: {
    readonly transact: Transact;
    readonly files: DocumentFiles;
    readonly keyRings: KeyRings;
  }): DownloadDocument =>
  async ({ id, documentId }, context) => {
    const document = await deps.transact(context, async (tx) => {
      const found = await tx.get(SUBMERCHANT_DOCUMENTS, documentId);
      if (!found || found.merchantId !== id) throw notFound('Document');
      if (found.removedAt !== null) throw documentRemoved();
      const { resource } = SUBMERCHANT_DOCUMENTS;
      const { livemode } = found;
      await tx.audit({ type: 'submerchant_document.downloaded', resource, resourceId: found.id, livemode });
      return found;
    });
    const sealed = await deps.files.get(document.id);
    if (!sealed) throw documentRemoved();
    return { document, content: unsealBytes(deps.keyRings.sealing, sealed) };
  };
