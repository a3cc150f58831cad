import type { Journal } from '../../ledger/write/journal.ts';

/** Time of the expected journals; times are not compared. */
export const EPOCH = new Date(0);

/** Ids of the expected journals; ids are not compared. */
export const noId = <P extends string>(prefix: P): `${P}_${string}` => `${prefix}_`;

/** The postings of a journal as text that can be compared. */
export const linesOf = ({ currency, livemode, postings }: Journal): string =>
  postings
    .map(
      ({ merchantId, bucket, movement_type, amount }) =>
        `${merchantId ?? 'gateway'} ${livemode ? 'live' : 'test'} ${bucket} ${movement_type} ${amount} ${currency}`,
    )
    .sort()
    .join('; ');
