import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  equalInConstantTime,
  isHashedByCurrent,
  keyRing,
  lookupHashes,
  seal,
  sealBytes,
  unseal,
  unsealBytes,
} from './secrets.ts';

const OLD = 'an old secret, long enough to be one';
const NEW = 'a new secret, long enough to be one ';
const old = keyRing([OLD]);
const rotated = keyRing([NEW, OLD]);
const rotatedOut = keyRing([NEW]);

describe('a key ring', () => {
  it('makes with the first secret and reads with all of them', () => {
    expect(rotated.current.id).toBe(rotatedOut.current.id);
    expect(rotated.all()).toHaveLength(2);
    expect(rotated.find(old.current.id)?.bytes).toEqual(old.current.bytes);
    expect(rotatedOut.find(old.current.id)).toBeUndefined();
  });

  it('names a key by nothing that tells the key', () => {
    expect(rotated.current.id).toMatch(/^[0-9a-f]{8}$/);
    expect(rotated.current.bytes.toString('hex')).not.toContain(rotated.current.id);
    expect(rotated.current.bytes).toHaveLength(32);
  });

  it('without a key cannot be', () => {
    expect(() => keyRing([])).toThrow('needs a key');
  });
});

describe('a sealed value', () => {
  it('comes back as it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (plain) => {
        expect(unseal(old, seal(old, plain))).toBe(plain);
      }),
    );
  });

  it('shows nothing of what it holds, and is another one each time', () => {
    const [first, second] = [seal(old, 'sk_live_secret'), seal(old, 'sk_live_secret')];
    expect(JSON.stringify(first)).not.toContain('secret');
    expect(first.nonce).not.toBe(second.nonce);
    expect(first.text).not.toBe(second.text);
  });

  it('is still read after a rotation, until its key is taken out', () => {
    const sealed = seal(old, 'value');
    expect(unseal(rotated, sealed)).toBe('value');
    expect(() => unseal(rotatedOut, sealed)).toThrow('no sealing key');
  });

  it.each(['nonce', 'text', 'tag'] as const)('is refused where one bit of its %s was changed', (part) => {
    const sealed = seal(old, 'value');
    const bytes = Buffer.from(sealed[part], 'base64');
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    expect(() => unseal(old, { ...sealed, [part]: bytes.toString('base64') })).toThrow();
  });

  it('is refused where its tag is cut short', () => {
    const sealed = seal(old, 'value');
    const tag = Buffer.from(sealed.tag, 'base64').subarray(0, 4).toString('base64');
    expect(() => unseal(old, { ...sealed, tag })).toThrow();
  });
});

describe('look-up hashes', () => {
  it('are the same for the same secret and key, and name the key', () => {
    const [hash = ''] = lookupHashes(old, 'sk_1');
    expect(hash).toMatch(new RegExp(`^${old.current.id}:[0-9a-f]{64}$`));
    expect(lookupHashes(old, 'sk_1')).toEqual([hash]);
    expect(lookupHashes(old, 'sk_2')).not.toContain(hash);
    expect(lookupHashes(rotated, 'sk_1')).toEqual([expect.not.stringContaining(hash), hash]);
  });

  it('say whether they hold for the current key alone', () => {
    expect(isHashedByCurrent(rotated, lookupHashes(old, 'sk_1'))).toBe(false);
    expect(isHashedByCurrent(old, lookupHashes(rotated, 'sk_1'))).toBe(true);
    expect(isHashedByCurrent(rotated, lookupHashes(rotated, 'sk_1'))).toBe(true);
  });
});

describe('the comparison of secrets', () => {
  it('says whether they are equal, whatever their lengths', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(equalInConstantTime(left, right)).toBe(left === right);
        expect(equalInConstantTime(left, left)).toBe(true);
      }),
    );
  });
});

describe('sealed bytes', () => {
  it('are read again by the key that sealed them, and not where one bit was changed', () => {
    const plain = randomBytes(1_000);
    const { seal: about, bytes } = sealBytes(old, plain);
    expect(bytes.includes(plain.subarray(0, 16))).toBe(false);
    expect(unsealBytes(rotated, { seal: about, bytes })).toEqual(plain);
    expect(() => unsealBytes(rotatedOut, { seal: about, bytes })).toThrow('no sealing key');
    bytes[500] = (bytes[500] ?? 0) ^ 1;
    expect(() => unsealBytes(old, { seal: about, bytes })).toThrow();
  });
});
