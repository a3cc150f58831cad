import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';
import { ask } from '../api.ts';
import { CopyAsCurl, Money, Problem, Skeleton, Status, When } from '../components/parts.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';

type Match = {
  readonly type: string;
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly createdAt: string;
};

/** Where a record is shown; null where no screen shows it. */
const hrefOf = ({ type, id, title }: Match): string | null => {
  if (type === 'charge') return `/charges/${id}`;
  if (type === 'refund') return `/charges/${title}`;
  if (type === 'submerchant') return `/submerchants/${id}`;
  return null;
};

const Search = () => {
  const q = new URLSearchParams(useSearch()).get('q') ?? '';
  useTitle(t('Search'));
  const call = { path: '/v1/search', query: { q } };
  const found = useQuery({
    queryKey: [call.path, call.query],
    queryFn: () => ask<{ readonly data: readonly Match[] }>(call),
  });
  return (
    <>
      <div className="heading">
        <h1>{t('Search')}</h1>
        <span className="space" />
        <CopyAsCurl call={call} />
      </div>
      {found.error && <Problem error={found.error} onRetry={() => found.refetch()} />}
      {found.isPending && <Skeleton lines={5} />}
      {found.data?.data.length === 0 && (
        <p className="empty">
          {t('Nothing is called “{q}”. Type the whole of an id, a reference, an e-mail or a number.', { q })}
        </p>
      )}
      <ul className="matches">
        {found.data?.data.map((match) => {
          const href = hrefOf(match);
          const title = match.title || match.id;
          return (
            <li key={match.id}>
              <span className="kind">{tStatus(match.type)}</span>
              <span>
                {href ? <Link href={href}>{title}</Link> : title}
                <small>{match.id}</small>
              </span>
              <Status status={match.status} />
              <span className="number">
                {match.amount !== null && match.currency && (
                  <Money amount={match.amount} currency={match.currency} />
                )}
              </span>
              <When at={match.createdAt} />
            </li>
          );
        })}
      </ul>
    </>
  );
};
export default Search;
