import type { Renewal } from '../../../platform/renewal.ts';
import { type KeyRing, sealBytes, unsealBytes } from '../../../platform/secrets.ts';
import type { DocumentFiles } from './documents.store.ts';

/** Seals the contents of documents anew. */
export const renewDocuments = (files: DocumentFiles, sealing: KeyRing): Renewal => ({
  what: 'documents',
  async run() {
    let renewed = 0;
    for await (const id of files.notSealedBy(sealing.current.id)) {
      const sealed = await files.get(id);
      if (!sealed) continue;
      await files.replace(id, sealBytes(sealing, unsealBytes(sealing, sealed)));
      renewed += 1;
    }
    return { renewed, left: [] };
  },
});
