import { defineList } from '../../../platform/http/list.ts';
import { noteAnswer, TAG } from '../notes.schemas.ts';
import { SUBJECT_TYPES } from '../write/note.ts';
import { NOTES_VIEW } from './note.view.ts';
import { noteScope } from './note-scope.ts';

export const NOTE_LIST = defineList({
  view: NOTES_VIEW,
  answer: noteAnswer,
  sort: ['id', 'resource', 'createdAt'],
  orderBy: '-createdAt',
  filter: {
    resourceId: { description: 'Only notes about this record.' },
    resource: { valid: SUBJECT_TYPES, description: 'Kind of the record.' },
    createdAt: {},
    q: { field: 'words', description: 'Words that all have to be in the text.' },
  },
  within: ({ principal }) => noteScope(principal),
  routes: [
    {
      operationId: 'listNotes',
      path: '/v1/notes',
      tag: TAG,
      summary: 'List notes',
      description:
        'Shows the notes about records that the caller may read: a merchant its own notes and those of its sub-merchants, an operator all notes.',
      access: { merchant: 'any', operator: 'any' },
    },
  ],
});
