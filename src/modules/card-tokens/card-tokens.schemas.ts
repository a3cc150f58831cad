import Joi from 'joi';
import { dateTime, knownCurrency, livemode, resourceId } from '../../platform/http/schemas.ts';
import { cardMembers } from '../providers/card.schemas.ts';

export const TAG = 'Card tokens';

const MAX_PROOF = 200;

export const newCardToken = Joi.object({
  ...cardMembers,
  currency: knownCurrency().description(
    "Currency of the payment, by which the provider is chosen; by default that of the merchant's first card fee, else BRL.",
  ),
  proof: Joi.string()
    .max(MAX_PROOF)
    .description(
      'The solution of a challenge, as the guide on card tokens says; only after a 429 that asks for it.',
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

/** Members of the body that are handed to the provider and never stored. */
export const CARD_MEMBERS = ['number', 'cvv', 'proof'];

export const cardTokenAnswer = Joi.object({
  id: resourceId('tok').required(),
  livemode: livemode().required(),
  brand: Joi.string().required().description('`visa`, `mastercard`, `elo`, …'),
  firstSix: Joi.string().required().description('First digits of the card.'),
  lastFour: Joi.string().required().description('Last digits of the card.'),
  expirationMonth: Joi.string().required().description('Two digits.'),
  expirationYear: Joi.string().required().description('Four digits.'),
  holderName: Joi.string().required().description('As on the card.'),
  expiresAt: dateTime().required().description('Until when it can be used, 15 minutes from its creation.'),
}).label('CardToken');
