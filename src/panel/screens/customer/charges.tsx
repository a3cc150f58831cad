import { Link } from 'wouter';
import { call } from '../../api.ts';
import { Panel } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { useMe } from '../../session.tsx';
import { t } from '../../words.ts';
import { chargeColumns } from '../charges.tsx';

const SHOWN = 10;
const COLUMNS = ['createdAt', 'status', 'amount', 'method', 'reference'];

/** The latest charges of a customer. */
export const ChargesOf = ({ customerId }: { readonly customerId: string }) => {
  const me = useMe();
  const query = { customerId, size: SHOWN };
  const columns = chargeColumns(me).filter(({ key }) => COLUMNS.includes(key));
  return (
    <Panel
      title={t('Charges')}
      call={me.merchant ? call('listCharges', { query }) : call('listChargesAsOperator', { query })}
      lines={3}
      buttons={<Link href={`/charges?customerId=${customerId}`}>{t('All charges')}</Link>}
    >
      {({ data }) =>
        data.length === 0 ? (
          <p className="empty">{t('Charges of this customer are shown here.')}</p>
        ) : (
          <Table
            caption={t('Charges')}
            heads={columns.map(({ head }) => head)}
            rows={data.map((one) => ({ key: one.id, cells: columns.map(({ cell }) => cell(one)) }))}
          />
        )
      }
    </Panel>
  );
};
