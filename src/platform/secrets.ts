import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  type DecipherGCM,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** One key of a ring. `id` is derived from the key, so nobody has to keep track of ids. */
type Key = { readonly id: string; readonly bytes: Buffer };

/** Keys for one purpose: the first one makes new values, and all of them read old ones. */
export type KeyRing = { readonly current: Key; find(id: string): Key | undefined; all(): readonly Key[] };

/** The gateway's secret keys: for signing tokens, for sealing secrets, and for looking up API keys. */
export type KeyRings = { readonly jwt: KeyRing; readonly sealing: KeyRing; readonly pepper: KeyRing };

/**
 * Makes a ring from the configured secrets, the newest first. A key is the SHA-256 of its secret, which has 32 bytes.
 */
export const keyRing = (secrets: readonly string[]): KeyRing => {
  const keys = secrets.map((secret): Key => {
    const bytes = createHash('sha256').update(secret).digest();
    return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
  });
  const [current] = keys;
  if (!current) throw new Error('a key ring needs a key');
  return { current, find: (id) => keys.find((key) => key.id === id), all: () => keys };
};

/** A value that only this gateway can read, encrypted with AES-256-GCM, and the id of its key. */
export type Sealed = {
  readonly keyId: string;
  readonly nonce: string;
  readonly text: string;
  readonly tag: string;
};

/** Encrypted bytes. Store them apart from the key data that decrypts them. */
export type SealedBytes = {
  readonly seal: Omit<Sealed, 'text'>;
  readonly bytes: Buffer;
};

const TAG_BYTES = 16;

export const sealBytes = (ring: KeyRing, plain: Buffer): SealedBytes => {
  const { cipher, seal } = sealing(ring);
  const bytes = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { seal: seal(), bytes };
};

/** Decrypts bytes; throws where the key is unknown or the bytes were changed. */
export const unsealBytes = (ring: KeyRing, { seal, bytes }: SealedBytes): Buffer => {
  const decipher = unsealing(ring, seal);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
};

/** Seals a stream of bytes, with the result of `sealBytes`; `seal` may be called once all of them have passed. */
export const sealing = (
  ring: KeyRing,
): { readonly cipher: CipherGCM; readonly seal: () => SealedBytes['seal'] } => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', ring.current.bytes, nonce);
  const seal = () => ({
    keyId: ring.current.id,
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  });
  return { cipher, seal };
};

/** Unseals a stream of bytes. A change of them is noticed only at the end, as an error of the stream. */
export const unsealing = (ring: KeyRing, seal: SealedBytes['seal']): DecipherGCM => {
  const key = ring.find(seal.keyId);
  if (!key) throw new Error(`no sealing key ${seal.keyId}`);
  const nonce = Buffer.from(seal.nonce, 'base64');
  // Without a given length, a tag that was cut down to four bytes would be accepted as well.
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(Buffer.from(seal.tag, 'base64'));
  return decipher;
};

export const seal = (ring: KeyRing, plain: string): Sealed => {
  const sealed = sealBytes(ring, Buffer.from(plain, 'utf8'));
  return { ...sealed.seal, text: sealed.bytes.toString('base64') };
};

/** Decrypts a value; throws where the key is unknown or the value was changed. */
export const unseal = (ring: KeyRing, { text, ...seal }: Sealed): string =>
  unsealBytes(ring, { seal, bytes: Buffer.from(text, 'base64') }).toString('utf8');

/**
 * Hashes by which a secret can be looked up without being stored, one for each key of the ring: HMAC-SHA256, preceded
 * by the id of the key. All of them are stored, and any one finds the secret, whichever keys another process has.
 */
export const lookupHashes = (ring: KeyRing, secret: string): readonly string[] =>
  ring.all().map((key) => `${key.id}:${createHmac('sha256', key.bytes).update(secret).digest('hex')}`);

/** Whether the current key alone would find a secret that is stored under these hashes. */
export const isHashedByCurrent = (ring: KeyRing, hashes: readonly string[]): boolean =>
  hashes.some((hash) => hash.startsWith(`${ring.current.id}:`));

export const equalInConstantTime = (left: string, right: string): boolean => {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(left), digest(right));
};
