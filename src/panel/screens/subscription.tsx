import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { ApiMenu } from '../components/api-menu.tsx';
import { Button } from '../components/button.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded, Panel } from '../components/loaded.tsx';
import { MerchantName } from '../components/merchant.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { Status } from '../components/status.tsx';
import { Trail } from '../components/trail.tsx';
import { Money, When } from '../components/values.tsx';
import { formatDate, formatExactly, formatFullDay, formatMoment, formatNumber } from '../format.ts';
import { useMe } from '../session.tsx';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { useTitle } from '../use-title.ts';
import { t, tStatus } from '../words.ts';
import {
  CancelSubscriptionDialog,
  ChangeMethodDialog,
  PageDialog,
  PauseDialog,
  ResumeDialog,
  UndoCancelDialog,
} from './subscription/dialogs.tsx';
import { Price } from './subscription/price.tsx';

type Subscription = Schemas['Subscription'];
type Cycle = Schemas['Cycle'];

const ENDED = ['cancelled', 'expired'];

const SubscriptionScreen = () => {
  const { id = '' } = useParams();
  useTitle(t('Subscription'));
  return (
    <>
      <Trail to="/subscriptions" title={t('Subscriptions')} />
      <Loaded of={useRead(call('getSubscription', { path: { id } }))} lines={10}>
        {(subscription) => (
          <>
            <Head subscription={subscription} />
            <FactsOf subscription={subscription} />
            <LatePayments subscription={subscription} />
            <Cycles subscription={subscription} />
          </>
        )}
      </Loaded>
    </>
  );
};
export default SubscriptionScreen;

type Step = 'pause' | 'resume' | 'cancel' | 'undo' | 'method' | 'page';

/** Changes that its merchant can make to a subscription as it stands. */
const stepsOf = ({ status, cancelAt, collection }: Subscription): readonly (readonly [Step, string])[] => {
  const page = ['page', t("Payer's page")] as const;
  if (ENDED.includes(status)) return [page];
  const canPause = cancelAt === null && status !== 'incomplete' && status !== 'paused';
  return [
    page,
    ...(collection === 'automatic' ? [['method', t('Change method')] as const] : []),
    ...(canPause ? [['pause', t('Pause')] as const] : []),
    ...(status === 'paused' ? [['resume', t('Resume')] as const] : []),
    cancelAt === null ? ['cancel', t('Cancel subscription')] : ['undo', t('Undo cancellation')],
  ];
};

const Head = ({ subscription }: { readonly subscription: Subscription }) => {
  const me = useMe();
  const [step, setStep] = useState<Step | null>(null);
  const [pageUrl, setPageUrl] = useState<string | null>(null);
  const { id, status, merchantId, price } = subscription;
  const dialog = { subscription, onClose: () => setStep(null) };
  const steps = me.merchant?.id === merchantId ? stepsOf(subscription) : [];
  return (
    <div className="heading">
      <h1>
        {t('Subscription')} <Price of={price} />
      </h1>
      <Status status={status} />
      <span className="space" />
      <ShownCall call={call('getSubscription', { path: { id } })} />
      <ApiMenu />
      {steps.map(([name, label]) => (
        <Button
          key={name}
          label={label}
          {...(name === 'cancel' ? { className: 'destructive' } : {})}
          onClick={() => setStep(name)}
        />
      ))}
      {step === 'pause' && <PauseDialog {...dialog} />}
      {step === 'resume' && <ResumeDialog {...dialog} />}
      {step === 'cancel' && <CancelSubscriptionDialog {...dialog} />}
      {step === 'undo' && <UndoCancelDialog {...dialog} />}
      {step === 'method' && <ChangeMethodDialog {...dialog} />}
      {step === 'page' && <PageDialog {...dialog} onDone={setPageUrl} />}
      {pageUrl !== null && (
        <SecretDialog
          title={t("Payer's page")}
          advice={t('Send it to the payer alone: it opens the page for anybody.')}
          secrets={[[t('Address'), pageUrl]]}
          onClose={() => setPageUrl(null)}
        />
      )}
    </div>
  );
};

