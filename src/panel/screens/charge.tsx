import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ActorName } from '../components/actor.tsx';
import { ApiMenu } from '../components/api-menu.tsx';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Pages } from '../components/data-table.tsx';
import { DoomedButton } from '../components/doomed.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded, Panel } from '../components/loaded.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { AddNote, NoteText } from '../components/notes.tsx';
import { PrintButton } from '../components/print-button.tsx';
import { Status } from '../components/status.tsx';
import { Table } from '../components/table.tsx';
import { Trail } from '../components/trail.tsx';
import { Method, Money, When } from '../components/values.tsx';
import { tEvent } from '../event-words.ts';
import { formatExactly, formatFullDay, formatMoment, formatNumber } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';
import { RegisterDialog } from './alerts/register-dialog.tsx';
import { AmountsDue } from './charge/amounts-due.tsx';
import { CancelDialog } from './charge/cancel-dialog.tsx';
import { Figure, timelineOf } from './charge/figure.tsx';
import { MoneyOf, RefundsOf } from './charge/money.tsx';
import { Payment } from './charge/payment.tsx';
import { Explanation } from './explanation.tsx';
import { RefundDialog } from './refund-dialog.tsx';

type Charge = Schemas['Charge'];

const REFUNDABLE = ['credit_card', 'pix'];

