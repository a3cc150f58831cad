import { CURRENCIES } from '../../../kernel/money.ts';
import {
  CARD_BRANDS,
  type FeeDefinition,
  MAX_INSTALLMENTS,
  type MethodFee,
} from '../../merchants/write/fees.ts';
import type { PaymentType } from '../../providers/provider.ts';

/** What a caller can use of one payment method; several where its currencies differ in what they offer. */
export type PaymentMethodOffer = {
  readonly type: PaymentType;
  readonly currencies: readonly string[];
  readonly installments: { readonly min: number; readonly max: number };
  /** Of cards: by the ids that fee definitions use. */
  readonly brands?: readonly string[];
  /** Device wallets that can be the source of a card. */
  readonly wallets?: readonly string[];
  /** Of methods that need `identifyType`. */
  readonly identifyTypes?: readonly string[];
};

type Given = {
  /** Methods of the provider of the environment; none where there is no provider. */
  readonly methods: readonly PaymentType[];
  readonly livemode: boolean;
  readonly definitions: readonly FeeDefinition[];
  readonly wallets: readonly string[];
  readonly identifyTypes: readonly string[];
};

/**
 * The payment methods of a merchant (specification 4.15, decisions 8): what a charge would not be refused for. A
 * currency with fee definitions offers the installments and brands that those have; one without offers everything with
 * a test key, and nothing with a live key. Those with definitions come first.
 */
export const paymentMethodsOf = (given: Given): readonly PaymentMethodOffer[] =>
  given.methods.flatMap((type) => offersOf(type, given));

type Terms = { readonly max: number; readonly brands: readonly string[] };

const offersOf = (type: PaymentType, given: Given): readonly PaymentMethodOffer[] => {
  const isCard = type === 'credit_card';
  const fees = given.definitions.filter(
    (fee): fee is MethodFee => fee.fee_type === 'tx_spread' && fee.payment_method === type,
  );
  const usable = type === 'pix' ? ['BRL'] : CURRENCIES;
  const byTerms = new Map<string, { terms: Terms; currencies: string[] }>();
  const isDefined = (currency: string): boolean => fees.some((fee) => fee.currency_code === currency);
  for (const currency of [...usable.filter(isDefined), ...usable.filter((code) => !isDefined(code))]) {
    const terms = termsOf(
      fees.filter((fee) => fee.currency_code === currency),
      isCard,
      given.livemode,
    );
    if (terms === null) continue;
    const key = JSON.stringify(terms);
    const group = byTerms.get(key) ?? { terms, currencies: [] };
    group.currencies.push(currency);
    byTerms.set(key, group);
  }
  return [...byTerms.values()].map(({ terms, currencies }) => ({
    type,
    currencies,
    installments: { min: 1, max: terms.max },
    ...(isCard ? { brands: terms.brands } : {}),
    ...(isCard && given.wallets.length > 0 ? { wallets: given.wallets } : {}),
    ...(isCard || type === 'pix' ? {} : { identifyTypes: given.identifyTypes }),
  }));
};

/** Null where a charge in this currency would be refused for its fees. */
const termsOf = (fees: readonly MethodFee[], isCard: boolean, livemode: boolean): Terms | null => {
  const ofMethod = fees.find((fee) => fee.brand === null);
  const isFree = ofMethod === undefined && !livemode;
  const brands = CARD_BRANDS.filter(
    (brand) => isFree || ofMethod !== undefined || fees.some((fee) => fee.brand === brand),
  );
  if (!isCard) return ofMethod || isFree ? { max: 1, brands: [] } : null;
  if (brands.length === 0) return null;
  const offered = brands.map((brand) => {
    const fee = fees.find((candidate) => candidate.brand === brand) ?? ofMethod;
    return fee ? fee.definition.percentages.length : MAX_INSTALLMENTS;
  });
  return { max: Math.max(...offered), brands };
};
