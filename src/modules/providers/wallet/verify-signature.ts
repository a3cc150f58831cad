import { createHash, timingSafeEqual, verify, X509Certificate } from 'node:crypto';
import { fromBER, type ObjectIdentifier, OctetString } from 'asn1js';
import {
  type Attribute,
  Certificate,
  ContentInfo,
  IssuerAndSerialNumber,
  SignedData,
  type SignerInfo,
} from 'pkijs';
import { type ChainCertificate, verifyChain } from './certificate-chain.ts';
import { check, decode } from './wallet-token.ts';

const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

export type SignatureRules = {
  /** Roots of signatures; several while a root is replaced. */
  readonly roots: readonly X509Certificate[];
  /** How far the time of signing may lie from now, either way. */
  readonly signingWindowMs: number;
};

/**
 * Checks the detached CMS signature of a token over `content`. The chain has a leaf and an intermediate of their roles
 * and one of the roots, all valid now. Throws WalletTokenRefused.
 */
export const verifySignature = (
  signature: Buffer,
  content: Buffer,
  { roots, signingWindowMs }: SignatureRules,
  now: Date,
): void => {
  const { signedData, signer } = readSignedData(signature);
  check(signer.digestAlgorithm.algorithmId === OID.sha256, 'digest_algorithm');
  check(signer.signatureAlgorithm.algorithmId === OID.ecdsaWithSha256, 'signature_algorithm');

  const signedAttributes = signer.signedAttrs;
  check(signedAttributes !== undefined, 'signed_attributes');
  const { attributes } = signedAttributes;
  const contentType = attributeOf(attributes, OID.contentType) as ObjectIdentifier;
  check(contentType.valueBlock?.toString() === OID.data, 'content_type');
  const signedAt = signingTimeOf(attributes);

  const certificates = (signedData.certificates ?? []).filter((item) => item instanceof Certificate);
  const leaf = verifyChain(certificates.map(toChainCertificate), roots, signedAt);
  check(isSigner(signer, leaf), 'signer');

  const digest = attributeOf(attributes, OID.messageDigest);
  check(digest instanceof OctetString, 'signed_attributes');
  const expected = createHash('sha256').update(content).digest();
  const given = Buffer.from(digest.valueBlock.valueHexView);
  check(given.length === expected.length && timingSafeEqual(given, expected), 'message_digest');

  const signed = Buffer.from(signedAttributes.encodedValue);
  const value = Buffer.from(signer.signature.valueBlock.valueHexView);
  check(
    decode('signature', () => verify('sha256', signed, leaf.x509.publicKey, value)),
    'signature',
  );
  check(Math.abs(now.getTime() - signedAt.getTime()) <= signingWindowMs, 'signing_time_window');
};

const readSignedData = (bytes: Buffer): { signedData: SignedData; signer: SignerInfo } =>
  decode('signature_encoding', () => {
    const parsed = fromBER(bytes);
    check(parsed.offset === bytes.length, 'signature_encoding');
    const info = new ContentInfo({ schema: parsed.result });
    check(info.contentType === OID.signedData, 'signature_encoding');
    const signedData = new SignedData({ schema: info.content });
    const { eContent, eContentType } = signedData.encapContentInfo;
    // Content inside would be signed in place of the token's.
    check(eContent === undefined, 'not_detached');
    check(eContentType === OID.data, 'content_type');
    const [signer] = signedData.signerInfos;
    check(signer !== undefined && signedData.signerInfos.length === 1, 'signer');
    return { signedData, signer };
  });

/** The only value of the only attribute of this type: more than one would let two readers see different ones. */
const attributeOf = (attributes: readonly Attribute[], type: string): unknown => {
  const found = attributes.filter((attribute) => attribute.type === type);
  const values = found[0]?.values ?? [];
  check(found.length === 1 && values.length === 1, 'signed_attributes');
  return values[0];
};

const signingTimeOf = (attributes: readonly Attribute[]): Date => {
  check(
    attributes.some(({ type }) => type === OID.signingTime),
    'signing_time',
  );
  const value = attributeOf(attributes, OID.signingTime) as { toDate?: () => Date };
  const at = value.toDate?.();
  check(at !== undefined && !Number.isNaN(at.getTime()), 'signing_time');
  return at;
};

const toChainCertificate = (certificate: Certificate): ChainCertificate =>
  decode('certificate_chain', () => ({
    parsed: certificate,
    x509: new X509Certificate(Buffer.from(certificate.toSchema().toBER())),
  }));

/** Whether the signature names this certificate as that of its signer. */
const isSigner = ({ sid }: SignerInfo, { parsed }: ChainCertificate): boolean =>
  sid instanceof IssuerAndSerialNumber &&
  sid.issuer.isEqual(parsed.issuer) &&
  sid.serialNumber.isEqual(parsed.serialNumber);
