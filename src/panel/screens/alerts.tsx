import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { ask, call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { merchantColumn, TwoLines, timeColumn } from '../components/columns.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import type { Column } from '../components/data-table.tsx';
import { Facts } from '../components/facts.tsx';
import { between, merchantFilter, textFilter } from '../components/filters.tsx';
import { ListScreen } from '../components/list-screen.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { Problem } from '../components/problem.tsx';
import { Status } from '../components/status.tsx';
import { givenOf, useFields } from '../components/use-fields.tsx';
import { Money } from '../components/values.tsx';
import { formatMoney } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useRead } from '../use-read.ts';
import { t, tStatus } from '../words.ts';

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

const CHARGE_ID = /^chg_[0-9a-f]{32}$/;

type Fee = Schemas['ChargebackAlertFeeSetting']['content'];

/** The fee that an alert of a merchant costs: its own setting, else the gateway's; null where there is none. */
const findFee = async (merchantId: string): Promise<Fee | null> => {
  const query = { name: 'chargeback_alert_fee', size: 1 };
  const calls = [
    call('listMerchantSettings', { path: { id: merchantId }, query }),
    call('listDefaultSettings', { query }),
  ];
  for (const one of calls) {
    const [setting] = (await ask(one)).data;
    if (setting) return setting.content as Fee;
  }
  return null;
};

const RegisterDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { values, field } = useFields({ chargeId: '', reason: '', externalId: '' });
  const chargeId = values.chargeId.trim();
  const effect = useQuery({
    queryKey: ['alert-effect', chargeId],
    enabled: CHARGE_ID.test(chargeId),
    queryFn: async () => {
      const charge = await ask(call('getCharge', { path: { id: chargeId } }));
      return { charge, fee: await findFee(charge.merchantId) };
    },
  });
  return (
    <CommandDialog
      title={t('Register alert')}
      isDestructive
      doomed={effect.data && doomOf(effect.data)}
      call={call('createChargebackAlert', { body: { chargeId, ...givenOf({ ...values, chargeId }) } })}
      onClose={onClose}
    >
      {field('chargeId', t('Charge'), { placeholder: 'chg_…', required: true })}
      {effect.error && <Problem error={effect.error} />}
      {effect.data && <Effect {...effect.data} />}
      {field('reason', t('Reason'))}
      {field('externalId', t("Announcer's reference"))}
    </CommandDialog>
  );
};

const ALERTABLE = 'paid';

/** Why an alert of this charge would be refused, with the way to what is missing. */
const doomOf = ({ charge, fee }: EffectProps): ReactNode => {
  if (charge.status !== ALERTABLE)
    return (
      <>
        {t('The charge is not paid, so that nothing can be taken back.')}{' '}
        <Link href={`/charges/${charge.id}`}>{t('Charge')}</Link>
      </>
    );
  if (fee) return null;
  return (
    <>
      {t('No fee of an alert is set for the merchant or for all.')}{' '}
      <Link href={`/merchants/${charge.merchantId}/settings`}>{t('Settings')}</Link>
    </>
  );
};

type EffectProps = { readonly charge: Schemas['Charge']; readonly fee: Fee | null };

const Effect = ({ charge, fee }: EffectProps) => (
  <>
    <Facts
      rows={[
        [t('Customer'), charge.customer.name],
        [t('Status'), <Status key="status" status={charge.status} />],
        [t('Merchant'), <MerchantName key="merchant" id={charge.merchantId} />],
        [t('Fee'), fee && <Money key="fee" amount={fee.amount} currency={fee.currency} />],
      ]}
    />
    <p>
      {t('{amount} are taken back from the merchant and its participants and refunded to the payer.', {
        amount: formatMoney(charge.paidAmount ?? charge.amount, charge.currency),
      })}{' '}
      {fee ? t('The merchant pays a fee of {fee}.', { fee: formatMoney(fee.amount, fee.currency) }) : null}
    </p>
  </>
);
