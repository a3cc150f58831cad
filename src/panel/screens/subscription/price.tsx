import type { Schemas } from '../../../client/client.ts';
import { Money } from '../../components/values.tsx';
import { formatNumber } from '../../format.ts';
import { t } from '../../words.ts';

type Price = Schemas['Price'];

const everyOf = ({ interval, intervalCount }: Price): string => {
  const count = formatNumber(intervalCount);
  switch (interval) {
    case 'week':
      return intervalCount === 1 ? t('a week') : t('every {count} weeks', { count });
    case 'month':
      return intervalCount === 1 ? t('a month') : t('every {count} months', { count });
    case 'year':
      return intervalCount === 1 ? t('a year') : t('every {count} years', { count });
  }
};

/** An amount and how often it is paid. */
export const Price = ({ of }: { readonly of: Price }) => (
  <>
    <Money amount={of.amount} currency={of.currency} /> {everyOf(of)}
  </>
);
