/** Numbers by chance that are the same for the same seed, on every machine. */
export type Random = {
  /** From 0 up to and without 1. */
  next(): number;
  /** A whole number below the limit. */
  below(limit: number): number;
  /** Whether something happens that does so with this probability. */
  happens(probability: number): boolean;
  oneOf<T>(choices: readonly T[]): T;
  fill(bytes: Uint8Array): void;
};

/** The generator sfc32 of PractRand, with the seed in its state. */
export const createRandom = (seed: number): Random => {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed >>> 0;
  let counter = 1;
  const word = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  // The first ones still show the seed.
  for (let turn = 0; turn < 15; turn += 1) word();
  const next = (): number => word() / 2 ** 32;
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    happens: (probability) => next() < probability,
    oneOf: (choices) => choices[Math.floor(next() * choices.length)] as (typeof choices)[number],
    fill(bytes) {
      for (let place = 0; place < bytes.length; place += 1) bytes[place] = word() & 0xff;
    },
  };
};
