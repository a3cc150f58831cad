import {
  createCipheriv,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import {
  BitString,
  fromBER,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  UTCTime,
  Utf8String,
} from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  Time,
} from 'pkijs';
import { DAY_MS } from '../../src/kernel/durations.ts';
import { deriveKey, hashMerchantIdentifier } from '../../src/modules/providers/wallet/decrypt-token.ts';
import { publicKeyHashOf } from '../../src/modules/providers/wallet/processing-certificate.ts';
import type { WalletFault, WalletToken } from '../../src/modules/providers/wallet/wallet-token.ts';

/**
 * Makes a wallet's authority, merchants' certificates and payment tokens, both valid ones and ones with any single
 * fault.
 */

type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
type Curve = 'P-256' | 'P-384';

/** A certificate with its key. */
export type Party = { readonly certificate: Certificate; readonly keys: KeyPair };

const OID = {
  leafRole: '1.2.840.113635.100.6.29',
  intermediateRole: '1.2.840.113635.100.6.2.14',
  merchantHash: '1.2.840.113635.100.6.32',
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha1: '1.2.840.10045.4.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  userId: '0.9.2342.19200300.100.1.1',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
} as const;

export const newKeys = (curve: Curve = 'P-256'): KeyPair =>
  generateKeyPairSync('ec', { namedCurve: curve === 'P-256' ? 'prime256v1' : 'secp384r1' });

const daysFrom = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

export const extension = (extnID: string, value: { toBER(): ArrayBuffer }, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: value.toBER() });

const role = (id: string): Extension => extension(id, new Null());
export const constraints = (cA: boolean): Extension =>
  extension(OID.basicConstraints, new BasicConstraints({ cA }).toSchema(), true);
/** keyUsage with one bit set, by its number (RFC 5280): 0 signs, 5 signs certificates. */
export const usage = (bit: number): Extension =>
  extension(
    OID.keyUsage,
    new BitString({ valueHex: Uint8Array.of(0x80 >> bit).buffer, unusedBits: 7 - bit }),
    true,
  );

const LEAF_EXTENSIONS = [constraints(false), usage(0), role(OID.leafRole)];
const INTERMEDIATE_EXTENSIONS = [constraints(true), usage(5), role(OID.intermediateRole)];

type Issue = {
  readonly name: string;
  readonly keys: KeyPair;
  /** The issuer; absent for a self-signed certificate. */
  readonly issuer?: Party;
  readonly extensions: readonly Extension[];
  readonly from: Date;
  readonly to: Date;
  readonly userId?: string;
};

export const issue = (options: Issue): Party => {
  const { keys, issuer } = options;
  const text = (type: string, value: string): AttributeTypeAndValue =>
    new AttributeTypeAndValue({ type, value: new Utf8String({ value }) });
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ valueHex: Buffer.from([1, ...randomBytes(7)]) });
  certificate.subject.typesAndValues = [
    ...(options.userId ? [text(OID.userId, options.userId)] : []),
    text(OID.commonName, options.name),
  ];
  certificate.issuer = issuer?.certificate.subject ?? certificate.subject;
  certificate.notBefore = new Time({ value: options.from });
  certificate.notAfter = new Time({ value: options.to });
  certificate.subjectPublicKeyInfo.fromSchema(fromBER(spkiOf(keys)).result);
  certificate.extensions = [...options.extensions];
  certificate.signature = new AlgorithmIdentifier({ algorithmId: OID.ecdsaWithSha256 });
  certificate.signatureAlgorithm = certificate.signature;
  certificate.tbsView = new Uint8Array(certificate.encodeTBS().toBER());
  const signature = sign('sha256', certificate.tbsView, (issuer?.keys ?? keys).privateKey);
  certificate.signatureValue = new BitString({ valueHex: signature });
  return { certificate: Certificate.fromBER(certificate.toSchema().toBER()), keys };
};

const spkiOf = ({ publicKey }: Pick<KeyPair, 'publicKey'>): Buffer =>
  publicKey.export({ format: 'der', type: 'spki' });

export const pemOf = ({ certificate }: Pick<Party, 'certificate'>): string =>
  new X509Certificate(Buffer.from(certificate.toSchema().toBER())).toString();

/** Certificate and key that an operator registers for a merchant. */
export type ProcessingKit = {
  readonly walletMerchantId: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly publicKeyHash: string;
  readonly keys: KeyPair;
};

