/** A payment token as the device wallet returns it, its shape validated. */
export type WalletToken = {
  readonly paymentData: {
    readonly version: 'EC_v1';
    /** Base64: AES-256-GCM ciphertext with its tag. */
    readonly data: string;
    /** Base64: detached CMS signature. */
    readonly signature: string;
    readonly header: {
      /** Base64: SubjectPublicKeyInfo in DER. */
      readonly ephemeralPublicKey: string;
      /** Base64: SHA-256 of the SubjectPublicKeyInfo of the processing certificate. */
      readonly publicKeyHash: string;
      /** Hexadecimal. */
      readonly transactionId: string;
      /** Hexadecimal: SHA-256 of what the merchant's application gave to the wallet. */
      readonly applicationData?: string;
    };
  };
  readonly transactionIdentifier: string;
};

/** Faults of a token, for the log; the client learns only that the token is not valid. */
export type WalletFault =
  | 'application_data'
  | 'cardholder_name'
  | 'certificate_chain'
  | 'certificate_extension'
  | 'content_type'
  | 'cryptogram'
  | 'currency'
  | 'decryption'
  | 'digest_algorithm'
  | 'ephemeral_key'
  | 'expiry'
  | 'intermediate_constraints'
  | 'intermediate_key'
  | 'intermediate_role'
  | 'intermediate_validity'
  | 'leaf_constraints'
  | 'leaf_key'
  | 'leaf_role'
  | 'leaf_validity'
  | 'amount'
  | 'card_number'
  | 'message_digest'
  | 'not_detached'
  | 'payment_data'
  | 'payment_data_type'
  | 'public_key_hash'
  | 'root'
  | 'signature'
  | 'signature_algorithm'
  | 'signature_encoding'
  | 'signed_attributes'
  | 'signer'
  | 'signing_time'
  | 'signing_time_window'
  | 'spent'
  | 'transaction_id';

/** Thrown by every check of a token; it never leaves the gateway. */
export class WalletTokenRefused extends Error {
  readonly fault: WalletFault;

  constructor(fault: WalletFault, cause?: unknown) {
    super(`wallet token refused: ${fault}`, { cause });
    this.name = 'WalletTokenRefused';
    this.fault = fault;
  }
}

/** Throws unless the condition holds. */
export function check(condition: boolean, fault: WalletFault): asserts condition {
  if (!condition) throw new WalletTokenRefused(fault);
}

/** Result of `work` on foreign bytes; every error in it becomes this fault. */
export const decode = <T>(fault: WalletFault, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw error instanceof WalletTokenRefused ? error : new WalletTokenRefused(fault, error);
  }
};

/** The identifiers of a token have this length; their concatenation in the signature cannot then be cut elsewhere. */
const HASH_BYTES = 32;

/** The binary parts of a token. `signedContent` is what the wallet's signature covers. */
export type TokenBytes = {
  readonly ephemeralPublicKey: Buffer;
  readonly publicKeyHash: Buffer;
  readonly transactionId: Buffer;
  readonly data: Buffer;
  readonly signature: Buffer;
  readonly signedContent: Buffer;
};

export const readTokenBytes = ({ paymentData }: WalletToken): TokenBytes => {
  const { header } = paymentData;
  const ephemeralPublicKey = Buffer.from(header.ephemeralPublicKey, 'base64');
  const data = Buffer.from(paymentData.data, 'base64');
  const transactionId = Buffer.from(header.transactionId, 'hex');
  const applicationData = Buffer.from(header.applicationData ?? '', 'hex');
  check(
    header.transactionId.length === 2 * HASH_BYTES && transactionId.length === HASH_BYTES,
    'transaction_id',
  );
  // With shorter ones, bytes could move from part to part under the same signature and make a new token.
  check(
    [0, HASH_BYTES].includes(applicationData.length) &&
      applicationData.length * 2 === (header.applicationData ?? '').length,
    'application_data',
  );
  return {
    ephemeralPublicKey,
    publicKeyHash: Buffer.from(header.publicKeyHash, 'base64'),
    transactionId,
    data,
    signature: Buffer.from(paymentData.signature, 'base64'),
    signedContent: Buffer.concat([ephemeralPublicKey, data, transactionId, applicationData]),
  };
};
