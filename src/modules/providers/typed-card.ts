import Joi from 'joi';
import { cardMembers } from './card.schemas.ts';
import type { Card } from './provider.ts';

/** Fields of a form that takes a card. */
type CardField = 'number' | 'holderName' | 'expiry' | 'cvv';

const card = Joi.object<Card>(cardMembers);

/** The field of a form that a member of a card comes from; null for any other member. */
export const cardFieldOf = (member: string): CardField | null => {
  switch (member) {
    case 'expirationMonth':
    case 'expirationYear':
      return 'expiry';
    case 'number':
    case 'holderName':
    case 'cvv':
      return member;
    default:
      return null;
  }
};

/** Reads a card as people type it and browsers fill it in, with the fields that are at fault. */
export const readTypedCard = (
  get: (field: CardField) => string,
): { readonly card: Card; readonly faults: readonly CardField[] } => {
  // Browsers fill in `08/2030`, people type `8/30` and `0830`.
  const [, month = '', year = ''] = /^(\d{1,2}?)\s*[/-]?\s*(\d{2}|\d{4})$/.exec(get('expiry')) ?? [];
  const typed: Card = {
    number: get('number').replaceAll(/[\s-]/g, ''),
    holderName: get('holderName'),
    expirationMonth: month.padStart(2, '0'),
    expirationYear: year.length === 2 ? `20${year}` : year,
    cvv: get('cvv'),
  };
  const { value, error } = card.validate(typed, { abortEarly: false });
  const faults = (error?.details ?? []).flatMap(({ path }) => cardFieldOf(String(path[0])) ?? []);
  return { card: value ?? typed, faults: [...new Set(faults)] };
};
