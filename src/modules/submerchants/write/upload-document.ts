import type { Command } from '../../../kernel/event.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import type { Creating } from '../../../platform/write-store/transaction.ts';
import { type ReadUpload, type TakingIn, takeInDocument } from '../../documents/write/take-in-document.ts';
import {
  addDocument,
  assertMayUpload,
  type DocumentType,
  SUBMERCHANT_DOCUMENTS,
  type SubmerchantDocument,
} from './document.ts';
import type { Marketplace } from './marketplace.ts';

/**
 * Uploads a document for the sub-merchant's master or for the sub-merchant itself. 413 or 415 for the content, 422
 * MERCHANT_NOT_ACTIVE or DOCUMENT_LIMIT_REACHED.
 */
export type UploadDocument = Command<
  {
    readonly principal: MerchantPrincipal;
    readonly id: string;
    /** Reads the upload; called only once the caller is known to be allowed to. */
    readonly read: ReadUpload<DocumentType>;
  },
  SubmerchantDocument
>;

export const createUploadDocument =
  (deps: Creating & TakingIn & { readonly marketplace: Marketplace }): UploadDocument =>
  async ({ principal, id, read }, context) => {
    const submerchant = await deps.marketplace.findSubmerchant(principal, id);
    assertMayUpload(submerchant);
    return takeInDocument(
      deps,
      submerchant.id,
      read,
      (tx, { type, fileName, content }, documentId, secret) => {
        const added = addDocument(submerchant, { type, fileName, ...content }, documentId, deps.clock());
        return tx.record(SUBMERCHANT_DOCUMENTS, null, added, secret);
      },
      context,
    );
  };
