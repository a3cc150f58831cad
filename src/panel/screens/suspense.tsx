import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ActorName } from '../components/actor.tsx';
import { BalanceEffect } from '../components/balance-effect.tsx';
import { Button } from '../components/button.tsx';
import { TwoLines, textColumn, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { OwnProposal } from '../components/doomed.tsx';
import { Facts } from '../components/facts.tsx';
import { between, choiceFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { MerchantField } from '../components/merchant-field.tsx';
import { RejectDialog } from '../components/reject-dialog.tsx';
import { Status } from '../components/status.tsx';
import { useFields } from '../components/use-fields.tsx';
import { Money } from '../components/values.tsx';
import { formatMoney } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { optionsOf, SUSPENSE_REASONS, SUSPENSE_STATUSES } from '../values.ts';
import { t, tStatus } from '../words.ts';

type Item = Schemas['SuspenseItem'];
type Method = Schemas['SuspenseClearing']['method'];

const METHODS: readonly Method[] = ['give_back', 'merchant', 'gateway'];

const nameOf = (method: Method): string =>
  ({
    give_back: t('Give it back to the payer'),
    merchant: t('Book it to a merchant'),
    gateway: t('Leave it with the gateway'),
  })[method];

const columns = (): readonly Column<Item>[] => [
  timeColumn('createdAt', t('Since')),
  {
    key: 'status',
    head: t('Status'),
    sort: 'status',
    cell: ({ status, clearing, returnFailure }) => (
      <TwoLines
        first={<Status status={status} />}
        second={returnFailure ?? (clearing?.status === 'pending' ? t('A clearing is proposed') : null)}
      />
    ),
  },
  { key: 'reason', head: t('Reason'), sort: 'reason', cell: ({ reason }) => tStatus(reason) },
  {
    key: 'amount',
    head: t('Amount'),
    sort: 'amount',
    isNumber: true,
    cell: ({ amount, currency, direction }) => (
      <Money amount={direction === 'in' ? amount : -amount} currency={currency} />
    ),
  },
  {
    key: 'charge',
    head: t('Charge'),
    cell: ({ chargeId, merchantId }) => (
      <TwoLines
        first={chargeId ? <Link href={`/charges/${chargeId}`}>{t('Charge')}</Link> : '–'}
        second={merchantId && <MerchantName id={merchantId} />}
      />
    ),
  },
  {
    key: 'provider',
    head: t('Provider'),
    cell: ({ provider, reference }) => <TwoLines first={provider} second={reference} />,
  },
  textColumn('id', t('Id'), { isExtra: true }),
];

type Step = { readonly kind: 'propose' | 'approve' | 'reject'; readonly item: Item };

const isOwnClearing = (me: Me, { status, clearing }: Item): boolean =>
  status === 'held' && clearing?.status === 'pending' && clearing.proposedByUserId === me.id;

const stepsFor = (me: Me, { status, clearing }: Item): readonly Step['kind'][] => {
  if (status !== 'held') return [];
  if (clearing?.status !== 'pending') return may(me, 'admin.adjustments.create') ? ['propose'] : [];
  if (!may(me, 'admin.adjustments.approve')) return [];
  return clearing.proposedByUserId === me.id ? ['reject'] : ['approve', 'reject'];
};

const Suspense = () => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
  const names: Readonly<Record<Step['kind'], string>> = {
    propose: t('Propose clearing'),
    approve: t('Approve'),
    reject: t('Reject'),
  };
  return (
    <ListScreen
      title={t('Suspense')}
      intro={t('Money that a provider got or gave and that belongs to nobody yet. Two operators place it.')}
      list={call('listSuspenseItems')}
      columns={columns()}
      filters={[
        choiceFilter('status', t('Status'), optionsOf(SUSPENSE_STATUSES)),
        choiceFilter(
          'clearingStatus',
          t('Clearing'),
          optionsOf(['pending', 'approved', 'rejected', 'failed']),
        ),
        choiceFilter('reason', t('Reason'), optionsOf(SUSPENSE_REASONS)),
        textFilter('provider', t('Provider')),
        textFilter('currency', t('Currency')),
        ...between('createdAt'),
      ]}
      empty={t('A payment that no charge waits for would be shown here.')}
      csv="suspense-items"
      actions={(item) => (
        <>
          {isOwnClearing(me, item) && <OwnProposal />}
          {stepsFor(me, item).map((kind) => (
            <Button key={kind} label={names[kind]} onClick={() => setStep({ kind, item })} />
          ))}
        </>
      )}
    >
      {step?.kind === 'propose' && <ProposeDialog item={step.item} onClose={close} />}
      {step?.kind === 'approve' && <ApproveDialog item={step.item} onClose={close} />}
      {step?.kind === 'reject' && (
        <RejectDialog
          title={t('Reject clearing')}
          name="rejectionReason"
          callOf={(body) => call('rejectSuspenseClearing', { path: { id: step.item.id }, body })}
          onClose={close}
        >
          <p>{t('No money moves.')}</p>
          <About item={step.item} />
        </RejectDialog>
      )}
    </ListScreen>
  );
};
export default Suspense;

type DialogProps = { readonly item: Item; readonly onClose: () => void };

const About = ({ item }: { readonly item: Item }) => (
  <Facts
    rows={[
      [t('Amount'), <Money key="amount" amount={item.amount} currency={item.currency} />],
      [t('Reason'), tStatus(item.reason)],
      [t('Provider'), `${item.provider} · ${item.reference}`],
      ...(item.clearing
        ? ([
            [t('Clearing'), nameOf(item.clearing.method)],
            [
              t('Merchant'),
              item.clearing.merchantId && <MerchantName key="of" id={item.clearing.merchantId} />,
            ],
            [t('Why'), item.clearing.reason],
            [t('Author'), <ActorName key="author" id={item.clearing.proposedByUserId} />],
          ] as const)
        : []),
    ]}
  />
);

const effectOf = (method: Method, { amount, currency, direction }: Item): string => {
  const money = formatMoney(amount, currency);
  if (method === 'give_back') return t('{amount} go back to the payer.', { amount: money });
  if (method === 'gateway')
    return direction === 'in'
      ? t('{amount} become income of the gateway.', { amount: money })
      : t('{amount} become a loss of the gateway.', { amount: money });
  return direction === 'in'
    ? t('{amount} come to the available balance of the merchant at once.', { amount: money })
    : t('{amount} leave the available balance of the merchant at once.', { amount: money });
};

const ProposeDialog = ({ item, onClose }: DialogProps) => {
  const methods = METHODS.filter((method) => method !== 'give_back' || item.direction === 'in');
  const { values, set, select, area } = useFields({
    method: methods[0] ?? 'merchant',
    merchantId: item.merchantId ?? '',
    reason: '',
  });
  const method = methods.find((one) => one === values.method) ?? 'merchant';
  const { merchantId, ...others } = values;
  const body = { ...others, ...(method === 'merchant' ? { merchantId } : {}) };
  return (
    <CommandDialog
      title={t('Propose clearing')}
      call={call('proposeSuspenseClearing', { path: { id: item.id }, body })}
      onClose={onClose}
    >
      <p>{t('No money moves until another operator approves it.')}</p>
      <About item={item} />
      {select(
        'method',
        t('What is to be done'),
        methods.map((value) => ({ value, label: nameOf(value) })),
      )}
      {method === 'merchant' && (
        <MerchantField
          name="merchantId"
          label={t('Merchant')}
          value={merchantId}
          onText={(value) => set('merchantId', value)}
          required
        />
      )}
      <p>{effectOf(method, item)}</p>
      {area('reason', t('Reason'), { required: true })}
    </CommandDialog>
  );
};

const ApproveDialog = ({ item, onClose }: DialogProps) => {
  const { id, clearing, amount, currency, direction } = item;
  if (!clearing) return null;
  return (
    <CommandDialog
      title={t('Approve clearing')}
      action={t('Approve')}
      call={call('approveSuspenseClearing', { path: { id } })}
      onClose={onClose}
    >
      <p>{effectOf(clearing.method, item)}</p>
      <About item={item} />
      {clearing.merchantId && (
        <BalanceEffect
          merchantId={clearing.merchantId}
          currency={currency}
          change={direction === 'in' ? amount : -amount}
        />
      )}
    </CommandDialog>
  );
};
