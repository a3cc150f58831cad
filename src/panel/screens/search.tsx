import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { ask } from '../api.ts';
import { CopyAsCurl, Money, Problem, Skeleton, Status, When } from '../components/parts.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';

type Match = Schemas['SearchMatch'];

/** Where a record is shown. */
const hrefOf = ({ type, id, title, merchantId, status }: Match): string =>
  ({
    charge: `/charges/${id}`,
    refund: `/charges/${title}`,
    submerchant: `/submerchants/${id}`,
    merchant: `/merchants/${id}`,
    payout_request: `/payouts?${new URLSearchParams({ merchantId, status })}`,
  })[type];

const Search = () => {
  const q = new URLSearchParams(useSearch()).get('q') ?? '';
  useTitle(t('Search'));
  const call = { path: '/v1/search', query: { q } };
  const found = useQuery({
    queryKey: [call.path, call.query],
    queryFn: () => ask<Schemas['SearchMatches']>(call),
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
          const title = match.title || match.id;
          return (
            <li key={match.id}>
              <span className="kind">{tStatus(match.type)}</span>
              <span>
                <Link href={hrefOf(match)}>{title}</Link>
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
