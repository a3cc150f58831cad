import { notFound } from '../../../kernel/errors.ts';
import type { Command } from '../../../kernel/event.ts';
import type { Principal } from '../../../kernel/principal.ts';
import type { Changing, Creating } from '../../../platform/write-store/transaction.ts';
import type { FindSubject } from './find-subject.ts';
import { deleteNote, mayReadNote, NOTES, type Note, type NoteId, writeNote } from './note.ts';

/** Writes a note; 404 for a record that the caller may not read. */
export type WriteNote = Command<
  { readonly principal: Principal; readonly resourceId: string; readonly text: string },
  Note
>;

export const createWriteNote =
  (
    deps: Creating & {
      readonly findSubject: FindSubject;
      /** The name of the user who writes, or the e-mail address; null for a key. */
      readonly findAuthorName: (principal: Principal) => Promise<string | null>;
    },
  ): WriteNote =>
  async ({ principal, resourceId, text }, context) => {
    const subject = await deps.findSubject(principal, resourceId);
    if (!subject) throw notFound('Record');
    const authorName = await deps.findAuthorName(principal);
    const id = deps.newId('nte');
    const written = writeNote(principal, subject, { id, text, authorName }, deps.clock());
    return deps.transact(context, (tx) => tx.record(NOTES, null, written));
  };

/** Deletes a note with its text. 404 for a note that the caller may not read, 403 for one of somebody else. */
export type DeleteNote = Command<{ readonly principal: Principal; readonly id: string }, void>;

export const createDeleteNote =
  (deps: Changing): DeleteNote =>
  ({ principal, id }, context) =>
    deps.transact(context, async (tx) => {
      const note = await tx.get(NOTES, id as NoteId);
      if (!note || !mayReadNote(principal, note)) throw notFound('Note');
      const deleted = deleteNote(principal, note, deps.clock());
      // A second deletion finds nothing left to remove.
      if (note.deletedAt === null) await tx.record(NOTES, note, deleted);
    });
