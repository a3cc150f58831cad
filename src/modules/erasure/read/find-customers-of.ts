import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { CUSTOMER_LIST } from '../../customers/read/list-customers.ts';
import type { FindCustomersOf } from '../write/erase-customer.ts';

/** The view knows customers by their facts; it is waited for, so that none is missed. */
export const createFindCustomersOf =
  (readView: ReadView): FindCustomersOf =>
  (customer, livemode) =>
    readView.scan(
      CUSTOMER_LIST.search,
      [{ term: { livemode } }],
      { page: 1, size: 100, ...customer },
      'latest',
    );
