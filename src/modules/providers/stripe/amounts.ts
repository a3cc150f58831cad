import { exponentOf, isKnownCurrency, type Minor } from '../../../kernel/money.ts';
import type { Money } from '../provider.ts';

/** Decimals of an amount at Stripe where they differ from ISO 4217 (docs.stripe.com/currencies). */
const DECIMALS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

const shiftOf = (currency: string): number =>
  10 ** ((DECIMALS[currency] ?? exponentOf(currency)) - exponentOf(currency));

/** An amount as Stripe takes it; null where it cannot be said there. Of three decimals the last one is 0. */
export const stripeAmountOf = ({ amount, currency }: Money): number | null => {
  if (exponentOf(currency) === 3 && amount % 10 !== 0) return null;
  const shifted = amount * shiftOf(currency);
  return Number.isInteger(shifted) ? shifted : null;
};

/** An amount of Stripe's in minor units by ISO 4217; its currency is written in small letters there. */
export const moneyOf = (amount: number, stripeCurrency: string): Money => {
  const currency = stripeCurrency.toUpperCase();
  if (!isKnownCurrency(currency)) throw new Error('Stripe says an amount in a currency that there is not');
  const minor: Minor = amount / shiftOf(currency);
  if (!Number.isInteger(minor))
    throw new Error(`Stripe says ${amount} ${currency}, which is no whole amount`);
  return { amount: minor, currency };
};
