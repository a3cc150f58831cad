import Joi from 'joi';
import { cardMembers } from '../../providers/card.schemas.ts';
import type { Card } from '../../providers/provider.ts';

type FormOfCard = { readonly card: Card } | { readonly faults: readonly string[] };

const card = Joi.object<Card>(cardMembers);

/** Names of the form's fields by the members of a card that they fill. */
const FIELDS: Readonly<Record<string, string>> = { expirationMonth: 'expiry', expirationYear: 'expiry' };

/** The fields of the form that stand for members of a card. */
export const fieldsOf = (members: readonly string[]): readonly string[] => [
  ...new Set(members.map((member) => FIELDS[member] ?? member)),
];

/** Reads the form of a card (`application/x-www-form-urlencoded`) as people and browsers fill it in. */
export const readCardForm = (body: Buffer): FormOfCard => {
  const form = new URLSearchParams(body.toString('utf8'));
  const text = (name: string): string => (form.get(name) ?? '').trim();
  // Browsers fill in `08/2030`, people type `8/30` and `0830`.
  const [, month = '', year = ''] = /^(\d{1,2}?)\s*[/-]?\s*(\d{2}|\d{4})$/.exec(text('expiry')) ?? [];
  const { value, error } = card.validate(
    {
      number: text('number').replaceAll(/[\s-]/g, ''),
      holderName: text('holderName'),
      expirationMonth: month.padStart(2, '0'),
      expirationYear: year.length === 2 ? `20${year}` : year,
      cvv: text('cvv'),
    },
    { abortEarly: false },
  );
  const members = (error?.details ?? []).map(({ path }) => String(path[0]));
  const faults = [...fieldsOf(members), ...(text('consent') === 'yes' ? [] : ['consent'])];
  return faults.length > 0 || value === undefined ? { faults } : { card: value };
};
