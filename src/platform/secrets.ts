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

/** One key of a ring. `id` is derived from the key, so that it needs no bookkeeping. */
type Key = { readonly id: string; readonly bytes: Buffer };

/** Keys for one purpose: the first makes new values, all of them read old ones. */
export type KeyRing = { readonly current: Key; find(id: string): Key | undefined; all(): readonly Key[] };

/** The gateway's secret keys: signing of tokens, sealing of secrets, look-up of API keys. */
export type KeyRings = { readonly jwt: KeyRing; readonly sealing: KeyRing; readonly pepper: KeyRing };

/** Builds a ring from configured secrets, the newest first. A key is the SHA-256 of its secret: 32 bytes. */
export const keyRing = (secrets: readonly string[]): KeyRing => {
  const keys = secrets.map((secret): Key => {
    const bytes = createHash('sha256').update(secret).digest();
    return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
  });
  const [current] = keys;
  if (!current) throw new Error('a key ring needs a key');
  return { current, find: (id) => keys.find((key) => key.id === id), all: () => keys };
};

/** A value that only this gateway can read: AES-256-GCM, the id of its key beside it. */
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

/** Throws where the key is gone or the bytes were changed. */
export const unsealBytes = (ring: KeyRing, { seal, bytes }: SealedBytes): Buffer => {
  const decipher = unsealing(ring, seal);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
};

/** Seals bytes while they pass, in the form of `sealBytes`; `seal` may be called once all have passed. */
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

/** Unseals bytes while they pass; a change shows at the end only, as an error of the stream. */
export const unsealing = (ring: KeyRing, seal: SealedBytes['seal']): DecipherGCM => {
  const key = ring.find(seal.keyId);
  if (!key) throw new Error(`no sealing key ${seal.keyId}`);
  const nonce = Buffer.from(seal.nonce, 'base64');
  // Without its length named, a tag cut down to four bytes would be taken as well.
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(Buffer.from(seal.tag, 'base64'));
  return decipher;
};

export const seal = (ring: KeyRing, plain: string): Sealed => {
  const sealed = sealBytes(ring, Buffer.from(plain, 'utf8'));
  return { ...sealed.seal, text: sealed.bytes.toString('base64') };
};

/** Throws where the key is gone or the value was changed. */
export const unseal = (ring: KeyRing, { text, ...seal }: Sealed): string =>
  unsealBytes(ring, { seal, bytes: Buffer.from(text, 'base64') }).toString('utf8');

/**
 * Values by which a secret can be looked up without being kept, one for each key of the ring: HMAC-SHA256, the id of
 * the key in front. All of them are stored and any of them finds it, whichever keys another process has.
 */
export const lookupHashes = (ring: KeyRing, secret: string): readonly string[] =>
  ring.all().map((key) => `${key.id}:${createHmac('sha256', key.bytes).update(secret).digest('hex')}`);

/** Whether a secret that is stored under these hashes is found once the current key is the only one. */
export const isHashedByCurrent = (ring: KeyRing, hashes: readonly string[]): boolean =>
  hashes.some((hash) => hash.startsWith(`${ring.current.id}:`));

export const equalInConstantTime = (left: string, right: string): boolean => {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(left), digest(right));
};
