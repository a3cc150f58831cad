import { differencesOf } from '../difference.ts';
import { t } from '../words.ts';
import { ChangeList } from './changes.tsx';

type Snap = object | null;

/** The difference that a change made to a record. Behind it is the record before and after, as the API has it. */
export const Snapshots = ({ before, after }: { readonly before: Snap; readonly after: Snap }) => {
  const differences = differencesOf(before, after);
  return (
    <>
      <section className="changes" aria-label={t('Changes')}>
        <h3>{t('Changes')}</h3>
        {differences.length === 0 && <p className="none">{t('The record itself stays as it was.')}</p>}
        <ChangeList of={differences} />
      </section>
      <details>
        <summary>{t('As the API has it')}</summary>
        <h3>{t('Before')}</h3>
        <Snapshot of={before} />
        <h3>{t('After')}</h3>
        <Snapshot of={after} />
      </details>
    </>
  );
};

const Snapshot = ({ of }: { readonly of: Snap }) =>
  of === null ? <p className="none">–</p> : <pre tabIndex={0}>{JSON.stringify(of, null, 2)}</pre>;
