import type { PaymentMethodOffer } from '../../payment-methods/payment-methods.ts';
import { PAYMENT_TYPES, type PaymentType } from '../../providers/provider.ts';
import type { CheckoutSession } from './checkout-session.ts';

/** A payment method of a session's page. */
export type SessionOffer = {
  readonly type: PaymentType;
  /** The most instalments of any card. */
  readonly installments: number;
  /** Brands of cards; empty for other methods. */
  readonly brands: readonly string[];
  /** Kinds of documents that the method takes; empty where it needs none. */
  readonly identifyTypes: readonly string[];
};

/** The methods that a page offers: those of the merchant in its currency (`offers`) that it does not leave out. */
export const offersOf = (
  offers: readonly PaymentMethodOffer[],
  { methods, maxInstallments }: Pick<CheckoutSession, 'methods' | 'maxInstallments'>,
): readonly SessionOffer[] => {
  const usable = offers.filter(({ type }) => methods === null || methods.includes(type));
  return [...new Set(usable.map(({ type }) => type))].map((type) => {
    const ofType = usable.filter((offer) => offer.type === type);
    return {
      type,
      installments: Math.min(
        maxInstallments,
        Math.max(...ofType.map(({ installments }) => installments.max)),
      ),
      brands: [...new Set(ofType.flatMap(({ brands = [] }) => brands))],
      identifyTypes: [...new Set(ofType.flatMap(({ identifyTypes = [] }) => identifyTypes))],
    };
  });
};

/**
 * Methods that give the payer days to pay, which would be too long for a reservation on a link with a limit.
 */
const LASTING: readonly PaymentType[] = ['voucher', 'banktransfer'];

/** The offer of a link or its session. A link with a limit leaves out the methods that take days. */
export const withoutLasting = <T extends Pick<CheckoutSession, 'methods'>>(
  offering: T,
  isLimited: boolean,
): T =>
  isLimited
    ? {
        ...offering,
        methods: (offering.methods ?? PAYMENT_TYPES).filter((type) => !LASTING.includes(type)),
      }
    : offering;
