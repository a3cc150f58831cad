import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { Money } from '../../components/values.tsx';
import { useRead } from '../../use-read.ts';
import { Explanation } from '../explanation.tsx';

type Charge = Schemas['Charge'];

export const timelineOf = (id: string, page = 1) =>
  call('getChargeTimeline', { path: { id }, ...(page > 1 ? { query: { page } } : {}) });

/** Entries of the ledger that a charge has booked for a merchant, in some movements. */
export const useEntries = (charge: Charge, merchantId: string, movements: readonly string[]) => {
  const { data } = useRead(timelineOf(charge.id));
  return (data?.data ?? [])
    .flatMap((entry) => (entry.kind === 'journal' ? entry.entries : []))
    .filter((entry) => entry.merchantId === merchantId && movements.includes(entry.movement_type));
};

/** A figure of the charge, with the entries that make it up: those of the seller unless another is named. */
export const Figure = (props: {
  readonly charge: Charge;
  readonly amount: number;
  readonly movements: readonly string[];
  readonly of?: string;
}) => {
  const { charge, amount, movements, of = charge.merchantId } = props;
  const ids = useEntries(charge, of, movements).map(({ id }) => id);
  return (
    <>
      <Money amount={amount} currency={charge.currency} /> {ids.length > 0 && <Explanation ids={ids} />}
    </>
  );
};
