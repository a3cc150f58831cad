import type { Renewal } from '../../../platform/renewal.ts';
import type { KeyRing } from '../../../platform/secrets.ts';
import type { DocumentFiles } from './documents.store.ts';

/** Seals the contents of documents anew. */
export const createDocumentRenewal = ({
  files,
  sealing,
}: {
  readonly files: Pick<DocumentFiles, 'notSealedBy' | 'sealAgain'>;
  readonly sealing: KeyRing;
}): Renewal => ({
  what: 'documents',
  async run() {
    let renewed = 0;
    for await (const id of files.notSealedBy(sealing.current.id)) {
      await files.sealAgain(id);
      renewed += 1;
    }
    return { renewed, left: [] };
  },
});