type ProcessingOptions = {
  readonly walletMerchantId?: string;
  readonly keys?: KeyPair;
  readonly to?: Date;
  /** Whether the certificate names its merchant. */
  readonly isNamed?: boolean;
};

/** How a token is made; each given member differs from a real wallet's. */
type TokenPlan = {
  readonly processing: ProcessingKit;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly ephemeral?: KeyPair;
  readonly ephemeralPublicKey?: Buffer;
  readonly merchantHash?: Buffer;
  readonly iv?: Buffer;
  readonly data?: Buffer;
  readonly transactionId?: Buffer;
  readonly applicationData?: Buffer;
  readonly signingTime?: Date;
  readonly certificates?: readonly Party[];
  readonly signer?: Party;
  readonly signerKey?: KeyObject;
  readonly signers?: number;
  readonly attributes?: (attributes: readonly Attribute[]) => readonly Attribute[] | null;
  readonly digestAlgorithm?: string;
  readonly signatureAlgorithm?: string;
  readonly messageType?: string;
  readonly contentType?: string;
  readonly attached?: Buffer;
  readonly edit?: (token: WalletToken) => WalletToken;
};

/** 100.00 BRL by a card that the simulator accepts. */
export const PAYLOAD = {
  applicationPrimaryAccountNumber: '4242424242424242',
  applicationExpirationDate: '351231',
  currencyCode: '986',
  transactionAmount: 100_00,
  cardholderName: 'Ana Souza',
  deviceManufacturerIdentifier: '040010030273',
  paymentDataType: '3DSecure',
  paymentData: { onlinePaymentCryptogram: 'Af9x/QwAA/DjmU65oyc1MAABAAA=', eciIndicator: '5' },
};

type WalletKit = ReturnType<typeof createWalletKit>;

