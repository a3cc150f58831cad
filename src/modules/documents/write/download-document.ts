import type { Readable } from 'node:stream';
import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { SecretStore } from '../../../kernel/store.ts';
import type { Transact } from '../../../platform/write-store/transaction.ts';
import type { DocumentFiles } from './document-files.store.ts';
import { assertReadable, type KeptDocument } from './kept-document.ts';
import { documentRemoved } from './refusals.ts';

/**
 * Downloads a document for an operator. The audit log has the download before its first byte is sent. 422
 * DOCUMENT_REMOVED, DOCUMENT_NOT_SCANNED, DOCUMENT_INFECTED.
 */
export type DownloadDocument<D extends KeptDocument> = Command<
  { readonly id: string; readonly documentId: string },
  { readonly document: D; readonly content: Readable }
>;

/** `isOf` says whether a document belongs to the owner that the caller names. */
export const downloadOf =
  <D extends KeptDocument>(store: SecretStore<D>, isOf: (document: D, ownerId: string) => boolean) =>
  (deps: {
    readonly transact: Transact;
    readonly files: Pick<DocumentFiles, 'open'>;
    /** Whether documents have to be scanned. */
    readonly needsScan: boolean;
  }): DownloadDocument<D> =>
  async ({ id, documentId }, context) => {
    const document = await deps.transact(context, async (tx) => {
      const found = await tx.get(store, documentId);
      if (!found || !isOf(found, id)) throw notFound('Document');
      assertReadable(found, deps.needsScan);
      const { resource } = store;
      const { livemode } = found;
      await tx.audit({ type: `${resource}.downloaded`, resource, resourceId: found.id, livemode });
      return found;
    });
    const content = await deps.files.open(document.id);
    if (!content) throw documentRemoved();
    return { document, content };
  };
