import { growCluster } from './shards/simulation.ts';
import { wholeNumber } from './whole-number.ts';

const EXPONENTS = [0.8, 1, 1.2];

const percent = (fraction: number): string => `${(fraction * 100).toFixed(1)} %`;

const tenants = wholeNumber('TENANTS', 20_000, 1_000_000);
const chargesPerSecond = wholeNumber('CHARGES', 10_000, 1_000_000);
const seed = wholeNumber('SEED', 1, 1_000_000);

for (const exponent of EXPONENTS) {
  const { ranges, steps } = growCluster(tenants, exponent, seed);
  process.stdout.write(
    `\n${tenants} tenants, exponent ${exponent}, ${ranges} ranges, ${chargesPerSecond} charges a second\n` +
      '| Shards | Charges a second on the fullest | Of the mean | Of which the largest tenant | Data on the fullest | Moved from half as many |\n' +
      '|---|---|---|---|---|---|\n',
  );
  for (const { shards, load, moved } of steps) {
    const fullest = (load.writes * chargesPerSecond) / shards;
    process.stdout.write(
      `| ${shards} | ${fullest.toFixed(0)} | ${load.writes.toFixed(2)} × | ${(load.largestTenant * chargesPerSecond).toFixed(0)} ` +
        `| ${load.data.toFixed(2)} × | ${percent(moved)} |\n`,
    );
  }
}
