import fc from 'fast-check';
import { aMerchant } from '../../../../test/builders.ts';
import { volume } from '../../../../test/support/volume.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import type { MerchantId } from '../../../kernel/ids.ts';
import { exponentOf, MAX_AMOUNT, percentOf, sum, toMinor } from '../../../kernel/money.ts';
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

/** Net amounts in currencies of 0, 2 and 3 decimals, after a fixed fee and a percentage. */
const anyCharged = fc
  .record({
    currency: fc.constantFrom('CLP', 'BRL', 'KWD'),
    units: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 1_000_000_000 })),
    fixed: fc.nat(500),
    percentage: fc.nat(1_000_000),
  })
  .map(({ currency, units, fixed, percentage }) => {
    const amount = Math.min(MAX_AMOUNT, toMinor(units, currency) ?? 0);
    return amount - Math.min(amount, fixed + percentOf(amount, percentage / 10_000));
  });

/** The fault of a division, by exact arithmetic; null where nothing is. Quicker than a matcher for each part. */
const faultOf = (net: number, entries: readonly SplitEntry[]): string | null => {
  const parts = divide(net, entries);
  const scaled = entries.map(({ percentage }) => BigInt(Math.round(percentage * 10_000)));
  const shares = [...scaled, 1_000_000n - scaled.reduce((left, right) => left + right, 0n)];
  const amounts = parts.map(({ amount }) => amount);
  const all = [...amounts, net - sum(amounts)];
  for (const [index, amount] of all.entries()) {
    if (!Number.isSafeInteger(amount) || amount < 0) return `part ${index} is ${amount}`;
    const off = BigInt(amount) * 1_000_000n - BigInt(net) * (shares[index] ?? 0n);
    if (off <= -1_000_000n || off >= 1_000_000n) return `part ${index} is a unit off`;
  }
  const again = divide(net, entries);
  return parts.some(({ amount }, index) => amount !== again[index]?.amount) ? 'is not the same again' : null;
};

describe('a net amount that is divided', () => {
  it('sums to it exactly with the remainder; nobody is a minor unit off, and it is the same each time', () => {
    fc.assert(
      fc.property(fc.oneof(anyNet, anyCharged), anyEntries, (net, entries) => {
        const fault = faultOf(net, entries);
        if (fault !== null) throw new Error(fault);
      }),
      { numRuns: volume({ usual: 20_000, proof: 1_000_000 }) },
    );
  }, 1_200_000);

  it('gives the units that are left to the largest remainders, of equal ones to those that come first', () => {
    // Few different percentages of small amounts: most remainders are equal.
    const anyShares = fc.array(fc.constantFrom(5_000, 10_000, 20_000, 25_000), {
      minLength: 2,
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), anyShares, (net, shares) => {
        const all = [...shares, 1_000_000 - sum(shares)];
        const remainders = all.map((share) => (net * share) % 1_000_000);
        const left = net - sum(all.map((share) => Math.floor((net * share) / 1_000_000)));
        const amounts = shares.map((share, index) => {
          const own = remainders[index] ?? 0;
          const before = remainders.filter((other, at) => other > own || (other === own && at < index));
          return Math.floor((net * share) / 1_000_000) + (before.length < left ? 1 : 0);
        });
        const parts = divide(
          net,
          shares.map((share, index) => entry(index, share / 10_000)),
        );
        expect(parts.map(({ amount }) => amount)).toEqual(amounts);
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

  it('keeps the entries as they were asked for', () => {
    fc.assert(
      fc.property(anyNet, anyEntries, (net, entries) => {
        expect(divide(net, entries).map(({ amount: _, ...asked }) => asked)).toEqual(entries);
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

describe('participants of a split', () => {
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
