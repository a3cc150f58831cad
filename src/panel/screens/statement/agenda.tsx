import { useSearch } from 'wouter';
import { call } from '../../api.ts';
import { Panel } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';
import { formatDay, formatNumber, shownZone } from '../../format.ts';
import { t } from '../../words.ts';

/** The days on which reserved money becomes available, in the zone of the merchant. */
export const Agenda = () => {
  const merchantId = new URLSearchParams(useSearch()).get('merchantId');
  const query = { timeZone: shownZone(), ...(merchantId ? { merchantId } : {}) };
  return (
    <Panel title={t('Receivables')} call={call('getUpcomingSettlements', { query })} lines={3}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="empty">{t('Nothing waits to become available.')}</p>
        ) : (
          <Table
            caption={t('Receivables')}
            heads={[t('Day'), { number: t('Parts') }, { number: t('Amount') }]}
            rows={data.map(({ day, currency, amount, parts }) => ({
              key: `${day} ${currency}`,
              cells: [
                formatDay(day),
                formatNumber(parts),
                <Money key="amount" amount={amount} currency={currency} />,
              ],
            }))}
          />
        )
      }
    </Panel>
  );
};
