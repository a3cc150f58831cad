import { useState } from 'react';
import { call } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../words.ts';
import { subscriptionColumns } from '../subscriptions.tsx';
import { SubscribeDialog } from './subscribe-dialog.tsx';

const SHOWN = 20;

/** The latest subscriptions of a customer. */
export const SubscriptionsOf = (props: { readonly customerId: string; readonly isOwn: boolean }) => {
  const { customerId, isOwn } = props;
  const [isBeginning, setBeginning] = useState(false);
  const columns = subscriptionColumns();
  return (
    <Panel
      title={t('Subscriptions')}
      call={call('listSubscriptions', { query: { customerId, size: SHOWN } })}
      lines={3}
      buttons={isOwn && <Button label={t('Begin subscription')} onClick={() => setBeginning(true)} />}
    >
      {({ data }) => (
        <>
          {data.length === 0 && (
            <p className="empty">{t('Subscriptions of this customer are shown here.')}</p>
          )}
          {data.length > 0 && (
            <Table
              caption={t('Subscriptions')}
              heads={columns.map(({ head }) => head)}
              rows={data.map((one) => ({ key: one.id, cells: columns.map(({ cell }) => cell(one)) }))}
            />
          )}
          {isBeginning && <SubscribeDialog customerId={customerId} onClose={() => setBeginning(false)} />}
        </>
      )}
    </Panel>
  );
};
