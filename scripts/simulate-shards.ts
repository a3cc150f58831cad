import { balance, loadOf, movedBetween, rangesOf, zipfTenants } from './shards/simulation.ts';
import { wholeNumber } from './whole-number.ts';

const SHARDS = [4, 8, 16, 32, 64];
/** MongoDB moves ranges of 128 MB; this many of them are a terabyte. */
const RANGES = 8_192;
const EXPONENTS = [0.8, 1, 1.2];

const percent = (fraction: number): string => `${(fraction * 100).toFixed(1)} %`;

const tenantCount = wholeNumber('TENANTS', 20_000, 1_000_000);
const chargesPerSecond = wholeNumber('CHARGES', 10_000, 1_000_000);
const seed = wholeNumber('SEED', 1, 1_000_000);

for (const exponent of EXPONENTS) {
  const tenants = zipfTenants(tenantCount, exponent, seed);
  const ranges = rangesOf(tenants, 1 / RANGES);
  process.stdout.write(
    `\n${tenantCount} tenants, exponent ${exponent}, ${ranges.length} ranges, ${chargesPerSecond} charges a second\n` +
      '| Shards | Charges a second on the fullest | Of the mean | Of which the largest tenant | Data on the fullest | Moved from half as many |\n' +
      '|---|---|---|---|---|---|\n',
  );
  let before = balance(ranges, 2, 1 / RANGES, []);
  for (const shards of SHARDS) {
    const placement = balance(ranges, shards, 1 / RANGES, before);
    const load = loadOf(tenants, ranges, placement, shards);
    const fullest = (load.writes * chargesPerSecond) / shards;
    process.stdout.write(
      `| ${shards} | ${fullest.toFixed(0)} | ${load.writes.toFixed(2)} × | ${(load.largestTenant * chargesPerSecond).toFixed(0)} ` +
        `| ${load.data.toFixed(2)} × | ${percent(movedBetween(ranges, before, placement))} |\n`,
    );
    before = placement;
  }
}
