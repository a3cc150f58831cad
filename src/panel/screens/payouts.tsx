import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { BalanceEffect } from '../components/balance-effect.tsx';
import { Button } from '../components/button.tsx';
import { decisionColumn, merchantColumn, TwoLines, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { between, choiceFilter, merchantFilters } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { amountOf } from '../components/money-field.tsx';
import { NotesOf } from '../components/notes.tsx';
import { RejectDialog } from '../components/reject-dialog.tsx';
import { Status } from '../components/status.tsx';
import { useFields } from '../components/use-fields.tsx';
import { Money } from '../components/values.tsx';
import { addMoney, formatMoney } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { optionsOf } from '../values.ts';
import { t } from '../words.ts';
import { type BulkStep, BulkSteps, sumOf } from './payouts/bulk.tsx';

/** Amounts are cents. */
type Payout = Schemas['PayoutRequest'];

const Cents = ({ cents, currency }: { readonly cents: number; readonly currency: string }) => (
  <Money amount={cents / 100} currency={currency} />
);

const centsColumn = (
  key: 'amount' | 'payoutFee' | 'netAmount',
  head: string,
  more: Partial<Column<Payout>> = {},
): Column<Payout> => ({
  key,
  head,
  isNumber: true,
  cell: (payout) => <Cents cents={payout[key]} currency={payout.currency} />,
  ...more,
});

const columns = (): readonly Column<Payout>[] => [
  timeColumn('createdAt', t('Requested')),
  merchantColumn({ sort: 'merchantId' }),
  centsColumn('amount', t('Amount'), { sort: 'amount' }),
  centsColumn('payoutFee', t('Fee'), { isExtra: true }),
  centsColumn('netAmount', t('Net'), { sort: 'netAmount' }),
  decisionColumn(),
  {
    key: 'transfer',
    head: t('Transfer'),
    sort: 'transferStatus',
    cell: ({ transferStatus, transferReference }) => (
      <TwoLines
        first={transferStatus ? <Status status={transferStatus} /> : '–'}
        second={transferReference}
      />
    ),
  },
  {
    key: 'pixKey',
    head: t('Pix key'),
    isExtra: true,
    cell: ({ externalAccountDetails }) => externalAccountDetails.pixKey,
  },
];

type Step = 'approve' | 'reject' | 'transfer' | 'cancel';

/** Steps that an operator can take for a selection. */
const BULK_STEPS: readonly BulkStep[] = ['approve', 'reject', 'transfer'];

const stepsFor = (me: Me, { status, transferStatus }: Payout): readonly Step[] => {
  if (me.merchant) return status === 'pending' && may(me, 'payouts.create') ? ['cancel'] : [];
  if (!may(me, 'admin.payout_requests.update')) return [];
  if (status === 'pending') return ['approve', 'reject'];
  return status === 'approved' && transferStatus === 'pending' ? ['transfer'] : [];
};

const Payouts = () => {
  const me = useMe();
  const [several, setSeveral] = useState<{
    readonly payouts: readonly Payout[];
    readonly step: BulkStep;
  } | null>(null);
  const [asked, setAsked] = useState<{ readonly payout: Payout; readonly step: Step } | null>(null);
  const close = (): void => setAsked(null);
  const [params, setParams] = useSearchParams();
  // The search leads to the notes of one request.
  const noted = params.get('notes');
  const showNotes = (id: string | null): void =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (id === null) next.delete('notes');
      else next.set('notes', id);
      return next;
    });
  const names: Readonly<Record<Step, string>> = {
    approve: t('Approve'),
    reject: t('Reject'),
    transfer: t('Report transfer'),
    cancel: t('Cancel payout'),
  };
  const mayAsk = me.merchant !== null && may(me, 'payouts.create');
  return (
    <ListScreen
      title={t('Payouts')}
      add={mayAsk && { label: t('Request payout'), dialog: RequestDialog }}
      list={call('listPayoutRequests')}
      columns={columns()}
      filters={[
        choiceFilter('status', t('Status'), optionsOf(['pending', 'approved', 'rejected'])),
        choiceFilter('transferStatus', t('Transfer'), optionsOf(['pending', 'sent', 'failed'])),
        ...between('createdAt'),
        ...merchantFilters(me),
      ]}
      empty={t('A request for a payout by a merchant is shown here.')}
      csv="payout-requests"
      {...(may(me, 'admin.payout_requests.update') && me.merchant === null
        ? {
            bulk: {
              sumOf,
              commands: BULK_STEPS.map((step) => ({
                label: names[step],
                isFor: (payout: Payout) => stepsFor(me, payout).includes(step),
                onRun: (payouts: readonly Payout[]) => setSeveral({ payouts, step }),
              })),
            },
          }
        : {})}
      actions={(payout) => (
        <>
          <Button label={t('Notes')} className="quiet" onClick={() => showNotes(payout.id)} />
          {stepsFor(me, payout).map((step) => (
            <button key={step} type="button" onClick={() => setAsked({ payout, step })}>
              {names[step]}
            </button>
          ))}
        </>
      )}
    >
      {noted && (
        <Dialog title={t('Payout')} isWide onClose={() => showNotes(null)}>
          <NotesOf resourceId={noted} />
          <footer>
            <span className="space" />
            <Button label={t('Close')} onClick={() => showNotes(null)} />
          </footer>
        </Dialog>
      )}
      {several && <BulkSteps {...several} onClose={() => setSeveral(null)} />}
      {asked?.step === 'approve' && <ApproveDialog payout={asked.payout} onClose={close} />}
      {asked?.step === 'reject' && (
        <RejectDialog
          title={t('Reject payout')}
          name="rejectionReason"
          isReasonNeeded
          callOf={(body) => call('rejectPayoutRequest', { path: { id: asked.payout.id }, body })}
          onClose={close}
        >
          <p>{t('The balance stays as it is, and the merchant is told the reason.')}</p>
          <About payout={asked.payout} />
        </RejectDialog>
      )}
      {asked?.step === 'transfer' && <TransferDialog payout={asked.payout} onClose={close} />}
      {asked?.step === 'cancel' && <CancelDialog payout={asked.payout} onClose={close} />}
    </ListScreen>
  );
};
export default Payouts;

