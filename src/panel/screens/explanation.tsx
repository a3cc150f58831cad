import { useState } from 'react';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CopyAsCurl } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Money } from '../components/values.tsx';
import { useRead } from '../use-read.ts';
import { t, tStatus } from '../words.ts';

/** How a figure came about: the entries of the statement that make it up. */
export const Explanation = ({ ids }: { readonly ids: readonly string[] }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button label={t('Explain')} className="quiet" onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={t('How this figure came about')} onClose={() => setOpen(false)}>
          {ids.map((id) => (
            <Entry key={id} id={id} />
          ))}
        </Dialog>
      )}
    </>
  );
};

const Entry = ({ id }: { readonly id: string }) => {
  const explain = call('explainStatementEntry', { path: { id } });
  return (
    <section>
      <Loaded of={useRead(explain)}>
        {({ calculation, movement_type, bucket, amount, balanceAfter, currency, place, hash }) => (
          <>
            <p>{calculation}</p>
            <Facts
              rows={[
                [t('Movement'), `${tStatus(movement_type)}, ${tStatus(bucket)}`],
                [t('Amount'), <Money key="amount" amount={amount} currency={currency} />],
                [t('Balance after'), <Money key="after" amount={balanceAfter} currency={currency} />],
                [t('Place in the statement'), place],
                ['SHA-256', hash],
              ]}
            />
          </>
        )}
      </Loaded>
      <footer>
        <CopyAsCurl call={explain} />
      </footer>
    </section>
  );
};
