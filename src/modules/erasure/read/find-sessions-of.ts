import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { CHECKOUT_SESSION_LIST } from '../../checkout/read/list-sessions.ts';
import type { FindSessionsOf } from '../write/erase-customer.ts';

/** Finds sessions in their view by the facts of their payers. The view is waited for, so that no session is missed. */
export const createFindSessionsOf =
  (readView: ReadView): FindSessionsOf =>
  (customer, livemode) =>
    readView.scan(
      CHECKOUT_SESSION_LIST.search,
      [{ term: { livemode } }],
      { page: 1, size: 100, ...customer },
      'latest',
    );
