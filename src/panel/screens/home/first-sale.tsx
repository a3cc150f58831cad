import { useMutation, useQueries } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { ask, type Call, call, switchEnvironment } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Problem } from '../../components/problem.tsx';
import { formatNumber } from '../../format.ts';
import { isLive, noteLive } from '../../last-environment.ts';
import { type Me, may, type Permission } from '../../session.tsx';
import { type Counted, numberIn } from '../../waiting.ts';
import { t } from '../../words.ts';

/** A step on the way to the first live charge; it is done once its list has a record. */
type Step = {
  readonly title: string;
  readonly note: string;
  readonly permission: Permission;
  readonly list: Call<Counted>;
  readonly action: string;
  readonly href: string;
};

const ONE = { size: 1 };

const stepsFor = (me: Me): readonly Step[] => {
  const { livemode } = me;
  const all: readonly Step[] = [
    {
      title: livemode ? t('Create a live key') : t('Create a test key'),
      note: t('Your program calls the gateway with it.'),
      permission: 'keys.manage',
      list: call('listOwnApiKeys', { query: ONE }),
      action: t('API keys'),
      href: '/keys',
    },
    {
      title: t('Hear of payments'),
      note: t('Name an address of yours. A test event shows what it answers.'),
      permission: 'webhooks.manage',
      list: call('listWebhookEndpoints', { query: ONE }),
      action: t('Add endpoint'),
      href: '/webhooks/endpoints?add=1',
    },
    {
      title: livemode ? t('Have a first live charge paid') : t('Have a first test charge paid'),
      note: livemode ? t('From now on charges move money.') : t('In test nobody pays: you play the payer.'),
      permission: 'charges.read',
      list: call('listCharges', { query: { ...ONE, status: 'paid' } }),
      action: may(me, 'charges.create') ? t('Create charge') : t('Charges'),
      href: may(me, 'charges.create') ? '/charges?add=1' : '/charges',
    },
  ];
  return all.filter(({ permission }) => may(me, permission));
};

const isDone = (found: Counted | undefined): boolean => found !== undefined && numberIn(found) > 0;

/** The way to the first live charge, step by step; nothing once there was one, as far as this browser knows. */
export const FirstSale = ({ me }: { readonly me: Me }) => {
  const merchant = me.merchant;
  const steps = stepsFor(me);
  const reads = useQueries({
    queries: steps.map(({ list }) => ({
      queryKey: [list.operation, list.input],
      queryFn: () => ask(list),
    })),
  });
  const isOver = me.livemode && may(me, 'charges.read') && isDone(reads.at(-1)?.data);
  useEffect(() => {
    if (merchant && isOver) noteLive(merchant.id);
  }, [merchant, isOver]);
  if (!merchant || !may(me, 'charges.read') || isOver || isLive(merchant.id)) return null;
  if (reads.some(({ data }) => data === undefined)) return null;
  const done = reads.map(({ data }) => isDone(data));
  const isActive = merchant.status === 'active';
  const goesOn = !me.livemode && merchant.masterId === null;
  const count = 1 + steps.length + (goesOn ? 1 : 0);
  const doneCount = (isActive ? 1 : 0) + done.filter(Boolean).length;
  return (
    <section className="first-sale">
      <div className="toolbar">
        <h2>{t('Until the first live charge')}</h2>
        <p>{t('{done} of {count}', { done: formatNumber(doneCount), count: formatNumber(count) })}</p>
      </div>
      <ol className="steps">
        <Row
          isDone={isActive}
          title={t('Your company is approved')}
          note={isActive ? merchant.legalName : t('The operator of the gateway reviews your data.')}
        />
        {steps.map((step, index) => (
          <Row key={step.href} isDone={done[index] ?? false} title={step.title} note={step.note}>
            <Link href={step.href}>{step.action}</Link>
          </Row>
        ))}
        {goesOn && <GoLive />}
      </ol>
    </section>
  );
};

const Row = (props: {
  readonly isDone: boolean;
  readonly title: string;
  readonly note: string;
  readonly children?: ReactNode;
}) => (
  <li className={props.isDone ? 'done' : undefined}>
    <span>
      <strong>{props.title}</strong>
      {props.isDone && <span className="status good">{t('done')}</span>}
      <small>{props.note}</small>
    </span>
    {!props.isDone && props.children}
  </li>
);

const GoLive = () => {
  const change = useMutation({ mutationFn: () => switchEnvironment(true) });
  return (
    <Row
      isDone={false}
      title={t('Go live')}
      note={t('The same steps with live keys. After them charges move money.')}
    >
      <Button label={t('Switch to live')} disabled={change.isPending} onClick={() => change.mutate()} />
      {change.error && <Problem error={change.error} />}
    </Row>
  );
};
