import { isPast } from '../checkout/write/checkout-session.ts';
import { chooseMethod } from './choose-method.ts';
import { type CheckoutPage, framed, frameOf, type PageState } from './page-frame.ts';
import { begunWithoutPayment, ended, receipt, takenState, waitForCharge } from './payment-states.ts';

/** The page of a session, as it stands. */
export const checkoutHtml = (page: CheckoutPage): string => framed(frameOf(page), stateOf(page));

const stateOf = (page: CheckoutPage): PageState => {
  switch (page.session.status) {
    case 'open':
      // A worker ends it in a moment.
      if (isPast(page.session, page.now)) return ended(page);
      return page.taken === null ? chooseMethod(page) : takenState(page.taken, page, page.session.returnUrl);
    case 'processing':
      return waitForCharge(page);
    case 'completed':
      return page.charge === null ? begunWithoutPayment(page) : receipt(page);
    default:
      return ended(page);
  }
};
