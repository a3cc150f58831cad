import { forbidden } from '../../../kernel/errors.ts';

export const noteAuthorOnly = forbidden('NOTE_AUTHOR_ONLY', 'Only the author of a note may delete it');
