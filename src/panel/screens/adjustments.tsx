import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ActorName } from '../components/actor.tsx';
import { BalanceEffect } from '../components/balance-effect.tsx';
import { Button } from '../components/button.tsx';
import { decisionColumn, merchantColumn, moneyColumn, TwoLines, textColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { OwnProposal } from '../components/doomed.tsx';
import { Facts } from '../components/facts.tsx';
import { between, choiceFilter, merchantFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { amountOf } from '../components/money-field.tsx';
import { RejectDialog } from '../components/reject-dialog.tsx';
import { useFields } from '../components/use-fields.tsx';
import { Money, When } from '../components/values.tsx';
import { formatMoney } from '../format.ts';
import { may, useMe } from '../session.tsx';
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
      <TwoLines first={<When at={createdAt} />} second={<ActorName id={createdByUserId} />} />
    ),
  },
  merchantColumn({ sort: 'merchantId' }),
  moneyColumn('amount', t('Amount'), { sort: 'amount' }),
  textColumn('reason', t('Reason')),
  decisionColumn(),
  {
    key: 'processed',
    head: t('Decided'),
    sort: 'processedAt',
    cell: ({ processedAt, processedByUserId }) => (
      <TwoLines
        first={<When at={processedAt} />}
        second={processedByUserId && <ActorName id={processedByUserId} />}
      />
    ),
  },
];

type Step = { readonly kind: 'approve' | 'reject'; readonly adjustment: Adjustment };

const Adjustments = () => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
  const mayPropose = may(me, 'admin.adjustments.create');
  const actions = (adjustment: Adjustment) => (
    <>
      {adjustment.ledgerEntryId && may(me, 'admin.reports.read') && (
        <Explanation ids={[adjustment.ledgerEntryId]} />
      )}
      {adjustment.status === 'pending' && may(me, 'admin.adjustments.approve') && (
        <>
          {adjustment.createdByUserId === me.id ? (
            <OwnProposal />
          ) : (
            <Button label={t('Approve')} onClick={() => setStep({ kind: 'approve', adjustment })} />
          )}
          <Button label={t('Reject')} onClick={() => setStep({ kind: 'reject', adjustment })} />
        </>
      )}
    </>
  );
  return (
    <ListScreen
      title={t('Adjustments')}
      add={mayPropose && { label: t('Propose adjustment'), dialog: ProposeDialog }}
      list={call('listAdjustments')}
      columns={columns()}
      filters={[
        choiceFilter('status', t('Status'), optionsOf(ADJUSTMENT_STATUSES)),
        merchantFilter(),
        textFilter('currency', t('Currency')),
        ...between('createdAt'),
      ]}
      csv="adjustments"
      empty={t('Corrections of balances, each by two operators, are shown here.')}
      actions={actions}
    >
      {step?.kind === 'approve' && <ApproveDialog adjustment={step.adjustment} onClose={close} />}
      {step?.kind === 'reject' && (
        <RejectDialog
          title={t('Reject adjustment')}
          name="rejectionReason"
          callOf={(body) => call('rejectAdjustment', { path: { id: step.adjustment.id }, body })}
          onClose={close}
        >
          <p>{t('No money moves.')}</p>
          <About adjustment={step.adjustment} />
        </RejectDialog>
      )}
    </ListScreen>
  );
};
export default Adjustments;

const MERCHANT_ID = /^mer_[0-9a-f]{32}$/;

const ProposeDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, merchant, money, area, currency } = useFields({
    merchantId: '',
    amount: '',
    currency: 'BRL',
    reason: '',
  });
  const merchantId = values.merchantId.trim();
  const amount = amountOf(values.amount, values.currency);
  return (
    <CommandDialog
      title={t('Propose adjustment')}
      call={call('proposeAdjustment', { body: { ...values, merchantId, amount } })}
      onClose={onClose}
    >
      <p>{t('No money moves until another operator approves it.')}</p>
      {merchant('merchantId', t('Merchant'), { required: true })}
      {money('amount', t('Amount'), values.currency, {
        required: true,
        hint: t('Above zero adds to the balance, below zero takes from it.'),
      })}
      {currency('currency')}
      {area('reason', t('Reason'), { required: true })}
      {MERCHANT_ID.test(merchantId) && (
        <BalanceEffect merchantId={merchantId} currency={values.currency} change={amount ?? 0} />
      )}
    </CommandDialog>
  );
};

const About = ({ adjustment }: { readonly adjustment: Adjustment }) => (
  <Facts
    rows={[
      [t('Merchant'), <MerchantName key="merchant" id={adjustment.merchantId} />],
      [t('Amount'), <Money key="amount" amount={adjustment.amount} currency={adjustment.currency} />],
      [t('Reason'), adjustment.reason],
      [t('Author'), <ActorName key="author" id={adjustment.createdByUserId} />],
    ]}
  />
);

const ApproveDialog = (props: { readonly adjustment: Adjustment; readonly onClose: () => void }) => {
  const { adjustment, onClose } = props;
  const { id, amount, currency, merchantId } = adjustment;
  const money = formatMoney(Math.abs(amount), currency);
  return (
    <CommandDialog
      title={t('Approve adjustment')}
      action={t('Approve')}
      isDestructive={amount < 0}
      call={call('approveAdjustment', { path: { id } })}
      onClose={onClose}
    >
      <p>
        {amount < 0
          ? t('{amount} leave the available balance of the merchant at once.', { amount: money })
          : t('{amount} come to the available balance of the merchant at once.', { amount: money })}
      </p>
      <About adjustment={adjustment} />
      <BalanceEffect merchantId={merchantId} currency={currency} change={amount} />
    </CommandDialog>
  );
};
