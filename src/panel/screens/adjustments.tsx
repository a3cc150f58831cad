import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { BalanceEffect } from '../components/balance-effect.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { decisionColumn } from '../components/decision-column.tsx';
import { Field, TextArea } from '../components/field.tsx';
import { Facts, Money, When } from '../components/parts.tsx';
import { useFields } from '../components/use-fields.tsx';
import { formatMoney } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { ADJUSTMENT_STATUSES, optionsOf } from '../values.ts';
import { t } from '../words.ts';
import { Explanation } from './explanation.tsx';

type Adjustment = Schemas['Adjustment'];

const columns = (): readonly Column<Adjustment>[] => [
  {
    key: 'createdAt',
    head: t('Proposed'),
    sort: 'createdAt',
    cell: ({ createdAt, createdByUserId }) => (
      <>
        <When at={createdAt} />
        <small>{createdByUserId}</small>
      </>
    ),
  },
  { key: 'merchant', head: t('Merchant'), sort: 'merchantId', cell: ({ merchantId }) => merchantId },
  {
    key: 'amount',
    head: t('Amount'),
    sort: 'amount',
    isNumber: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { key: 'reason', head: t('Reason'), cell: ({ reason }) => reason },
  decisionColumn(),
  {
    key: 'processed',
    head: t('Decided'),
    sort: 'processedAt',
    cell: ({ processedAt, processedByUserId }) => (
      <>
        <When at={processedAt} />
        <small>{processedByUserId}</small>
      </>
    ),
  },
];

type Step = { readonly kind: 'approve' | 'reject'; readonly adjustment: Adjustment };

const Adjustments = () => {
  const me = useMe();
  const [isNew, setNew] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  useTitle(t('Adjustments'));
  const close = (): void => setStep(null);
  return (
    <>
      <div className="heading">
        <h1>{t('Adjustments')}</h1>
        <span className="space" />
        {may(me, 'admin.adjustments.create') && (
          <button type="button" className="primary" onClick={() => setNew(true)}>
            {t('Propose adjustment')}
          </button>
        )}
      </div>
      <DataTable
        path="/v1/admin/adjustments"
        caption={t('Adjustments')}
        columns={columns()}
        filters={[
          { kind: 'select', name: 'status', label: t('Status'), options: optionsOf(ADJUSTMENT_STATUSES) },
          { kind: 'text', name: 'merchantId', label: t('Merchant') },
          { kind: 'text', name: 'currency', label: t('Currency') },
          { kind: 'date', name: 'createdAt[gte]', label: t('From') },
          { kind: 'date', name: 'createdAt[lte]', label: t('To') },
        ]}
        empty={t('Corrections of balances, each by two operators, are shown here.')}
        actions={(adjustment) => (
          <>
            {adjustment.ledgerEntryId && may(me, 'admin.reports.read') && (
              <Explanation ids={[adjustment.ledgerEntryId]} />
            )}
            {adjustment.status === 'pending' && may(me, 'admin.adjustments.approve') && (
              <>
                {adjustment.createdByUserId !== me.id && (
                  <button type="button" onClick={() => setStep({ kind: 'approve', adjustment })}>
                    {t('Approve')}
                  </button>
                )}
                <button type="button" onClick={() => setStep({ kind: 'reject', adjustment })}>
                  {t('Reject')}
                </button>
              </>
            )}
          </>
        )}
      />
      {isNew && <ProposeDialog onClose={() => setNew(false)} />}
      {step?.kind === 'approve' && <ApproveDialog adjustment={step.adjustment} onClose={close} />}
      {step?.kind === 'reject' && <RejectDialog adjustment={step.adjustment} onClose={close} />}
    </>
  );
};
export default Adjustments;

const MERCHANT_ID = /^mer_[0-9a-f]{32}$/;

const ProposeDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, set, field } = useFields({ merchantId: '', amount: '', currency: 'BRL', reason: '' });
  return (
    <CommandDialog
      title={t('Propose adjustment')}
      action={t('Propose adjustment')}
      call={{
        method: 'POST',
        path: '/v1/admin/adjustments',
        body: { ...values, merchantId: values.merchantId.trim(), amount: Number(values.amount) },
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>{t('No money moves until another operator approves it.')}</p>
          {field('merchantId', t('Merchant'), error, { required: true, placeholder: 'mer_…' })}
          {field('amount', t('Amount'), error, {
            required: true,
            type: 'number',
            step: 'any',
            hint: t('Above zero adds to the balance, below zero takes from it.'),
          })}
          <Field
            label={t('Currency')}
            name="currency"
            value={values.currency}
            onText={(text) => set('currency', text.toUpperCase())}
            maxLength={3}
            required
            error={error}
          />
          <TextArea
            label={t('Reason')}
            name="reason"
            value={values.reason}
            onText={(text) => set('reason', text)}
            required
            error={error}
          />
          {MERCHANT_ID.test(values.merchantId.trim()) && (
            <BalanceEffect
              merchantId={values.merchantId.trim()}
              currency={values.currency}
              change={Number(values.amount) || 0}
            />
          )}
        </>
      )}
    </CommandDialog>
  );
};

type StepProps = { readonly adjustment: Adjustment; readonly onClose: () => void };

const About = ({ adjustment }: { readonly adjustment: Adjustment }) => (
  <Facts
    rows={[
      [t('Merchant'), adjustment.merchantId],
      [t('Amount'), <Money key="amount" amount={adjustment.amount} currency={adjustment.currency} />],
      [t('Reason'), adjustment.reason],
      [t('Author'), adjustment.createdByUserId],
    ]}
  />
);

const ApproveDialog = ({ adjustment, onClose }: StepProps) => {
  const { id, amount, currency, merchantId } = adjustment;
  const money = formatMoney(Math.abs(amount), currency);
  return (
    <CommandDialog
      title={t('Approve adjustment')}
      action={t('Approve')}
      isDestructive={amount < 0}
      call={{ method: 'POST', path: `/v1/admin/adjustments/${id}/approve` }}
      onClose={onClose}
    >
      {() => (
        <>
          <p>
            {amount < 0
              ? t('{amount} leave the available balance of the merchant at once.', { amount: money })
              : t('{amount} come to the available balance of the merchant at once.', { amount: money })}
          </p>
          <About adjustment={adjustment} />
          <BalanceEffect merchantId={merchantId} currency={currency} change={amount} />
        </>
      )}
    </CommandDialog>
  );
};

const RejectDialog = ({ adjustment, onClose }: StepProps) => {
  const [rejectionReason, setReason] = useState('');
  return (
    <CommandDialog
      title={t('Reject adjustment')}
      action={t('Reject')}
      isDestructive
      call={{
        method: 'POST',
        path: `/v1/admin/adjustments/${adjustment.id}/reject`,
        body: rejectionReason ? { rejectionReason } : {},
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>{t('No money moves.')}</p>
          <About adjustment={adjustment} />
          <TextArea
            label={t('Reason')}
            name="rejectionReason"
            value={rejectionReason}
            onText={setReason}
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};
