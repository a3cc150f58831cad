import { useSearchParams } from 'wouter';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { TwoLines } from '../../components/columns.tsx';
import { CsvButton } from '../../components/csv-button.tsx';
import { Select } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { CopyAsCurl, Facts, Money, When } from '../../components/parts.tsx';
import { Table } from '../../components/table.tsx';
import { useRead } from '../../use-read.ts';
import { optionsOf } from '../../values.ts';
import { t, tStatus } from '../../words.ts';

type Report = Schemas['ReconciliationReport'];
type Status = 'open' | 'resolved';

/** Differences between the ledger and the records that it tells of. */
export const Differences = () => {
  const [params, setParams] = useSearchParams();
  const status = params.get('status') ?? '';
  const query = status === '' ? {} : { status: status as Status };
  const report = call('getReconciliationReport', { query });
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
      <Loaded of={useRead(report)} lines={6}>
        {(found) => (
          <>
            <Facts
              rows={[
                [t('Checked up to'), <When key="checked" at={found.checkedUpTo} />],
                [t('Last check of everything'), <When key="full" at={found.fullCheckAt} />],
              ]}
            />
            <div className="toolbar">
              <span className="space" />
              <CsvButton call={report} name="reconciliation" />
              <CopyAsCurl call={report} />
            </div>
            <DifferenceTable rows={found.data} />
          </>
        )}
      </Loaded>
    </section>
  );
};

const DifferenceTable = ({ rows }: { readonly rows: Report['data'] }) => (
  <Table
    caption={t('Differences')}
    heads={[t('Found'), t('Record'), t('Difference'), { number: t('Amount') }, t('Resolved')]}
    rows={rows.map((row) => ({
      key: `${row.kind} ${row.subject} ${row.foundAt}`,
      cells: [
        <When key="found" at={row.foundAt} />,
        <TwoLines key="record" first={tStatus(row.kind)} second={row.subject} />,
        row.message,
        row.amount !== null && row.currency !== null ? (
          <Money key="amount" amount={row.amount} currency={row.currency} />
        ) : (
          '–'
        ),
        <When key="resolved" at={row.resolvedAt} />,
      ],
    }))}
  >
    {rows.length === 0 && <p className="empty">{t('The ledger and the records agree.')}</p>}
  </Table>
);
