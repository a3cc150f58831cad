import { Fragment, type ReactNode, useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { apiError, asCurl, type Call, isPassing } from '../api.ts';
import { formatDate, formatExactly, formatMoney } from '../format.ts';
import { t, tStatus } from '../words.ts';
import { Button } from './button.tsx';

export const Skeleton = ({ lines }: { readonly lines: number }) => (
  <div className="skeleton" role="status">
    <span className="unseen">{t('Loading')}</span>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
      <i key={line} />
    ))}
  </div>
);

export const Money = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => (
  <span className={amount < 0 ? 'money negative' : 'money'}>{formatMoney(amount, currency)}</span>
);

/** Letters that a column has room for. */
const SHORT = 16;

/** Signs after which a name or an address may break. An id has none. */
const PARTS = /(?<=[.@/])|(?<=_)(?=[a-z])/;

/** A word that goes to a line of its own before it breaks. */
const Word = ({ of }: { readonly of: string }) => {
  const [first, ...more] = of.split(PARTS);
  if (more.length === 0) return of;
  return (
    <span className="word">
      {first}
      {more.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </span>
  );
};

/** The content of a cell: longer text may break within an id or an address. */
export const Text = ({ of }: { readonly of: ReactNode }) =>
  typeof of === 'string' && of.length > SHORT ? (
    <span className="long">
      {of.split(' ').map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words never move
        <Fragment key={index}>
          {index > 0 && ' '}
          <Word of={word} />
        </Fragment>
      ))}
    </span>
  ) : (
    of
  );

/** A short date with the exact one at hand. */
export const When = ({ at }: { readonly at: string | null }) =>
  at === null ? (
    <span className="none">–</span>
  ) : (
    <time dateTime={at} title={formatExactly(at)}>
      {formatDate(at)}
    </time>
  );

const TONES: Readonly<Record<string, string>> = {
  paid: 'good',
  refunded: 'calm',
  active: 'good',
  rolled: 'waiting',
  approved: 'good',
  delivered: 'good',
  sent: 'good',
  resolved: 'good',
  succeeded: 'good',
  pending: 'waiting',
  in_analysis: 'waiting',
  authentication_required: 'waiting',
  pre_approved: 'waiting',
  refused: 'bad',
  failed: 'bad',
  rejected: 'bad',
  blocked: 'bad',
  announced: 'bad',
  open: 'bad',
  past_due: 'bad',
  uncollectible: 'bad',
  incomplete: 'waiting',
  scheduled: 'waiting',
  trialing: 'good',
  under_review: 'waiting',
  by_operator: 'waiting',
  won: 'good',
  lost: 'bad',
  pre_chargeback: 'bad',
  chargeback: 'bad',
  unknown: 'bad',
  timeout: 'bad',
  error: 'bad',
};

/** A status as a word and a colour. */
export const Status = ({ status }: { readonly status: string }) => (
  <span className={`status ${TONES[status] ?? 'calm'}`}>{tStatus(status)}</span>
);

/** A payment method, with the last digits of a card. */
export const Method = ({ of }: { readonly of: Schemas['PaymentMethod'] }) => (
  <>
    {tStatus(of.type)}
    {'lastFour' in of && <span className="digits"> ···· {of.lastFour}</span>}
  </>
);

/** Copies to the clipboard and says so. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [isDone, setDone] = useState(false);
  return (
    <button
      type="button"
      className="quiet"
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setDone(true);
        setTimeout(() => setDone(false), 2_000);
      }}
    >
      <span aria-live="polite">{isDone ? t('Copied') : label}</span>
    </button>
  );
};

export const CopyAsCurl = ({ call }: { readonly call: Call }) => (
  <CopyButton text={asCurl(call)} label={t('Copy as curl')} />
);

const messageOf = (told: ReturnType<typeof apiError>): string => {
  if (told === null) return t('Something went wrong in this window');
  return told.statusCode === 0 ? t('The gateway did not answer') : told.message;
};

/** Tells of a failure: the message, its code and the request that support can look for. */
export const Problem = (props: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Said about a failure that passes, instead of that. */
  readonly advice?: string | false;
}) => {
  const { error, onRetry, advice } = props;
  const told = apiError(error);
  const facts = [told?.code, told?.requestId].filter(Boolean);
  return (
    <div className="problem" role="alert">
      <p>
        <strong>{messageOf(told)}</strong>
      </p>
      {isPassing(error) && <p>{advice || t('It may pass by itself: your data is safe.')}</p>}
      {facts.length > 0 && <p className="facts">{facts.join(' · ')}</p>}
      {onRetry && <Button label={t('Try again')} onClick={onRetry} />}
    </div>
  );
};

/** Names and values. */
export const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts-list">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value === null || value === undefined ? <span className="none">–</span> : <Text of={value} />}
        </dd>
      </div>
    ))}
  </dl>
);
