import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'wouter';
import { ask } from '../api.ts';
import {
  CopyAsCurl,
  CopyButton,
  Facts,
  Method,
  Money,
  Problem,
  Skeleton,
  Status,
  When,
} from '../components/parts.tsx';
import { formatExactly, formatMoment } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';
import type { Charge } from './charges.tsx';
import { Explanation } from './explanation.tsx';
import { RefundDialog } from './refund-dialog.tsx';

const REFUNDABLE = ['credit_card', 'pix'];

const ChargeScreen = () => {
  const { id = '' } = useParams();
  const me = useMe();
  const [isRefunding, setRefunding] = useState(false);
  useTitle(t('Charge'));
  const call = { path: `/v1/charges/${encodeURIComponent(id)}` };
  const found = useQuery({ queryKey: [call.path], queryFn: () => ask<Charge>(call) });
  if (found.isPending) return <Skeleton lines={10} />;
  if (found.error) return <Problem error={found.error} onRetry={() => found.refetch()} />;
  const charge = found.data;
  const { amount, currency, status, customer, paymentMethod } = charge;
  const isRefundable =
    me.merchant?.id === charge.merchantId &&
    may(me, 'refunds.create') &&
    status === 'paid' &&
    REFUNDABLE.includes(paymentMethod.type);
  return (
    <>
      <p className="trail">
        <Link href="/charges">{t('Charges')}</Link>
      </p>
      <div className="heading">
        <h1>
          {t('Charge')} <Money amount={amount} currency={currency} />
        </h1>
        <Status status={status} />
        <span className="space" />
        <CopyAsCurl call={call} />
        {isRefundable && (
          <button type="button" className="destructive" onClick={() => setRefunding(true)}>
            {t('Refund')}
          </button>
        )}
      </div>
      <Facts
        rows={[
          [
            t('Id'),
            <span key="id" className="digits">
              {charge.id} <CopyButton text={charge.id} label={t('Copy')} />
            </span>,
          ],
          [t('Customer'), `${customer.name} · ${customer.email}`],
          [t('Method'), <Method key="method" of={paymentMethod} />],
          [t('Reference'), charge.reference],
          [
            t('Fee'),
            <Figure key="fee" charge={charge} amount={charge.spread} movements={['charge_spread']} />,
          ],
          [
            t('Net'),
            <Figure key="net" charge={charge} amount={charge.net} movements={['charge', 'charge_spread']} />,
          ],
          [t('Merchant'), charge.merchantId],
          [t('Paid'), <When key="paid" at={charge.paidAt} />],
          ...(charge.failureReason ? [[t('Reason'), tStatus(charge.failureReason)] as const] : []),
          [t("Provider's reference"), charge.pspRefId],
        ]}
      />
      {charge.split && <Split charge={charge} />}
      <TimelineOf id={charge.id} />
      {isRefunding && <RefundDialog charge={charge} onClose={() => setRefunding(false)} />}
    </>
  );
};
export default ChargeScreen;

const Split = ({ charge }: { readonly charge: Charge }) => (
  <section>
    <h2>{t('Split')}</h2>
    <table>
      <caption>{t('Split')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Merchant')}</th>
          <th scope="col" className="number">
            %
          </th>
          <th scope="col" className="number">
            {t('Amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {charge.split?.map(({ merchantId, percentage, amount }) => (
          <tr key={merchantId}>
            <td>{merchantId}</td>
            <td className="number">{percentage}</td>
            <td className="number">
              <Money amount={amount} currency={charge.currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

type Entry = { readonly at: string; readonly id: string } & (
  | {
      readonly kind: 'event';
      readonly type: string;
      readonly resourceId: string;
      readonly status: string | null;
      readonly reason: string | null;
      readonly actor: { readonly kind: string; readonly id: string | null };
      readonly requestId: string;
    }
  | {
      readonly kind: 'provider_call';
      readonly provider: string;
      readonly operation: string;
      readonly outcome: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'journal';
      readonly referenceType: string;
      readonly currency: string;
      readonly entries: readonly {
        readonly id: string;
        readonly merchantId: string | null;
        readonly bucket: string;
        readonly movement_type: string;
        readonly amount: number;
      }[];
    }
  | {
      readonly kind: 'delivery';
      readonly eventId: string;
      readonly event: string;
      readonly channel: string;
      readonly url: string;
      readonly status: string;
      readonly attempts: number;
      readonly statusCode: number | null;
    }
);
type Timeline = {
  readonly data: readonly Entry[];
  readonly omitted: readonly { readonly part: string; readonly reason: string }[];
};

const useTimeline = (id: string) => {
  const call = { path: `/v1/charges/${id}/timeline` };
  return { call, timeline: useQuery({ queryKey: [call.path], queryFn: () => ask<Timeline>(call) }) };
};

/** A figure of the charge, with the entries of the seller that make it up. */
const Figure = (props: {
  readonly charge: Charge;
  readonly amount: number;
  readonly movements: readonly string[];
}) => {
  const { charge, amount, movements } = props;
  const { timeline } = useTimeline(charge.id);
  const entries = (timeline.data?.data ?? [])
    .flatMap((entry) => (entry.kind === 'journal' ? entry.entries : []))
    .filter(
      ({ merchantId, movement_type }) =>
        merchantId === charge.merchantId && movements.includes(movement_type),
    );
  return (
    <>
      <Money amount={amount} currency={charge.currency} />{' '}
      {entries.length > 0 && <Explanation ids={entries.map(({ id }) => id)} />}
    </>
  );
};

const TimelineOf = ({ id }: { readonly id: string }) => {
  const { call, timeline } = useTimeline(id);
  return (
    <section>
      <div className="toolbar">
        <h2>{t('Timeline')}</h2>
        <span className="space" />
        <CopyAsCurl call={call} />
      </div>
      {timeline.error && <Problem error={timeline.error} onRetry={() => timeline.refetch()} />}
      {timeline.isPending && <Skeleton lines={8} />}
      <ol className="timeline">
        {timeline.data?.data.map((entry) => (
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
      {timeline.data?.omitted.map(({ part, reason }) => (
        <p key={part} className="hint">
          {reason === 'unavailable'
            ? t('{part} cannot be read at the moment.', { part: tStatus(part) })
            : t('{part} are not shown: your permissions do not include them.', { part: tStatus(part) })}
        </p>
      ))}
    </section>
  );
};

const EntryOf = ({ entry }: { readonly entry: Entry }): ReactNode => {
  switch (entry.kind) {
    case 'event':
      return (
        <>
          <p>
            <strong>{entry.type}</strong> {entry.status && <Status status={entry.status} />}
            {entry.reason && <span> {tStatus(entry.reason)}</span>}
          </p>
          <p className="facts">
            {t('by {actor}', { actor: `${tStatus(entry.actor.kind)} ${entry.actor.id ?? ''}` })} ·{' '}
            {t('request')} {entry.requestId} <CopyButton text={entry.requestId} label={t('Copy')} />
          </p>
        </>
      );
    case 'provider_call':
      return (
        <p>
          <strong>
            {entry.provider}: {entry.operation}
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
                  {posting.merchantId && <small>{posting.merchantId}</small>}
                </span>
                <Money amount={posting.amount} currency={entry.currency} />
                {posting.merchantId && <Explanation ids={[posting.id]} />}
              </li>
            ))}
          </ul>
        </>
      );
    case 'delivery':
      return (
        <>
          <p>
            <strong>
              {t('Webhook')} {entry.event}
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
