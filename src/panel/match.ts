import type { Schemas } from '../client/client.ts';

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
    payout_request: `/payouts?${new URLSearchParams({ merchantId, status })}`,
    // The status of a note is the kind of its record.
    note: hrefOfRecord(status, resourceId ?? ''),
  })[type];

const hrefOfRecord = (kind: string, id: string): string =>
  ({ charge: `/charges/${id}`, payout_request: `/payouts?notes=${id}`, merchant: `/merchants/${id}` })[
    kind
  ] ?? `/submerchants/${id}`;
