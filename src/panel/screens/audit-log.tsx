import { useState } from 'react';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts, When } from '../components/parts.tsx';
import { Snapshots } from '../components/snapshots.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';

type Entry = {
  readonly id: string;
  readonly type: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly resource: string;
  readonly resourceId: string;
  readonly requestId: string;
  readonly address: string | null;
  readonly before: object | null;
  readonly after: object | null;
  readonly createdAt: string;
};

const columns = (): readonly Column<Entry>[] => [
  { key: 'createdAt', head: t('When'), sort: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> },
  { key: 'type', head: t('Action'), sort: 'type', cell: ({ type }) => type },
  {
    key: 'actor',
    head: t('Author'),
    cell: ({ actor }) => (
      <>
        {tStatus(actor.kind)}
        <small>{actor.id}</small>
      </>
    ),
  },
  {
    key: 'resource',
    head: t('Record'),
    cell: ({ resource, resourceId }) => (
      <>
        {tStatus(resource)}
        <small>{resourceId}</small>
      </>
    ),
  },
  { key: 'address', head: t('Network address'), cell: ({ address }) => address ?? '–' },
  { key: 'requestId', head: t('Request'), isExtra: true, cell: ({ requestId }) => requestId },
];

const AuditLog = () => {
  const [shown, setShown] = useState<Entry | null>(null);
  useTitle(t('Audit log'));
  return (
    <>
      <h1>{t('Audit log')}</h1>
      <DataTable
        path="/v1/admin/audit-log"
        caption={t('Audit log')}
        columns={columns()}
        filters={[
          { kind: 'text', name: 'type', label: t('Action') },
          { kind: 'text', name: 'actor', label: t('Author') },
          { kind: 'text', name: 'resourceId', label: t('Record') },
          { kind: 'text', name: 'requestId', label: t('Request') },
          { kind: 'date', name: 'createdAt[gte]', label: t('From') },
          { kind: 'date', name: 'createdAt[lte]', label: t('To') },
        ]}
        empty={t('Every change by an operator is shown here.')}
        actions={(entry) => (
          <button type="button" className="quiet" onClick={() => setShown(entry)}>
            {t('Details')}
          </button>
        )}
      />
      {shown && <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </>
  );
};
export default AuditLog;

const EntryDialog = ({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) => (
  <Dialog title={entry.type} isOpen onClose={onClose}>
    <Facts
      rows={[
        [t('Author'), `${tStatus(entry.actor.kind)} ${entry.actor.id}`],
        [t('Record'), `${tStatus(entry.resource)} ${entry.resourceId}`],
        [t('Request'), entry.requestId],
      ]}
    />
    <Snapshots before={entry.before} after={entry.after} />
  </Dialog>
);
