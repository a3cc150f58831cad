import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { ask } from '../api.ts';
import { type Column, DataTable, type Filter } from '../components/data-table.tsx';
import { CopyAsCurl, Money, Problem, Skeleton, When } from '../components/parts.tsx';
import { useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { BUCKETS, MOVEMENTS, optionsOf } from '../values.ts';
import { t, tStatus } from '../words.ts';
import { Explanation } from './explanation.tsx';
import { VerifyButton } from './statement/verify-button.tsx';

type Line = Schemas['StatementEntry'];

const columns = (isOperator: boolean): readonly Column<Line>[] => [
  {
    key: 'createdAt',
    head: t('Booked'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  ...(isOperator
    ? [{ key: 'merchantId', head: t('Merchant'), cell: ({ merchantId }: Line) => merchantId }]
    : []),
  {
    key: 'movement',
    head: t('Movement'),
    sort: 'movement_type',
    cell: ({ movement_type, chargeId, description }) => (
      <span title={description}>
        {chargeId ? (
          <Link href={`/charges/${chargeId}`}>{tStatus(movement_type)}</Link>
        ) : (
          tStatus(movement_type)
        )}
      </span>
    ),
  },
  { key: 'bucket', head: t('Bucket'), cell: ({ bucket }) => tStatus(bucket) },
  {
    key: 'amount',
    head: t('Amount'),
    sort: 'amount',
    isNumber: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'balanceAfter',
    head: t('Balance after'),
    isNumber: true,
    cell: ({ balanceAfter, currency }) => <Money amount={balanceAfter} currency={currency} />,
  },
  { key: 'description', head: t('Description'), isExtra: true, cell: ({ description }) => description },
];

const filters = (isOperator: boolean): readonly Filter[] => [
  { kind: 'date', name: 'createdAt[gte]', label: t('From') },
  { kind: 'date', name: 'createdAt[lte]', label: t('To') },
  {
    kind: 'select',
    name: 'movement_type',
    label: t('Movement'),
    options: optionsOf(MOVEMENTS),
  },
  {
    kind: 'select',
    name: 'bucket',
    label: t('Bucket'),
    options: optionsOf(BUCKETS),
  },
  { kind: 'text', name: 'currency', label: t('Currency') },
  ...(isOperator ? [{ kind: 'text' as const, name: 'merchantId', label: t('Merchant') }] : []),
];

const Statement = () => {
  const isOperator = useMe().merchant === null;
  useTitle(t('Statement'));
  return (
    <>
      <h1>{t('Statement')}</h1>
      {!isOperator && <Summary />}
      <DataTable
        path={isOperator ? '/v1/admin/statement' : '/v1/statement'}
        caption={t('Statement lines')}
        columns={columns(isOperator)}
        filters={filters(isOperator)}
        empty={t('The first paid charge writes the first line.')}
        actions={({ id }) => <Explanation ids={[id]} />}
        csv="statement"
      />
    </>
  );
};
export default Statement;

type Sums = { readonly available: number; readonly reserved: number; readonly total: number };
type SummaryAnswer = {
  readonly data: readonly {
    readonly currency: string;
    readonly openingBalance: Sums;
    readonly movements: readonly (Sums & { readonly movement_type: string; readonly count: number })[];
    readonly closingBalance: Sums;
  }[];
};

/** Opening balance, movements and closing balance of the days that the lines are filtered by. */
const Summary = () => {
  const asked = new URLSearchParams(useSearch());
  const call = {
    path: '/v1/statement/summary',
    query: {
      from: asked.get('createdAt[gte]') ?? undefined,
      to: asked.get('createdAt[lte]') ?? undefined,
      currency: asked.get('currency') ?? undefined,
    },
  };
  const summary = useQuery({
    queryKey: [call.path, call.query],
    queryFn: () => ask<SummaryAnswer>(call),
  });
  return (
    <section>
      <div className="toolbar">
        <h2>{t('Balances')}</h2>
        <span className="space" />
        <CopyAsCurl call={call} />
      </div>
      {summary.error && <Problem error={summary.error} onRetry={() => summary.refetch()} />}
      {summary.isPending && <Skeleton lines={5} />}
      {summary.data?.data.map(({ currency, openingBalance, movements, closingBalance }) => (
        <div key={currency} className="stack">
          <div className="toolbar">
            <h3>{currency}</h3>
            <VerifyButton currency={currency} />
          </div>
          <div className="scroll">
            <table className="sums">
              <caption>
                {t('Balances')}, {currency}
              </caption>
              <thead>
                <tr>
                  <th scope="col">{t('Movement')}</th>
                  <th scope="col" className="number">
                    {tStatus('available')}
                  </th>
                  <th scope="col" className="number">
                    {tStatus('reserved')}
                  </th>
                  <th scope="col" className="number">
                    {t('Total')}
                  </th>
                </tr>
              </thead>
              <tbody>
                <SumRow name={t('Opening balance')} sums={openingBalance} currency={currency} isTotal />
                {movements.map((movement) => (
                  <SumRow
                    key={movement.movement_type}
                    name={`${tStatus(movement.movement_type)} (${movement.count})`}
                    sums={movement}
                    currency={currency}
                  />
                ))}
                <SumRow name={t('Closing balance')} sums={closingBalance} currency={currency} isTotal />
              </tbody>
            </table>
          </div>
        </div>
      ))}
    </section>
  );
};

const SumRow = (props: {
  readonly name: string;
  readonly sums: Sums;
  readonly currency: string;
  readonly isTotal?: true;
}) => {
  const { name, sums, currency, isTotal } = props;
  return (
    <tr className={isTotal && 'total'}>
      <th scope="row">{name}</th>
      {[sums.available, sums.reserved, sums.total].map((amount, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never move
        <td key={index} className="number">
          <Money amount={amount} currency={currency} />
        </td>
      ))}
    </tr>
  );
};
