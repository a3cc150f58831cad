import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../api.ts';
import { CommandDialog } from '../components/command-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Field } from '../components/field.tsx';
import { Facts, Money, Problem, Status, When } from '../components/parts.tsx';
import { formatMoney } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';
import type { Charge } from './charges.tsx';

type Alert = {
  readonly id: string;
  readonly chargeId: string;
  readonly merchantId: string;
  readonly externalId: string | null;
  readonly reason: string | null;
  readonly refund: { readonly mode: string; readonly status: string };
  readonly fee: { readonly amount: number; readonly currency: string };
  readonly charge: { readonly status: string };
  readonly createdAt: string;
};

const columns = (): readonly Column<Alert>[] => [
  {
    key: 'createdAt',
    head: t('Registered'),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  {
    key: 'charge',
    head: t('Charge'),
    cell: ({ chargeId, charge }) => (
      <>
        <Link href={`/charges/${chargeId}`}>{t('Charge')}</Link> <Status status={charge.status} />
      </>
    ),
  },
  { key: 'merchant', head: t('Merchant'), cell: ({ merchantId }) => merchantId },
  {
    key: 'reason',
    head: t('Reason'),
    cell: ({ reason, externalId }) => (
      <>
        {reason ?? '–'}
        {externalId && <small>{externalId}</small>}
      </>
    ),
  },
  {
    key: 'refund',
    head: t('Refund'),
    cell: ({ refund }) => (
      <>
        <Status status={refund.status} /> <small>{tStatus(refund.mode)}</small>
      </>
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
  const [isNew, setNew] = useState(false);
  const [confirmed, setConfirmed] = useState<Alert | null>(null);
  useTitle(t('Chargeback alerts'));
  return (
    <>
      <div className="heading">
        <h1>{t('Chargeback alerts')}</h1>
        <span className="space" />
        <button type="button" className="primary" onClick={() => setNew(true)}>
          {t('Register alert')}
        </button>
      </div>
      <DataTable
        path="/v1/admin/chargeback-alerts"
        caption={t('Chargeback alerts')}
        columns={columns()}
        filters={[
          { kind: 'text', name: 'chargeId', label: t('Charge') },
          { kind: 'text', name: 'merchantId', label: t('Merchant') },
          { kind: 'date', name: 'createdAt[gte]', label: t('From') },
          { kind: 'date', name: 'createdAt[lte]', label: t('To') },
        ]}
        empty={t('An announced chargeback that an operator registers is shown here.')}
        actions={(alert) =>
          alert.charge.status === 'pre_chargeback' &&
          may(me, 'admin.chargebacks.confirm') && (
            <button type="button" onClick={() => setConfirmed(alert)}>
              {t('Confirm chargeback')}
            </button>
          )
        }
      />
      {isNew && <RegisterDialog onClose={() => setNew(false)} />}
      {confirmed && (
        <CommandDialog
          title={t('Confirm chargeback')}
          action={t('Confirm chargeback')}
          isDestructive
          call={{ method: 'POST', path: `/v1/admin/charges/${confirmed.chargeId}/chargeback` }}
          onClose={() => setConfirmed(null)}
        >
          {() => (
            <p>{t('The charge ends as a chargeback. It was debited with the alert: no more money moves.')}</p>
          )}
        </CommandDialog>
      )}
    </>
  );
};
export default Alerts;

const CHARGE_ID = /^chg_[0-9a-f]{32}$/;

type Setting = {
  readonly name: string;
  readonly content: { readonly amount: number; readonly currency: string };
};

/** The fee that an alert of a merchant costs: its own setting, else the gateway's; null where there is none. */
const findFee = async (merchantId: string): Promise<Setting['content'] | null> => {
  const query = { name: 'chargeback_alert_fee', size: 1 };
  for (const path of [`/v1/merchants/${merchantId}/settings`, '/v1/admin/settings']) {
    const { data } = await ask<{ readonly data: readonly Setting[] }>({ path, query });
    if (data[0]) return data[0].content;
  }
  return null;
};

const RegisterDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [chargeId, setChargeId] = useState('');
  const [reason, setReason] = useState('');
  const [externalId, setExternalId] = useState('');
  const isWhole = CHARGE_ID.test(chargeId);
  const effect = useQuery({
    queryKey: ['alert-effect', chargeId],
    enabled: isWhole,
    queryFn: async () => {
      const charge = await ask<Charge>({ path: `/v1/charges/${chargeId}` });
      return { charge, fee: await findFee(charge.merchantId) };
    },
  });
  const { data } = effect;
  return (
    <CommandDialog
      title={t('Register alert')}
      action={t('Register alert')}
      isDestructive
      call={{
        method: 'POST',
        path: '/v1/admin/chargeback-alerts',
        body: { chargeId, ...(reason ? { reason } : {}), ...(externalId ? { externalId } : {}) },
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <Field
            label={t('Charge')}
            name="chargeId"
            value={chargeId}
            onText={(text) => setChargeId(text.trim())}
            placeholder="chg_…"
            required
            error={error}
          />
          {effect.error && <Problem error={effect.error} />}
          {data && (
            <>
              <Facts
                rows={[
                  [t('Customer'), data.charge.customer.name],
                  [t('Status'), <Status key="status" status={data.charge.status} />],
                  [t('Merchant'), data.charge.merchantId],
                  [
                    t('Fee'),
                    data.fee && <Money key="fee" amount={data.fee.amount} currency={data.fee.currency} />,
                  ],
                ]}
              />
              <p>
                {t(
                  '{amount} are taken back from the merchant and its participants and refunded to the payer.',
                  {
                    amount: formatMoney(data.charge.amount, data.charge.currency),
                  },
                )}{' '}
                {data.fee
                  ? t('The merchant pays a fee of {fee}.', {
                      fee: formatMoney(data.fee.amount, data.fee.currency),
                    })
                  : t('No fee is configured: the alert will be refused.')}
              </p>
            </>
          )}
          <Field label={t('Reason')} name="reason" value={reason} onText={setReason} error={error} />
          <Field
            label={t("Announcer's reference")}
            name="externalId"
            value={externalId}
            onText={setExternalId}
            error={error}
          />
        </>
      )}
    </CommandDialog>
  );
};
