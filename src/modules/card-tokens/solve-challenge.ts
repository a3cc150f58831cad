/**
 * Solves a proof-of-work challenge: finds a number for which the SHA-256 (FIPS 180-4) of `challenge:number` begins with
 * as many zero bits as the challenge says in its first part. Browsers return each SHA-256 of their own through a
 * promise, with which a phone would take a minute. Pages contain the source of this function, comments included, so it
 * uses nothing from outside.
 */
export const solveChallenge = async (challenge: string): Promise<string> => {
  const ATTEMPTS_AT_ONCE = 20_000;
  const bits = Number(challenge.split('.')[0]);
  const roots = { square: [] as number[], cube: [] as number[] };
  const isPrime = (number: number): boolean => {
    for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
    return true;
  };
  for (let number = 2; roots.cube.length < 64; number += 1) {
    if (!isPrime(number)) continue;
    if (roots.square.length < 8) roots.square.push((Math.sqrt(number) * 2 ** 32) | 0);
    roots.cube.push((Math.cbrt(number) * 2 ** 32) | 0);
  }
  const at = (words: ArrayLike<number>, index: number): number => words[index] ?? 0;
  const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
  const words = new Int32Array(64);
  /** The state after one block, whose first 16 words are set. */
  const compress = (before: Int32Array): Int32Array => {
    for (let index = 16; index < 64; index += 1) {
      const [early, late] = [at(words, index - 15), at(words, index - 2)];
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[index] = at(words, index - 16) + first + at(words, index - 7) + second;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = before;
    for (let index = 0; index < 64; index += 1) {
      const sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + sum + ((e & f) ^ (~e & g)) + at(roots.cube, index) + at(words, index)) | 0;
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    return Int32Array.of(a, b, c, d, e, f, g, h).map((word, index) => (word + at(before, index)) | 0);
  };
  /** The state after the block of a text that begins at a place. */
  const afterBlock = (state: Int32Array, from: string, start: number, length: number | null): Int32Array => {
    for (let index = 0; index < 16; index += 1) {
      const place = start + 4 * index;
      const byte = (offset: number): number => from.charCodeAt(place + offset) || 0;
      words[index] = (byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3);
    }
    if (length !== null) words[15] = 8 * length;
    return compress(state);
  };
  const isSolved = ([first = 0, second = 0]: Int32Array): boolean =>
    (first === 0 ? 32 + Math.clz32(second) : Math.clz32(first)) >= bits;
  const text = `${challenge}:`;
  const begun = text.length - (text.length % 64);
  let shared: Int32Array = Int32Array.from(roots.square);
  for (let start = 0; start < begun; start += 64) shared = afterBlock(shared, text, start, null);
  for (let number = 0; ; number += 1) {
    // The page is drawn in between.
    if (number % ATTEMPTS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    const proof = `${text}${number}`;
    let state = shared;
    // A one bit and the length of the text follow it.
    for (let start = begun; start < proof.length + 9; start += 64)
      state = afterBlock(state, `${proof}\u0080`, start, start + 64 < proof.length + 9 ? null : proof.length);
    if (isSolved(state)) return proof;
  }
};
