import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { ConfigError } from '../../src/kernel/errors.ts';
import type { KeyRing } from '../../src/platform/secrets.ts';

/**
 * A sealed file: a line of JSON that names the key, followed by frames of AES-256-GCM. The key is derived for each file
 * (HKDF, RFC 5869), and the nonce is the number of the frame. Each frame authenticates the line, and whether it is the
 * last frame. So no frame can be changed, left out, moved or taken from another file without being noticed.
 */
type Header = { readonly format: typeof FORMAT; readonly keyId: string; readonly salt: string };

const FORMAT = 'portico-backup-2';
const CIPHER = 'aes-256-gcm';
const FRAME_BYTES = 1024 * 1024;
/** Length of the sealed content (4 bytes), and a byte that is 1 in the last frame. */
const PREFIX_BYTES = 5;
const TAG_BYTES = 16;
const MAX_HEADER_BYTES = 512;
/** The first bytes of a gzipped file (RFC 1952). */
const GZIP = Buffer.of(0x1f, 0x8b);

/** The bytes of a sealed file with the content of `source`. */
export async function* sealed(ring: KeyRing, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const salt = randomBytes(32).toString('base64');
  const header = Buffer.from(`${JSON.stringify({ format: FORMAT, keyId: ring.current.id, salt })}\n`);
  const key = keyOf(ring.current.bytes, salt);
  let number = 0;
  const frame = (plain: Buffer, isLast: boolean): Buffer => {
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(plain.length);
    prefix[PREFIX_BYTES - 1] = isLast ? 1 : 0;
    const cipher = createCipheriv(CIPHER, key, nonceOf(number)).setAAD(Buffer.concat([header, prefix]));
    number += 1;
    return Buffer.concat([prefix, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };

  yield header;
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    waiting = Buffer.concat([waiting, chunk]);
    for (; waiting.length > FRAME_BYTES; waiting = waiting.subarray(FRAME_BYTES))
      yield frame(waiting.subarray(0, FRAME_BYTES), false);
  }
  yield frame(waiting, true);
}

/** Reads a sealed file; throws a ConfigError where it is none, needs another key, was changed or is incomplete. */
export async function* unsealed(ring: KeyRing, path: string): AsyncGenerator<Buffer> {
  const file = await open(path).catch((error: Error) => {
    throw new ConfigError(`${path} cannot be read: ${error.message}`);
  });
  try {
    const { header, bytes } = await readHeader(file, path);
    const secret = ring.find(header.keyId);
    if (!secret)
      throw new ConfigError(`${path} was made with another SECRETS_KEY (${header.keyId}): add that.`);
    const key = keyOf(secret.bytes, header.salt);
    let isLast = false;
    for (let [number, at] = [0, bytes.length]; !isLast; number += 1) {
      const prefix = await readAt(file, at, PREFIX_BYTES);
      const length = prefix.length === PREFIX_BYTES ? prefix.readUInt32BE() : FRAME_BYTES + 1;
      if (length > FRAME_BYTES) throw changed(path);
      const frame = await readAt(file, at + PREFIX_BYTES, length + TAG_BYTES);
      if (frame.length < length + TAG_BYTES) throw changed(path);
      const decipher = createDecipheriv(CIPHER, key, nonceOf(number), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.concat([bytes, prefix]))
        .setAuthTag(frame.subarray(length));
      yield openFrame(decipher, frame.subarray(0, length), path);
      isLast = prefix[PREFIX_BYTES - 1] === 1;
      at += PREFIX_BYTES + length + TAG_BYTES;
      if (isLast && (await readAt(file, at, 1)).length > 0) throw changed(path);
    }
  } finally {
    await file.close();
  }
}

const openFrame = (decipher: ReturnType<typeof createDecipheriv>, frame: Buffer, path: string): Buffer => {
  try {
    return Buffer.concat([decipher.update(frame), decipher.final()]);
  } catch {
    throw changed(path);
  }
};

const changed = (path: string): ConfigError => new ConfigError(`${path} was changed or is not whole.`);

const keyOf = (secret: Buffer, salt: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.from(salt, 'base64'), FORMAT, 32));

const nonceOf = (number: number): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 6, 6);
  return nonce;
};

const readHeader = async (
  file: FileHandle,
  path: string,
): Promise<{ readonly header: Header; readonly bytes: Buffer }> => {
  const start = await readAt(file, 0, MAX_HEADER_BYTES);
  const bytes = start.subarray(0, start.indexOf('\n') + 1);
  try {
    const header = JSON.parse(bytes.toString()) as Header;
    if (header.format === FORMAT && typeof header.salt === 'string') return { header, bytes };
  } catch {
    // Other files get the same answer.
  }
  if (start.subarray(0, GZIP.length).equals(GZIP))
    throw new ConfigError(
      `${path} is not sealed, as backups of Portico 1.0 were not: anybody may have changed it. Where it was out of reach for others, restore it with UNSEALED=1, then make a new backup.`,
    );
  throw new ConfigError(`${path} is no backup that this version of Portico has made.`);
};

/** Reads a part of the file; fewer bytes than requested where the file ends. */
const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
};
