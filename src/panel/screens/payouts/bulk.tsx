import type { ReactNode } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { BulkDialog } from '../../components/bulk-dialog.tsx';
import { useMerchantName } from '../../components/merchant.tsx';
import { useFields } from '../../components/use-fields.tsx';
import { addMoney, formatMoney, formatNumber } from '../../format.ts';
import { optionsOf } from '../../values.ts';
import { t } from '../../words.ts';

/** Amounts are cents. */
type Payout = Schemas['PayoutRequest'];

export type BulkStep = 'approve' | 'reject' | 'transfer';

type Props = { readonly payouts: readonly Payout[]; readonly onClose: () => void };

/** The sums of a selection, one for each currency. */
export const sumOf = (payouts: readonly Payout[], key: 'amount' | 'netAmount' = 'amount'): string =>
  [...new Set(payouts.map(({ currency }) => currency))]
    .map((currency) => {
      const amounts = payouts.filter((one) => one.currency === currency).map((one) => one[key] / 100);
      return formatMoney(addMoney(currency, ...amounts), currency);
    })
    .join(', ');

const valuesOf = (payouts: readonly Payout[], key: 'amount' | 'netAmount' = 'amount') => ({
  count: formatNumber(payouts.length),
  amount: sumOf(payouts, key),
});

const Name = ({ payout }: { readonly payout: Payout }): ReactNode => {
  const name = useMerchantName(payout.merchantId) ?? payout.merchantId;
  return `${name}, ${formatMoney(payout.amount / 100, payout.currency)}`;
};
const nameOf = (payout: Payout): ReactNode => <Name payout={payout} />;

const ApproveAll = ({ payouts, onClose }: Props) => (
  <BulkDialog
    about={(rows) => ({
      title:
        rows.length === 1 ? t('Approve payout') : t('Approve {count} payouts over {amount}', valuesOf(rows)),
      action: t('Approve {amount}', valuesOf(rows)),
      effect: (
        <p>
          {t(
            '{amount} leave the available balances of the merchants at once, each payout by itself.',
            valuesOf(rows),
          )}
        </p>
      ),
    })}
    rows={payouts}
    callOf={({ id }) => call('approvePayoutRequest', { path: { id } })}
    nameOf={nameOf}
    onClose={onClose}
  />
);

const RejectAll = ({ payouts, onClose }: Props) => {
  const { values, area } = useFields({ rejectionReason: '' });
  return (
    <BulkDialog
      about={(rows) => ({
        title:
          rows.length === 1 ? t('Reject payout') : t('Reject {count} payouts over {amount}', valuesOf(rows)),
        action: t('Reject'),
        effect: <p>{t('The balances stay as they are, and each merchant is told the reason.')}</p>,
      })}
      isDestructive
      rows={payouts}
      callOf={({ id }) => call('rejectPayoutRequest', { path: { id }, body: values })}
      nameOf={nameOf}
      onClose={onClose}
    >
      {area('rejectionReason', t('Reason'), { required: true })}
    </BulkDialog>
  );
};

const TransferAll = ({ payouts, onClose }: Props) => {
  const { values, field, select } = useFields({ status: 'sent', reference: '', reason: '' });
  const { status } = values;
  const isSent = status === 'sent';
  const told = isSent ? 'reference' : 'reason';
  const body = { status, ...(values[told] ? { [told]: values[told] } : {}) };
  return (
    <BulkDialog
      about={(rows) => ({
        title:
          rows.length === 1
            ? t('Report transfer')
            : t('Report {count} transfers over {amount}', valuesOf(rows, 'netAmount')),
        action: t('Report {amount}', valuesOf(rows, 'netAmount')),
        effect: (
          <p>
            {isSent
              ? t('{amount} are recorded as sent. No money moves in the books.', valuesOf(rows, 'netAmount'))
              : t('{amount} come back to the available balances of the merchants.', valuesOf(rows))}
          </p>
        ),
      })}
      isDestructive={!isSent}
      rows={payouts}
      callOf={({ id }) => call('recordPayoutTransfer', { path: { id }, body })}
      nameOf={nameOf}
      onClose={onClose}
    >
      {select('status', t('Outcome'), optionsOf(['sent', 'failed']))}
      {field(told, isSent ? t('Reference') : t('Reason'))}
    </BulkDialog>
  );
};

/** A step of an operator for a selection of payouts. */
export const BulkSteps = ({ step, ...props }: Props & { readonly step: BulkStep }) => {
  if (step === 'approve') return <ApproveAll {...props} />;
  return step === 'reject' ? <RejectAll {...props} /> : <TransferAll {...props} />;
};
