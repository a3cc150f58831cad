import { readFileSync } from 'node:fs';
import { balance, growCluster, loadOf, movedBetween, rangesOf, zipfTenants } from './simulation.ts';

const SIZE = 0.001;
const tenants = zipfTenants(2_000, 1, 1);
const ranges = rangesOf(tenants, SIZE);
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe('the simulation of a sharded cluster', () => {
  it('gives tenants shares by the law of Zipf', () => {
    const shares = tenants.map(({ share }) => share).sort((a, b) => b - a);
    expect(sum(shares)).toBeCloseTo(1);
    expect((shares[0] as number) / (shares[9] as number)).toBeCloseTo(10);
  });

  it('cuts all data into ranges, and large tenants into several', () => {
    expect(sum(ranges.map(({ data }) => data))).toBeCloseTo(1);
    expect(sum(ranges.map(({ writes }) => writes))).toBeCloseTo(1);
    expect(Math.max(...ranges.map(({ data }) => data))).toBeLessThanOrEqual(SIZE * 1.000001);
    // The largest tenant has a tenth of everything, and its new documents go to one of its ranges.
    expect(Math.max(...ranges.map(({ writes }) => writes))).toBeGreaterThan(0.1);
  });

  it('spreads the data evenly, and the writes as far as the largest tenant allows', () => {
    const placement = balance(ranges, 8, SIZE, []);
    const load = loadOf(tenants, ranges, placement, 8);
    expect(load.data).toBeLessThan(1.05);
    expect(load.writes).toBeGreaterThanOrEqual(load.largestTenant * 8);
  });

  it('moves little more than what new shards are to hold', () => {
    const four = balance(ranges, 4, SIZE, []);
    const eight = balance(ranges, 8, SIZE, four);
    const moved = movedBetween(ranges, four, eight);
    expect(moved).toBeGreaterThan(0.45);
    expect(moved).toBeLessThan(0.55);
    expect(movedBetween(ranges, eight, balance(ranges, 8, SIZE, eight))).toBe(0);
  });

  it('computes the figures of the guide to scaling', () => {
    const CHARGES = 10_000;
    const all = [0.8, 1, 1.2].map((exponent) => growCluster(20_000, exponent, 1).steps);
    const number = (value: number): string => Math.round(value).toLocaleString('en-US');
    const cell = ({ shards, load }: (typeof all)[number][number]): string =>
      `${number((load.writes * CHARGES) / shards)}, ${load.writes.toFixed(2)} ×`;
    const rows = (all[0] ?? []).map((step, place) =>
      [
        step.shards,
        ...all.map((steps) => cell(steps[place] as typeof step)),
        `${Math.round(step.moved * 100)} %`,
      ].join(' | '),
    );
    const guide = readFileSync('docs/scaling.md', 'utf8');
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(guide).toContain(`| ${row} |`);
  });
});
