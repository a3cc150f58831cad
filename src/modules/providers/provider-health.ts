import type { Clock } from '../../kernel/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';

/** `open`: the provider is left alone for its failures; `half_open`: one call finds out whether it answers again. */
export const CIRCUITS = ['closed', 'half_open', 'open'] as const;
export type Circuit = (typeof CIRCUITS)[number];

/** Calls are counted for so long, in parts of this length. */
const PART_MS = 15_000;
const PARTS = 20;

type Part = { readonly number: number; total: number; failed: number };

export type ProviderHealth = ReturnType<typeof createProviderHealth>;

/** The experience of this process with its providers in the last five minutes. */
export const createProviderHealth = ({
  clock,
  metrics,
}: {
  readonly clock: Clock;
  readonly metrics: Metrics;
}) => {
  const circuits = new Map<string, Circuit>();
  const parts = new Map<string, Part[]>();
  const partNow = (): number => Math.floor(clock().getTime() / PART_MS);
  const recent = (provider: string): readonly Part[] =>
    (parts.get(provider) ?? []).filter(({ number }) => number > partNow() - PARTS);
  return {
    noteCall(provider: string, isFailed: boolean): void {
      const known = recent(provider);
      const last = known.at(-1);
      const part = last?.number === partNow() ? last : { number: partNow(), total: 0, failed: 0 };
      part.total += 1;
      part.failed += isFailed ? 1 : 0;
      parts.set(provider, part === last ? [...known] : [...known, part]);
    },

    noteCircuit(provider: string, circuit: Circuit): void {
      circuits.set(provider, circuit);
      metrics.providerCircuitOpen.set({ provider }, circuit === 'closed' ? 0 : 1);
    },

    /** Providers with calls in that time. */
    names: (): readonly string[] => [...parts.keys()].filter((name) => recent(name).length > 0),

    of(provider: string): { readonly circuit: Circuit; readonly total: number; readonly failed: number } {
      const known = recent(provider);
      return {
        circuit: circuits.get(provider) ?? 'closed',
        total: known.reduce((sum, { total }) => sum + total, 0),
        failed: known.reduce((sum, { failed }) => sum + failed, 0),
      };
    },
  };
};