export const createWalletKit = (clock: () => Date = () => new Date()) => {
  const now = clock();
  const years = { from: daysFrom(now, -700), to: daysFrom(now, 700) };
  const root = issue({
    name: 'Test Wallet Root',
    keys: newKeys('P-384'),
    extensions: [constraints(true), usage(5)],
    ...years,
  });
  const issueIntermediate = (changes: Partial<Issue> = {}): Party =>
    issue({
      name: 'Test Wallet Integration',
      keys: newKeys(),
      issuer: root,
      extensions: INTERMEDIATE_EXTENSIONS,
      ...years,
      ...changes,
    });
  const intermediate = issueIntermediate();
  const issueLeaf = (changes: Partial<Issue> = {}): Party =>
    issue({
      name: 'Test Wallet Signing',
      keys: newKeys(),
      issuer: intermediate,
      extensions: LEAF_EXTENSIONS,
      ...years,
      ...changes,
    });
  const leaf = issueLeaf();

  const processing = (options: ProcessingOptions = {}): ProcessingKit => {
    const { walletMerchantId = 'merchant.test.example', keys = newKeys(), isNamed = true } = options;
    const hash = hashMerchantIdentifier(walletMerchantId).toString('hex').toUpperCase();
    const certificate = issue({
      name: 'Payment Processing',
      keys,
      issuer: intermediate,
      extensions: isNamed ? [extension(OID.merchantHash, new Utf8String({ value: hash }))] : [],
      ...years,
      ...(isNamed ? { userId: walletMerchantId } : {}),
      ...(options.to ? { to: options.to } : {}),
    });
    return {
      walletMerchantId,
      certificate: pemOf(certificate),
      privateKey: keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      publicKeyHash: publicKeyHashOf(keys.publicKey),
      keys,
    };
  };

  const signatureOver = (content: Buffer, plan: TokenPlan): Buffer => {
    const signer = plan.signer ?? leaf;
    const attribute = (type: string, value: unknown): Attribute => new Attribute({ type, values: [value] });
    const usual = [
      attribute(OID.contentType, new ObjectIdentifier({ value: OID.data })),
      attribute(OID.signingTime, new UTCTime({ valueDate: plan.signingTime ?? clock() })),
      attribute(
        OID.messageDigest,
        new OctetString({ valueHex: createHash('sha256').update(content).digest() }),
      ),
    ];
    const attributes = plan.attributes ? plan.attributes(usual) : usual;
    const signedAttrs =
      attributes && new SignedAndUnsignedAttributes({ type: 0, attributes: [...attributes] });
    const signed = signedAttrs ? Buffer.from(signedAttrs.toSchema().toBER()) : content;
    // The signed attributes have the tag of a SET instead of the one in the message (RFC 5652, section 5.4).
    if (signedAttrs) signed[0] = 0x31;
    const value = sign('sha256', signed, plan.signerKey ?? signer.keys.privateKey);
    const info = new SignerInfo({
      version: 1,
      sid: new IssuerAndSerialNumber({
        issuer: signer.certificate.issuer,
        serialNumber: signer.certificate.serialNumber,
      }),
      digestAlgorithm: new AlgorithmIdentifier({ algorithmId: plan.digestAlgorithm ?? OID.sha256 }),
      ...(signedAttrs ? { signedAttrs } : {}),
      signatureAlgorithm: new AlgorithmIdentifier({
        algorithmId: plan.signatureAlgorithm ?? OID.ecdsaWithSha256,
      }),
      signature: new OctetString({ valueHex: value }),
    });
    const signedData = new SignedData({
      version: 1,
      digestAlgorithms: [new AlgorithmIdentifier({ algorithmId: OID.sha256 })],
      encapContentInfo: new EncapsulatedContentInfo({
        eContentType: plan.contentType ?? OID.data,
        ...(plan.attached ? { eContent: new OctetString({ valueHex: plan.attached }) } : {}),
      }),
      certificates: (plan.certificates ?? [signer, intermediate]).map(({ certificate }) => certificate),
      signerInfos: Array.from({ length: plan.signers ?? 1 }, () => info),
    });
    return Buffer.from(
      new ContentInfo({
        contentType: plan.messageType ?? OID.signedData,
        content: signedData.toSchema(true),
      })
        .toSchema()
        .toBER(),
    );
  };

  /** A token for this merchant's certificate; `plan` says how it differs from a valid one. */
  const token = (plan: TokenPlan): WalletToken => {
    const { walletMerchantId, keys, publicKeyHash } = plan.processing;
    const ephemeral = plan.ephemeral ?? newKeys();
    const text = plan.text ?? JSON.stringify({ ...PAYLOAD, ...plan.payload });
    const ephemeralPublicKey = plan.ephemeralPublicKey ?? spkiOf(ephemeral);
    const data = plan.data ?? encrypt(text, ephemeral, keys, walletMerchantId, plan);
    const transactionId = plan.transactionId ?? randomBytes(32);
    const applicationData = plan.applicationData ?? Buffer.alloc(0);
    const content = Buffer.concat([ephemeralPublicKey, data, transactionId, applicationData]);
    const made: WalletToken & { readonly paymentMethod: object } = {
      paymentData: {
        version: 'EC_v1',
        data: data.toString('base64'),
        signature: signatureOver(content, plan).toString('base64'),
        header: {
          ephemeralPublicKey: ephemeralPublicKey.toString('base64'),
          publicKeyHash,
          transactionId: transactionId.toString('hex'),
          ...(plan.applicationData ? { applicationData: applicationData.toString('hex') } : {}),
        },
      },
      paymentMethod: { displayName: 'Visa 4242', network: 'Visa', type: 'credit' },
      transactionIdentifier: transactionId.toString('hex').toUpperCase(),
    };
    return plan.edit ? plan.edit(made) : made;
  };

  return {
    root,
    rootPem: pemOf(root),
    intermediate,
    leaf,
    issueIntermediate,
    issueLeaf,
    processing,
    token,
    now,
  };
};

const encrypt = (
  text: string,
  ephemeral: KeyPair,
  keys: KeyPair,
  walletMerchantId: string,
  plan: TokenPlan,
): Buffer => {
  const merchantHash = plan.merchantHash ?? hashMerchantIdentifier(walletMerchantId);
  // No secret can be agreed with a key on another curve, so the content of such a token does not matter.
  const agreed =
    ephemeral.publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1'
      ? deriveKey(ephemeral.privateKey, keys.publicKey, merchantHash)
      : randomBytes(32);
  const cipher = createCipheriv('aes-256-gcm', agreed, plan.iv ?? Buffer.alloc(16));
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};

