import type { ReadView } from '../../../platform/read-store/read-view.ts';
import { CHARGES_VIEW, type ChargeDocument } from '../../charges/read/charge.view.ts';
import { CHARGE_LIST } from '../../charges/read/list-charges.ts';
import type { FindChargesOf } from '../write/erase-customer.ts';

const LISTING = { list: CHARGE_LIST, view: CHARGES_VIEW, present: ({ id }: ChargeDocument) => id };

/** The view knows charges by their customer; it is waited for, so that none is missed. */
export const createFindChargesOf =
  (readView: ReadView): FindChargesOf =>
  (customer, livemode) => {
    const named =
      'email' in customer ? { customerEmail: customer.email } : { customerDocument: customer.document };
    return readView.all(LISTING, [{ term: { livemode } }], { page: 1, size: 100, ...named }, 'latest');
  };
