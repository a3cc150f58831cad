import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ActorName } from '../components/actor.tsx';
import { Button } from '../components/button.tsx';
import { TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { between, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Snapshots } from '../components/snapshots.tsx';
import { tEvent } from '../event-words.ts';
import { t, tStatus } from '../words.ts';

type Entry = Schemas['AuditEntry'];

const columns = (): readonly Column<Entry>[] => [
  timeColumn('createdAt', t('When')),
  {
    key: 'type',
    head: t('Action'),
    sort: 'type',
    cell: ({ type }) => <TwoLines first={tEvent(type)} second={type} />,
  },
  {
    key: 'actor',
    head: t('Author'),
    cell: ({ actor }) => <ActorName {...actor} />,
  },
  {
    key: 'resource',
    head: t('Record'),
    cell: ({ resource, resourceId }) => <TwoLines first={tStatus(resource)} second={resourceId} />,
  },
  textColumn('address', t('Network address')),
  textColumn('requestId', t('Request'), { isExtra: true }),
];

const AuditLog = () => {
  const [shown, setShown] = useState<Entry | null>(null);
  return (
    <ListScreen
      title={t('Audit log')}
      list={call('listAuditLog')}
      columns={columns()}
      filters={[
        textFilter('type', t('Action')),
        textFilter('actor', t('Author')),
        textFilter('resourceId', t('Record')),
        textFilter('requestId', t('Request')),
        ...between('createdAt'),
      ]}
      csv="audit-log"
      empty={t('Every change by an operator is shown here.')}
      actions={(entry) => <Button label={t('Details')} className="quiet" onClick={() => setShown(entry)} />}
    >
      {shown && <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </ListScreen>
  );
};
export default AuditLog;

const EntryDialog = ({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) => (
  <Dialog title={tEvent(entry.type)} onClose={onClose}>
    <Facts
      rows={[
        [t('Author'), <ActorName key="author" {...entry.actor} />],
        [t('Record'), `${tStatus(entry.resource)} ${entry.resourceId}`],
        [t('Request'), entry.requestId],
      ]}
    />
    <Snapshots before={entry.before} after={entry.after} />
  </Dialog>
);
