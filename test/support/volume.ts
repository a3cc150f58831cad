const IS_PROOF = process.env.PROOFS === '1';

/**
 * How often a test repeats something that chance decides: races, kills, generated input. `usual` keeps `make test`
 * short; `make proofs` uses `proof`, which takes about two hours.
 */
export const volume = <T>({ usual, proof }: { readonly usual: T; readonly proof: T }): T =>
  IS_PROOF ? proof : usual;

/** Takes only this many of the cases of one mechanism, spread evenly over the list; `make proofs` takes them all. */
export const someOf = <T>(all: readonly T[], usual: number): readonly T[] =>
  all.filter(
    (_, index) =>
      IS_PROOF || Math.floor((index * usual) / all.length) !== Math.floor(((index - 1) * usual) / all.length),
  );

/**
 * Settings of the servers that tests start: a transaction that a killed process left open ends sooner than by default.
 */
export const TEST_SERVERS = {
  ephemeral: true,
  testCommands: true,
  transactionSeconds: volume({ usual: 10, proof: 60 }),
} as const;
