import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { Facts } from '../components/facts.tsx';
import { between, choiceFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Panel } from '../components/loaded.tsx';
import { Status } from '../components/status.tsx';
import { Table } from '../components/table.tsx';
import { Text, When } from '../components/values.tsx';
import { formatNumber, formatPercent } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { NOTIFICATION_KINDS, NOTIFICATION_OUTCOMES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';

type Notification = Schemas['ProviderNotification'];

const columns = (): readonly Column<Notification>[] => [
  timeColumn('receivedAt', t('Received')),
  textColumn('provider', t('Provider'), { sort: 'provider' }),
  {
    key: 'kind',
    head: t('Kind'),
    sort: 'kind',
    cell: ({ kind, says }) => <TwoLines first={tStatus(kind)} second={says} />,
  },
  {
    key: 'outcome',
    head: t('Effect'),
    sort: 'outcome',
    cell: ({ outcome, attempts }) => (
      <TwoLines
        first={<Status status={outcome ?? 'failed'} />}
        second={`${t('Attempts')}: ${formatNumber(attempts)}`}
      />
    ),
  },
  {
    key: 'reference',
    head: t('About'),
    cell: ({ reference }) =>
      reference?.startsWith('chg_') ? (
        <Link href={`/charges/${reference}`}>
          <Text of={reference} />
        </Link>
      ) : (
        (reference ?? '–')
      ),
  },
  timeColumn('processedAt', t('Processed')),
  textColumn('notificationId', t('Id at the provider'), { isExtra: true }),
];

const Providers = () => {
  const me = useMe();
  const [again, setAgain] = useState<Notification | null>(null);
  return (
    <ListScreen
      title={t('Providers')}
      above={<Health />}
      list={call('listProviderNotifications')}
      columns={columns()}
      filters={[
        textFilter('provider', t('Provider')),
        choiceFilter('kind', t('Kind'), optionsOf(NOTIFICATION_KINDS)),
        choiceFilter('outcome', t('Effect'), optionsOf(NOTIFICATION_OUTCOMES)),
        textFilter('reference', t('About')),
        ...between('receivedAt'),
      ]}
      empty={t('Messages of providers about payments, refunds and disputes are shown here.')}
      csv="provider-notifications"
      actions={(notification) =>
        may(me, 'admin.adjustments.create') &&
        notification.outcome !== 'applied' && (
          <Button label={t('Process again')} onClick={() => setAgain(notification)} />
        )
      }
    >
      {again && (
        <CommandDialog
          title={t('Process again')}
          call={call('processProviderNotificationAgain', { path: { id: again.id } })}
          onClose={() => setAgain(null)}
        >
          <p>{t('Its facts are asked of the provider anew. Money moves only where it has not moved yet.')}</p>
          <Facts
            rows={[
              [t('Provider'), again.provider],
              [t('Kind'), tStatus(again.kind)],
              [t('About'), again.reference],
            ]}
          />
        </CommandDialog>
      )}
    </ListScreen>
  );
};
export default Providers;

/** The answers of each provider within the last minutes. */
const Health = () => (
  <Panel title={t('Answers of the last five minutes')} call={call('listProviders')} lines={3}>
    {({ data }) => (
      <Table
        caption={t('Answers of the last five minutes')}
        heads={[
          t('Provider'),
          t('Calls are'),
          { number: t('Calls') },
          { number: t('Failed') },
          { number: t('Charges that wait for an answer') },
          t('Oldest since'),
        ]}
        rows={data.map((one) => ({
          key: one.name,
          cells: [
            <TwoLines key="name" first={one.name} second={one.methods.map(tStatus).join(', ')} />,
            <Status key="circuit" status={`circuit_${one.circuit}`} />,
            formatNumber(one.calls),
            one.errorRate === null ? '–' : formatPercent(Math.round(one.errorRate * 1_000) / 10),
            formatNumber(one.waitingCharges),
            <When key="oldest" at={one.oldestWaitingSince} />,
          ],
        }))}
      />
    )}
  </Panel>
);
