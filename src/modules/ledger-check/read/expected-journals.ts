import type { Journal } from '../../ledger/write/journal.ts';

/** Time of expected journals, which is not compared. */
export const EPOCH = new Date(0);

/** Ids of expected journals, which are not compared. */
export const noId = <P extends string>(prefix: P): `${P}_${string}` => `${prefix}_`;

/** Postings of a journal, as comparable text. */
export const linesOf = ({ currency, livemode, postings }: Journal): string =>
  postings
    .map(
      ({ merchantId, bucket, movement_type, amount }) =>
        `${merchantId ?? 'gateway'} ${livemode ? 'live' : 'test'} ${bucket} ${movement_type} ${amount} ${currency}`,
    )
    .sort()
    .join('; ');
