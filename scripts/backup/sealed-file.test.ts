import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ConfigError } from '../../src/kernel/errors.ts';
import { keyRing } from '../../src/platform/secrets.ts';
import { sealed, unsealed } from './sealed-file.ts';

const MIB = 1024 * 1024;
const RING = keyRing(['the secret of the tests']);
const folder = mkdtempSync(join(tmpdir(), 'portico-sealed-'));
const path = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytesOf = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
};
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
}
const seal = (bytes: Buffer, ring = RING): Promise<Buffer> => bytesOf(sealed(ring, inPieces(bytes)));
const open = (file: Buffer, ring = RING): Promise<Buffer> => {
  writeFileSync(path, file);
  return bytesOf(unsealed(ring, path));
};
/** The header line and the frames of a sealed file. */
const partsOf = (file: Buffer): Buffer[] => {
  let at = file.indexOf('\n') + 1;
  const parts = [file.subarray(0, at)];
  while (at < file.length) {
    const end = at + 5 + file.readUInt32BE(at) + 16;
    parts.push(file.subarray(at, end));
    at = end;
  }
  return parts;
};

describe('a sealed file', () => {
  const content = randomBytes(3 * MIB + 17);
  let file: Buffer;
  let parts: Buffer[];
  beforeAll(async () => {
    file = await seal(content);
    parts = partsOf(file);
  });

  it.each([0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB])('gives back the %d bytes that it holds', async (length) => {
    const bytes = content.subarray(0, length);
    expect((await open(await seal(bytes))).equals(bytes)).toBe(true);
  });

  it('is opened with an older secret as well, and by nobody who has none of its secrets', async () => {
    const rotated = keyRing(['a newer secret', 'the secret of the tests']);
    expect((await open(file, rotated)).equals(content)).toBe(true);
    await expect(open(file, keyRing(['a newer secret']))).rejects.toThrow(
      'was made with another SECRETS_KEY',
    );
    expect(readFileSync(path).includes(content.subarray(0, 32))).toBe(false);
  });

  it('is refused where any part of it was changed', async () => {
    expect(parts.length).toBe(5);
    let start = 0;
    for (const part of parts) {
      for (const place of [0, 4, 5, Math.floor(part.length / 2), part.length - 1]) {
        const changed = Buffer.from(file);
        changed[start + place] = (changed[start + place] ?? 0) ^ 1;
        await expect(open(changed)).rejects.toBeInstanceOf(ConfigError);
      }
      start += part.length;
    }
  });

  it('is refused where frames are missing, moved, repeated or of another file', async () => {
    const other = partsOf(await seal(content));
    const [header = Buffer.of(), a = Buffer.of(), b = Buffer.of(), c = Buffer.of(), d = Buffer.of()] = parts;
    const attacks: readonly (readonly Buffer[])[] = [
      [],
      [header],
      [header, a, b, c],
      [header, a, b, d],
      [header, b, a, c, d],
      [header, a, a, b, c, d],
      [header, a, b, c, d, d],
      [header, a, b, c, d, Buffer.of(0)],
      [header, a, b, c, d.subarray(0, -1)],
      [header, a, b, c, d.subarray(0, 3)],
      [header, a, other[2] ?? b, c, d],
      [other[0] ?? header, a, b, c, d],
    ];
    for (const attack of attacks)
      await expect(open(Buffer.concat([...attack]))).rejects.toBeInstanceOf(ConfigError);
    expect((await open(Buffer.concat([...parts]))).equals(content)).toBe(true);
  });

  it('is refused where it is another file', async () => {
    for (const other of ['', 'text', '{"format":"portico-backup-1"}\n', '{"format":"portico-backup-2"}\n'])
      await expect(open(Buffer.from(other, 'latin1'))).rejects.toThrow('is no backup that this version');
    await expect(open(gzipSync('{"format":"portico-backup-1"}\n'))).rejects.toThrow('UNSEALED=1');
    await expect(bytesOf(unsealed(RING, `${path}-nowhere`))).rejects.toBeInstanceOf(ConfigError);
  });
});