const FactsOf = ({ subscription }: { readonly subscription: Subscription }) => {
  const { id, customerId, planId, nextPrice, payerMethod, endReason, maxCycles } = subscription;
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
          <Link key="customer" href={`/customers/${customerId}`}>
            {customerId}
          </Link>,
        ],
        [t('Plan'), planId],
        ...(nextPrice
          ? [[t('From the next cycle on'), <Price key="next" of={nextPrice.price} />] as const]
          : []),
        [
          t('Paid by'),
          payerMethod
            ? t('the customer, {method}', { method: tStatus(payerMethod) })
            : t('a stored card or mandate'),
        ],
        ...(subscription.pastDueReason
          ? [[t('Past due because of'), tStatus(subscription.pastDueReason)] as const]
          : []),
        [t('Next charge'), <When key="next" at={subscription.nextChargeAt} />],
        [t('Days of'), subscription.timeZone],
        [
          t('Failed attempts are repeated after'),
          t('{days} days', { days: subscription.retryDays.map(formatNumber).join(', ') }),
        ],
        [t('Cycles at most'), maxCycles === null ? null : formatNumber(maxCycles)],
        [t('Reference'), subscription.reference],
        [t('Merchant'), <MerchantName key="merchant" id={subscription.merchantId} />],
        [t('Trial until'), <When key="trial" at={subscription.trialEnd} />],
        ...(subscription.cancelAt
          ? [[t('Is cancelled on'), <When key="cancel" at={subscription.cancelAt} />] as const]
          : []),
        ...(subscription.resumeAt
          ? [[t('Goes on at'), <When key="resume" at={subscription.resumeAt} />] as const]
          : []),
        ...(endReason
          ? [
              [t('Ended'), <When key="ended" at={subscription.endedAt} />] as const,
              [t('Reason'), subscription.cancelReason ?? tStatus(endReason)] as const,
            ]
          : []),
        [t('Created'), <When key="created" at={subscription.createdAt} />],
      ]}
    />
  );
};

/** Money that came for a cycle although nobody waited for it any more. */
const LatePayments = ({ subscription: { latePayments } }: { readonly subscription: Subscription }) =>
  latePayments.length > 0 && (
    <section className="problem">
      <p>{t('Paid after the end, or twice. Give it back, or keep it and tell the customer.')}</p>
      <ul>
        {latePayments.map(({ chargeId, cycleNumber }) => (
          <li key={chargeId}>
            <Link href={`/charges/${chargeId}`}>
              {t('Charge of cycle {number}', { number: formatNumber(cycleNumber) })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );

const RETRIED = ['open', 'uncollectible'];

const Cycles = ({ subscription }: { readonly subscription: Subscription }) => {
  const me = useMe();
  const [retried, setRetried] = useState<number | null>(null);
  const { id, merchantId, status } = subscription;
  const mayRetry = me.merchant?.id === merchantId && !ENDED.includes(status);
  return (
    <Panel title={t('Cycles')} call={call('listSubscriptionCycles', { path: { id } })} lines={8}>
      {({ data }) => (
        <>
          <ol className="timeline">
            {data.toReversed().map((cycle) => (
              <li key={cycle.number} className="cycle">
                <time dateTime={cycle.dueAt} title={formatExactly(cycle.dueAt)}>
                  {formatDate(cycle.dueAt)}
                </time>
                <div>
                  <CycleOf cycle={cycle} />
                  {mayRetry && RETRIED.includes(cycle.status) && (
                    <Button label={t('Attempt again')} onClick={() => setRetried(cycle.number)} />
                  )}
                </div>
              </li>
            ))}
          </ol>
          {retried !== null && (
            <CommandDialog
              title={t('Attempt again')}
              call={call('retrySubscriptionCycle', { path: { id, number: String(retried) } })}
              onClose={() => setRetried(null)}
            >
              <p>{t('Cycle {number} is charged once more, now.', { number: formatNumber(retried) })}</p>
            </CommandDialog>
          )}
        </>
      )}
    </Panel>
  );
};

const CycleOf = ({ cycle }: { readonly cycle: Cycle }) => (
  <>
    <p>
      <strong>{t('Cycle {number}', { number: formatNumber(cycle.number) })}</strong>{' '}
      <Status status={cycle.status} /> <Money amount={cycle.amount} currency={cycle.currency} />
    </p>
    {cycle.attempts.length > 0 && (
      <ul>
        {cycle.attempts.map(({ at, outcome, reason, chargeId, chargeStatus, plannedOn }) => (
          <li key={`${at} ${chargeId}`}>
            {formatMoment(at)} · {tStatus(outcome)}
            {reason && `, ${tStatus(reason)}`}
            {plannedOn && ` · ${t('the bank pays on {day}', { day: formatFullDay(plannedOn) })}`}
            {chargeId && (
              <>
                {' · '}
                <Link href={`/charges/${chargeId}`}>{t('Charge')}</Link>
              </>
            )}
            {outcome === 'paid' && chargeStatus && chargeStatus !== 'paid' && (
              <>
                {' '}
                <Status status={chargeStatus} />
              </>
            )}
          </li>
        ))}
      </ul>
    )}
    {cycle.checkoutUrl && (
      <p className="facts">
        <a href={cycle.checkoutUrl} target="_blank" rel="noreferrer">
          {t("Payer's page")}
        </a>{' '}
        <CopyButton text={cycle.checkoutUrl} label={t('Copy')} />
      </p>
    )}
    {cycle.nextAttemptAt && (
      <p className="facts">{t('Next attempt: {at}', { at: formatMoment(cycle.nextAttemptAt) })}</p>
    )}
    {cycle.waitsFor && (
      <p className="facts">{t('It cannot be charged at the moment: {code}', { code: cycle.waitsFor })}</p>
    )}
  </>
);
