import { toDecimal } from '../../../kernel/money.ts';
import { date, from, keyword, ofMerchant, stored, timestamps } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { qrImage } from '../../providers/pix/qr-image.ts';
import type { StoredMethod } from '../write/stored-method.ts';
import { STORED_METHODS } from '../write/stored-methods.store.ts';

const ofCard = (name: keyof NonNullable<StoredMethod['card']>) =>
  from(stored(), ({ card }: StoredMethod) => card?.[name] ?? null);

/** The code is not among the terms: it is shown beside them, with its image. */
const mandateOf = ({ mandate }: StoredMethod) => {
  if (mandate === undefined) return null;
  const { copyPaste: _, firstChargeId = null, ...shown } = mandate;
  const { journey, interval, intervalCount, amount, minimumAmount, ...terms } = shown;
  const decimal = (cents: number | null): number | null => cents && toDecimal(cents, 'BRL');
  const { startDate, endDate, ...others } = terms;
  return {
    ...{ journey, interval, intervalCount },
    ...{ amount: decimal(amount), minimumAmount: decimal(minimumAmount) },
    ...{ startDate, endDate },
    ...others,
    firstChargeId,
  };
};

export const STORED_METHODS_VIEW = defineView({
  name: 'payment_methods',
  version: 2,
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
    mandate: from(stored(), mandateOf),
    copyPaste: from(stored(), ({ mandate }: StoredMethod) => mandate?.copyPaste ?? null),
    provider: stored(),
    networkTransactionId: stored(),
    consentAt: date(),
    authenticationUrl: stored(),
    failureReason: stored(),
    ...timestamps,
  },
});

/** A payment method as create and read by id answer it: with the image of its code, where it has one. */
export const presentFreshMethod = async (method: StoredMethod) => {
  const code = method.mandate?.copyPaste ?? null;
  return { ...presentMethod(method), qrCode: code && (await qrImage(code)) };
};

/** A payment method from the write store as the API answers it. */
export const presentMethod = (method: StoredMethod) =>
  STORED_METHODS_VIEW.present(STORED_METHODS_VIEW.toDocument(method));