/** A way in which a token can be broken, and the fault for which it must be refused. */
export type Mutation = {
  readonly name: string;
  readonly fault: WalletFault;
  readonly make: (kit: WalletKit, processing: ProcessingKit) => WalletToken;
};

type Change = Omit<TokenPlan, 'processing'>;

/** Changes the sent token after it was signed. */
const inHeader = (changes: (header: WalletToken['paymentData']['header']) => object): Change => ({
  edit: (token) => ({
    ...token,
    paymentData: {
      ...token.paymentData,
      header: { ...token.paymentData.header, ...changes(token.paymentData.header) },
    },
  }),
});

const inSignature = (change: (signature: Buffer) => Buffer): Change => ({
  edit: (token) => ({
    ...token,
    paymentData: {
      ...token.paymentData,
      signature: change(Buffer.from(token.paymentData.signature, 'base64')).toString('base64'),
    },
  }),
});

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

const without =
  (type: string): NonNullable<Change['attributes']> =>
  (attributes) =>
    attributes.filter((attribute) => attribute.type !== type);

const replaced =
  (type: string, ...values: unknown[]): NonNullable<Change['attributes']> =>
  (attributes) =>
    attributes.map((attribute) => (attribute.type === type ? new Attribute({ type, values }) : attribute));

const RSA = (): KeyPair => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Makes the signature with a leaf certificate that differs in this way. */
const byLeaf =
  (changes: (kit: WalletKit) => Partial<Issue>) =>
  (kit: WalletKit): Change => ({ signer: kit.issueLeaf(changes(kit)) });

/** Makes the signature with an intermediate certificate that differs in this way, and a leaf of its own. */
const byIntermediate =
  (changes: (kit: WalletKit) => Partial<Issue>) =>
  (kit: WalletKit): Change => {
    const issuer = kit.issueIntermediate(changes(kit));
    const signer = kit.issueLeaf({ issuer });
    return { signer, certificates: [signer, issuer] };
  };

const broken = (
  name: string,
  fault: WalletFault,
  change: Change | ((kit: WalletKit, processing: ProcessingKit) => Change),
): Mutation => ({
  name,
  fault,
  make: (kit, processing) =>
    kit.token({ ...(typeof change === 'function' ? change(kit, processing) : change), processing }),
});

const expired = ({ now }: WalletKit) => ({ from: daysFrom(now, -90), to: daysFrom(now, -1) });

