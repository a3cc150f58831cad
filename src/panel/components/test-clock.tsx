import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { type Me, may } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t, tStatus } from '../words.ts';
import { Button } from './button.tsx';
import { CommandDialog } from './command-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { Facts } from './facts.tsx';
import { useFields } from './use-fields.tsx';
import { When } from './values.tsx';

type Advance = Schemas['TestClockAdvance'];

/** The time of the test environment, and the way to move it; nothing where the gateway has no test clock. */
export const TestClock = ({ me }: { readonly me: Me }) => {
  const { data: clock } = useRead(call('getTestClock'));
  const [isAsked, setAsked] = useState(false);
  const [advance, setAdvance] = useState<Advance | null>(null);
  if (!clock?.enabled) return null;
  return (
    <span className="test-clock">
      {t('Test clock')}: <When at={clock.now} />
      {may(me, me.merchant ? 'charges.create' : 'admin.merchants.update') && (
        <Button label={t('Move the clock')} className="quiet" onClick={() => setAsked(true)} />
      )}
      {/* A dialog has landmarks of its own, which must not lie within those of the page. */}
      {isAsked &&
        createPortal(<MoveDialog onClose={() => setAsked(false)} onDone={setAdvance} />, document.body)}
      {advance &&
        createPortal(<Happened advance={advance} onClose={() => setAdvance(null)} />, document.body)}
    </span>
  );
};

type MoveProps = { readonly onClose: () => void; readonly onDone: (advance: Advance) => void };

const MoveDialog = ({ onClose, onDone }: MoveProps) => {
  const { values, select } = useFields({ by: 'P1D' });
  const options = [
    { value: 'PT1H', label: t('An hour') },
    { value: 'P1D', label: t('A day') },
    { value: 'P7D', label: t('A week') },
    { value: 'P30D', label: t('30 days') },
    { value: 'P90D', label: t('90 days') },
  ];
  return (
    <CommandDialog
      title={t('Move the clock')}
      call={call('advanceTestClock', { body: { by: values.by } })}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        {t(
          'Everything that falls due until then happens to the test records of all merchants. The clock never goes back.',
        )}
      </p>
      {select('by', t('Forward by'), options)}
    </CommandDialog>
  );
};

const Happened = ({ advance, onClose }: { readonly advance: Advance; readonly onClose: () => void }) => (
  <Dialog title={t('This has happened')} onClose={onClose}>
    {!advance.complete && <p>{t('The clock is still on its way.')}</p>}
    {advance.happened.length === 0 ? (
      <p>{t('Nothing fell due.')}</p>
    ) : (
      <Facts rows={advance.happened.map(({ kind, count }) => [tStatus(kind), String(count)])} />
    )}
    <footer>
      <span className="space" />
      <Button label={t('Close')} onClick={onClose} />
    </footer>
  </Dialog>
);
