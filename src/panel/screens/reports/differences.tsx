import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { ask, type Call } from '../../api.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { Select } from '../../components/field.tsx';
import { CopyAsCurl, Facts, Money, Problem, Skeleton, When } from '../../components/parts.tsx';
import { optionsOf } from '../../values.ts';
import { t, tStatus } from '../../words.ts';

/** Differences between the ledger and the records that it tells of. */
export const Differences = () => {
  const [params, setParams] = useSearchParams();
  const status = params.get('status') ?? '';
  const call: Call = { path: '/v1/admin/reports/reconciliation', query: { status } };
  const found = useQuery({
    queryKey: [call.path, call.query],
    queryFn: () => ask<Schemas['ReconciliationReport']>(call),
  });
  if (found.isPending) return <Skeleton lines={6} />;
  if (found.error) return <Problem error={found.error} onRetry={() => found.refetch()} />;
  const { data, checkedUpTo, fullCheckAt } = found.data;
  return (
    <section className="list">
      <div className="filters">
        <Select
          label={t('Status')}
          name="status"
          value={status}
          onText={(text) => setParams(text ? { status: text } : {})}
          options={optionsOf(['open', 'resolved'])}
          none=""
        />
      </div>
      <Facts
        rows={[
          [t('Checked up to'), <When key="checked" at={checkedUpTo} />],
          [t('Last check of everything'), <When key="full" at={fullCheckAt} />],
        ]}
      />
      <div className="toolbar">
        <span className="space" />
        <CsvButton call={call} name="reconciliation" />
        <CopyAsCurl call={call} />
      </div>
      <section className="scroll" tabIndex={0} aria-label={t('Differences')}>
        <table>
          <caption>{t('Differences')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Found')}</th>
              <th scope="col">{t('Record')}</th>
              <th scope="col">{t('Difference')}</th>
              <th scope="col" className="number">
                {t('Amount')}
              </th>
              <th scope="col">{t('Resolved')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={`${row.kind} ${row.subject} ${row.foundAt}`}>
                <td data-head={t('Found')}>
                  <When at={row.foundAt} />
                </td>
                <td data-head={t('Record')}>
                  <div>
                    {tStatus(row.kind)}
                    <small>{row.subject}</small>
                  </div>
                </td>
                <td data-head={t('Difference')}>{row.message}</td>
                <td data-head={t('Amount')} className="number">
                  {row.amount !== null && row.currency !== null ? (
                    <Money amount={row.amount} currency={row.currency} />
                  ) : (
                    '–'
                  )}
                </td>
                <td data-head={t('Resolved')}>
                  <When at={row.resolvedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {data.length === 0 && <p className="empty">{t('The ledger and the records agree.')}</p>}
      </section>
    </section>
  );
};