const ChargeScreen = () => {
  const { id = '' } = useParams();
  useTitle(t('Charge'));
  return (
    <>
      <Trail to="/charges" title={t('Charges')} />
      <Loaded of={useRead(call('getCharge', { path: { id } }))} lines={10}>
        {(charge) => (
          <>
            <Head charge={charge} />
            <FactsOf charge={charge} />
            {/* On paper the charge is a receipt for its payer. */}
            <div className="no-print">
              <MoneyOf charge={charge} />
            </div>
            <RefundsOf charge={charge} />
            <Payment charge={charge} />
            <AmountsDue charge={charge} />
            <div className="stack no-print">
              {charge.settlements && <Settlements charge={charge} parts={charge.settlements} />}
              {charge.split && <Split charge={charge} parts={charge.split} />}
              <TimelineOf id={charge.id} />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
};
export default ChargeScreen;

const Head = ({ charge }: { readonly charge: Charge }) => {
  const me = useMe();
  const [isRefunding, setRefunding] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const [isAlerting, setAlerting] = useState(false);
  const { id, amount, currency, status, paymentMethod } = charge;
  const isOwnPaid = me.merchant?.id === charge.merchantId && may(me, 'refunds.create') && status === 'paid';
  const isRefundable = REFUNDABLE.includes(paymentMethod.type);
  const waits =
    status === 'authentication_required' || (status === 'pending' && charge.paymentDetails !== null);
  const isCancellable = waits && me.merchant !== null && may(me, 'charges.create');
  return (
    <div className="heading">
      <h1>
        {t('Charge')} <Money amount={amount} currency={currency} />
      </h1>
      <Status status={status} />
      <span className="space" />
      <ShownCall call={call('getCharge', { path: { id } })} />
      {charge.paidAt && <PrintButton />}
      <ApiMenu />
      {isOwnPaid && isRefundable && (
        <Button label={t('Refund')} className="destructive" onClick={() => setRefunding(true)} />
      )}
      {isOwnPaid && !isRefundable && (
        <DoomedButton label={t('Refund')}>
          {t('This payment method takes no refund: give the money back by a transfer of your own.')}
        </DoomedButton>
      )}
      {me.merchant === null && may(me, 'admin.chargeback_alerts.create') && status === 'paid' && (
        <Button label={t('Register alert')} className="destructive" onClick={() => setAlerting(true)} />
      )}
      {isAlerting && <RegisterDialog charge={charge} onClose={() => setAlerting(false)} />}
      {isCancellable && (
        <Button label={t('Cancel charge')} className="destructive" onClick={() => setCancelling(true)} />
      )}
      {isCancelling && <CancelDialog charge={charge} onClose={() => setCancelling(false)} />}
      {isRefunding && <RefundDialog charge={charge} onClose={() => setRefunding(false)} />}
    </div>
  );
};

const FactsOf = ({ charge }: { readonly charge: Charge }) => {
  const { id, customer, paymentMethod, failureReason } = charge;
  return (
    <Facts
      rows={[
        [
          t('Id'),
          <span key="id" className="digits">
            {id} <CopyButton text={id} label={t('Copy')} />
          </span>,
        ],
        [
          t('Customer'),
          customer.id.startsWith('cus_') ? (
            <Link key="customer" href={`/customers/${customer.id}`}>
              {customer.name} · {customer.email}
            </Link>
          ) : (
            `${customer.name} · ${customer.email}`
          ),
        ],
        [t('Document'), customer.document],
        [t('Phone'), customer.phone],
        [t('Method'), <Method key="method" of={paymentMethod} />],
        [t('Reference'), charge.reference],
        ...(charge.checkoutSessionId ? [[t('Checkout session'), charge.checkoutSessionId] as const] : []),
        ...(charge.subscriptionId
          ? [
              [
                t('Subscription'),
                <Link key="subscription" href={`/subscriptions/${charge.subscriptionId}`}>
                  {t('Cycle {number}', { number: formatNumber(charge.cycleNumber ?? 0) })}
                </Link>,
              ] as const,
            ]
          : []),
        ...('dueDate' in paymentMethod && paymentMethod.dueDate
          ? [[t('Due date'), formatFullDay(paymentMethod.dueDate)] as const]
          : []),
        [t('Merchant'), <MerchantName key="merchant" id={charge.merchantId} />],
        [t('Paid'), <When key="paid" at={charge.paidAt} />],
        ...(failureReason ? [[t('Reason'), tStatus(failureReason)] as const] : []),
        [t("Provider's reference"), charge.pspRefId],
        [t('Metadata'), charge.metadata && <code key="metadata">{JSON.stringify(charge.metadata)}</code>],
      ]}
    />
  );
};

const Split = (props: { readonly charge: Charge; readonly parts: NonNullable<Charge['split']> }) => (
  <section>
    <h2>{t('Split')}</h2>
    <Table
      caption={t('Split')}
      heads={[t('Merchant'), { number: '%' }, { number: t('Amount') }]}
      rows={props.parts.map(({ merchantId, percentage, amount }) => ({
        key: merchantId,
        cells: [
          <MerchantName key="merchant" id={merchantId} />,
          formatNumber(percentage),
          <Figure
            key="amount"
            charge={props.charge}
            amount={amount}
            movements={['split_credit']}
            of={merchantId}
          />,
        ],
      }))}
    />
  </section>
);

const Settlements = (props: {
  readonly charge: Charge;
  readonly parts: NonNullable<Charge['settlements']>;
}) => (
  <section>
    <h2>{t('Settlements')}</h2>
    <Table
      caption={t('Settlements')}
      heads={[t('Part'), t('Becomes available'), { number: t('Amount') }, t('Status')]}
      rows={props.parts.map(({ part, dueAt, amount, status }) => ({
        key: String(part),
        cells: [
          formatNumber(part),
          <When key="due" at={dueAt} />,
          <Money key="amount" amount={amount} currency={props.charge.currency} />,
          <Status key="status" status={status} />,
        ],
      }))}
    />
  </section>
);

type Timeline = Schemas['ChargeTimeline'];
type Entry = Timeline['data'][number];

const TimelineOf = ({ id }: { readonly id: string }) => {
  const [page, setPage] = useState(1);
  return (
    <Panel title={t('Timeline')} call={timelineOf(id, page)} lines={8} buttons={<AddNote resourceId={id} />}>
      {({ data, omitted, pages }) => (
        <>
          <ol className="timeline">
            {data.map((entry) => (
              <li key={entry.id} className={entry.kind}>
                <time dateTime={entry.at} title={formatExactly(entry.at)}>
                  {formatMoment(entry.at)}
                </time>
                <div>
                  <EntryOf entry={entry} />
                </div>
              </li>
            ))}
          </ol>
          {omitted.map(({ part, reason }) => (
            <p key={part} className="hint">
              {reason === 'unavailable'
                ? t('{part} cannot be read at the moment.', { part: tStatus(part) })
                : t('{part} are not shown: your permissions do not include them.', { part: tStatus(part) })}
            </p>
          ))}
          <Pages page={page} pages={pages} onPage={setPage} />
        </>
      )}
    </Panel>
  );
};

const EntryOf = ({ entry }: { readonly entry: Entry }): ReactNode => {
  switch (entry.kind) {
    case 'event':
      return (
        <>
          <p>
            <strong title={entry.type}>{tEvent(entry.type)}</strong>{' '}
            {entry.status && <Status status={entry.status} />}
            {entry.reason && <span> {tStatus(entry.reason)}</span>}
          </p>
          <p className="facts">
            {t('by')} <ActorName {...entry.actor} /> · {t('request')} {entry.requestId}{' '}
            <CopyButton text={entry.requestId} label={t('Copy')} />
          </p>
        </>
      );
    case 'provider_call':
      return (
        <p>
          <strong>
            {entry.provider}: {tStatus(`provider_${entry.operation}`)}
          </strong>{' '}
          <Status status={entry.outcome} /> <span className="digits">{entry.durationMs} ms</span>
        </p>
      );
    case 'journal':
      return (
        <>
          <p>
            <strong>{t('Money moved')}</strong> {tStatus(entry.referenceType)}
          </p>
          <ul className="postings">
            {entry.entries.map((posting) => (
              <li key={posting.id}>
                <span>
                  {tStatus(posting.movement_type)}, {tStatus(posting.bucket)}
                  {posting.merchantId && (
                    <small>
                      <MerchantName id={posting.merchantId} />
                    </small>
                  )}
                </span>
                <Money amount={posting.amount} currency={entry.currency} />
                {posting.merchantId && <Explanation ids={[posting.id]} />}
              </li>
            ))}
          </ul>
        </>
      );
    case 'note':
      return <NoteText note={entry} />;
    case 'delivery':
      return (
        <>
          <p>
            <strong title={entry.event}>
              {t('Webhook')}: {tEvent(entry.event)}
            </strong>{' '}
            <Status status={entry.status} />{' '}
            {entry.statusCode && <span className="digits">HTTP {entry.statusCode}</span>}
          </p>
          <p className="facts">
            {entry.url} · {t('attempts')}: {entry.attempts} ·{' '}
            <Link href={`/webhooks?eventId=${encodeURIComponent(entry.eventId)}`}>{t('Deliveries')}</Link>
          </p>
        </>
      );
  }
};
