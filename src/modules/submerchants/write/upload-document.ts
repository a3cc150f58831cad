import type { Clock } from '../../../kernel/clock.ts';
import type { CommandContext } from '../../../kernel/event.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { type KeyRings, sealBytes } from '../../../platform/secrets.ts';
import type { Transact } from '../../../platform/write-store/transact.ts';
import {
  addDocument,
  type NewDocument,
  SUBMERCHANT_DOCUMENTS,
  type SubmerchantDocument,
} from './document.ts';
import type { DocumentFiles } from './documents.store.ts';
import type { Marketplace } from './marketplace.ts';

/** By the sub-merchant's master or by itself. 413 and 415 of `addDocument`. */
export type UploadDocument = (
  command: {
    readonly principal: MerchantPrincipal;
    readonly id: string;
    /** Called only for a caller who may upload. */
    read(): Promise<NewDocument>;
  },
  context: CommandContext,
) => Promise<SubmerchantDocument>;

export const createUploadDocument =
  (deps: {
    readonly transact: Transact;
    readonly marketplace: Marketplace;
    readonly files: DocumentFiles;
    readonly keyRings: KeyRings;
    readonly clock: Clock;
    readonly newId: NewId;
  }): UploadDocument =>
  async ({ principal, id, read }, context) => {
    const submerchant = await deps.marketplace.findSubmerchant(principal, id);
    const given = await read();
    const added = addDocument(submerchant, given, deps.newId('doc'), deps.clock());
    // The bytes first: a crash in between leaves a file that nobody knows, never a document without its bytes.
    const secret = await deps.files.put(added.data.id, sealBytes(deps.keyRings.sealing, given.content));
    return deps.transact(context, (tx) => tx.record(SUBMERCHANT_DOCUMENTS, null, added, secret));
  };
