import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { CUSTOMER_LIST } from '../../customers/read/list-customers.ts';
import type { FindCustomersOf } from '../write/erase-customer.ts';

/** Finds customers in their view by the given facts. The view is waited for, so that no customer is missed. */
export const createFindCustomersOf =
  (readView: ReadView): FindCustomersOf =>
  (customer, livemode) =>
    readView.scan(
      CUSTOMER_LIST.search,
      [{ term: { livemode } }],
      { page: 1, size: 100, ...customer },
      'latest',
    );
