import { createDecipheriv, createHash, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { isP256 } from './certificate-chain.ts';
import { check, decode, type TokenBytes } from './wallet-token.ts';

/** NIST SP 800-56A, 5.8.1: one round of SHA-256, counter 1; algorithm id with its length, then party U. */
const COUNTER = Buffer.from([0, 0, 0, 1]);
const ALGORITHM_ID = Buffer.from('\x0Did-aes256-GCM', 'latin1');
const PARTY_U = Buffer.from('Apple', 'latin1');

/** The wallet encrypts each token with a key of its own, hence one fixed initialization vector. */
const IV = Buffer.alloc(16);
const TAG_BYTES = 16;

/** The wallet knows a merchant by the SHA-256 of its identifier, 32 bytes. */
export const hashMerchantIdentifier = (walletMerchantId: string): Buffer =>
  createHash('sha256').update(walletMerchantId, 'utf8').digest();

/** The 32 bytes of the key between a private and a public key on P-256. `merchantHash` is party V. */
export const deriveKey = (privateKey: KeyObject, publicKey: KeyObject, merchantHash: Buffer): Buffer =>
  createHash('sha256')
    .update(COUNTER)
    // Always 32 bytes: leading zeros of the shared coordinate are part of it.
    .update(diffieHellman({ privateKey, publicKey }))
    .update(ALGORITHM_ID)
    .update(PARTY_U)
    .update(merchantHash)
    .digest();

/** The text inside a token; throws WalletTokenRefused where it was not encrypted for this key and merchant. */
export const decryptToken = (
  { ephemeralPublicKey, data }: Pick<TokenBytes, 'ephemeralPublicKey' | 'data'>,
  { privateKey, merchantHash }: { readonly privateKey: KeyObject; readonly merchantHash: Buffer },
): string => {
  const ephemeral = decode('ephemeral_key', () =>
    createPublicKey({ key: ephemeralPublicKey, format: 'der', type: 'spki' }),
  );
  check(isP256(ephemeral), 'ephemeral_key');
  return decode('decryption', () => {
    const key = deriveKey(privateKey, ephemeral, merchantHash);
    const decipher = createDecipheriv('aes-256-gcm', key, IV, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(data.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  });
};
