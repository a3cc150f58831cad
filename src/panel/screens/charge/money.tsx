import type { ReactNode } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { ActorName } from '../../components/actor.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/loaded.tsx';
import { Status } from '../../components/status.tsx';
import { Table } from '../../components/table.tsx';
import { Money, When } from '../../components/values.tsx';
import { addMoney } from '../../format.ts';
import { useMe } from '../../session.tsx';
import { useRead } from '../../use-read.ts';
import { t } from '../../words.ts';
import { entriesIn, Figure, useTimeline } from './figure.tsx';
import { isAlertFeeKnown, keptOf } from './kept.ts';

type Charge = Schemas['Charge'];

const refundsOf = ({ id }: Charge) => call('listRefunds', { query: { chargeId: id } });

const REFUNDS = ['refund', 'chargeback_alert_refund', 'chargeback'];

const backName = ({ status }: Charge): string =>
  ['pre_chargeback', 'chargeback'].includes(status) ? t('Charged back') : t('Refunded');

/** The ledger has entries for what was paid, which differs from the amount of a charge with a due date. */
const grossRows = (charge: Charge): readonly (readonly [string, ReactNode])[] => {
  const { amount, paidAmount, currency } = charge;
  if (typeof paidAmount !== 'number')
    return [[t('Amount'), <Figure key="amount" charge={charge} amount={amount} movements={['charge']} />]];
  return [
    [t('Amount'), <Money key="due" amount={amount} currency={currency} />],
    [t('Paid amount'), <Figure key="amount" charge={charge} amount={paidAmount} movements={['charge']} />],
  ];
};

/** From the amount to what its merchant keeps of it, each figure with its entries. */
export const MoneyOf = ({ charge }: { readonly charge: Charge }) => {
  const me = useMe();
  const refunds = useRead(refundsOf(charge));
  const timeline = useTimeline(charge.id);
  const alerts = entriesIn(timeline, charge.merchantId, ['chargeback_alert_fee']);
  const isPending = refunds.data?.data.some(({ status }) => status === 'pending') ?? false;
  const alertFee = addMoney(charge.currency, ...alerts.map(({ amount }) => amount));
  const kept = keptOf(charge, isPending, alertFee);
  const figure = (name: string, amount: number, ...movements: string[]): readonly [string, ReactNode] => [
    name,
    <Figure key={name} charge={charge} amount={amount} movements={movements} />,
  ];
  const isOwn = me.merchant?.id === charge.merchantId;
  const rest = (amount: number): ReactNode => {
    if (!timeline || !refunds.data) return refunds.isError ? '?' : '…';
    if (!isAlertFeeKnown(charge.status, timeline))
      return t('Unknown: the fee of the alert stands in the statement, which you cannot read at the moment.');
    return (
      <strong>
        <Money amount={amount} currency={charge.currency} />
      </strong>
    );
  };
  return (
    <section>
      <h2>{t('Money')}</h2>
      <Facts
        className="sum"
        rows={[
          ...grossRows(charge),
          ...(kept
            ? [
                figure(t('Fee'), kept.fee, 'charge_spread'),
                ...(kept.given === 0 ? [] : [figure(t('Given to participants'), kept.given, 'split_debit')]),
                ...(kept.refunded === 0 ? [] : [figure(backName(charge), kept.refunded, ...REFUNDS)]),
                ...(kept.alertFee === 0
                  ? []
                  : [figure(t('Fee of the alert'), kept.alertFee, 'chargeback_alert_fee')]),
                [isOwn ? t('You keep') : t('The merchant keeps'), rest(kept.kept)] as const,
              ]
            : [figure(t('Fee'), -charge.spread), figure(t('Net once it is paid'), charge.net)]),
        ]}
      />
    </section>
  );
};

/** The person or key that asked for a refund, as the timeline tells it. */
const Author = ({ charge, at }: { readonly charge: Charge; readonly at: string }) => {
  const opened = useTimeline(charge.id)?.data.find(
    (entry) => entry.kind === 'event' && entry.type === 'refund.opened' && entry.at >= at,
  );
  if (opened?.kind !== 'event') return '–';
  return <ActorName {...opened.actor} />;
};

/** Each refund with its reason, its author and the answer of the provider; nothing where there was none. */
export const RefundsOf = ({ charge }: { readonly charge: Charge }) => {
  const { data } = useRead(refundsOf(charge));
  if (!data || data.total === 0) return null;
  return (
    <Panel title={t('Refunds')} call={refundsOf(charge)}>
      {({ data: refunds }) => (
        <Table
          caption={t('Refunds')}
          className="refunds"
          heads={[t('Asked for'), t('Status'), t('Reason'), t('By'), t("Provider's answer")]}
          rows={refunds.map(({ id, createdAt, status, merchantReason, reason, pspRefundRefId }) => ({
            key: id,
            cells: [
              <When key="at" at={createdAt} />,
              <Status key="status" status={status} />,
              merchantReason,
              <Author key="by" charge={charge} at={createdAt} />,
              reason ?? pspRefundRefId ?? '–',
            ],
          }))}
        />
      )}
    </Panel>
  );
};
