/**
 * How often a test repeats what chance decides: races, kills, generated input. `usual` keeps `make test` short,
 * `make proofs` asks for `proof`, which takes about an hour.
 */
export const volume = ({ usual, proof }: { readonly usual: number; readonly proof: number }): number =>
  process.env.PROOFS === '1' ? proof : usual;
