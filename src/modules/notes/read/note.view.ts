import {
  date,
  flag,
  from,
  hidden,
  keyword,
  line,
  object,
  stored,
  timestamps,
  words,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { NOTES, type Note } from '../write/note.ts';

export const NOTES_VIEW = defineView({
  name: 'notes',
  version: 1,
  source: NOTES,
  tenants: 'routed',
  shownKept: ['text'],
  fields: {
    id: keyword(),
    resource: keyword(),
    resourceId: line(),
    audience: keyword(),
    merchantId: keyword(),
    masterId: hidden(keyword()),
    livemode: flag(),
    author: object({ kind: keyword(), id: line(), name: stored() }),
    text: stored(),
    createdAt: timestamps.createdAt,
    deletedAt: hidden(date()),
    words: hidden(from(words(), ({ text }: Note) => text ?? '')),
  },
});

/** A note from the write store as the API answers it. */
export const presentNote = (note: Note) => NOTES_VIEW.present(NOTES_VIEW.toDocument(note));