export const MUTATIONS: readonly Mutation[] = [
  // The signed attributes.
  broken('data changed after signing', 'message_digest', {
    edit: (token) => {
      const data = flipped(Buffer.from(token.paymentData.data, 'base64'), 3).toString('base64');
      return { ...token, paymentData: { ...token.paymentData, data } };
    },
  }),
  broken(
    'another ephemeral key after signing',
    'message_digest',
    inHeader(() => ({ ephemeralPublicKey: spkiOf(newKeys()).toString('base64') })),
  ),
  broken(
    'another transaction id after signing',
    'message_digest',
    inHeader(() => ({ transactionId: randomBytes(32).toString('hex') })),
  ),
  broken(
    'application data added after signing',
    'message_digest',
    inHeader(() => ({ applicationData: randomBytes(32).toString('hex') })),
  ),
  broken('application data taken away after signing', 'message_digest', {
    applicationData: randomBytes(32),
    ...inHeader(() => ({ applicationData: '' })),
  }),
  broken('a transaction id of 16 bytes', 'transaction_id', { transactionId: randomBytes(16) }),
  broken(
    'a transaction id with one digit more',
    'transaction_id',
    inHeader(({ transactionId }) => ({ transactionId: `${transactionId}0` })),
  ),
  broken('application data of 16 bytes', 'application_data', { applicationData: randomBytes(16) }),
  broken(
    'the end of the transaction id moved to the application data',
    'transaction_id',
    inHeader(({ transactionId }) => ({
      transactionId: transactionId.slice(0, 32),
      applicationData: transactionId.slice(32),
    })),
  ),

  // The signature itself.
  broken(
    'a bit of the signature changed',
    'signature',
    inSignature((der) => flipped(der, der.length - 1)),
  ),
  broken('signed by another key than the leaf is for', 'signature', () => ({
    signerKey: newKeys().privateKey,
  })),
  broken(
    'a signature that is no CMS',
    'signature_encoding',
    inSignature(() => Buffer.from('signed')),
  ),
  broken(
    'bytes after the signature',
    'signature_encoding',
    inSignature((der) => Buffer.concat([der, Buffer.from([0])])),
  ),
  broken(
    'a signature cut off',
    'signature_encoding',
    inSignature((der) => der.subarray(0, -40)),
  ),
  broken('a CMS that says it is no signed data', 'signature_encoding', { messageType: OID.data }),
  broken('a CMS of another kind of content', 'content_type', { contentType: OID.signedData }),
  broken('content inside the signature', 'not_detached', { attached: Buffer.from('something else') }),
  broken('a digest algorithm of old', 'digest_algorithm', { digestAlgorithm: OID.sha1 }),
  broken('a signature algorithm of old', 'signature_algorithm', { signatureAlgorithm: OID.ecdsaWithSha1 }),
  broken('no signer', 'signer', { signers: 0 }),
  broken('two signers', 'signer', { signers: 2 }),
  broken('a signer that is not the leaf', 'signer', (kit) => ({
    signer: kit.intermediate,
    certificates: [kit.leaf, kit.intermediate],
  })),

  // Signed attributes.
  broken('no signed attributes', 'signed_attributes', { attributes: () => null }),
  broken('no message digest', 'signed_attributes', { attributes: without(OID.messageDigest) }),
  broken('two message digests', 'signed_attributes', {
    attributes: (attributes) => [...attributes, ...attributes.slice(-1)],
  }),
  broken('another message digest', 'message_digest', {
    attributes: replaced(OID.messageDigest, new OctetString({ valueHex: randomBytes(32) })),
  }),
  broken('a message digest that is none', 'signed_attributes', {
    attributes: replaced(OID.messageDigest, new Null()),
  }),
  broken('no content type', 'signed_attributes', { attributes: without(OID.contentType) }),
  broken('another content type', 'content_type', {
    attributes: replaced(OID.contentType, new ObjectIdentifier({ value: OID.signedData })),
  }),
  broken('no signing time', 'signing_time', { attributes: without(OID.signingTime) }),
  broken('a signing time that is none', 'signing_time', {
    attributes: replaced(OID.signingTime, new Null()),
  }),
  broken('signed an hour ago', 'signing_time_window', ({ now }) => ({
    signingTime: new Date(now.getTime() - 3_600_000),
  })),
  broken('signed an hour ahead', 'signing_time_window', ({ now }) => ({
    signingTime: new Date(now.getTime() + 3_600_000),
  })),

  // Certificates.
  broken('no certificates', 'leaf_role', { certificates: [] }),
  broken(
    'a leaf without its role',
    'leaf_role',
    byLeaf(() => ({ extensions: LEAF_EXTENSIONS.slice(0, 2) })),
  ),
  broken('two leaves', 'leaf_role', (kit) => ({
    certificates: [kit.leaf, kit.issueLeaf(), kit.intermediate],
  })),
  broken('no intermediate', 'intermediate_role', (kit) => ({ certificates: [kit.leaf] })),
  broken(
    'an intermediate without its role',
    'intermediate_role',
    byIntermediate(() => ({ extensions: INTERMEDIATE_EXTENSIONS.slice(0, 2) })),
  ),
  broken('a leaf that has expired', 'leaf_validity', byLeaf(expired)),
  broken(
    'a leaf that is not valid yet',
    'leaf_validity',
    byLeaf(({ now }) => ({ from: daysFrom(now, 1) })),
  ),
  broken('an intermediate that has expired', 'intermediate_validity', byIntermediate(expired)),
  broken(
    'a leaf that is an authority',
    'leaf_constraints',
    byLeaf(() => ({ extensions: [constraints(true), usage(0), role(OID.leafRole)] })),
  ),
  broken(
    'a leaf that may not sign',
    'leaf_constraints',
    byLeaf(() => ({ extensions: [constraints(false), usage(5), role(OID.leafRole)] })),
  ),
  broken(
    'an intermediate that is no authority',
    'intermediate_constraints',
    byIntermediate(() => ({ extensions: [constraints(false), usage(5), role(OID.intermediateRole)] })),
  ),
  broken(
    'an intermediate that may not sign certificates',
    'intermediate_constraints',
    byIntermediate(() => ({ extensions: [constraints(true), usage(0), role(OID.intermediateRole)] })),
  ),
  broken(
    'a leaf with an unknown critical extension',
    'certificate_extension',
    byLeaf(() => ({ extensions: [...LEAF_EXTENSIONS, extension('1.2.3.4.5', new Null(), true)] })),
  ),
  broken(
    'a leaf on another curve',
    'leaf_key',
    byLeaf(() => ({ keys: newKeys('P-384') })),
  ),
  broken(
    'an intermediate with a key of another kind',
    'intermediate_key',
    byIntermediate(() => ({ keys: RSA() })),
  ),
  broken('a leaf of another intermediate of the same name', 'certificate_chain', (kit) => {
    const signer = kit.issueLeaf({ issuer: kit.issueIntermediate() });
    return { signer, certificates: [signer, kit.intermediate] };
  }),
  broken('a chain to another root of the same name', 'root', (kit) => {
    const issuer = kit.issueIntermediate({ issuer: { ...kit.root, keys: newKeys('P-384') } });
    const signer = kit.issueLeaf({ issuer });
    return { signer, certificates: [signer, issuer] };
  }),
  broken('a chain that ends in a root of its own', 'root', (kit) => {
    const { root } = createWalletKit(() => kit.now);
    const issuer = kit.issueIntermediate({ issuer: root });
    const signer = kit.issueLeaf({ issuer });
    return { signer, certificates: [signer, issuer, root] };
  }),

  // Encryption.
  broken(
    'for a certificate that the merchant does not have',
    'public_key_hash',
    inHeader(() => ({ publicKeyHash: publicKeyHashOf(newKeys().publicKey) })),
  ),
  broken('encrypted for another key', 'decryption', (_, processing) => ({
    data: encrypt(JSON.stringify(PAYLOAD), newKeys(), newKeys(), processing.walletMerchantId, { processing }),
  })),
  broken('encrypted for another merchant', 'decryption', {
    merchantHash: hashMerchantIdentifier('merchant.test.other'),
  }),
  broken('encrypted with another initialization vector', 'decryption', { iv: randomBytes(16) }),
  broken('data shorter than its tag', 'decryption', { data: randomBytes(12) }),
  broken('an ephemeral key on another curve', 'ephemeral_key', () => ({ ephemeral: newKeys('P-384') })),
  broken('an ephemeral key that is none', 'ephemeral_key', { ephemeralPublicKey: randomBytes(91) }),
  broken('an ephemeral key off its curve', 'ephemeral_key', () => ({
    ephemeralPublicKey: flipped(spkiOf(newKeys()), 90),
  })),

  // The payment.
  broken('payment data that is no JSON', 'payment_data', { text: 'amount=10000' }),
  broken('payment data that is no object', 'payment_data', { text: 'null' }),
  broken('another amount', 'amount', { payload: { transactionAmount: 100_01 } }),
  broken('an amount that is no number', 'amount', { payload: { transactionAmount: '10000' } }),
  broken('another currency', 'currency', { payload: { currencyCode: '840' } }),
  broken('a card that has expired', 'expiry', { payload: { applicationExpirationDate: '200131' } }),
  broken('an expiry that is no date', 'expiry', { payload: { applicationExpirationDate: '351331' } }),
  broken('an expiry with a century', 'expiry', { payload: { applicationExpirationDate: '20351231' } }),
  broken('a card number with a wrong check digit', 'card_number', {
    payload: { applicationPrimaryAccountNumber: '4242424242424241' },
  }),
  broken('no card number', 'card_number', { payload: { applicationPrimaryAccountNumber: undefined } }),
  broken('a card number in the place of the name', 'cardholder_name', {
    payload: { cardholderName: '4242 4242 4242 4242' },
  }),
  broken('a name of control characters', 'cardholder_name', { payload: { cardholderName: 'Ana\u0000' } }),
  broken('a name that is none', 'cardholder_name', { payload: { cardholderName: {} } }),
  broken('a proof of another kind', 'payment_data_type', { payload: { paymentDataType: 'EMV' } }),
  broken('no proof', 'cryptogram', { payload: { paymentData: undefined } }),
  broken('no cryptogram', 'cryptogram', { payload: { paymentData: { eciIndicator: '5' } } }),
  broken('a cryptogram that is no Base64', 'cryptogram', {
    payload: { paymentData: { onlinePaymentCryptogram: 'not a cryptogram' } },
  }),
];
