import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Call } from '../api.ts';
import { ShownCall } from '../shown-calls.tsx';
import { useRead } from '../use-read.ts';
import { Problem } from './problem.tsx';
import { Skeleton } from './skeleton.tsx';

/** Something that is read: a skeleton before it is there, and what went wrong. */
export const Loaded = <Data,>(props: {
  readonly of: UseQueryResult<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}) => {
  const { of, lines = 4, children } = props;
  return (
    <>
      {of.error && <Problem error={of.error} onRetry={() => of.refetch()} />}
      {of.isPending && <Skeleton lines={lines} />}
      {of.data !== undefined && children(of.data)}
    </>
  );
};

/** A part of a screen with a heading that shows the answer to one call. */
export const Panel = <Data,>(props: {
  readonly title: string;
  readonly call: Call<Data>;
  readonly lines?: number;
  readonly buttons?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}) => {
  const { title, call, lines = 4, buttons, children } = props;
  const read = useRead(call);
  return (
    <section>
      <div className="toolbar">
        <h2>{title}</h2>
        <span className="space" />
        <ShownCall call={call} />
        {buttons}
      </div>
      <Loaded of={read} lines={lines}>
        {children}
      </Loaded>
    </section>
  );
};