type StepProps = { readonly payout: Payout; readonly onClose: () => void };

const About = ({ payout }: { readonly payout: Payout }) => (
  <Facts
    rows={[
      [t('Merchant'), <MerchantName key="merchant" id={payout.merchantId} />],
      [t('Amount'), <Cents key="amount" cents={payout.amount} currency={payout.currency} />],
      [t('Fee'), <Cents key="fee" cents={payout.payoutFee} currency={payout.currency} />],
      [t('Net'), <Cents key="net" cents={payout.netAmount} currency={payout.currency} />],
      [t('Pix key'), payout.externalAccountDetails.pixKey],
    ]}
  />
);

/** Why an approval would be refused, with the way to what is missing; as far as the operator may read it. */
const useDoom = ({ merchantId, currency, amount }: Payout): ReactNode => {
  const me = useMe();
  const balance = useRead(call('getBalanceReport', { query: { merchantId, currency } }), {
    isWanted: may(me, 'admin.reports.read'),
  });
  const merchant = useRead(call('getMerchant', { path: { id: merchantId } }), {
    isWanted: may(me, 'admin.merchants.read'),
  });
  if (merchant.data && merchant.data.status !== 'active')
    return (
      <>
        {t('The merchant is not active, so that it cannot be paid out.')}{' '}
        <Link href={`/merchants/${merchantId}`}>{merchant.data.legalName}</Link>
      </>
    );
  const available = balance.data?.totals[0]?.available ?? 0;
  if (!balance.data || Math.round(available * 100) >= amount) return null;
  return (
    <>
      {t('Only {amount} are available.', { amount: formatMoney(available, currency) })}{' '}
      <Link href={`/statement?merchantId=${merchantId}`}>{t('Statement')}</Link>
    </>
  );
};

