import type { KeyObject, X509Certificate } from 'node:crypto';
import { BitString } from 'asn1js';
import { BasicConstraints, type Certificate } from 'pkijs';
import { check, type WalletFault } from './wallet-token.ts';

const OID = {
  leafRole: '1.2.840.113635.100.6.29',
  intermediateRole: '1.2.840.113635.100.6.2.14',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
} as const;

/** Extensions whose meaning is known here; a critical one beside these must be refused (RFC 5280, 4.2). */
const KNOWN_EXTENSIONS: readonly string[] = [...Object.values(OID), '2.5.29.32', '2.5.29.35', '2.5.29.14'];

/** Bits of keyUsage (RFC 5280, 4.2.1.3), from the left of its first byte. */
const DIGITAL_SIGNATURE = 0x80;
const CERTIFICATE_SIGNING = 0x04;

/** One certificate in two readings: its extensions, and the means to verify with it. */
export type ChainCertificate = { readonly parsed: Certificate; readonly x509: X509Certificate };

/**
 * Finds the leaf and the intermediate among a signature's certificates by their roles. It checks the chain from one of
 * the roots to the leaf as of `at`. Returns the leaf; throws WalletTokenRefused.
 */
export const verifyChain = (
  certificates: readonly ChainCertificate[],
  roots: readonly X509Certificate[],
  at: Date,
): ChainCertificate => {
  const leaf = theOne(certificates, OID.leafRole, 'leaf_role');
  const intermediate = theOne(certificates, OID.intermediateRole, 'intermediate_role');
  checkKnownExtensions(leaf.parsed);
  checkKnownExtensions(intermediate.parsed);
  check(isP256(leaf.x509.publicKey), 'leaf_key');
  check(intermediate.x509.publicKey.asymmetricKeyType === 'ec', 'intermediate_key');
  check(!isAuthority(leaf.parsed) && mayUseKeyTo(leaf.parsed, DIGITAL_SIGNATURE), 'leaf_constraints');
  check(
    isAuthority(intermediate.parsed) && mayUseKeyTo(intermediate.parsed, CERTIFICATE_SIGNING),
    'intermediate_constraints',
  );
  check(isIssuedBy(leaf.x509, intermediate.x509), 'certificate_chain');
  check(
    roots.some((root) => isIssuedBy(intermediate.x509, root)),
    'root',
  );
  check(isValidAt(leaf.parsed, at), 'leaf_validity');
  check(isValidAt(intermediate.parsed, at), 'intermediate_validity');
  return leaf;
};

export const isP256 = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';

/** Finds a certificate by its extension, and only where no other certificate claims the same role. */
const theOne = (
  certificates: readonly ChainCertificate[],
  role: string,
  fault: WalletFault,
): ChainCertificate => {
  const [found, ...others] = certificates.filter(({ parsed }) => extensionOf(parsed, role) !== undefined);
  check(found !== undefined && others.length === 0, fault);
  return found;
};

const extensionOf = (certificate: Certificate, id: string) =>
  certificate.extensions?.find(({ extnID }) => extnID === id);

const checkKnownExtensions = ({ extensions = [] }: Certificate): void => {
  const ids = extensions.map(({ extnID }) => extnID);
  check(
    new Set(ids).size === ids.length &&
      extensions.every(({ critical, extnID }) => !critical || KNOWN_EXTENSIONS.includes(extnID)),
    'certificate_extension',
  );
};

const isAuthority = (certificate: Certificate): boolean => {
  const constraints = extensionOf(certificate, OID.basicConstraints)?.parsedValue;
  return constraints instanceof BasicConstraints && constraints.cA;
};

const mayUseKeyTo = (certificate: Certificate, bit: number): boolean => {
  const usage = extensionOf(certificate, OID.keyUsage)?.parsedValue;
  return usage instanceof BitString && ((usage.valueBlock.valueHexView[0] ?? 0) & bit) !== 0;
};

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

const isValidAt = ({ notBefore, notAfter }: Certificate, at: Date): boolean =>
  notBefore.value <= at && at <= notAfter.value;
