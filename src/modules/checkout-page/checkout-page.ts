import { isPast } from '../checkout/write/checkout-session.ts';
import { chooseMethod } from './choose-method.ts';
import { type CheckoutPage, framed, type PageState } from './page-frame.ts';
import { ended, receipt, waitForCharge } from './payment-states.ts';

/** The page of a session, as it stands. */
export const checkoutHtml = (page: CheckoutPage): string => framed(page, stateOf(page));

const stateOf = (page: CheckoutPage): PageState => {
  switch (page.session.status) {
    case 'open':
      // A worker ends it in a moment.
      return isPast(page.session, page.now) ? ended(page) : chooseMethod(page);
    case 'processing':
      return waitForCharge(page);
    case 'completed':
      return receipt(page);
    default:
      return ended(page);
  }
};
