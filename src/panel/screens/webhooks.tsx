import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { statusColumn, TwoLines, timeColumn } from '../components/columns.tsx';
import type { Column } from '../components/data-table.tsx';
import { eventColumn } from '../components/event-column.tsx';
import { between, choiceFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { formatNumber } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { answerOf, DeliveryDialog } from './webhooks/delivery-dialog.tsx';
import { ResendDialog } from './webhooks/resend-dialog.tsx';

type Delivery = Schemas['WebhookDelivery'];

export const webhookTabs = () => [
  { href: '/webhooks', title: t('Deliveries') },
  { href: '/webhooks/endpoints', title: t('Endpoints') },
];

const lastAnswer = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  if (!last) return '–';
  return answerOf(last);
};

const columns = (): readonly Column<Delivery>[] => [
  timeColumn('createdAt', t('Created')),
  eventColumn(),
  {
    key: 'url',
    head: t('Address'),
    cell: ({ url, channel }) => <TwoLines first={url} second={tStatus(channel)} />,
  },
  statusColumn(),
  {
    key: 'answer',
    head: t('Last response'),
    cell: (delivery) => (
      <TwoLines
        first={lastAnswer(delivery)}
        second={`${t('Attempts')}: ${formatNumber(delivery.attempts.length)}`}
      />
    ),
  },
  timeColumn('nextAttemptAt', t('Next attempt')),
];

const Webhooks = () => {
  const me = useMe();
  const mayResend = may(me, me.merchant ? 'webhooks.manage' : 'admin.webhooks.update');
  const [shown, setShown] = useState<Delivery | null>(null);
  const [resent, setResent] = useState<readonly Delivery[]>([]);
  return (
    <ListScreen
      title={t('Webhooks')}
      tabs={webhookTabs()}
      list={me.merchant ? call('listWebhookDeliveries') : call('listWebhookDeliveriesAsOperator')}
      columns={columns()}
      filters={[
        choiceFilter('status', t('Status'), optionsOf(DELIVERY_STATUSES)),
        choiceFilter('channel', t('Channel'), optionsOf(DELIVERY_CHANNELS)),
        textFilter('statusCode', t('Response code')),
        textFilter('eventId', t('Event')),
        textFilter('endpointId', t('Endpoint')),
        ...between('createdAt'),
      ]}
      csv="webhook-deliveries"
      empty={t('What is sent to endpoints and postback addresses is shown here.')}
      {...(mayResend ? { bulk: { commands: [{ label: t('Resend selected'), onRun: setResent }] } } : {})}
      actions={(delivery) => (
        <>
          <Button label={t('Details')} className="quiet" onClick={() => setShown(delivery)} />
          {mayResend && <Button label={t('Resend')} onClick={() => setResent([delivery])} />}
        </>
      )}
    >
      {shown && <DeliveryDialog delivery={shown} onClose={() => setShown(null)} />}
      {resent.length > 0 && <ResendDialog deliveries={resent} onClose={() => setResent([])} />}
    </ListScreen>
  );
};
export default Webhooks;
