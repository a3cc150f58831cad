import { t } from '../words.ts';

/** Name of a value, and its text before and after. */
export type Change = readonly [name: string, before: string, after: string];

/** Names with their values before and after. */
export const ChangeList = ({ of }: { readonly of: readonly Change[] }) => (
  <dl>
    {of.map(([name, before, after]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <del>{before || '–'}</del> <span aria-hidden="true">→</span> <ins>{after || '–'}</ins>
        </dd>
      </div>
    ))}
  </dl>
);

/** Shows what a command would change, before it is sent. */
export const Changes = ({ of }: { readonly of: readonly Change[] }) => {
  const changed = of.filter(([, before, after]) => before !== after);
  return (
    <section className="changes" aria-label={t('Changes')}>
      <h3>{t('Changes')}</h3>
      {changed.length === 0 && <p className="none">{t('Nothing is changed yet.')}</p>}
      <ChangeList of={changed} />
    </section>
  );
};
