import { call } from '../api.ts';
import { addMoney } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t } from '../words.ts';
import { Facts } from './facts.tsx';
import { Problem } from './problem.tsx';
import { Money } from './values.tsx';

/** The available balance of a merchant before and after a command, for operators who may read balances. */
export const BalanceEffect = (props: {
  readonly merchantId: string;
  readonly currency: string;
  /** Decimal, in the currency. */
  readonly change: number;
}) => {
  const { merchantId, currency, change } = props;
  const isShown = may(useMe(), 'admin.reports.read') && merchantId !== '' && /^[A-Z]{3}$/.test(currency);
  const balance = useRead(call('getBalanceReport', { query: { merchantId, currency } }), {
    isWanted: isShown,
  });
  if (!isShown) return null;
  if (balance.error) return <Problem error={balance.error} />;
  const before = balance.data?.totals[0]?.available ?? 0;
  return (
    <Facts
      rows={[
        [t('Available before'), balance.data && <Money key="before" amount={before} currency={currency} />],
        [
          t('Available after'),
          balance.data && (
            <Money key="after" amount={addMoney(currency, before, change)} currency={currency} />
          ),
        ],
      ]}
    />
  );
};
