import type { Schemas } from '../client/client.ts';
import { t, tStatus } from './words.ts';

/** The screen that shows a record which the search has found. */
export const hrefOfMatch = ({
  type,
  id,
  title,
  merchantId,
  status,
  resourceId,
}: Schemas['SearchMatch']): string =>
  ({
    charge: `/charges/${id}`,
    refund: `/charges/${title}`,
    submerchant: `/submerchants/${id}`,
    merchant: `/merchants/${id}`,
    payout_request: `/payouts?${new URLSearchParams({ merchantId: merchantId ?? '', status })}`,
    // The status of a note is the kind of its record.
    note: hrefOfRecord(status, resourceId ?? ''),
    user: `/users?id=${id}`,
  })[type];

const hrefOfRecord = (kind: string, id: string): string =>
  ({ charge: `/charges/${id}`, payout_request: `/payouts?notes=${id}`, merchant: `/merchants/${id}` })[
    kind
  ] ?? `/submerchants/${id}`;

/** Says what of a record the words of a search have met. */
export const foundBy = ({ matched }: Schemas['SearchMatch']): string =>
  t('found by {what}', { what: tStatus(`matched_${matched}`) });
