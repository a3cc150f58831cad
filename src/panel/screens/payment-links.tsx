import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { merchantColumns, TwoLines, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { between, choiceFilter, type Filter, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { amountOf } from '../components/money-field.tsx';
import { Status } from '../components/status.tsx';
import { givenOf, useChecks, useFields } from '../components/use-fields.tsx';
import { Money } from '../components/values.tsx';
import { formatNumber } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { LINK_FIELDS, LINK_STATUSES, optionsOf } from '../values.ts';
import { t } from '../words.ts';
import { AddressDialog } from './checkout/address-dialog.tsx';
import { checkoutTabs } from './checkout/tabs.ts';
import { activePlans, planOptions } from './subscription/plan-options.ts';

type PaymentLink = Schemas['ListedPaymentLink'];

const Price = ({ of }: { readonly of: PaymentLink }) => {
  const { amount, amountRange, currency } = of;
  if (amount !== null) return <Money amount={amount} currency={currency} />;
  return (
    <>
      <Money amount={amountRange?.min ?? 0} currency={currency} /> –{' '}
      <Money amount={amountRange?.max ?? 0} currency={currency} />
    </>
  );
};

const columns = (me: Me): readonly Column<PaymentLink>[] => [
  {
    key: 'description',
    head: t('Payment link'),
    cell: ({ description, reference, id }) => <TwoLines first={description} second={reference ?? id} />,
  },
  { key: 'status', head: t('Status'), cell: ({ status }) => <Status status={status} /> },
  { key: 'amount', head: t('Amount'), isNumber: true, cell: (link) => <Price of={link} /> },
  {
    key: 'payments',
    head: t('Payments'),
    sort: 'payments',
    isNumber: true,
    cell: ({ payments, maxPayments }) =>
      maxPayments === null
        ? formatNumber(payments)
        : t('{payments} of {most}', { payments: formatNumber(payments), most: formatNumber(maxPayments) }),
  },
  ...merchantColumns(me),
  timeColumn('createdAt', t('Created')),
  timeColumn('expiresAt', t('Expires')),
];

const filters = (me: Me): readonly Filter[] => [
  choiceFilter('status', t('Status'), optionsOf(LINK_STATUSES)),
  textFilter('reference', t('Reference')),
  ...between('createdAt'),
  ...merchantFilters(me),
];

type Step = { readonly kind: 'share' | 'pause' | 'resume' | 'cancel'; readonly link: PaymentLink };

const isRunning = ({ status }: PaymentLink): boolean => status === 'active' || status === 'paused';

const PaymentLinks = () => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
  const actions = (link: PaymentLink) => {
    const button = (kind: Step['kind'], label: string) => (
      <Button label={label} onClick={() => setStep({ kind, link })} />
    );
    return (
      <>
        <Link href={`/checkout?paymentLinkId=${link.id}`}>{t('Payments')}</Link>
        {isRunning(link) && button('share', t('Share'))}
        {me.merchant?.id === link.merchantId && isRunning(link) && (
          <>
            {link.status === 'active' ? button('pause', t('Pause')) : button('resume', t('Resume'))}
            {button('cancel', t('Cancel'))}
          </>
        )}
      </>
    );
  };
  return (
    <ListScreen
      title={t('Payment links')}
      tabs={checkoutTabs(me)}
      add={me.merchant !== null && { label: t('Create payment link'), dialog: CreateDialog }}
      list={call('listPaymentLinks')}
      columns={columns(me)}
      filters={filters(me)}
      empty={t(
        'A payment link is an address to send to payers or to print. Links that you create are shown here.',
      )}
      actions={actions}
      csv="payment-links"
    >
      {step?.kind === 'share' && (
        <AddressDialog title={step.link.description} url={step.link.url} onClose={close} />
      )}
      {step && step.kind !== 'share' && <ChangeDialog {...step} kind={step.kind} onClose={close} />}
    </ListScreen>
  );
};
export default PaymentLinks;

const CreateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [created, setCreated] = useState<Schemas['PaymentLink'] | null>(null);
  const { values, field, money, currency, select } = useFields({
    description: '',
    amount: '',
    most: '',
    currency: 'BRL',
    maxPayments: '',
    reference: '',
    mode: 'payment',
    planId: '',
  });
  const sellsPlans = may(useMe(), 'subscriptions.manage');
  const plans = useRead(activePlans(), { isWanted: sellsPlans });
  const [fields, fieldBoxes] = useChecks('fields', t('Ask payers for'), optionsOf(LINK_FIELDS));
  const isPlan = values.mode === 'subscription';
  const body = {
    ...givenOf({ reference: values.reference }),
    ...(isPlan ? { planId: values.planId } : priceOf(values)),
    description: values.description,
    fields: LINK_FIELDS.filter((one) => fields.includes(one)),
  };
  if (created) return <AddressDialog title={created.description} url={created.url} onClose={onClose} />;
  return (
    <CommandDialog
      title={t('Create payment link')}
      call={call('createPaymentLink', { body })}
      onClose={onClose}
      onDone={setCreated}
      isIncomplete={isPlan && values.planId === ''}
      isReplaced
    >
      {sellsPlans &&
        select('mode', t('Each payer'), [
          { value: 'payment', label: t('pays') },
          { value: 'subscription', label: t('subscribes to a plan') },
        ])}
      {field('description', t('Description'), { required: true })}
      {isPlan && select('planId', t('Plan'), planOptions(plans.data?.data ?? []), { none: t('Choose') })}
      {!isPlan && (
        <>
          {money('amount', t('Amount'), values.currency, { required: true })}
          {money('most', t('Largest amount'), values.currency, {
            hint: t('Where the payer chooses, from the amount above up to this one.'),
          })}
          {currency('currency')}
          {field('maxPayments', t('Most payments'), {
            type: 'number',
            min: 1,
            max: 1_000,
            hint: t('Any number where this is empty.'),
          })}
        </>
      )}
      {fieldBoxes}
      {field('reference', t('Reference'))}
    </CommandDialog>
  );
};

/** The price of a link by which payers pay: one amount, or a range from which they choose. */
const priceOf = ({
  amount,
  most,
  currency,
  maxPayments,
}: Readonly<Record<'amount' | 'most' | 'currency' | 'maxPayments', string>>) => ({
  ...(most === ''
    ? { amount: amountOf(amount, currency) }
    : { amountRange: { min: amountOf(amount, currency), max: amountOf(most, currency) } }),
  currency,
  maxPayments: maxPayments === '' ? null : Number(maxPayments),
});

type ChangeProps = {
  readonly kind: 'pause' | 'resume' | 'cancel';
  readonly link: PaymentLink;
  readonly onClose: () => void;
};

const ChangeDialog = ({ kind, link, onClose }: ChangeProps) => {
  const path = { id: link.id };
  if (kind === 'cancel')
    return (
      <CommandDialog
        title={t('Cancel payment link')}
        isDestructive
        call={call('cancelPaymentLink', { path })}
        onClose={onClose}
      >
        <p>{t('Nobody can begin to pay it any more. Payments that are under way go on.')}</p>
      </CommandDialog>
    );
  const isPause = kind === 'pause';
  return (
    <CommandDialog
      title={isPause ? t('Pause payment link') : t('Resume payment link')}
      call={call('updatePaymentLink', { path, body: { status: isPause ? 'paused' : 'active' } })}
      onClose={onClose}
    >
      <p>
        {isPause
          ? t('The link takes no payments until you resume it. Payments that are under way go on.')
          : t('The link takes payments again.')}
      </p>
    </CommandDialog>
  );
};
