import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../api.ts';
import { ScreenHead } from '../components/list-screen.tsx';
import { Panel } from '../components/loaded.tsx';
import { Problem } from '../components/problem.tsx';
import { Money } from '../components/values.tsx';
import { formatNumber } from '../format.ts';
import { may, useMe } from '../session.tsx';
import { ShownCall } from '../shown-calls.tsx';
import { type Counted, numberIn, useCounts, type Waiting, waitingFor } from '../waiting.ts';
import { t } from '../words.ts';
import { Figures, figuresCall } from './home/figures.tsx';
import { FirstSale } from './home/first-sale.tsx';

const Home = () => {
  const me = useMe();
  const waiting = waitingFor(me);
  const figures = figuresCall(me);
  return (
    <>
      <ScreenHead title={t('Home')} />
      {figures && <ShownCall call={figures} />}
      {me.merchant && may(me, 'checkout.manage') && (
        <p>
          <Link href="/payment-links">{t('Share a payment link')}</Link>
        </p>
      )}
      <FirstSale me={me} />
      <h2>{t('Waiting for you')}</h2>
      {waiting.length === 0 && <p className="empty">{t('Your permissions bring you no work here.')}</p>}
      <Tiles of={waiting} />
      {me.merchant && may(me, 'statement.read') && <Balance />}
      <Figures />
    </>
  );
};
export default Home;

/** Counts of what waits, each with the way to it. One message stands for all that cannot be read. */
const Tiles = ({ of }: { readonly of: readonly Waiting[] }) => {
  const reads = useCounts(of);
  const failed = reads.find(({ error }) => error);
  return (
    <>
      <ul className="tiles">
        {of.map(({ label, list, href }, index) => (
          <li key={href}>
            <Link href={href}>
              <strong>{countOf(reads[index])}</strong>
              {label}
            </Link>
            <ShownCall call={list} />
          </li>
        ))}
      </ul>
      {failed && <Problem error={failed.error} />}
    </>
  );
};

const countOf = (read: UseQueryResult<Counted> | undefined): string => {
  if (!read?.data) return read?.isError ? '?' : '…';
  return formatNumber(numberIn(read.data));
};

const Balance = () => (
  <Panel title={t('Balance')} call={call('getBalance')} lines={2}>
    {({ data }) => (
      <ul className="tiles">
        {data.map(({ currency, available, reserved }) => (
          <li key={currency}>
            <div>
              <strong>
                <Money amount={available} currency={currency} />
              </strong>
              {t('available')}
            </div>
            <div>
              <Money amount={reserved} currency={currency} /> {t('reserved until settlement')}
            </div>
          </li>
        ))}
        {data.length === 0 && <li>{t('The first paid charge brings money here.')}</li>}
      </ul>
    )}
  </Panel>
);
