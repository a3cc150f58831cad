import fc from 'fast-check';
import { aMerchant } from '../../../../test/builders.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { exponentOf, MAX_AMOUNT, sum } from '../../../kernel/money.ts';
import { assertSplitAllowed, divide, type Participant, type SplitEntry } from './split.ts';

const id = (name: string | number): MerchantId => `mer_${name}`;
const entry = (name: string | number, percentage: number): SplitEntry => ({
  merchantId: id(name),
  percentage,
});

/** Entries whose percentages, in ten-thousandths, sum to at most 100. */
const anyEntries = fc
  .array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 })
  .map((shares) => {
    const total = shares.reduce((left, right) => left + right, 0);
    const fitted =
      total > 1_000_000 ? shares.map((share) => Math.floor((share * 1_000_000) / total)) : shares;
    return fitted.filter((share) => share > 0).map((share, index) => entry(index, share / 10_000));
  });
const anyNet = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: MAX_AMOUNT }));

const remainderOf = (net: number, entries: readonly SplitEntry[]): number =>
  net - sum(divide(net, entries).map((part) => part.amount));

describe('a net amount that is divided', () => {
  it('gives parts and a remainder that sum to it exactly, none of them negative', () => {
    fc.assert(
      fc.property(anyNet, anyEntries, (net, entries) => {
        for (const { amount } of divide(net, entries)) {
          expect(Number.isSafeInteger(amount)).toBe(true);
          expect(amount).toBeGreaterThanOrEqual(0);
        }
        expect(remainderOf(net, entries)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives nobody a minor unit more or less than the exact share, the originator included', () => {
    fc.assert(
      fc.property(anyNet, anyEntries, (net, entries) => {
        const isNear = (amount: number, scaled: bigint): boolean => {
          const difference = BigInt(amount) * 1_000_000n - BigInt(net) * scaled;
          return difference > -1_000_000n && difference < 1_000_000n;
        };
        const scaled = entries.map(({ percentage }) => BigInt(Math.round(percentage * 10_000)));
        divide(net, entries).forEach((part, index) => {
          expect(isNear(part.amount, scaled[index] ?? 0n)).toBe(true);
        });
        const rest = 1_000_000n - scaled.reduce((left, right) => left + right, 0n);
        expect(isNear(remainderOf(net, entries), rest)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves the originator nothing where all of it is given away', () => {
    fc.assert(
      fc.property(anyNet, fc.integer({ min: 1, max: 999_999 }), (net, share) => {
        const entries = [entry(1, share / 10_000), entry(2, (1_000_000 - share) / 10_000)];
        expect(remainderOf(net, entries)).toBe(0);
      }),
    );
  });

  it('is divided the same way each time, and keeps the entries as they were asked for', () => {
    fc.assert(
      fc.property(anyNet, anyEntries, (net, entries) => {
        const parts = divide(net, entries);
        expect(divide(net, entries)).toEqual(parts);
        expect(parts.map(({ amount: _, ...asked }) => asked)).toEqual(entries);
      }),
    );
  });

  it('gives a larger percentage never less', () => {
    fc.assert(
      fc.property(anyNet, anyEntries, (net, entries) => {
        const parts = divide(net, entries);
        for (const left of parts)
          for (const right of parts)
            if (left.percentage > right.percentage) expect(left.amount).toBeGreaterThanOrEqual(right.amount);
      }),
    );
  });

  it.each([
    ['the unit that is left goes to the largest remainder', 100, [33.33, 33.34], [33, 34], 33],
    ['a tie goes to the entry that comes first', 1, [50, 50], [1, 0], 0],
    ['a tie with the originator goes to the entry', 1, [50], [1], 0],
    ['the originator takes a unit where its remainder is the largest', 1, [20, 20], [0, 0], 1],
    ['the originator comes first where its share is larger by a hair', 101, [33.3333, 33.3333], [34, 33], 34],
    ['nothing divides into nothing', 0, [50, 25], [0, 0], 0],
    [
      'a ten-thousandth of a per cent of the largest amount',
      MAX_AMOUNT,
      [0.0001],
      [1_000_000],
      999_999_000_000,
    ],
  ])('%s', (_, net, percentages, amounts, remainder) => {
    const entries = percentages.map((percentage, index) => entry(index, percentage));
    expect(divide(net, entries).map((part) => part.amount)).toEqual(amounts);
    expect(remainderOf(net, entries)).toBe(remainder);
  });

  it.each(['CLP', 'BRL', 'KWD'])('in %s is divided in whole minor units', (currency) => {
    const net = 10 * 10 ** exponentOf(currency) + 1;
    const parts = divide(net, [entry(1, 33.3333), entry(2, 33.3333), entry(3, 33.3334)]);
    expect(sum(parts.map((part) => part.amount))).toBe(net);
    for (const { amount } of parts) expect(Math.abs(amount - net / 3)).toBeLessThan(1);
  });

  it('with a percentage of five decimals is a bug, and no part of zero', () => {
    expect(() => divide(100, [entry(1, 33.33333)])).toThrow(RangeError);
  });
});

describe('who may take part in a split (specification 4.16)', () => {
  const member = (name: string, master: string | null, changes: Partial<Participant> = {}): Participant => ({
    ...aMerchant({ id: id(name), masterId: master === null ? null : id(master) }),
    ...changes,
  });
  const master = member('master', null);
  const first = member('first', 'master', { livemode: false });
  const second = member('second', 'master', { livemode: false });
  const stranger = member('stranger', 'other-master');
  const otherMaster = member('other-master', null);
  const everybody = [master, first, second, stranger, otherMaster];
  const split = (from: Participant, to: Participant, receivers = everybody, livemode = false) => {
    assertSplitAllowed(from, [{ merchantId: to.id, percentage: 10 }], receivers, livemode);
  };
  const refusal = expect.objectContaining({ statusCode: 422, code: 'SPLIT_NOT_ALLOWED' });
  const refused = (attempt: () => void): void => {
    expect(attempt).toThrow(GatewayError);
    expect(attempt).toThrow(refusal);
  };

  it.each([
    ['a master to its sub-merchant', master, first],
    ['a sub-merchant to its master', first, master],
    ['a sub-merchant to another one of the same group', first, second],
  ])('lets %s', (_, from, to) => {
    expect(() => split(from, to)).not.toThrow();
  });

  it.each([
    ['the originator itself', first, first],
    ['a master itself', master, master],
    ["another master's sub-merchant", first, stranger],
    ["another master's sub-merchant, from a master", master, stranger],
    ['another master', master, otherMaster],
    ['another master, from a sub-merchant', first, otherMaster],
  ])('refuses %s', (_, from, to) => {
    refused(() => split(from, to));
  });

  it('refuses a merchant that does not exist', () => {
    refused(() => split(master, first, [master]));
  });

  it.each(['pre_approved', 'blocked', 'rejected'])('refuses a receiver that is %s', (status) => {
    refused(() => split(master, { ...first, status }, [master, { ...first, status }]));
  });

  it('refuses a sub-merchant of the other environment', () => {
    refused(() => split(master, first, everybody, true));
    const live = { ...first, livemode: true };
    expect(() => split(master, live, [master, live], true)).not.toThrow();
  });

  it('refuses the whole split where one entry is not allowed', () => {
    const entries = [first, stranger].map(({ id: merchantId }) => ({ merchantId, percentage: 10 }));
    refused(() => assertSplitAllowed(master, entries, everybody, false));
  });

  it('asks nothing of a charge without a split', () => {
    expect(() => assertSplitAllowed(stranger, [], [], true)).not.toThrow();
  });
});
