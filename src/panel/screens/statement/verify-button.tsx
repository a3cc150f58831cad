import { useMutation } from '@tanstack/react-query';
import { ask, call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/problem.tsx';
import { formatNumber } from '../../format.ts';
import { t } from '../../words.ts';
import { NOTHING_YET, type Verified, verify } from './verify-chain.ts';

const SIZE = 500;

/** The merchant and the currency of a chain. */
type Of = { readonly merchantId: string; readonly currency: string };

/** Reads a whole chain, and verifies it on the way. */
const follow = async (of: Of): Promise<Verified> => {
  let verified = NOTHING_YET;
  for (;;) {
    const query = { ...of, after: verified.place, size: SIZE };
    const chain = await ask(call('getStatementChain', { query }));
    const next = await verify(verified, chain.data);
    // An end that is never reached means that the last entries are missing.
    if (next.fault === null && chain.data.length === 0 && next.place < chain.end.place)
      return { ...next, fault: { place: next.place + 1, id: null } };
    if (next.fault !== null || next.place >= chain.end.place) return next;
    verified = next;
  }
};

const wordsOf = ({ place, fault }: Verified): string => {
  if (fault === null)
    return t('All {count} entries are as they were booked.', { count: formatNumber(place) });
  if (fault.id === null) return t('The entry of place {place} is missing.', { place: String(fault.place) });
  return t('Entry {id}, place {place}, was changed after it was booked.', {
    id: fault.id,
    place: String(fault.place),
  });
};

/** Recomputes the hash chain of the statement in this window, so that nobody has to be believed. */
export const VerifyButton = (of: Of) => {
  const check = useMutation({ mutationFn: () => follow(of) });
  const { data } = check;
  return (
    <>
      <Button
        label={check.isPending ? t('One moment …') : t('Verify')}
        disabled={check.isPending}
        onClick={() => check.mutate()}
      />
      <p role="status" className={data?.fault ? 'problem' : undefined}>
        {data && wordsOf(data)}
      </p>
      {check.error && <Problem error={check.error} />}
    </>
  );
};
