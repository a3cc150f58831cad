import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { Changes } from '../../components/changes.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Checks, Field, Select } from '../../components/field.tsx';
import { Status, When } from '../../components/parts.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { daysAgo, formatNumber } from '../../format.ts';
import { may, useMe } from '../../session.tsx';
import { useTitle } from '../../use-title.ts';
import { namesOf, WEBHOOK_EVENTS } from '../../values.ts';
import { t } from '../../words.ts';
import { webhookTabs } from '../webhooks.tsx';

type Endpoint = Schemas['WebhookEndpoint'];

const columns = (): readonly Column<Endpoint>[] => [
  {
    key: 'url',
    head: t('Address'),
    sort: 'url',
    cell: ({ url, description }) => (
      <>
        {url}
        <small>{description}</small>
      </>
    ),
  },
  { key: 'events', head: t('Events'), cell: ({ events }) => events.join(', ') },
  {
    key: 'enabled',
    head: t('Status'),
    sort: 'enabled',
    cell: ({ enabled, disabledReason }) => (
      <>
        <Status status={enabled ? 'active' : 'disabled'} />
        {disabledReason && <small>{disabledReason}</small>}
      </>
    ),
  },
  {
    key: 'merchant',
    head: t('Merchant'),
    sort: 'merchantId',
    isExtra: true,
    cell: ({ merchantId }) => merchantId,
  },
  {
    key: 'createdAt',
    head: t('Created'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

type Kind = 'test' | 'recover' | 'edit' | 'delete';
type Step = { readonly kind: Kind; readonly endpoint: Endpoint } | { readonly kind: 'create' };

const Endpoints = () => {
  const me = useMe();
  const path = `${me.merchant ? '/v1' : '/v1/admin'}/webhook-endpoints`;
  const mayChange = may(me, me.merchant ? 'webhooks.manage' : 'admin.webhooks.update');
  const [step, setStep] = useState<Step | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  useTitle(t('Endpoints'));
  const close = (): void => setStep(null);
  const names: Readonly<Record<Kind, string>> = {
    test: t('Send test event'),
    recover: t('Recover'),
    edit: t('Edit'),
    delete: t('Delete'),
  };
  return (
    <>
      <div className="heading">
        <h1>{t('Endpoints')}</h1>
        <span className="space" />
        {mayChange && (
          <button type="button" className="primary" onClick={() => setStep({ kind: 'create' })}>
            {t('Add endpoint')}
          </button>
        )}
      </div>
      <Tabs tabs={webhookTabs()} />
      <DataTable
        path={path}
        caption={t('Endpoints')}
        columns={columns()}
        filters={[
          {
            kind: 'select',
            name: 'enabled',
            label: t('Status'),
            options: [
              { value: 'true', label: t('on') },
              { value: 'false', label: t('off') },
            ],
          },
          { kind: 'text', name: 'merchantId', label: t('Merchant') },
        ]}
        empty={t('Addresses that events are sent to are shown here.')}
        actions={(endpoint) => (
          <>
            <Link href={`/webhooks?endpointId=${endpoint.id}`}>{t('Deliveries')}</Link>
            {mayChange &&
              (Object.keys(names) as Kind[]).map((kind) => (
                <button key={kind} type="button" onClick={() => setStep({ kind, endpoint })}>
                  {names[kind]}
                </button>
              ))}
          </>
        )}
      />
      {step?.kind === 'create' && <EndpointDialog path={path} endpoint={null} onClose={close} />}
      {step?.kind === 'edit' && <EndpointDialog path={path} endpoint={step.endpoint} onClose={close} />}
      {step?.kind === 'test' && (
        <TestDialog path={`${path}/${step.endpoint.id}/test`} endpoint={step.endpoint} onClose={close} />
      )}
      {step?.kind === 'recover' && (
        <RecoverDialog
          path={`${path}/${step.endpoint.id}/recover`}
          onClose={close}
          onDone={({ resent, missed }) =>
            setSaid(
              t('{resent} failed deliveries are sent again, and {missed} missed events for the first time.', {
                resent: formatNumber(resent),
                missed: formatNumber(missed),
              }),
            )
          }
        />
      )}
      {step?.kind === 'delete' && (
        <CommandDialog
          title={t('Delete endpoint')}
          action={t('Delete')}
          isDestructive
          call={{ method: 'DELETE', path: `${path}/${step.endpoint.id}` }}
          onClose={close}
        >
          {() => (
            <p>
              {t('Nothing more is sent to {url}. The log of deliveries stays.', { url: step.endpoint.url })}
            </p>
          )}
        </CommandDialog>
      )}
      {said !== null && (
        <Dialog title={t('Recover')} isOpen onClose={() => setSaid(null)}>
          <p>{said}</p>
        </Dialog>
      )}
    </>
  );
};
export default Endpoints;

const EndpointDialog = (props: {
  readonly path: string;
  readonly endpoint: Endpoint | null;
  readonly onClose: () => void;
}) => {
  const { path, endpoint, onClose } = props;
  const me = useMe();
  const { values, set, field } = useFields({
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    merchantId: '',
    enabled: String(endpoint?.enabled ?? true),
  });
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? ['*']);
  const [scope, setScope] = useState<readonly string[]>(endpoint?.includeSubmerchants ? ['all'] : []);
  const isOperator = me.merchant === null;
  const isMaster = isOperator || me.merchant?.role === 'MerchantMaster';
  const body = {
    url: values.url,
    events,
    enabled: values.enabled === 'true',
    description: values.description || null,
    ...(isMaster ? { includeSubmerchants: scope.length > 0 } : {}),
    ...(isOperator && !endpoint ? { merchantId: values.merchantId.trim() } : {}),
  };
  const onOff = (isOn: boolean): string => (isOn ? t('on') : t('off'));
  return (
    <CommandDialog
      title={endpoint ? t('Edit endpoint') : t('Add endpoint')}
      action={t('Save')}
      isWide
      call={
        endpoint ? { method: 'PATCH', path: `${path}/${endpoint.id}`, body } : { method: 'POST', path, body }
      }
      onClose={onClose}
    >
      {(error) => (
        <>
          {isOperator &&
            !endpoint &&
            field('merchantId', t('Merchant'), error, { required: true, placeholder: 'mer_…' })}
          {field('url', t('Address'), error, { required: true, type: 'url' })}
          {field('description', t('Description'), error)}
          <Checks
            label={t('Events; * means every one')}
            name="events"
            options={namesOf(WEBHOOK_EVENTS)}
            chosen={events}
            onChange={setEvents}
            error={error}
          />
          {isMaster && (
            <Checks
              label={t('Sub-merchants')}
              name="includeSubmerchants"
              options={[{ value: 'all', label: t('Their events, too') }]}
              chosen={scope}
              onChange={setScope}
              error={error}
            />
          )}
          <Select
            label={t('Status')}
            name="enabled"
            value={values.enabled}
            onText={(text) => set('enabled', text)}
            options={[
              { value: 'true', label: t('on') },
              { value: 'false', label: t('off') },
            ]}
            error={error}
          />
          {endpoint && (
            <Changes
              of={[
                [t('Address'), endpoint.url, values.url],
                [t('Description'), endpoint.description ?? '', values.description],
                [t('Events'), endpoint.events.toSorted().join(', '), events.toSorted().join(', ')],
                [t('Sub-merchants'), onOff(endpoint.includeSubmerchants), onOff(scope.length > 0)],
                [t('Status'), onOff(endpoint.enabled), onOff(values.enabled === 'true')],
              ]}
            />
          )}
        </>
      )}
    </CommandDialog>
  );
};

const TestDialog = (props: {
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}) => {
  const { path, endpoint, onClose } = props;
  const [event, setEvent] = useState('');
  return (
    <CommandDialog
      title={t('Send test event')}
      action={t('Send test event')}
      call={{ method: 'POST', path, body: event ? { event } : {} }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            {t('A sample goes to {url}, marked as a test. Its record does not exist.', { url: endpoint.url })}
          </p>
          <Select
            label={t('Event')}
            name="event"
            value={event}
            onText={setEvent}
            options={namesOf(WEBHOOK_EVENTS.filter((name) => name !== '*'))}
            none={t("The first of the endpoint's own")}
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};

const RecoverDialog = (props: {
  readonly path: string;
  readonly onClose: () => void;
  readonly onDone: (recovery: Schemas['WebhookRecovery']) => void;
}) => {
  const { path, ...closing } = props;
  const [since, setSince] = useState(daysAgo(1));
  return (
    <CommandDialog<Schemas['WebhookRecovery']>
      title={t('Recover')}
      action={t('Recover')}
      call={{ method: 'POST', path, body: { since } }}
      {...closing}
    >
      {(error) => (
        <>
          <p>{t('Sends failed deliveries again, and events that were missed while it was disabled.')}</p>
          <Field
            label={t('Since')}
            name="since"
            type="date"
            value={since}
            onText={setSince}
            required
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};
