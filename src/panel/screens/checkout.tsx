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
import { givenOf, useFields } from '../components/use-fields.tsx';
import { Money } from '../components/values.tsx';
import { formatNumber } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { CHECKOUT_STATUSES, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { AddressDialog } from './checkout/address-dialog.tsx';
import { checkoutTabs } from './checkout/tabs.ts';
import { activePlans, planOptions } from './subscription/plan-options.ts';

type Session = Schemas['ListedCheckoutSession'];

const columns = (me: Me): readonly Column<Session>[] => [
  {
    key: 'id',
    head: t('Session'),
    cell: ({ id, description, reference }) => (
      <TwoLines first={description ?? reference ?? t('Session')} second={id} />
    ),
  },
  {
    key: 'status',
    head: t('Status'),
    cell: ({ status, cancelReason }) => (
      <TwoLines first={<Status status={status} />} second={cancelReason && tStatus(cancelReason)} />
    ),
  },
  {
    key: 'amount',
    head: t('Amount'),
    sort: 'amount',
    isNumber: true,
    cell: ({ amount, currency }) =>
      amount === null ? t('Saves a card') : <Money amount={amount} currency={currency} />,
  },
  {
    key: 'charges',
    head: t('Attempts'),
    isNumber: true,
    cell: ({ chargeIds }) => formatNumber(chargeIds.length),
  },
  ...merchantColumns(me),
  timeColumn('createdAt', t('Created')),
  timeColumn('expiresAt', t('Expires')),
];

const filters = (me: Me): readonly Filter[] => [
  choiceFilter('status', t('Status'), optionsOf(CHECKOUT_STATUSES)),
  textFilter('reference', t('Reference')),
  textFilter('customerId', t('Customer')),
  textFilter('paymentLinkId', t('Payment link')),
  ...between('createdAt'),
  ...merchantFilters(me),
];

type Step = { readonly kind: 'cancel' | 'address'; readonly session: Session };

const Checkout = () => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
  const actions = (session: Session) => (
    <>
      {session.chargeIds.length > 0 && (
        <Link href={`/charges?checkoutSessionId=${session.id}`}>{t('Charges')}</Link>
      )}
      {session.status === 'open' && (
        <Button label={t('Address')} onClick={() => setStep({ kind: 'address', session })} />
      )}
      {me.merchant?.id === session.merchantId && ['open', 'processing'].includes(session.status) && (
        <Button label={t('Cancel')} onClick={() => setStep({ kind: 'cancel', session })} />
      )}
    </>
  );
  return (
    <ListScreen
      title={t('Checkout')}
      tabs={checkoutTabs(me)}
      add={me.merchant !== null && { label: t('Open session'), dialog: OpenDialog }}
      list={call('listCheckoutSessions')}
      columns={columns(me)}
      filters={filters(me)}
      empty={t('A session is a page on which one payer pays once. Sessions that are opened are shown here.')}
      actions={actions}
      csv="checkout-sessions"
    >
      {step?.kind === 'address' && (
        <AddressDialog title={t('Address of the page')} url={step.session.url} onClose={close} />
      )}
      {step?.kind === 'cancel' && <CancelDialog session={step.session} onClose={close} />}
    </ListScreen>
  );
};
export default Checkout;

const OpenDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [opened, setOpened] = useState<Schemas['CheckoutSession'] | null>(null);
  const { values, field, money, currency, select } = useFields({
    description: '',
    amount: '',
    currency: 'BRL',
    reference: '',
    mode: 'payment',
    planId: '',
  });
  const sellsPlans = may(useMe(), 'subscriptions.manage');
  const plans = useRead(activePlans(), { isWanted: sellsPlans });
  const { amount, currency: code, planId, ...texts } = values;
  const isPlan = values.mode === 'subscription';
  const isPaid = values.mode === 'payment';
  const price = isPlan
    ? { planId }
    : { currency: code, ...(isPaid ? { amount: amountOf(amount, code) } : {}) };
  const body = { ...givenOf(texts), ...price };
  if (opened) return <AddressDialog title={t('Address of the page')} url={opened.url} onClose={onClose} />;
  return (
    <CommandDialog
      title={t('Open session')}
      call={call('createCheckoutSession', { body })}
      onClose={onClose}
      onDone={setOpened}
      isIncomplete={isPlan && planId === ''}
      isReplaced
    >
      <p>{t('One payer pays once on the page. For several payers make a payment link.')}</p>
      {select('mode', t('The payer'), [
        { value: 'payment', label: t('pays') },
        { value: 'setup', label: t('saves a card for later payments') },
        ...(sellsPlans ? [{ value: 'subscription', label: t('subscribes to a plan') }] : []),
      ])}
      {isPlan && select('planId', t('Plan'), planOptions(plans.data?.data ?? []), { none: t('Choose') })}
      {field('description', t('Description'), { required: !isPlan })}
      {isPaid && money('amount', t('Amount'), code, { required: true })}
      {!isPlan && currency('currency')}
      {field('reference', t('Reference'))}
    </CommandDialog>
  );
};

const CancelDialog = ({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) => (
  <CommandDialog
    title={t('Cancel session')}
    isDestructive
    call={call('cancelCheckoutSession', { path: { id: session.id } })}
    onClose={onClose}
  >
    <p>{t('Nobody can pay on the page any more. A payment that waits for the payer is cancelled first.')}</p>
  </CommandDialog>
);
