import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { keptOf } from '../kept-address.ts';
import { type SavedView, useSavedViews } from '../saved-views.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { CancelButton, Dialog } from './dialog.tsx';
import { FormRefusal } from './field.tsx';
import { Problem } from './problem.tsx';
import { useFields } from './use-fields.tsx';

const hrefOf = (screen: string, view: SavedView): string =>
  `/${screen}?${view.query === '' ? '' : `${view.query}&`}view=${view.id}`;

/** The views of a list that the user has saved, as tabs over it, and the way to save another one. */
export const SavedViews = () => {
  const { isKept, screen, views, save, remove } = useSavedViews();
  const [params, setParams] = useSearchParams();
  const [isNaming, setNaming] = useState(false);
  const named = views.filter(({ name }) => name !== null);
  const now = keptOf(params);
  const shown = named.find(({ id }) => id === params.get('view'));
  const isChanged = shown !== undefined && keptOf(new URLSearchParams(shown.query)) !== now;
  if (!isKept || (named.length === 0 && now === '')) return null;
  const leave = (): void =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      next.delete('view');
      return next;
    });
  return (
    <nav className="views" aria-label={t('Saved views')}>
      {named.length > 0 && (
        <Link href={`/${screen}`} aria-current={now === '' ? 'page' : undefined}>
          {t('All')}
        </Link>
      )}
      {named.map((view) => (
        <Link key={view.id} href={hrefOf(screen, view)} aria-current={view === shown ? 'page' : undefined}>
          {view.name}
          {view === shown && isChanged && <span aria-hidden="true"> •</span>}
        </Link>
      ))}
      <span className="space" />
      {shown && isChanged && (
        <>
          <Button
            label={t('Save changes')}
            className="quiet"
            disabled={save.isPending}
            onClick={() => save.mutate({ name: shown.name, query: now })}
          />
          <Link href={hrefOf(screen, shown)}>{t('Reset')}</Link>
        </>
      )}
      {shown && !isChanged && (
        <Button
          label={t('Remove view')}
          className="quiet"
          disabled={remove.isPending}
          onClick={() => remove.mutate(shown.id, { onSuccess: leave })}
        />
      )}
      {now !== '' && (!shown || isChanged) && (
        <Button label={t('Save view…')} className="quiet" onClick={() => setNaming(true)} />
      )}
      {(save.error ?? remove.error) && <Problem error={save.error ?? remove.error} />}
      {isNaming && (
        <NameDialog
          query={now}
          onClose={() => setNaming(false)}
          onDone={(id) =>
            setParams((before) => {
              const next = new URLSearchParams(before);
              next.set('view', id);
              return next;
            })
          }
        />
      )}
    </nav>
  );
};

const NameDialog = (props: {
  readonly query: string;
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}) => {
  const { query, onClose, onDone } = props;
  const { save } = useSavedViews();
  const { values, field } = useFields({ name: '' });
  return (
    <Dialog title={t('Save view')} onClose={onClose} asksFirst>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (save.isPending) return;
          save.mutate(
            { name: values.name.trim(), query },
            {
              onSuccess({ id }) {
                onClose();
                onDone(id);
              },
            },
          );
        }}
      >
        <FormRefusal value={save.error}>
          <p>{t('Keeps the filters, the order and the columns under a name, for you alone.')}</p>
          {field('name', t('Name'), { required: true, maxLength: 60 })}
        </FormRefusal>
        {save.error && <Problem error={save.error} />}
        <footer>
          <span className="space" />
          <CancelButton />
          <button type="submit" className="primary" disabled={save.isPending}>
            {t('Save')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
};
