import type { Principal } from '../../kernel/principal.ts';
import type { Services } from '../../platform/services.ts';
import { collections } from '../../platform/write-store/migrate.ts';
import { createFindById } from '../../platform/write-store/read-resource.ts';
import type { ChargesModule } from '../charges/charges.module.ts';
import { USERS } from '../identity/write/user.ts';
import { MERCHANTS } from '../merchants/write/merchant.ts';
import { PAYOUT_REQUESTS } from '../payouts/write/payout-request.ts';
import { noteRoutes } from './notes.http.ts';
import { NOTE_LIST } from './read/list-notes.ts';
import { createFindSubject } from './write/find-subject.ts';
import { createDeleteNote, createWriteNote } from './write/manage-notes.ts';
import { NOTES } from './write/note.ts';

export const createNotesModule = (services: Services, { charges }: { readonly charges: ChargesModule }) => {
  const findUser = createFindById(services, USERS);
  const findSubject = createFindSubject({
    findCharge: charges.findCharge,
    findPayoutRequest: createFindById(services, PAYOUT_REQUESTS),
    findMerchant: createFindById(services, MERCHANTS),
  });
  const findAuthorName = async ({ session }: Principal): Promise<string | null> => {
    const user = session ? await findUser(session.userId) : null;
    return user && (user.name ?? user.email);
  };
  const cases = {
    ...services,
    writeNote: createWriteNote({ ...services, findSubject, findAuthorName }),
    deleteNote: createDeleteNote(services),
  };
  return {
    contributions: {
      migrations: [collections('311-notes', { [NOTES.collection]: [{ key: { resourceId: 1, _id: -1 } }] })],
      views: [NOTE_LIST.view],
      routes: () => [...NOTE_LIST.routes(cases), ...noteRoutes(cases)],
    },
  };
};
