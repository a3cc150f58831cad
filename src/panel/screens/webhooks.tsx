import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { statusColumn, TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import { CopyAsCurl } from '../components/copy-button.tsx';
import type { Column } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { between, choiceFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Status } from '../components/status.tsx';
import { When } from '../components/values.tsx';
import { formatNumber } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { ResendDialog } from './webhooks/resend-dialog.tsx';

type Delivery = Schemas['WebhookDelivery'];

export const webhookTabs = () => [
  { href: '/webhooks', title: t('Deliveries') },
  { href: '/webhooks/endpoints', title: t('Endpoints') },
];

/** The status of an answer, or why there was none. */
export const answerOf = ({ statusCode, error }: Delivery['attempts'][number]): string =>
  statusCode === null ? tStatus(error ?? '–') : `HTTP ${statusCode}`;

const lastAnswer = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  if (!last) return '–';
  return answerOf(last);
};

const columns = (): readonly Column<Delivery>[] => [
  timeColumn('createdAt', t('Created')),
  textColumn('event', t('Event'), { sort: 'event' }),
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
      {...(mayResend ? { bulk: { label: t('Resend selected'), onRun: setResent } } : {})}
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

const DeliveryDialog = (props: { readonly delivery: Delivery; readonly onClose: () => void }) => {
  const { delivery, onClose } = props;
  const me = useMe();
  const path = { id: delivery.eventId };
  const read = me.merchant ? call('getEvent', { path }) : call('getEventAsOperator', { path });
  return (
    <Dialog title={delivery.event} onClose={onClose}>
      <Facts
        rows={[
          [t('Id'), delivery.id],
          [t('Event'), delivery.eventId],
          [t('Address'), delivery.url],
          [t('Status'), <Status key="status" status={delivery.status} />],
          [t('Sequence'), delivery.sequence],
        ]}
      />
      <h3>{t('Bytes sent')}</h3>
      <Loaded of={useRead(read)} lines={3}>
        {({ body }) => <pre tabIndex={0}>{body}</pre>}
      </Loaded>
      <h3>{t('Attempts')}</h3>
      <ol>
        {delivery.attempts.map((attempt) => (
          <li key={attempt.at}>
            <When at={attempt.at} /> · {answerOf(attempt)} · {attempt.durationMs} ms
            {attempt.response && <pre tabIndex={0}>{attempt.response}</pre>}
          </li>
        ))}
      </ol>
      <footer>
        <CopyAsCurl call={read} />
      </footer>
    </Dialog>
  );
};
