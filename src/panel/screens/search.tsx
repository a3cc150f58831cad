import { Link, useSearch } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ApiMenu } from '../components/api-menu.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Status } from '../components/status.tsx';
import { Money, When } from '../components/values.tsx';
import { foundBy, hrefOfMatch } from '../match.ts';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';

type Match = Schemas['SearchMatch'];

const Search = () => {
  const q = new URLSearchParams(useSearch()).get('q') ?? '';
  useTitle(t('Search'));
  const search = call('search', { query: { q } });
  return (
    <>
      <div className="heading">
        <h1>{t('Search')}</h1>
        <span className="space" />
        <ShownCall call={search} />
        <ApiMenu />
      </div>
      <Loaded of={useRead(search)} lines={5}>
        {({ data }) => (
          <>
            {data.length === 0 && (
              <p className="empty">
                {t(
                  'Nothing was found for “{q}”. Type the whole of an id, a reference, an e-mail or a number.',
                  {
                    q,
                  },
                )}
              </p>
            )}
            <ul className="matches" data-words={q}>
              {data.map((match) => (
                <MatchRow key={match.id} match={match} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </>
  );
};
export default Search;

const MatchRow = ({ match }: { readonly match: Match }) => (
  <li>
    <span className="kind">{tStatus(match.type)}</span>
    <span>
      <Link href={hrefOfMatch(match)}>{match.title || match.id}</Link>
      <small>
        {match.id} · {foundBy(match)}
      </small>
    </span>
    <Status status={match.status} />
    <span className="number">
      {match.amount !== null && match.currency && <Money amount={match.amount} currency={match.currency} />}
    </span>
    <When at={match.createdAt} />
  </li>
);
