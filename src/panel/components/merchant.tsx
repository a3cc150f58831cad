import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask, call } from '../api.ts';
import { type Me, may, seesSeveral, useMe } from '../session.tsx';
import { Text } from './values.tsx';

const MERCHANT_ID = /^mer_[0-9a-f]{32}$/;

/** Whether a text is the id of a merchant. */
export const isMerchantId = (text: string): boolean => MERCHANT_ID.test(text);

/** How a user reads other merchants: an operator all, a master its sub-merchants; null where it may not. */
export const readerOf = (me: Me): 'operator' | 'master' | null => {
  if (me.merchant === null) return may(me, 'admin.merchants.read') ? 'operator' : null;
  return seesSeveral(me) && may(me, 'submerchants.manage') ? 'master' : null;
};

/** A name changes seldom, and a list asks for those of all its rows. */
const NAMES_COUNT_FOR_MS = 600_000;

/** The name of a merchant; null while it is not known, and where the user may not read it. */
export const useMerchantName = (id: string): string | null => {
  const me = useMe();
  const reader = readerOf(me);
  const isOwn = me.merchant?.id === id;
  const { data } = useQuery({
    queryKey: ['merchant-name', id],
    enabled: reader !== null && !isOwn && isMerchantId(id),
    staleTime: NAMES_COUNT_FOR_MS,
    retry: false,
    queryFn: async () => {
      const path = { id };
      const { legalName } =
        reader === 'operator'
          ? await ask(call('getMerchant', { path }))
          : await ask(call('getSubmerchant', { path }));
      return legalName;
    },
  });
  return isOwn ? (me.merchant?.legalName ?? null) : (data ?? null);
};

/** A merchant by its name, which leads to its screen, and the id in small letters. */
export const MerchantName = ({ id }: { readonly id: string }) => {
  const me = useMe();
  const name = useMerchantName(id);
  const reader = readerOf(me);
  if (name === null) return <Text of={id} />;
  const isOwn = me.merchant?.id === id;
  return (
    <>
      {reader === null || isOwn ? (
        <Text of={name} />
      ) : (
        <Link href={reader === 'operator' ? `/merchants/${id}` : `/submerchants/${id}`}>
          <Text of={name} />
        </Link>
      )}{' '}
      <small className="id">
        <Text of={id} />
      </small>
    </>
  );
};
