import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { merchantColumn, TwoLines, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { Facts } from '../components/facts.tsx';
import { between, merchantFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { Status } from '../components/status.tsx';
import { Money } from '../components/values.tsx';
import { may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t, tStatus } from '../words.ts';
import { RegisterDialog } from './alerts/register-dialog.tsx';

type Alert = Schemas['ChargebackAlert'];

const columns = (): readonly Column<Alert>[] => [
  timeColumn('createdAt', t('Registered')),
  {
    key: 'charge',
    head: t('Charge'),
    cell: ({ chargeId, charge }) => (
      <>
        <Link href={`/charges/${chargeId}`}>{t('Charge')}</Link> <Status status={charge.status} />
      </>
    ),
  },
  merchantColumn(),
  {
    key: 'reason',
    head: t('Reason'),
    cell: ({ reason, externalId }) => <TwoLines first={reason ?? '–'} second={externalId} />,
  },
  {
    key: 'refund',
    head: t('Status of the refund'),
    cell: ({ refund }) => (
      <TwoLines first={<Status status={refund.status} />} second={tStatus(refund.mode)} />
    ),
  },
  {
    key: 'fee',
    head: t('Fee'),
    isNumber: true,
    cell: ({ fee }) => <Money amount={fee.amount} currency={fee.currency} />,
  },
];

const Alerts = () => {
  const me = useMe();
  const [confirmed, setConfirmed] = useState<Alert | null>(null);
  return (
    <ListScreen
      title={t('Chargeback alerts')}
      add={{ label: t('Register alert'), dialog: RegisterDialog }}
      list={call('listChargebackAlerts')}
      columns={columns()}
      filters={[textFilter('chargeId', t('Charge')), merchantFilter(), ...between('createdAt')]}
      csv="chargeback-alerts"
      empty={t('An announced chargeback that an operator registers is shown here.')}
      actions={(alert) =>
        alert.charge.status === 'pre_chargeback' &&
        may(me, 'admin.chargebacks.confirm') && (
          <Button label={t('Confirm chargeback')} onClick={() => setConfirmed(alert)} />
        )
      }
    >
      {confirmed && <ConfirmDialog alert={confirmed} onClose={() => setConfirmed(null)} />}
    </ListScreen>
  );
};
export default Alerts;

const ConfirmDialog = ({ alert, onClose }: { readonly alert: Alert; readonly onClose: () => void }) => {
  const path = { id: alert.chargeId };
  const isWanted = may(useMe(), 'admin.charges.read');
  const charge = useRead(call('getCharge', { path }), { isWanted });
  return (
    <CommandDialog
      title={t('Confirm chargeback')}
      isDestructive
      call={call('confirmChargeback', { path })}
      onClose={onClose}
    >
      <p>{t('The charge ends as a chargeback. It was debited with the alert: no more money moves.')}</p>
      {charge.data && (
        <Facts
          rows={[
            [t('Customer'), charge.data.customer.name],
            [
              t('Amount'),
              <Money
                key="amount"
                amount={charge.data.paidAmount ?? charge.data.amount}
                currency={charge.data.currency}
              />,
            ],
          ]}
        />
      )}
    </CommandDialog>
  );
};
