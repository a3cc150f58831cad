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
 * The sub-merchant's master or the sub-merchant itself may do it. 413 and 415 by the content, 422 MERCHANT_NOT_ACTIVE and
 * DOCUMENT_LIMIT_REACHED.
 */
export type UploadDocument = Command<
  {
    readonly principal: MerchantPrincipal;
    readonly id: string;
    /** Called only for a caller who may upload. */
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
