import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { CommandDialog } from '../components/command-dialog.tsx';
import { TextArea } from '../components/field.tsx';
import { Money, Problem } from '../components/parts.tsx';
import { addMoney, formatMoney } from '../format.ts';
import { t } from '../words.ts';
import type { Charge } from './charges.tsx';

type Balances = {
  readonly data: readonly {
    readonly currency: string;
    readonly available: number;
    readonly reserved: number;
  }[];
};

/** Takes back what the seller and each participant got of a charge. */
const takenBack = ({ amount, currency, merchantId, split }: Charge) => {
  const parts = split ?? [];
  const own = addMoney(currency, amount, ...parts.map((part) => -part.amount));
  return [
    { merchantId, amount: own },
    ...parts.map((part) => ({ merchantId: part.merchantId, amount: part.amount })),
  ];
};

/** Shows what a refund does to every balance before it is sent. */
export const RefundDialog = ({
  charge,
  onClose,
}: {
  readonly charge: Charge;
  readonly onClose: () => void;
}) => {
  const { id, amount, currency, customer, merchantId } = charge;
  const [reason, setReason] = useState('');
  const balance = useQuery({
    queryKey: ['/v1/balance', 'refund', id],
    queryFn: () => ask<Balances>({ path: '/v1/balance' }),
  });
  const now = balance.data?.data.find((one) => one.currency === currency);
  const before = now ? addMoney(currency, now.available, now.reserved) : 0;
  return (
    <CommandDialog
      title={t('Refund charge')}
      action={t('Refund charge')}
      isDestructive
      call={{ method: 'POST', path: '/v1/refunds', body: { chargeId: id, reason } }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            {t('{amount} go back to {name}, once and in full. The fee is not returned.', {
              amount: formatMoney(amount, currency),
              name: customer.name,
            })}
          </p>
          <table>
            <caption>{t('Effect on balances')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('Merchant')}</th>
                <th scope="col" className="number">
                  {t('Change')}
                </th>
                <th scope="col" className="number">
                  {t('Balance after')}
                </th>
              </tr>
            </thead>
            <tbody>
              {takenBack(charge).map((part) => (
                <tr key={part.merchantId}>
                  <td>{part.merchantId === merchantId ? t('You') : part.merchantId}</td>
                  <td className="number">
                    <Money amount={-part.amount} currency={currency} />
                  </td>
                  <td className="number">
                    {part.merchantId === merchantId && balance.data ? (
                      <Money amount={addMoney(currency, before, -part.amount)} currency={currency} />
                    ) : (
                      '–'
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {balance.error && <Problem error={balance.error} />}
          <p className="hint">
            {t('It is taken from what is not settled yet first, then from what is available.')}
          </p>
          <TextArea
            label={t('Reason')}
            name="reason"
            value={reason}
            onText={setReason}
            required
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};
