import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask, call } from '../api.ts';
import { may, useMe } from '../session.tsx';
import { t, tStatus } from '../words.ts';

/** A name changes seldom, and a list asks for those of all its rows. */
const NAMES_COUNT_FOR_MS = 600_000;

const NAMED = /^(usr|key)_[0-9a-f]{32}$/;

/** The name of a person or a key; null while it is not known, and where there is none for the reader. */
const useActorName = (id: string): string | null => {
  const me = useMe();
  const isOwn = id === me.id;
  const { data } = useQuery({
    queryKey: ['actor-name', id],
    enabled: !isOwn && NAMED.test(id),
    staleTime: NAMES_COUNT_FOR_MS,
    retry: false,
    queryFn: async () => (await ask(call('getActor', { path: { id } }))).name,
  });
  return isOwn ? (me.name ?? me.email) : (data ?? null);
};

/** Where a reader finds the person or the key. */
const useWayTo = (id: string): string | null => {
  const me = useMe();
  if (id.startsWith('usr_') && may(me, me.merchant ? 'users.manage' : 'admin.users.update'))
    return `/users?id=${id}`;
  return null;
};

/** The author of something by name, with the id in small letters. `kind` stands where nobody is named. */
export const ActorName = ({ id, kind }: { readonly id: string | null; readonly kind?: string }) => {
  const name = useActorName(id ?? '');
  const way = useWayTo(id ?? '');
  const isMe = id === useMe().id;
  const said = isMe ? t('You') : name;
  const sort = kind === undefined ? '' : `${tStatus(kind)} `;
  if (id === null) return sort.trim() || '–';
  if (said === null) return `${sort}${id}`;
  return (
    <>
      {kind === 'key' && sort}
      {way === null || isMe ? said : <Link href={way}>{said}</Link>} <small className="id">{id}</small>
    </>
  );
};
