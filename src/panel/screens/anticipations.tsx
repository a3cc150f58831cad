import type { UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { merchantColumns, moneyColumn, textColumn, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { Facts } from '../components/facts.tsx';
import { between, merchantFilters, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Loaded } from '../components/loaded.tsx';
import { amountOf } from '../components/money-field.tsx';
import { useFields } from '../components/use-fields.tsx';
import { Money } from '../components/values.tsx';
import { formatNumber } from '../format.ts';
import { type Me, may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t } from '../words.ts';
import { settlementTabs } from './settlements/tabs.ts';

type Anticipation = Schemas['ListedAnticipation'];

const columns = (me: Me): readonly Column<Anticipation>[] => [
  timeColumn('createdAt', t('Booked')),
  moneyColumn('amount', t('Amount'), { sort: 'amount' }),
  moneyColumn('fee', t('Fee'), { sort: 'fee' }),
  moneyColumn('netAmount', t('Net'), { sort: 'netAmount' }),
  {
    key: 'charges',
    head: t('Charges'),
    isNumber: true,
    cell: ({ chargeCount }) => formatNumber(chargeCount),
  },
  {
    key: 'parts',
    head: t('Parts'),
    isNumber: true,
    isExtra: true,
    cell: ({ partCount }) => formatNumber(partCount),
  },
  ...merchantColumns(me, { sort: 'merchantId' }),
  textColumn('id', t('Id'), { isExtra: true }),
];

const Anticipations = () => {
  const me = useMe();
  const mayTake = me.merchant !== null && may(me, 'anticipations.create');
  return (
    <ListScreen
      title={t('Anticipations')}
      {...(me.merchant ? { tabs: settlementTabs() } : {})}
      add={mayTake && { label: t('Anticipate'), dialog: AnticipateDialog }}
      list={call('listAnticipations')}
      columns={columns(me)}
      filters={[
        ...between('createdAt'),
        textFilter('chargeId', t('Charge')),
        textFilter('currency', t('Currency')),
        ...merchantFilters(me),
      ]}
      empty={t('Money that was made available before its day, for a fee, is shown here.')}
      csv="anticipations"
    />
  );
};
export default Anticipations;

const CURRENCY = /^[A-Z]{3}$/;

/** Quotes while an amount is typed, and takes what was quoted. */
const AnticipateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, money, currency } = useFields({ amount: '', currency: 'BRL' });
  const amount = amountOf(values.amount, values.currency);
  const body = { amount, currency: values.currency };
  const quoted = useDeferredValue(amount);
  const isQuotable = quoted !== null && quoted > 0 && CURRENCY.test(values.currency);
  const asked = { amount: quoted ?? 0, currency: values.currency };
  const quote = useRead(call('quoteAnticipation', { query: asked }), { isWanted: isQuotable });
  return (
    <CommandDialog
      title={t('Anticipate')}
      call={call('createAnticipation', { body })}
      // Nobody pays a fee that was not shown.
      isIncomplete={quoted !== amount || !isQuotable || !quote.data}
      onClose={onClose}
    >
      <p>{t('Parts that are due soonest become available at once, up to this amount, for a fee.')}</p>
      {money('amount', t('Amount at most'), values.currency, { required: true })}
      {currency('currency')}
      {isQuotable && <Quote quote={quote} />}
    </CommandDialog>
  );
};

const Quote = ({ quote }: { readonly quote: UseQueryResult<Schemas['AnticipationQuote']> }) => {
  return (
    <Loaded of={quote} lines={2}>
      {(found) => (
        <>
          <Facts
            className="sum"
            rows={[
              [
                t('Taken from what is reserved'),
                <Money key="amount" amount={found.amount} currency={found.currency} />,
              ],
              [t('Fee'), <Money key="fee" amount={-found.fee} currency={found.currency} />],
              [
                t('Available at once'),
                <strong key="net">
                  <Money amount={found.netAmount} currency={found.currency} />
                </strong>,
              ],
            ]}
          />
          <p className="hint">
            {t('Charges that it is taken from: {count}. A later refund does not return the fee.', {
              count: formatNumber(found.charges.length),
            })}
          </p>
        </>
      )}
    </Loaded>
  );
};
