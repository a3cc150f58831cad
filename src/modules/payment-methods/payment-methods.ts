import { CURRENCIES } from '../../kernel/money.ts';
import {
  CARD_BRANDS,
  type FeeDefinition,
  MAX_INSTALLMENTS,
  type MethodFee,
} from '../merchants/write/fees.ts';
import { PAYMENT_TYPES, type PaymentType, type Providers } from '../providers/provider.ts';

/** An offer of one payment method, in which every brand goes with every currency and number of installments. */
export type PaymentMethodOffer = {
  readonly type: PaymentType;
  readonly currencies: readonly string[];
  readonly installments: { readonly min: number; readonly max: number };
  /** Brands of cards, by the ids that fee definitions use. */
  readonly brands?: readonly string[];
  /** Device wallets that can supply the card. */
  readonly wallets?: readonly string[];
  /** Kinds of identifiers that are accepted by a method that needs an `identifyType`. */
  readonly identifyTypes?: readonly string[];
};

type Given = {
  /** The environment's providers, in the order in which they are asked. */
  readonly providersFor: Providers['providersFor'];
  readonly livemode: boolean;
  readonly definitions: readonly FeeDefinition[];
  readonly wallets: readonly string[];
  /** The only currency to offer; absent for all currencies. */
  readonly currency?: string;
  readonly identifyTypesOf: (currency: string) => readonly string[];
};

/**
 * The payment methods that a merchant can use, so that no charge with an offered one is refused for its method. A
 * currency with fee definitions offers their brands and installments. A currency without any offers everything with a
 * test key, and nothing with a live key. Currencies with definitions come first. A method that no provider takes is not
 * offered.
 */
export const paymentMethodsOf = (given: Given): readonly PaymentMethodOffer[] =>
  PAYMENT_TYPES.flatMap((type) => offersOf(type, given));

/** `brands` and `identifyTypes` are empty for methods that have none. */
type Terms = {
  readonly max: number;
  readonly brands: readonly string[];
  readonly wallets: boolean;
  readonly identifyTypes: readonly string[];
};

const offersOf = (type: PaymentType, given: Given): readonly PaymentMethodOffer[] => {
  const isCard = type === 'credit_card';
  const fees = given.definitions.filter(
    (fee): fee is MethodFee => fee.fee_type === 'tx_spread' && fee.payment_method === type,
  );
  const possible = type === 'pix' ? ['BRL'] : CURRENCIES;
  const usable = given.currency ? possible.filter((code) => code === given.currency) : possible;
  const byTerms = new Map<string, { terms: Terms; currencies: string[] }>();
  const isDefined = (currency: string): boolean => fees.some((fee) => fee.currency_code === currency);
  for (const currency of [...usable.filter(isDefined), ...usable.filter((code) => !isDefined(code))]) {
    const ofCurrency = fees.filter((fee) => fee.currency_code === currency);
    for (const terms of isCard
      ? cardTerms(ofCurrency, currency, given)
      : otherTerms(type, ofCurrency, currency, given)) {
      const key = JSON.stringify(terms);
      const group = byTerms.get(key) ?? { terms, currencies: [] };
      group.currencies.push(currency);
      byTerms.set(key, group);
    }
  }
  return [...byTerms.values()].map(({ terms, currencies }) => ({
    type,
    currencies,
    installments: { min: 1, max: terms.max },
    ...(isCard ? { brands: terms.brands } : {}),
    ...(terms.wallets && given.wallets.length > 0 ? { wallets: given.wallets } : {}),
    ...(terms.identifyTypes.length > 0 ? { identifyTypes: terms.identifyTypes } : {}),
  }));
};

/**
 * The brands of a currency, grouped by the terms on which they are taken. A brand without a fee or without a provider
 * is left out.
 */
const cardTerms = (
  fees: readonly MethodFee[],
  currency: string,
  { livemode, providersFor }: Given,
): readonly Terms[] => {
  const byTerms = new Map<string, Terms & { readonly brands: string[] }>();
  for (const brand of CARD_BRANDS) {
    const ofFees = installmentsOf(fees, brand, livemode);
    const [first] = ofFees > 0 ? providersFor('credit_card', currency, brand) : [];
    if (!first) continue;
    const { maxInstallments, wallets } = first.cards;
    const max = Math.min(ofFees, maxInstallments ?? MAX_INSTALLMENTS);
    const terms = byTerms.get(`${max} ${wallets}`) ?? { max, brands: [], wallets, identifyTypes: [] };
    terms.brands.push(brand);
    byTerms.set(`${max} ${wallets}`, terms);
  }
  return [...byTerms.values()];
};

/** The most installments of a brand; 0 where a charge would be refused because it has no fee. */
const installmentsOf = (fees: readonly MethodFee[], brand: string, livemode: boolean): number => {
  const fee = fees.find((of) => of.brand === brand) ?? fees.find((of) => of.brand === null);
  if (fee) return fee.definition.percentages.length;
  return livemode ? 0 : MAX_INSTALLMENTS;
};

const otherTerms = (
  type: PaymentType,
  fees: readonly MethodFee[],
  currency: string,
  { livemode, providersFor, identifyTypesOf }: Given,
): readonly Terms[] => {
  if (providersFor(type, currency, null).length === 0 || (livemode && fees.length === 0)) return [];
  const identifyTypes = type === 'pix' ? [] : identifyTypesOf(currency);
  return [{ max: 1, brands: [], wallets: false, identifyTypes }];
};
