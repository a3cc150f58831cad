import type { KeyObject } from 'node:crypto';
import type { WalletCard } from '../provider.ts';
import { decryptToken } from './decrypt-token.ts';
import { type ExpectedPayment, readPaymentData } from './payment-data.ts';
import { type SignatureRules, verifySignature } from './verify-signature.ts';
import { check, readTokenBytes, type TokenBytes, type WalletToken } from './wallet-token.ts';

/** Recipient of a token: the private key of a processing certificate, and its merchant's hash. */
type ProcessingKey = { readonly privateKey: KeyObject; readonly merchantHash: Buffer };

/** The key of the merchant's processing certificate with this hash (Base64), null where it has none such. */
export type FindProcessingKey = (publicKeyHash: string) => ProcessingKey | null;

export type OpenedToken = {
  readonly card: WalletCard;
  /** Whom the token is for and its signed name: no token that was used before may have the same. */
  readonly identifier: string;
};

/**
 * The card inside a payment token, after every check that the token alone allows. The checks are signer, time, receiver
 * and payment. Throws WalletTokenRefused with the fault.
 */
export const openToken = (
  token: WalletToken,
  rules: SignatureRules & { readonly findKey: FindProcessingKey },
  expected: ExpectedPayment,
  now: Date,
): OpenedToken => {
  const bytes = readTokenBytes(token);
  verifySignature(bytes.signature, bytes.signedContent, rules, now);
  const key = rules.findKey(bytes.publicKeyHash.toString('base64'));
  check(key !== null, 'public_key_hash');
  const card = readPaymentData(decryptToken(bytes, key), expected, now);
  // `transactionIdentifier` beside the signed data is not looked at: anybody may send another's.
  return { card, identifier: identifierOf(bytes) };
};

/** Includes the merchant's key, so that one merchant's token uses up nothing of another's. */
export const identifierOf = ({
  publicKeyHash,
  transactionId,
}: Pick<TokenBytes, 'publicKeyHash' | 'transactionId'>): string =>
  `${publicKeyHash.toString('hex')}:${transactionId.toString('hex')}`;
