import { useQueries } from '@tanstack/react-query';
import type { Schemas } from '../../../client/client.ts';
import { ask, call } from '../../api.ts';
import { Money } from '../../components/values.tsx';
import { useRead } from '../../use-read.ts';
import { Explanation } from '../explanation.tsx';

type Charge = Schemas['Charge'];

export const timelineOf = (id: string, page = 1) =>
  call('getChargeTimeline', { path: { id }, ...(page > 1 ? { query: { page } } : {}) });

type Timeline = Schemas['ChargeTimeline'];
type Whole = Pick<Timeline, 'data' | 'omitted'>;

/**
 * Every page of the timeline of a charge, because what changes its figures may come late; undefined while a page is
 * missing. The queries are those of the timeline that the screen shows, so that no page is read twice.
 */
export const useTimeline = (id: string): Whole | undefined => {
  const first = useRead(timelineOf(id));
  const rest = useQueries({
    queries: Array.from({ length: Math.max(0, (first.data?.pages ?? 1) - 1) }, (_, index) => {
      const page = timelineOf(id, index + 2);
      return { queryKey: [page.operation, page.input], queryFn: () => ask(page) };
    }),
  });
  const pages = [first, ...rest].flatMap(({ data }) => data ?? []);
  const [{ omitted } = { omitted: [] }] = pages;
  return pages.length > rest.length ? { data: pages.flatMap(({ data }) => data), omitted } : undefined;
};

/** Entries of the ledger that a charge has booked for a merchant, in some movements. */
export const entriesIn = (timeline: Whole | undefined, merchantId: string, movements: readonly string[]) =>
  (timeline?.data ?? [])
    .flatMap((entry) => (entry.kind === 'journal' ? entry.entries : []))
    .filter((entry) => entry.merchantId === merchantId && movements.includes(entry.movement_type));

/** A figure of the charge, with the entries that make it up: those of the seller unless another is named. */
export const Figure = (props: {
  readonly charge: Charge;
  readonly amount: number;
  readonly movements: readonly string[];
  readonly of?: string;
}) => {
  const { charge, amount, movements, of = charge.merchantId } = props;
  const ids = entriesIn(useTimeline(charge.id), of, movements).map(({ id }) => id);
  return (
    <>
      <Money amount={amount} currency={charge.currency} /> {ids.length > 0 && <Explanation ids={ids} />}
    </>
  );
};
