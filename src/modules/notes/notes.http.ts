import { type Routes, route } from '../../platform/http/route.ts';
import { newNote, noteAnswer, noteParams, TAG } from './notes.schemas.ts';
import { presentNote } from './read/note.view.ts';
import type { DeleteNote, WriteNote } from './write/manage-notes.ts';
import { noteAuthorOnly } from './write/refusals.ts';

const access = { merchant: 'any', operator: 'any' } as const;

export const noteRoutes: Routes<{ writeNote: WriteNote; deleteNote: DeleteNote }> = (deps) => [
  route({
    method: 'post',
    operationId: 'createNote',
    path: '/v1/notes',
    tag: TAG,
    summary: 'Write a note about a record',
    description:
      'Anybody who may read a record may write about it. A charge shows its notes in its timeline. A record that the caller may not read is answered with 404, and so is a merchant that writes about itself.',
    access,
    body: newNote,
    responses: { 201: { description: 'The note.', schema: noteAnswer } },
    errors: [404],
    async handle({ principal, body, context }) {
      const note = await deps.writeNote({ ...body, principal }, context);
      return { status: 201, body: presentNote(note) };
    },
  }),
  route({
    method: 'delete',
    operationId: 'deleteNote',
    path: '/v1/notes/{id}',
    params: noteParams,
    tag: TAG,
    summary: 'Delete a note',
    description:
      'Removes the note with its text, which its author alone may do. The deletion may be repeated.',
    access,
    responses: { 204: { description: 'The note is deleted.' } },
    refusals: [noteAuthorOnly],
    errors: [404],
    async handle({ principal, params, context }) {
      await deps.deleteNote({ principal, id: params.id }, context);
      return { status: 204 };
    },
  }),
];
