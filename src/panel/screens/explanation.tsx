import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { CopyAsCurl, Facts, Money, Problem, Skeleton } from '../components/parts.tsx';
import { t, tStatus } from '../words.ts';

type Explained = {
  readonly movement_type: string;
  readonly bucket: string;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly currency: string;
  readonly place: number;
  readonly hash: string;
  readonly calculation: string;
};

/** How a figure came about: the entries of the statement that make it up. */
export const Explanation = ({ ids }: { readonly ids: readonly string[] }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="quiet" onClick={() => setOpen(true)}>
        {t('Explain')}
      </button>
      {isOpen && (
        <Dialog title={t('How this figure came about')} isOpen onClose={() => setOpen(false)}>
          {ids.map((id) => (
            <Entry key={id} id={id} />
          ))}
        </Dialog>
      )}
    </>
  );
};

const Entry = ({ id }: { readonly id: string }) => {
  const call = { path: `/v1/statement/${id}/explain` };
  const explained = useQuery({ queryKey: [call.path], queryFn: () => ask<Explained>(call) });
  const { data } = explained;
  return (
    <section>
      {explained.isPending && <Skeleton lines={4} />}
      {explained.error && <Problem error={explained.error} onRetry={() => explained.refetch()} />}
      {data && (
        <>
          <p>{data.calculation}</p>
          <Facts
            rows={[
              [t('Movement'), `${tStatus(data.movement_type)}, ${tStatus(data.bucket)}`],
              [t('Amount'), <Money key="amount" amount={data.amount} currency={data.currency} />],
              [t('Balance after'), <Money key="after" amount={data.balanceAfter} currency={data.currency} />],
              [t('Place in the statement'), data.place],
              ['SHA-256', data.hash],
            ]}
          />
        </>
      )}
      <footer>
        <CopyAsCurl call={call} />
      </footer>
    </section>
  );
};