const ApproveDialog = ({ payout, onClose }: StepProps) => {
  const { id, merchantId, currency } = payout;
  const amount = payout.amount / 100;
  return (
    <CommandDialog
      title={t('Approve payout')}
      action={t('Approve')}
      call={call('approvePayoutRequest', { path: { id } })}
      doomed={useDoom(payout)}
      onClose={onClose}
    >
      <p>
        {t('{amount} leave the available balance of the merchant at once.', {
          amount: formatMoney(amount, currency),
        })}
      </p>
      <About payout={payout} />
      <BalanceEffect merchantId={merchantId} currency={currency} change={-amount} />
    </CommandDialog>
  );
};

const CancelDialog = ({ payout, onClose }: StepProps) => (
  <CommandDialog
    title={t('Cancel payout')}
    isDestructive
    call={call('cancelPayoutRequest', { path: { payoutRequestId: payout.id } })}
    onClose={onClose}
  >
    <p>{t('Nothing is transferred, and the balance stays as it is.')}</p>
    <About payout={payout} />
  </CommandDialog>
);

const TransferDialog = ({ payout, onClose }: StepProps) => {
  const { values, field, select } = useFields({ status: 'sent', reference: '', reason: '' });
  const { status } = values;
  const isSent = status === 'sent';
  const amount = payout.amount / 100;
  const told = isSent ? 'reference' : 'reason';
  const body = { status, ...(values[told] ? { [told]: values[told] } : {}) };
  return (
    <CommandDialog
      title={t('Report transfer')}
      isDestructive={!isSent}
      call={call('recordPayoutTransfer', { path: { id: payout.id }, body })}
      onClose={onClose}
    >
      <p>
        {isSent
          ? t('The transfer is recorded as sent. No money moves in the books.')
          : t('{amount} come back to the available balance of the merchant.', {
              amount: formatMoney(amount, payout.currency),
            })}
      </p>
      <About payout={payout} />
      {!isSent && <BalanceEffect merchantId={payout.merchantId} currency={payout.currency} change={amount} />}
      {select('status', t('Outcome'), optionsOf(['sent', 'failed']))}
      {field(told, isSent ? t('Reference') : t('Reason'))}
    </CommandDialog>
  );
};

/** Why a request would be refused, whatever its amount. */
const useRequestDoom = (): ReactNode => {
  const me = useMe();
  const fees = useRead(call('getOwnFees'), { isWanted: may(me, 'fees.read') });
  if (me.merchant && me.merchant.status !== 'active')
    return t('Your company is not active yet, so that it cannot be paid out.');
  if (!fees.data || fees.data.some(({ fee_type }) => fee_type === 'payout')) return null;
  return (
    <>
      {t('No fee of payouts is set for you yet: ask the operator of the gateway.')}{' '}
      <Link href="/terms">{t('Fees and settings')}</Link>
    </>
  );
};

const RequestDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const me = useMe();
  const { values, money } = useFields({ amount: '' });
  const { data } = useRead(call('getBalance'));
  const available = data?.data.find(({ currency }) => currency === 'BRL')?.available ?? 0;
  const amount = amountOf(values.amount, 'BRL');
  const body = { amount: amount === null ? null : Math.round(amount * 100) };
  const after = addMoney('BRL', available, -(amount ?? 0));
  return (
    <CommandDialog
      title={t('Request payout')}
      call={
        me.merchant?.masterId
          ? call('createSubmerchantPayoutRequest', { path: { merchantId: me.merchant.id }, body })
          : call('createPayoutRequest', { body })
      }
      doomed={useRequestDoom()}
      onClose={onClose}
    >
      {money('amount', t('Amount in BRL'), 'BRL', {
        required: true,
        hint: t('Goes by Pix to the tax id of the company; an operator approves it.'),
      })}
      <Facts
        rows={[
          [t('Available before'), data && <Money key="before" amount={available} currency="BRL" />],
          [t('Available after'), data && <Money key="after" amount={after} currency="BRL" />],
        ]}
      />
    </CommandDialog>
  );
};
