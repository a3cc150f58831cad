import type { Renewal } from '../../../platform/renewal.ts';
import type { KeyRing } from '../../../platform/secrets.ts';
import type { DocumentFiles } from './document-files.store.ts';

/** Seals the contents of documents with the current key; `what` is the plural name of the documents. */
export const documentRenewalOf =
  (what: string) =>
  ({
    files,
    sealing,
  }: {
    readonly files: Pick<DocumentFiles, 'notSealedBy' | 'sealAgain'>;
    readonly sealing: KeyRing;
  }): Renewal => ({
    what,
    async run() {
      let renewed = 0;
      for await (const id of files.notSealedBy(sealing.current.id)) {
        await files.sealAgain(id);
        renewed += 1;
      }
      return { renewed, left: [] };
    },
  });
