import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Changes } from '../../components/changes.tsx';
import { merchantColumn, TwoLines, timeColumn } from '../../components/columns.tsx';
import { CommandDialog } from '../../components/command-dialog.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { choiceFilter, merchantFilters } from '../../components/filters.tsx';
import { ListScreen } from '../../components/list-screen.tsx';
import { Status } from '../../components/status.tsx';
import { useChecks, useFields } from '../../components/use-fields.tsx';
import { eventOptions, tEvent } from '../../event-words.ts';
import { daysAgo, formatNumber, startOfDay } from '../../format.ts';
import { may, seesSeveral, useMe } from '../../session.tsx';
import { WEBHOOK_EVENTS } from '../../values.ts';
import { t } from '../../words.ts';
import { webhookTabs } from '../webhooks.tsx';
import { TestResult } from './test-result.tsx';

type Endpoint = Schemas['WebhookEndpoint'];

const inWords = (events: readonly string[]): string => events.map(tEvent).toSorted().join(', ');

const columns = (): readonly Column<Endpoint>[] => [
  {
    key: 'url',
    head: t('Address'),
    sort: 'url',
    cell: ({ url, description }) => <TwoLines first={url} second={description} />,
  },
  { key: 'events', head: t('Events'), cell: ({ events }) => inWords(events) },
  {
    key: 'enabled',
    head: t('Status'),
    sort: 'enabled',
    cell: ({ enabled, disabledReason }) => (
      <TwoLines first={<Status status={enabled ? 'active' : 'disabled'} />} second={disabledReason} />
    ),
  },
  merchantColumn({ sort: 'merchantId', isExtra: true }),
  timeColumn('createdAt', t('Created')),
];

const MERCHANTS = {
  list: 'listWebhookEndpoints',
  create: 'createWebhookEndpoint',
  update: 'updateWebhookEndpoint',
  delete: 'deleteWebhookEndpoint',
  test: 'testWebhookEndpoint',
  recover: 'recoverWebhookEndpoint',
} as const;
const OPERATORS = {
  list: 'listWebhookEndpointsAsOperator',
  create: 'createWebhookEndpointAsOperator',
  update: 'updateWebhookEndpointAsOperator',
  delete: 'deleteWebhookEndpointAsOperator',
  test: 'testWebhookEndpointAsOperator',
  recover: 'recoverWebhookEndpointAsOperator',
} as const;
/** The operations of the caller. */
const useOperations = (): typeof MERCHANTS | typeof OPERATORS => (useMe().merchant ? MERCHANTS : OPERATORS);

const onOrOff = () => [
  { value: 'true', label: t('on') },
  { value: 'false', label: t('off') },
];

type Kind = 'test' | 'recover' | 'edit' | 'delete';
type Step = { readonly kind: Kind; readonly endpoint: Endpoint };

const Endpoints = () => {
  const me = useMe();
  const operations = useOperations();
  const mayChange = may(me, me.merchant ? 'webhooks.manage' : 'admin.webhooks.update');
  const [step, setStep] = useState<Step | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [tested, setTested] = useState<Schemas['WebhookDelivery'] | null>(null);
  const close = (): void => setStep(null);
  const names: Readonly<Record<Kind, string>> = {
    test: t('Send test event'),
    recover: t('Recover'),
    edit: t('Edit'),
    delete: t('Delete'),
  };
  return (
    <ListScreen
      title={t('Endpoints')}
      tabs={webhookTabs()}
      add={mayChange && { label: t('Add endpoint'), dialog: NewEndpoint }}
      list={call(operations.list)}
      columns={columns()}
      filters={[choiceFilter('enabled', t('Status'), onOrOff()), ...merchantFilters(me)]}
      csv="webhook-endpoints"
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
    >
      {step?.kind === 'edit' && <EndpointDialog endpoint={step.endpoint} onClose={close} />}
      {step?.kind === 'test' && <TestDialog endpoint={step.endpoint} onClose={close} onDone={setTested} />}
      {tested && <TestResult sent={tested} onClose={() => setTested(null)} />}
      {step?.kind === 'recover' && (
        <RecoverDialog
          endpoint={step.endpoint}
          onClose={close}
          onDone={({ resent, missed, complete }) =>
            setSaid(
              `${t(
                '{resent} failed deliveries are sent again, and {missed} missed events for the first time.',
                {
                  resent: formatNumber(resent),
                  missed: formatNumber(missed),
                },
              )}${complete ? '' : ` ${t('More is left: recover again.')}`}`,
            )
          }
        />
      )}
      {step?.kind === 'delete' && (
        <CommandDialog
          title={t('Delete endpoint')}
          action={t('Delete')}
          isDestructive
          call={call(operations.delete, { path: { id: step.endpoint.id } })}
          onClose={close}
        >
          <p>
            {t('Nothing more is sent to {url}. The log of deliveries stays.', { url: step.endpoint.url })}
          </p>
        </CommandDialog>
      )}
      {said !== null && (
        <Dialog title={t('Recover')} onClose={() => setSaid(null)}>
          <p>{said}</p>
        </Dialog>
      )}
    </ListScreen>
  );
};
export default Endpoints;

