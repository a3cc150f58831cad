import { date, from, keyword, ofMerchant, stored, timestamps } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import type { StoredMethod } from '../write/stored-method.ts';
import { STORED_METHODS } from '../write/stored-methods.store.ts';

const ofCard = (name: keyof StoredMethod['card']) => from(stored(), ({ card }: StoredMethod) => card[name]);

export const STORED_METHODS_VIEW = defineView({
  name: 'payment_methods',
  version: 1,
  source: STORED_METHODS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    ...ofMerchant,
    customerId: keyword(),
    type: keyword(),
    status: keyword(),
    brand: ofCard('brand'),
    firstSix: ofCard('firstSix'),
    lastFour: ofCard('lastFour'),
    expirationMonth: ofCard('expirationMonth'),
    expirationYear: ofCard('expirationYear'),
    holderName: ofCard('holderName'),
    provider: stored(),
    networkTransactionId: stored(),
    consentAt: date(),
    authenticationUrl: stored(),
    failureReason: stored(),
    ...timestamps,
  },
});

/** A payment method of the write store as the API answers it. */
export const presentMethod = (method: StoredMethod) =>
  STORED_METHODS_VIEW.present(STORED_METHODS_VIEW.toDocument(method));
