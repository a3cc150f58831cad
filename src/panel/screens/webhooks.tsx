import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { ask } from '../api.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CopyAsCurl, Facts, Problem, Skeleton, Status, When } from '../components/parts.tsx';
import { Tabs } from '../components/tabs.tsx';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { ResendDialog } from './webhooks/resend-dialog.tsx';

type Delivery = Schemas['WebhookDelivery'];

export const webhookTabs = () => [
  { href: '/webhooks', title: t('Deliveries') },
  { href: '/webhooks/endpoints', title: t('Endpoints') },
];

const lastAnswer = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  if (!last) return '–';
  return last.statusCode === null ? (last.error ?? '–') : `HTTP ${last.statusCode}`;
};

const columns = (): readonly Column<Delivery>[] => [
  {
    key: 'createdAt',
    head: t('Created'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  { key: 'event', head: t('Event'), sort: 'event', cell: ({ event }) => event },
  {
    key: 'url',
    head: t('Address'),
    cell: ({ url, channel }) => (
      <>
        {url}
        <small>{tStatus(channel)}</small>
      </>
    ),
  },
  { key: 'status', head: t('Status'), sort: 'status', cell: ({ status }) => <Status status={status} /> },
  { key: 'answer', head: t('Last answer'), cell: lastAnswer },
  { key: 'attempts', head: t('Attempts'), isNumber: true, cell: ({ attempts }) => attempts.length },
  {
    key: 'next',
    head: t('Next attempt'),
    sort: 'nextAttemptAt',
    cell: (row) => <When at={row.nextAttemptAt} />,
  },
];

const Webhooks = () => {
  const me = useMe();
  const base = me.merchant ? '/v1' : '/v1/admin';
  const mayResend = may(me, me.merchant ? 'webhooks.manage' : 'admin.webhooks.update');
  const [shown, setShown] = useState<Delivery | null>(null);
  const [resent, setResent] = useState<readonly Delivery[]>([]);
  useTitle(t('Webhooks'));
  return (
    <>
      <h1>{t('Webhooks')}</h1>
      <Tabs tabs={webhookTabs()} />
      <DataTable
        path={`${base}/webhook-deliveries`}
        caption={t('Deliveries')}
        columns={columns()}
        filters={[
          {
            kind: 'select',
            name: 'status',
            label: t('Status'),
            options: optionsOf(DELIVERY_STATUSES),
          },
          {
            kind: 'select',
            name: 'channel',
            label: t('Channel'),
            options: optionsOf(DELIVERY_CHANNELS),
          },
          { kind: 'text', name: 'eventId', label: t('Event') },
          { kind: 'text', name: 'endpointId', label: t('Endpoint') },
          { kind: 'date', name: 'createdAt[gte]', label: t('From') },
          { kind: 'date', name: 'createdAt[lte]', label: t('To') },
        ]}
        empty={t('What is sent to endpoints and postback addresses is shown here.')}
        {...(mayResend ? { bulk: { label: t('Resend selected'), isFor: () => true, onRun: setResent } } : {})}
        actions={(delivery) => (
          <>
            <button type="button" className="quiet" onClick={() => setShown(delivery)}>
              {t('Details')}
            </button>
            {mayResend && (
              <button type="button" onClick={() => setResent([delivery])}>
                {t('Resend')}
              </button>
            )}
          </>
        )}
      />
      {shown && <DeliveryDialog delivery={shown} base={base} onClose={() => setShown(null)} />}
      {resent.length > 0 && <ResendDialog base={base} deliveries={resent} onClose={() => setResent([])} />}
    </>
  );
};
export default Webhooks;

const DeliveryDialog = (props: {
  readonly delivery: Delivery;
  readonly base: string;
  readonly onClose: () => void;
}) => {
  const { delivery, base, onClose } = props;
  const call = { path: `${base}/events/${delivery.eventId}` };
  const event = useQuery({
    queryKey: [call.path],
    queryFn: () => ask<{ readonly body: string }>(call),
  });
  return (
    <Dialog title={delivery.event} isOpen onClose={onClose}>
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
      {event.isPending && <Skeleton lines={3} />}
      {event.error && <Problem error={event.error} onRetry={() => event.refetch()} />}
      {event.data && <pre tabIndex={0}>{event.data.body}</pre>}
      <h3>{t('Attempts')}</h3>
      <ol>
        {delivery.attempts.map(({ at, statusCode, durationMs, response, error }) => (
          <li key={at}>
            <When at={at} /> · {statusCode === null ? error : `HTTP ${statusCode}`} · {durationMs} ms
            {response && <pre tabIndex={0}>{response}</pre>}
          </li>
        ))}
      </ol>
      <footer>
        <CopyAsCurl call={call} />
      </footer>
    </Dialog>
  );
};