type DialogProps = { readonly endpoint: Endpoint; readonly onClose: () => void };

const NewEndpoint = ({ onClose }: { readonly onClose: () => void }) => (
  <EndpointDialog endpoint={null} onClose={onClose} />
);

const EndpointDialog = (props: { readonly endpoint: Endpoint | null; readonly onClose: () => void }) => {
  const { endpoint, onClose } = props;
  const me = useMe();
  const operations = useOperations();
  const { values, field, merchant, select } = useFields({
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    merchantId: '',
    enabled: String(endpoint?.enabled ?? true),
  });
  const [events, eventChecks] = useChecks(
    'events',
    t('Events; * means every one'),
    eventOptions(WEBHOOK_EVENTS),
    endpoint?.events ?? ['*'],
  );
  const [scope, scopeChecks] = useChecks(
    'includeSubmerchants',
    t('Sub-merchants'),
    [{ value: 'all', label: t('Their events, too') }],
    endpoint?.includeSubmerchants ? ['all'] : [],
  );
  const isMaster = seesSeveral(me);
  const needsMerchant = me.merchant === null && endpoint === null;
  const body = {
    url: values.url,
    events,
    enabled: values.enabled === 'true',
    description: values.description || null,
    ...(isMaster ? { includeSubmerchants: scope.length > 0 } : {}),
    ...(needsMerchant ? { merchantId: values.merchantId.trim() } : {}),
  };
  const onOff = (isOn: boolean): string => (isOn ? t('on') : t('off'));
  return (
    <CommandDialog
      title={endpoint ? t('Edit endpoint') : t('Add endpoint')}
      action={t('Save')}
      isWide
      call={
        endpoint
          ? call(operations.update, { path: { id: endpoint.id }, body })
          : call(operations.create, { body })
      }
      onClose={onClose}
    >
      {needsMerchant && merchant('merchantId', t('Merchant'), { required: true })}
      {field('url', t('Address'), { required: true, type: 'url' })}
      {field('description', t('Description'))}
      {eventChecks}
      {isMaster && scopeChecks}
      {select('enabled', t('Status'), onOrOff())}
      {endpoint && (
        <Changes
          of={[
            [t('Address'), endpoint.url, values.url],
            [t('Description'), endpoint.description ?? '', values.description],
            [t('Events'), inWords(endpoint.events), inWords(events)],
            [t('Sub-merchants'), onOff(endpoint.includeSubmerchants), onOff(scope.length > 0)],
            [t('Status'), onOff(endpoint.enabled), onOff(values.enabled === 'true')],
          ]}
        />
      )}
    </CommandDialog>
  );
};

const TestDialog = (
  props: DialogProps & { readonly onDone: (delivery: Schemas['WebhookDelivery']) => void },
) => {
  const { endpoint, ...closing } = props;
  const operations = useOperations();
  const { values, select } = useFields({ event: '' });
  const body = values.event ? values : {};
  return (
    <CommandDialog
      title={t('Send test event')}
      call={call(operations.test, { path: { id: endpoint.id }, body })}
      doomed={endpoint.enabled ? null : t('The endpoint is disabled: nothing is sent to it until it is on.')}
      {...closing}
    >
      <p>
        {t('A sample goes to {url}, marked as a test. Its record does not exist.', { url: endpoint.url })}
      </p>
      {select('event', t('Event'), eventOptions(WEBHOOK_EVENTS.filter((name) => name !== '*')), {
        none: t("The first of the endpoint's own"),
      })}
    </CommandDialog>
  );
};

const RecoverDialog = (
  props: DialogProps & { readonly onDone: (recovery: Schemas['WebhookRecovery']) => void },
) => {
  const { endpoint, ...closing } = props;
  const operations = useOperations();
  const { values, field } = useFields({ since: daysAgo(1) });
  const body = values.since === '' ? values : { since: startOfDay(values.since) };
  return (
    <CommandDialog
      title={t('Recover')}
      call={call(operations.recover, { path: { id: endpoint.id }, body })}
      doomed={endpoint.enabled ? null : t('The endpoint is disabled: nothing is sent to it until it is on.')}
      {...closing}
    >
      <p>{t('Sends failed deliveries again, and events that were missed while it was disabled.')}</p>
      {field('since', t('Since'), { type: 'date', required: true })}
    </CommandDialog>
  );
};
