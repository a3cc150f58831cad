import { t } from '../words.ts';

type Snap = object | null;

/** A record before and after a change, as the API has it. */
export const Snapshots = ({ before, after }: { readonly before: Snap; readonly after: Snap }) => (
  <>
    <h3>{t('Before')}</h3>
    <Snapshot of={before} />
    <h3>{t('After')}</h3>
    <Snapshot of={after} />
  </>
);

const Snapshot = ({ of }: { readonly of: Snap }) =>
  of === null ? <p className="none">–</p> : <pre tabIndex={0}>{JSON.stringify(of, null, 2)}</pre>;
