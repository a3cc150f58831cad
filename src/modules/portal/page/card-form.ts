import type { Card } from '../../providers/provider.ts';
import { cardFieldOf, readTypedCard } from '../../providers/typed-card.ts';

type FormOfCard = { readonly card: Card } | { readonly faults: readonly string[] };

/** The fields of the form that stand for members of a card. */
export const fieldsOf = (members: readonly string[]): readonly string[] => [
  ...new Set(members.map((member) => cardFieldOf(member) ?? member)),
];

/**
 * Reads the form of a card (`application/x-www-form-urlencoded`). By sending it the payer agrees that the card is
 * stored.
 */
export const readCardForm = (body: Buffer): FormOfCard => {
  const form = new URLSearchParams(body.toString('utf8'));
  const { card, faults: ofCard } = readTypedCard((name) => (form.get(name) ?? '').trim());
  const faults = [...ofCard, ...(form.get('consent')?.trim() === 'yes' ? [] : ['consent'])];
  return faults.length > 0 ? { faults } : { card };
};
