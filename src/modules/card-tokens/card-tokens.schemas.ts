import { dateTime, knownCurrency, livemode, resourceId } from '../../platform/http/schemas.ts';
import { object, string } from '../../platform/http/typed.ts';
import { cardMembers } from '../providers/card.schemas.ts';

export const TAG = 'Card tokens';

const MAX_PROOF = 200;

export const newCardToken = object({
  ...cardMembers,
  currency: knownCurrency().description(
    "Currency of the payment, by which the provider is chosen; by default the currency of the merchant's first card fee, else BRL.",
  ),
  proof: string()
    .max(MAX_PROOF)
    .description(
      'The solution of the challenge in a 429 answer; the guide on card tokens shows how to compute it.',
    ),
})
  .example({
    number: '4242424242424242',
    holderName: 'Ana Souza',
    expirationMonth: '12',
    expirationYear: '2039',
    cvv: '123',
  })
  .label('NewCardToken');

/** Members of the body that go to the provider and are never stored. */
export const CARD_MEMBERS = ['number', 'cvv', 'proof'];

export const cardTokenAnswer = object({
  id: resourceId('tok').required(),
  livemode: livemode().required(),
  brand: string().required().description('`visa`, `mastercard`, `elo`, …'),
  firstSix: string().required().description('First digits of the card.'),
  lastFour: string().required().description('Last digits of the card.'),
  expirationMonth: string().required().description('Two digits.'),
  expirationYear: string().required().description('Four digits.'),
  holderName: string().required().description('Name as it is written on the card.'),
  expiresAt: dateTime()
    .required()
    .description('Until when the token can be used, 15 minutes after its creation.'),
}).label('CardToken');
