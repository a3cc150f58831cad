import { CURRENCIES } from '../../kernel/money.ts';
import {
  CARD_BRANDS,
  type FeeDefinition,
  MAX_INSTALLMENTS,
  type MethodFee,
} from '../merchants/write/fees.ts';
import { PAYMENT_TYPES, type PaymentType, type Providers } from '../providers/provider.ts';

/** Brands and currencies of one payment method that go together: each of them with each number of installments. */
export type PaymentMethodOffer = {
  readonly type: PaymentType;
  readonly currencies: readonly string[];
  readonly installments: { readonly min: number; readonly max: number };
  /** Brands of cards by the ids that fee definitions use. */
  readonly brands?: readonly string[];
  /** Device wallets that can be the source of a card. */
  readonly wallets?: readonly string[];
  /** Kinds of identifiers that a method takes which needs `identifyType`. */
  readonly identifyTypes?: readonly string[];
};

type Given = {
  /** Providers of the environment, of which the first is asked first. */
  readonly providersFor: Providers['providersFor'];
  readonly livemode: boolean;
  readonly definitions: readonly FeeDefinition[];
  readonly wallets: readonly string[];
  /** The only currency that is asked about; all of them where it is absent. */
  readonly currency?: string;
  readonly identifyTypesOf: (currency: string) => readonly string[];
};

/**
 * The payment methods of a merchant: whatever is offered, a charge is not refused for. A currency with fee definitions
 * offers the installments and brands that those have; one without offers everything with a test key, and nothing with a
 * live key. Those with definitions come first. Methods that no provider takes are not offered.
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

/** The brands of a currency, those together that are taken alike; none that has no fee or no provider. */
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

/** The most installments of a brand, 0 where a charge would be refused for its fees. */
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
