import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { merchantColumns, TwoLines, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { choiceFilter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { amountOf } from '../components/money-field.tsx';
import { Status } from '../components/status.tsx';
import { givenOf, useFields } from '../components/use-fields.tsx';
import { formatNumber } from '../format.ts';
import { type Me, useMe } from '../session.tsx';
import { INTERVALS, optionsOf } from '../values.ts';
import { t } from '../words.ts';
import { Price } from './subscription/price.tsx';
import { SUBSCRIPTION_TABS } from './subscription/tabs.ts';

type Plan = Schemas['Plan'];

const columns = (me: Me): readonly Column<Plan>[] => [
  {
    key: 'name',
    head: t('Name'),
    sort: 'name',
    cell: ({ name, description }) => <TwoLines first={name} second={description} />,
  },
  { key: 'price', head: t('Price'), cell: (plan) => <Price of={plan} /> },
  {
    key: 'trialDays',
    head: t('Days of trial'),
    isNumber: true,
    cell: ({ trialDays }) => formatNumber(trialDays),
  },
  {
    key: 'active',
    head: t('Status'),
    cell: ({ active }) => <Status status={active ? 'active' : 'closed'} />,
  },
  ...merchantColumns(me),
  timeColumn('createdAt', t('Created')),
];

type Step = { readonly kind: 'edit' | 'close' | 'reopen'; readonly plan: Plan };

const Plans = () => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
  const actions = (plan: Plan) => (
    <>
      <Link href={`/subscriptions?planId=${plan.id}`}>{t('Subscriptions')}</Link>
      {me.merchant?.id === plan.merchantId && (
        <>
          <Button label={t('Edit')} onClick={() => setStep({ kind: 'edit', plan })} />
          {plan.active ? (
            <Button label={t('Close')} onClick={() => setStep({ kind: 'close', plan })} />
          ) : (
            <Button label={t('Reopen')} onClick={() => setStep({ kind: 'reopen', plan })} />
          )}
        </>
      )}
    </>
  );
  return (
    <ListScreen
      title={t('Plans')}
      tabs={SUBSCRIPTION_TABS()}
      add={me.merchant !== null && { label: t('Create plan'), dialog: CreateDialog }}
      list={call('listPlans')}
      columns={columns(me)}
      filters={[
        textFilter('q', t('Words')),
        choiceFilter('active', t('Status'), [
          { value: 'true', label: t('Open') },
          { value: 'false', label: t('Closed') },
        ]),
        ...merchantFilters(me),
      ]}
      empty={t('A plan is a price that customers pay again and again. Those that you create are shown here.')}
      actions={actions}
      csv="plans"
    >
      {step?.kind === 'edit' && <EditDialog plan={step.plan} onClose={close} />}
      {(step?.kind === 'close' || step?.kind === 'reopen') && (
        <ActiveDialog plan={step.plan} active={step.kind === 'reopen'} onClose={close} />
      )}
    </ListScreen>
  );
};
export default Plans;

const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, field, money, currency, select, area } = useFields({
    name: '',
    amount: '',
    currency: 'BRL',
    interval: 'month',
    intervalCount: '1',
    trialDays: '0',
    description: '',
  });
  const { amount, intervalCount, trialDays, ...texts } = values;
  const body = {
    ...givenOf(texts),
    amount: amountOf(amount, values.currency),
    intervalCount: Number(intervalCount),
    trialDays: Number(trialDays),
  };
  return (
    <CommandDialog title={t('Create plan')} call={call('createPlan', { body })} onClose={onClose}>
      <p>{t('The price of a plan never changes. Another price is another plan.')}</p>
      {field('name', t('Name'), { required: true })}
      {money('amount', t('Amount'), values.currency, { required: true })}
      {currency('currency')}
      {select('interval', t('Interval'), optionsOf(INTERVALS))}
      {field('intervalCount', t('Intervals from one payment to the next'), {
        type: 'number',
        min: 1,
        max: 12,
        required: true,
      })}
      {field('trialDays', t('Days of trial'), { type: 'number', min: 0, max: 365, required: true })}
      {area('description', t('Description'))}
    </CommandDialog>
  );
};

type Props = { readonly plan: Plan; readonly onClose: () => void };

const EditDialog = ({ plan, onClose }: Props) => {
  const { values, field, area } = useFields({ name: plan.name, description: plan.description ?? '' });
  const body = { name: values.name, description: values.description || null };
  return (
    <CommandDialog
      title={t('Edit plan')}
      action={t('Save')}
      call={call('updatePlan', { path: { id: plan.id }, body })}
      onClose={onClose}
    >
      {field('name', t('Name'), { required: true })}
      {area('description', t('Description'))}
    </CommandDialog>
  );
};

const ActiveDialog = ({ plan, active, onClose }: Props & { readonly active: boolean }) => (
  <CommandDialog
    title={active ? t('Reopen plan') : t('Close plan')}
    call={call('updatePlan', { path: { id: plan.id }, body: { active } })}
    onClose={onClose}
  >
    <p>
      {active
        ? t('New subscriptions to {name} can be made again.', { name: plan.name })
        : t('No new subscription to {name} can be made. Those that run go on.', { name: plan.name })}
    </p>
  </CommandDialog>
);
