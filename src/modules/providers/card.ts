import cardValidator from 'card-validator';
import { hasNoCheckDigit, LOCAL_BRANDS, localBrandOf, passesLuhn } from '../../kernel/card-brands.ts';
import type { InputFault } from '../../kernel/errors.ts';
import type { Card, CardFacts } from './provider.ts';

/** Stored part of a card: never the number, the cvv or a hash of them. */
export type MaskedCard = {
  readonly firstSix: string;
  readonly lastFour: string;
  /** Two digits. */
  readonly expirationMonth: string;
  /** Four digits. */
  readonly expirationYear: string;
  readonly holderName: string;
  /** An id of the npm package credit-card-type (visa, american-express, …) or of a local brand (cabal, …). */
  readonly brand: string;
};

/** A fault of one member of a card; no problem repeats a value. */
type CardFault = { readonly field: keyof Card; readonly problem: string };

/** Faults of a card as those of a request that has it below `path`, or at the top where that is empty. */
const faultsAt = (path: string, faults: readonly CardFault[]): readonly InputFault[] =>
  faults.map(({ field, problem }) => {
    const at = path === '' ? field : `${path}.${field}`;
    return { path: at, message: `${at} ${problem}` };
  });

const MAX_YEARS_AHEAD = 20;
/**
 * A day ends last in the zone twelve hours behind UTC. A card counts as valid while it is valid somewhere.
 */
const LAST_ZONE_MS = 12 * 60 * 60 * 1000;

/** The end of the month that stands on a card, where that comes last on earth. */
export const validUntil = ({
  expirationMonth,
  expirationYear,
}: Pick<CardFacts, 'expirationMonth' | 'expirationYear'>): Date =>
  new Date(Date.UTC(Number(expirationYear), Number(expirationMonth)) + LAST_ZONE_MS);

/** Facts that leading digits and length tell of a number. */
type Verified = {
  /** Null where no brand is known, or more than one. */
  readonly brand: string | null;
  readonly cvvSize: number | undefined;
  /** Whether length and check digit are right as well. */
  readonly isValid: boolean;
};

const LOCAL_CVV_SIZE = 3;

const verify = (number: string): Verified | null => {
  // The library would take blanks and dashes, and numbers of one brand without their check digit.
  if (!/^\d{12,19}$/.test(number)) return null;
  const local = localBrandOf(number);
  if (local !== null) return { brand: local, cvvSize: LOCAL_CVV_SIZE, isValid: passesLuhn(number) };
  const { card, isValid } = cardValidator.number(number, {
    luhnValidateUnionPay: true,
    skipLuhnValidation: hasNoCheckDigit(number),
  });
  return { brand: card?.type ?? null, cvvSize: card?.code.size, isValid };
};

/** Digits of the security code on a card of this brand, as in credit-card-type. */
export const cvvSizeOf = (brand: string): number => (brand === 'american-express' ? 4 : 3);

const fault = (field: keyof Card, problem: string): CardFault => ({ field, problem });

const numberFaults = (number: string): readonly CardFault[] => {
  const verified = verify(number);
  if (verified?.isValid) return [];
  if (verified && verified.brand === null) return [fault('number', 'is of no brand that is known')];
  return [fault('number', 'is not a valid card number')];
};

const cvvFaults = (card: Card): readonly CardFault[] => {
  const size = verify(card.number)?.cvvSize;
  if (/^\d{3,4}$/.test(card.cvv) && (size === undefined || card.cvv.length === size)) return [];
  return [fault('cvv', `must have ${size ?? '3 or 4'} digits`)];
};

const expiryFaults = (card: CardFacts, now: Date): readonly CardFault[] => {
  const isMonth = /^(0[1-9]|1[0-2])$/.test(card.expirationMonth);
  const isYear = /^\d{4}$/.test(card.expirationYear);
  if (!isMonth || !isYear) {
    return [
      ...(isMonth ? [] : [fault('expirationMonth', 'must be two digits from 01 to 12')]),
      ...(isYear ? [] : [fault('expirationYear', 'must be four digits')]),
    ];
  }
  const year = Number(card.expirationYear);
  if (now >= validUntil(card)) return [fault('expirationYear', 'is past: the card has expired')];
  if (year > now.getUTCFullYear() + MAX_YEARS_AHEAD) {
    return [fault('expirationYear', `must be at most ${MAX_YEARS_AHEAD} years ahead`)];
  }
  return [];
};

/** The holder's name is stored, so a card number typed into the wrong field must not get that far. */
const holderFaults = (holderName: string): readonly CardFault[] =>
  /\d{12}/.test(holderName.replace(/[\s.-]/g, ''))
    ? [fault('holderName', 'must be the name on the card')]
    : [];

const factFaults = (card: CardFacts, now: Date): readonly CardFault[] => [
  ...numberFaults(card.number),
  ...holderFaults(card.holderName),
  ...expiryFaults(card, now),
];

/** Faults of a card of any source: Luhn check, brand, expiry. No message repeats a value. */
export const checkCardFacts = (card: CardFacts, now: Date): readonly InputFault[] =>
  faultsAt('paymentMethod', factFaults(card, now));

/** Faults of a typed card: the length of its cvv counts as well. `path` is where the request has the card. */
export const checkCard = (card: Card, now: Date, path = 'paymentMethod'): readonly InputFault[] =>
  faultsAt(path, [...factFaults(card, now), ...cvvFaults(card)]);

/** Whether a card may be of this brand, by the ids of credit-card-type and of the local brands. */
export const isBrand = (brand: string): boolean =>
  Object.values<string>(cardValidator.creditCardType.types).includes(brand) ||
  LOCAL_BRANDS.some(({ type }) => type === brand);

/** The part of a checked card that may be kept. */
export const maskedCard = (card: CardFacts): MaskedCard => {
  const brand = verify(card.number)?.brand;
  if (!brand) throw new Error('only a checked card can be masked');
  return {
    firstSix: card.number.slice(0, 6),
    lastFour: card.number.slice(-4),
    expirationMonth: card.expirationMonth,
    expirationYear: card.expirationYear,
    holderName: card.holderName,
    brand,
  };
};
