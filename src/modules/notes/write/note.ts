import { type Timestamp, timestamp } from '../../../kernel/clock.ts';
import { type Actor, changed, created, type DatedResource, type Decision } from '../../../kernel/event.ts';
import type { Id, MerchantId } from '../../../kernel/ids.ts';
import type { MerchantPermission, OperatorPermission, Principal } from '../../../kernel/principal.ts';
import { type Store, store } from '../../../kernel/store.ts';
import { noteAuthorOnly } from './refusals.ts';

/** The kinds of records that can have notes, with the permissions to read such a record and so its notes. */
const SUBJECTS = {
  charge: { merchant: 'charges.read', operator: 'admin.charges.read' },
  payout_request: { merchant: 'payouts.read', operator: 'admin.payout_requests.read' },
  submerchant: { merchant: 'submerchants.manage', operator: 'admin.merchants.read' },
  merchant: { merchant: null, operator: 'admin.merchants.read' },
} as const satisfies Readonly<
  Record<string, { readonly merchant: MerchantPermission | null; readonly operator: OperatorPermission }>
>;

type SubjectType = keyof typeof SUBJECTS;
export const SUBJECT_TYPES = Object.keys(SUBJECTS) as readonly SubjectType[];

/** Whether the caller may read records of this kind, and so their notes. */
export const mayNote = ({ kind, permissions }: Principal, type: SubjectType): boolean => {
  const needed = SUBJECTS[type][kind];
  const held: readonly string[] = permissions;
  return needed !== null && held.includes(needed);
};

export type NoteId = Id<'nte'>;
type NoteEvent = 'note.created' | 'note.deleted';

/** A text about a record that somebody wrote for colleagues. */
export type Note = DatedResource & {
  readonly id: NoteId;
  readonly resource: SubjectType;
  readonly resourceId: string;
  /** Only the gateway's people read the notes of operators; a merchant's notes are read by them, too. */
  readonly audience: 'merchant' | 'operators';
  /** The merchant that wrote the note, or for a note of an operator the one that it is about. */
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  /** The environment of the record; null for a merchant that exists in both. */
  readonly livemode: boolean | null;
  readonly author: Actor & { readonly name: string | null };
  /** Null once the note is deleted. */
  readonly text: string | null;
  readonly deletedAt: Timestamp | null;
};

/** Neither events nor the audit log have the text, so that a deletion removes it everywhere. */
export const NOTES: Store<Note, NoteEvent> = store('notes', 'note', { keptOnce: ['text'] });

/** A record that a note can be about. */
export type Subject = {
  readonly type: SubjectType;
  readonly id: string;
  readonly merchantId: MerchantId;
  readonly masterId: MerchantId | null;
  readonly livemode: boolean | null;
};

export const writeNote = (
  principal: Principal,
  subject: Subject,
  given: { readonly id: NoteId; readonly text: string; readonly authorName: string | null },
  now: Date,
): Decision<Note, NoteEvent> => {
  const owner = principal.kind === 'merchant' ? principal : subject;
  return created('note.created', now, {
    id: given.id,
    resource: subject.type,
    resourceId: subject.id,
    audience: principal.kind === 'merchant' ? 'merchant' : 'operators',
    merchantId: owner.merchantId,
    masterId: owner.masterId,
    livemode: subject.livemode,
    author: { ...principal.actor, name: given.authorName },
    text: given.text,
    deletedAt: null,
  });
};

/** Whether the caller may read a note. A sub-merchant does not see what its master wrote. */
export const mayReadNote = (principal: Principal, note: Note): boolean => {
  const { livemode, audience, merchantId, masterId } = note;
  if (!mayNote(principal, note.resource) || (livemode !== null && livemode !== principal.livemode))
    return false;
  if (principal.kind === 'operator') return true;
  return audience === 'merchant' && [merchantId, masterId].includes(principal.merchantId);
};

/** 403 NOTE_AUTHOR_ONLY for anybody but the author. */
export const deleteNote = (principal: Principal, note: Note, now: Date): Decision<Note, NoteEvent> => {
  const { kind, id } = principal.actor;
  if (note.author.kind !== kind || note.author.id !== id) throw noteAuthorOnly();
  return changed('note.deleted', note, now, { text: null, deletedAt: timestamp(now) });
};
