import { Fragment, type ReactNode } from 'react';
import type { Schemas } from '../../client/client.ts';
import { formatDate, formatExactly, formatMoney } from '../format.ts';
import { tStatus } from '../words.ts';

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

/** A payment method, with the last digits of a card. */
export const Method = ({ of }: { readonly of: Schemas['PaymentMethod'] }) => (
  <>
    {tStatus(of.type)}
    {'lastFour' in of && <span className="digits"> ···· {of.lastFour}</span>}
  </>
);
