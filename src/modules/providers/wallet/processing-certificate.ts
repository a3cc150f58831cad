import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { fromBER } from 'asn1js';
import { Certificate } from 'pkijs';
import { type InputFault, invalidInput } from '../../../kernel/errors.ts';
import { isP256 } from './certificate-chain.ts';
import { hashMerchantIdentifier } from './decrypt-token.ts';

const OID = { merchantHash: '1.2.840.113635.100.6.32', userId: '0.9.2342.19200300.100.1.1' } as const;

/** A merchant's payment-processing certificate as an operator hands it in; both in PEM. */
export type ProcessingCertificateRequest = {
  readonly walletMerchantId: string;
  readonly certificate: string;
  readonly privateKey: string;
};

export type ProcessingCertificate = {
  /** Base64 of the SHA-256 of the SubjectPublicKeyInfo, by which tokens name their certificate. */
  readonly publicKeyHash: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
};

/**
 * Checks that certificate, key and merchant identifier belong together, are of the wallet's kind and not expired;
 * 400 with every fault. No message repeats a value.
 */
export const readProcessingCertificate = (
  request: ProcessingCertificateRequest,
  now: Date,
): ProcessingCertificate => {
  const x509 = attempt(() => new X509Certificate(request.certificate));
  const parsed = x509 && attempt(() => Certificate.fromBER(x509.raw));
  const key = attempt(() => createPrivateKey(request.privateKey));
  const faults = [
    ...(x509 && parsed
      ? certificateFaults(x509, parsed, request, now)
      : [fault('certificate', 'certificate must be an X.509 certificate in PEM')]),
    ...(key ? [] : [fault('privateKey', 'privateKey must be an unencrypted private key in PEM')]),
    ...(x509 && key && !x509.checkPrivateKey(key)
      ? [fault('privateKey', 'privateKey does not belong to the certificate')]
      : []),
  ];
  if (!x509 || !parsed || !key || faults.length > 0) throw invalidInput(faults);
  return {
    publicKeyHash: publicKeyHashOf(x509.publicKey),
    notBefore: parsed.notBefore.value,
    notAfter: parsed.notAfter.value,
    privateKey: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
};

/** The hash by which a token names the certificate of this key, or of this private key's public one. */
export const publicKeyHashOf = (key: KeyObject): string =>
  createHash('sha256')
    .update((key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' }))
    .digest('base64');

const certificateFaults = (
  x509: X509Certificate,
  parsed: Certificate,
  { walletMerchantId }: ProcessingCertificateRequest,
  now: Date,
): InputFault[] => [
  ...(isP256(x509.publicKey)
    ? []
    : [fault('certificate', 'certificate must be of a key on the curve P-256')]),
  ...(parsed.notAfter.value > now ? [] : [fault('certificate', 'certificate has expired')]),
  ...(isOfMerchant(parsed, walletMerchantId)
    ? []
    : [fault('walletMerchantId', 'walletMerchantId is not that of the certificate')]),
];

/** Whether what the certificate says of its merchant is true of this one; it need not say anything. */
const isOfMerchant = ({ extensions, subject }: Certificate, walletMerchantId: string): boolean => {
  const extension = extensions?.find(({ extnID }) => extnID === OID.merchantHash);
  const name = subject.typesAndValues.find(({ type }) => type === OID.userId)?.value.valueBlock.value;
  const hash = hashMerchantIdentifier(walletMerchantId).toString('hex');
  return (
    (extension === undefined || hashIn(extension.extnValue.valueBlock.valueHexView) === hash) &&
    (name === undefined || name === walletMerchantId)
  );
};

/** The extension holds a text: the hash in hexadecimal. */
const hashIn = (bytes: Uint8Array): string | null => {
  const { value } = fromBER(bytes).result.valueBlock as { value?: unknown };
  return typeof value === 'string' ? value.toLowerCase() : null;
};

const fault = (path: string, message: string): InputFault => ({ path, message });

const attempt = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};
