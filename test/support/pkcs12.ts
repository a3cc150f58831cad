import { webcrypto } from 'node:crypto';
import {
  AuthenticatedSafe,
  CertBag,
  Certificate,
  CryptoEngine,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  SafeBag,
  SafeContents,
  setEngine,
} from 'pkijs';
import type { Credentials } from './certificate-authority.ts';

const KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const ITERATIONS = 2_048;

const derOf = (pem: string): ArrayBuffer => {
  const bytes = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
};

/** Certificate and key in one PKCS#12 file (RFC 7292), as institutions issue them. */
export const pkcs12Of = async (
  { certificate, privateKey }: Credentials,
  password: string,
): Promise<Buffer> => {
  setEngine('node', new CryptoEngine({ name: 'node', crypto: webcrypto as never }));
  const secret = new TextEncoder().encode(password).buffer as ArrayBuffer;
  const shrouded = new PKCS8ShroudedKeyBag({ parsedValue: PrivateKeyInfo.fromBER(derOf(privateKey)) });
  await shrouded.makeInternalValues({
    password: secret,
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256 } as never,
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: ITERATIONS,
  });
  const parsed = Certificate.fromBER(derOf(certificate));
  const contents = new SafeContents({
    safeBags: [
      new SafeBag({ bagId: KEY_BAG, bagValue: shrouded }),
      new SafeBag({ bagId: CERTIFICATE_BAG, bagValue: new CertBag({ parsedValue: parsed }) }),
    ],
  });
  const authenticatedSafe = new AuthenticatedSafe({
    parsedValue: { safeContents: [{ privacyMode: 0, value: contents }] },
  });
  await authenticatedSafe.makeInternalValues({ safeContents: [{}] });
  const pfx = new PFX({ parsedValue: { integrityMode: 0, authenticatedSafe } });
  await pfx.makeInternalValues({
    password: secret,
    iterations: ITERATIONS,
    pbkdf2HashAlgorithm: 'SHA-256',
    hmacHashAlgorithm: 'SHA-256',
  });
  return Buffer.from(pfx.toSchema().toBER(false));
};
