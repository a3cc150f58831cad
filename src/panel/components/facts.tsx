import type { ReactNode } from 'react';
import { Text } from './values.tsx';

/** Names and values. */
export const Facts = (props: {
  readonly rows: readonly (readonly [string, ReactNode])[];
  readonly className?: string;
}) => (
  <dl className={`facts-list ${props.className ?? ''}`.trim()}>
    {props.rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value === null || value === undefined ? <span className="none">–</span> : <Text of={value} />}
        </dd>
      </div>
    ))}
  </dl>
);
