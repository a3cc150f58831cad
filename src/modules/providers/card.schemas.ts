import { text } from '../../platform/http/schemas.ts';
import { string } from '../../platform/http/typed.ts';

/** The security code of a card. */
export const cvvMember = () =>
  string()
    .pattern(/^\d{3,4}$/, { name: 'three or four digits' })
    .required()
    .description('As many digits as the brand has.');

/** Members of a card as the payer types it; the rules of `card.ts` say what their shapes cannot. */
export const cardMembers = {
  number: string()
    .pattern(/^\d{12,19}$/, { name: '12 to 19 digits' })
    .required()
    .description('Digits only; its check digit and brand count.'),
  holderName: text(100)
    .pattern(/(\d[\s.-]*){12}/, { name: 'a number', invert: true })
    .required()
    .description('As on the card.'),
  expirationMonth: string()
    .pattern(/^(0[1-9]|1[0-2])$/, { name: 'two digits from 01 to 12' })
    .required()
    .description('Two digits, from `01`.'),
  expirationYear: string()
    .pattern(/^\d{4}$/, { name: 'four digits' })
    .required()
    .description('At most 20 years ahead.'),
  cvv: cvvMember(),
};
