import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { useMe } from '../session.tsx';
import { t, tStatus } from '../words.ts';
import { Button } from './button.tsx';
import { CommandDialog } from './command-dialog.tsx';
import { Panel } from './loaded.tsx';
import { useFields } from './use-fields.tsx';
import { When } from './values.tsx';

type Author = Schemas['NoteAuthor'];
type Written = Pick<Schemas['Note'], 'id' | 'author' | 'audience'> & { readonly text: string | null };

/** Opens the dialog for a note about a record. */
export const AddNote = ({ resourceId }: { readonly resourceId: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button label={t('Add note')} onClick={() => setOpen(true)} />
      {isOpen && <WriteDialog resourceId={resourceId} onClose={() => setOpen(false)} />}
    </>
  );
};

const WriteDialog = (props: { readonly resourceId: string; readonly onClose: () => void }) => {
  const { resourceId, onClose } = props;
  const me = useMe();
  const { values, area } = useFields({ text: '' });
  return (
    <CommandDialog
      title={t('Add note')}
      call={call('createNote', { body: { resourceId, ...values } })}
      onClose={onClose}
    >
      <p>
        {me.merchant
          ? t('Your colleagues and the people of the gateway can read it.')
          : t('Only people who work for the gateway can read it.')}
      </p>
      {area('text', t('Note'), { required: true })}
      <p className="hint">{t('Do not name payers: an erasure leaves notes as they are.')}</p>
    </CommandDialog>
  );
};

const nameOf = ({ kind, id, name }: Author): string => name ?? `${tStatus(kind)} ${id}`;

/** A note with its author, who may delete it. */
export const NoteText = ({ note }: { readonly note: Written }) => {
  const me = useMe();
  const [isDeleting, setDeleting] = useState(false);
  const { id, author, audience, text } = note;
  return (
    <>
      <p className="note">{text}</p>
      <p className="facts">
        {author.id === me.id ? t('by you') : t('by {actor}', { actor: nameOf(author) })}
        {audience === 'operators' && <> · {t('for people of the gateway only')}</>}
        {author.id === me.id && (
          <>
            {' · '}
            <Button label={t('Delete note')} className="quiet" onClick={() => setDeleting(true)} />
          </>
        )}
      </p>
      {isDeleting && (
        <CommandDialog
          title={t('Delete note')}
          isDestructive
          call={call('deleteNote', { path: { id } })}
          onClose={() => setDeleting(false)}
        >
          <p>{t('The text is gone for everybody.')}</p>
          <blockquote>{text}</blockquote>
        </CommandDialog>
      )}
    </>
  );
};

/** The notes about a record, the newest first. */
export const NotesOf = ({ resourceId }: { readonly resourceId: string }) => (
  <Panel
    title={t('Notes')}
    call={call('listNotes', { query: { resourceId, size: 100 } })}
    lines={2}
    buttons={<AddNote resourceId={resourceId} />}
  >
    {({ data }) =>
      data.length === 0 ? (
        <p className="empty">{t('What colleagues should know about this record can be written here.')}</p>
      ) : (
        <ol className="timeline">
          {data.map((note) => (
            <li key={note.id} className="note">
              <When at={note.createdAt} />
              <div>
                <NoteText note={note} />
              </div>
            </li>
          ))}
        </ol>
      )
    }
  </Panel>
);
