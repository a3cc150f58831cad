import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { CHARGE_LIST } from '../../charges/read/list-charges.ts';
import type { FindChargesOf } from '../write/erase-customer.ts';

/** Finds charges in their view by their customer. The view is waited for, so that no charge is missed. */
export const createFindChargesOf =
  (readView: ReadView): FindChargesOf =>
  (customer, livemode) => {
    const named =
      'email' in customer ? { customerEmail: customer.email } : { customerDocument: customer.document };
    const query = { page: 1, size: 100, ...named };
    return readView.scan(CHARGE_LIST.search, [{ term: { livemode } }], query, 'latest');
  };
