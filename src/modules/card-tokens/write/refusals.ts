import { refusal, throttled } from '../../../kernel/errors.ts';

export const cardTokenInvalid = refusal(
  'CARD_TOKEN_INVALID',
  "The card token is unknown, another merchant's or past its 15 minutes",
);

export const cardTokenSpent = refusal('CARD_TOKEN_SPENT', 'The card token has been used already');

export const cardTokenProviderMismatch = refusal(
  'CARD_TOKEN_PROVIDER_MISMATCH',
  'The charge goes to another provider than the one that keeps the card of this token',
);

export const tokenizationNotSupported = refusal(
  'TOKENIZATION_NOT_SUPPORTED',
  'The provider of these payments takes a card only along with its payment',
);

export const cardRefused = refusal(
  'CARD_REFUSED',
  'The provider does not take this card',
  (reason: string) => `The provider does not take this card: ${reason}`,
);

/** Header that carries the challenge of a proof of work. */
export const CHALLENGE_HEADER = 'X-Proof-Of-Work-Challenge';

export const proofOfWorkRequired = throttled(
  'PROOF_OF_WORK_REQUIRED',
  `Cards are tried out from this address or on this key: solve the challenge in \`${CHALLENGE_HEADER}\` and send the solution as \`proof\``,
  (challenge: string) => ({ headers: { [CHALLENGE_HEADER]: challenge, 'Retry-After': '1' } }),
);
