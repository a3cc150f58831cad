import type { Readable } from 'node:stream';
import { GatewayError } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import {
  addDocument,
  assertMayUpload,
  DOCUMENT_LIMIT,
  type DocumentType,
  hasRoom,
  SUBMERCHANT_DOCUMENTS,
  type SubmerchantDocument,
} from './document.ts';
import { createInspection, type DocumentContent } from './document-content.ts';
import type { DocumentFiles, DocumentSecret } from './documents.store.ts';
import type { Marketplace } from './marketplace.ts';
import { documentLimitReached } from './refusals.ts';

/** Reads an upload; the content is handed to `store` while it arrives. */
export type ReadUpload = (
  store: (content: Readable) => Promise<DocumentContent>,
) => Promise<{ readonly type: DocumentType; readonly fileName: string; readonly content: DocumentContent }>;

/**
 * By the sub-merchant's master or by itself. 413 and 415 by the content, 422 MERCHANT_NOT_ACTIVE and
 * DOCUMENT_LIMIT_REACHED.
 */
export type UploadDocument = Command<
  {
    readonly principal: MerchantPrincipal;
    readonly id: string;
    /** Called only for a caller who may upload. */
    readonly read: ReadUpload;
  },
  SubmerchantDocument
>;

export const createUploadDocument =
  (
    deps: Creating & {
      readonly marketplace: Marketplace;
      readonly files: Pick<DocumentFiles, 'put' | 'discard' | 'usage' | 'count'>;
    },
  ): UploadDocument =>
  async ({ principal, id, read }, context) => {
    const submerchant = await deps.marketplace.findSubmerchant(principal, id);
    assertMayUpload(submerchant);
    if (!hasRoom(await deps.files.usage(submerchant.id), 0)) throw documentLimitReached(DOCUMENT_LIMIT);
    const documentId = deps.newId('doc');
    let stored: Promise<DocumentSecret> | null = null;
    try {
      // The bytes first: a crash in between leaves a file that nobody knows, never a document without its bytes.
      const { type, fileName, content } = await read(async (bytes) => {
        const inspection = createInspection();
        stored = deps.files.put(documentId, inspection.pass(bytes));
        await stored;
        return inspection.result();
      });
      const added = addDocument(submerchant, { type, fileName, ...content }, documentId, deps.clock());
      const secret = await stored;
      return await deps.transact.alone(context, async (tx) => {
        await deps.files.count(tx, submerchant.id, content.size);
        return tx.record(SUBMERCHANT_DOCUMENTS, null, added, secret ?? undefined);
      });
    } catch (error) {
      // After any other error the document may have been stored; a file without one is found and deleted later.
      if (error instanceof GatewayError && error.statusCode < 500)
        await Promise.resolve(stored).then(
          (secret) => secret && deps.files.discard(secret),
          () => undefined,
        );
      throw error;
    }
  };
