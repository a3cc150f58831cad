import { useState } from 'react';
import { call } from '../api.ts';
import { ApiMenuOf } from '../components/api-menu.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Money } from '../components/values.tsx';
import { useRead } from '../use-read.ts';
import { t, tStatus } from '../words.ts';
import { sentencesOf } from './explanation/sentences.ts';

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
        {(explained) => (
          <>
            <p className="explained">{sentencesOf(explained).join(' ')}</p>
            <details>
              <summary>{t('Details')}</summary>
              <Facts
                rows={[
                  [t('Movement'), `${tStatus(explained.movement_type)}, ${tStatus(explained.bucket)}`],
                  [
                    t('Amount'),
                    <Money key="amount" amount={explained.amount} currency={explained.currency} />,
                  ],
                  [
                    t('Balance after'),
                    <Money key="after" amount={explained.balanceAfter} currency={explained.currency} />,
                  ],
                  [t('Place in the statement'), explained.place],
                  [
                    t('Computation'),
                    <span key="computed" lang="en">
                      {explained.calculation}
                    </span>,
                  ],
                  ['SHA-256', explained.hash],
                ]}
              />
            </details>
          </>
        )}
      </Loaded>
      <footer>
        <ApiMenuOf calls={[explain]} />
      </footer>
    </section>
  );
};
