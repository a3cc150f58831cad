import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { BalanceEffect } from '../components/balance-effect.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { decisionColumn } from '../components/decision-column.tsx';
import { Field, Select, TextArea } from '../components/field.tsx';
import { Facts, Money, Status, When } from '../components/parts.tsx';
import { addMoney, formatMoney } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';

/** Amounts are cents. */
type Payout = {
  readonly id: string;
  readonly merchantId: string;
  readonly amount: number;
  readonly currency: string;
  readonly payoutFee: number;
  readonly netAmount: number;
  readonly status: string;
  readonly externalAccountDetails: { readonly pixKey: string };
  readonly rejectionReason: string | null;
  readonly transferStatus: string | null;
  readonly transferReference: string | null;
  readonly createdAt: string;
};

const Cents = ({ cents, currency }: { readonly cents: number; readonly currency: string }) => (
  <Money amount={cents / 100} currency={currency} />
);

const columns = (): readonly Column<Payout>[] => [
  {
    key: 'createdAt',
    head: t('Requested'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  { key: 'merchant', head: t('Merchant'), sort: 'merchantId', cell: ({ merchantId }) => merchantId },
  {
    key: 'amount',
    head: t('Amount'),
    sort: 'amount',
    isNumber: true,
    cell: ({ amount, currency }) => <Cents cents={amount} currency={currency} />,
  },
  {
    key: 'fee',
    head: t('Fee'),
    isNumber: true,
    cell: ({ payoutFee, currency }) => <Cents cents={payoutFee} currency={currency} />,
  },
  {
    key: 'net',
    head: t('Net'),
    sort: 'netAmount',
    isNumber: true,
    cell: ({ netAmount, currency }) => <Cents cents={netAmount} currency={currency} />,
  },
  decisionColumn(),
  {
    key: 'transfer',
    head: t('Transfer'),
    sort: 'transferStatus',
    cell: ({ transferStatus, transferReference }) => (
      <>
        {transferStatus ? <Status status={transferStatus} /> : '–'}
        {transferReference && <small>{transferReference}</small>}
      </>
    ),
  },
  {
    key: 'pixKey',
    head: t('Pix key'),
    isExtra: true,
    cell: ({ externalAccountDetails }) => externalAccountDetails.pixKey,
  },
];

type Step = 'approve' | 'reject' | 'transfer';

const stepsFor = (me: Me, { status, transferStatus }: Payout): readonly Step[] => {
  if (me.merchant || !may(me, 'admin.payout_requests.update')) return [];
  if (status === 'pending') return ['approve', 'reject'];
  return status === 'approved' && transferStatus === 'pending' ? ['transfer'] : [];
};

const Payouts = () => {
  const me = useMe();
  const [asked, setAsked] = useState<{ readonly payout: Payout; readonly step: Step } | null>(null);
  const [isNew, setNew] = useState(false);
  useTitle(t('Payouts'));
  const close = (): void => setAsked(null);
  const names: Readonly<Record<Step, string>> = {
    approve: t('Approve'),
    reject: t('Reject'),
    transfer: t('Report transfer'),
  };
  return (
    <>
      <div className="heading">
        <h1>{t('Payouts')}</h1>
        <span className="space" />
        {me.merchant && may(me, 'payouts.create') && (
          <button type="button" className="primary" onClick={() => setNew(true)}>
            {t('Request payout')}
          </button>
        )}
      </div>
      <DataTable
        path="/v1/payout-requests"
        caption={t('Payouts')}
        columns={columns()}
        filters={[
          {
            kind: 'select',
            name: 'status',
            label: t('Status'),
            options: ['pending', 'approved', 'rejected'].map((value) => ({ value, label: tStatus(value) })),
          },
          {
            kind: 'select',
            name: 'transferStatus',
            label: t('Transfer'),
            options: ['pending', 'sent', 'failed'].map((value) => ({ value, label: tStatus(value) })),
          },
          { kind: 'date', name: 'createdAt[gte]', label: t('From') },
          { kind: 'date', name: 'createdAt[lte]', label: t('To') },
          { kind: 'text', name: 'merchantId', label: t('Merchant') },
        ]}
        empty={t('A request for a payout by a merchant is shown here.')}
        csv="payout-requests"
        actions={(payout) =>
          stepsFor(me, payout).map((step) => (
            <button key={step} type="button" onClick={() => setAsked({ payout, step })}>
              {names[step]}
            </button>
          ))
        }
      />
      {asked?.step === 'approve' && <ApproveDialog payout={asked.payout} onClose={close} />}
      {asked?.step === 'reject' && <RejectDialog payout={asked.payout} onClose={close} />}
      {asked?.step === 'transfer' && <TransferDialog payout={asked.payout} onClose={close} />}
      {isNew && me.merchant && (
        <RequestDialog
          merchantId={me.merchant.id}
          isSubmerchant={me.merchant.masterId !== null}
          onClose={() => setNew(false)}
        />
      )}
    </>
  );
};
export default Payouts;

type StepProps = { readonly payout: Payout; readonly onClose: () => void };
const stepPath = ({ id }: Payout, step: Step): string => `/v1/admin/payout-requests/${id}/${step}`;

const About = ({ payout }: { readonly payout: Payout }) => (
  <Facts
    rows={[
      [t('Merchant'), payout.merchantId],
      [t('Amount'), <Cents key="amount" cents={payout.amount} currency={payout.currency} />],
      [t('Fee'), <Cents key="fee" cents={payout.payoutFee} currency={payout.currency} />],
      [t('Net'), <Cents key="net" cents={payout.netAmount} currency={payout.currency} />],
      [t('Pix key'), payout.externalAccountDetails.pixKey],
    ]}
  />
);

const ApproveDialog = ({ payout, onClose }: StepProps) => (
  <CommandDialog
    title={t('Approve payout')}
    action={t('Approve')}
    call={{ method: 'POST', path: stepPath(payout, 'approve') }}
    onClose={onClose}
  >
    {() => (
      <>
        <p>
          {t('{amount} leave the available balance of the merchant at once.', {
            amount: formatMoney(payout.amount / 100, payout.currency),
          })}
        </p>
        <About payout={payout} />
        <BalanceEffect
          merchantId={payout.merchantId}
          currency={payout.currency}
          change={-payout.amount / 100}
        />
      </>
    )}
  </CommandDialog>
);

const RejectDialog = ({ payout, onClose }: StepProps) => {
  const [rejectionReason, setReason] = useState('');
  return (
    <CommandDialog
      title={t('Reject payout')}
      action={t('Reject')}
      isDestructive
      call={{ method: 'POST', path: stepPath(payout, 'reject'), body: { rejectionReason } }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>{t('The balance stays as it is, and the merchant is told the reason.')}</p>
          <About payout={payout} />
          <TextArea
            label={t('Reason')}
            name="rejectionReason"
            value={rejectionReason}
            onText={setReason}
            required
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};

const TransferDialog = ({ payout, onClose }: StepProps) => {
  const [status, setStatus] = useState('sent');
  const [text, setText] = useState('');
  const isSent = status === 'sent';
  return (
    <CommandDialog
      title={t('Report transfer')}
      action={t('Report transfer')}
      isDestructive={!isSent}
      call={{
        method: 'POST',
        path: stepPath(payout, 'transfer'),
        body: { status, ...(text ? { [isSent ? 'reference' : 'reason']: text } : {}) },
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            {isSent
              ? t('The transfer is recorded as sent. No money moves in the books.')
              : t('{amount} come back to the available balance of the merchant.', {
                  amount: formatMoney(payout.amount / 100, payout.currency),
                })}
          </p>
          <About payout={payout} />
          <Select
            label={t('Outcome')}
            name="status"
            value={status}
            onText={setStatus}
            options={['sent', 'failed'].map((value) => ({ value, label: tStatus(value) }))}
            error={error}
          />
          <Field
            label={isSent ? t('Reference') : t('Reason')}
            name={isSent ? 'reference' : 'reason'}
            value={text}
            onText={setText}
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};

const RequestDialog = (props: {
  readonly merchantId: string;
  readonly isSubmerchant: boolean;
  readonly onClose: () => void;
}) => {
  const { merchantId, isSubmerchant, onClose } = props;
  const [text, setText] = useState('');
  const balance = useQuery({
    queryKey: ['/v1/balance', 'payout'],
    queryFn: () =>
      ask<{ readonly data: readonly { readonly currency: string; readonly available: number }[] }>({
        path: '/v1/balance',
      }),
  });
  const available = balance.data?.data.find(({ currency }) => currency === 'BRL')?.available ?? 0;
  const amount = Math.round(Number(text) * 100);
  return (
    <CommandDialog
      title={t('Request payout')}
      action={t('Request payout')}
      call={{
        method: 'POST',
        path: isSubmerchant ? `/v1/submerchants/${merchantId}/payout-requests` : '/v1/payout-requests',
        body: { amount },
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <Field
            label={t('Amount in BRL')}
            name="amount"
            type="number"
            min="0.01"
            step="0.01"
            required
            value={text}
            onText={setText}
            hint={t('Goes by Pix to the tax id of the company; an operator approves it.')}
            error={error}
          />
          <Facts
            rows={[
              [
                t('Available before'),
                balance.data && <Money key="before" amount={available} currency="BRL" />,
              ],
              [
                t('Available after'),
                balance.data && (
                  <Money key="after" amount={addMoney('BRL', available, -amount / 100)} currency="BRL" />
                ),
              ],
            ]}
          />
        </>
      )}
    </CommandDialog>
  );
};
