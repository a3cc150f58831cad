import { createTally } from './tally.ts';

describe('a tally', () => {
  it('is even where both sides have told the same, in whatever order', () => {
    const tally = createTally();
    for (let of = 0; of < 1_000; of += 1) tally.add(`key ${of % 10}`, `thing ${of}`);
    expect(tally.areAllEven()).toBe(false);
    for (let of = 999; of >= 0; of -= 1) tally.take(`key ${of % 10}`, `thing ${of}`);
    expect(tally.areAllEven()).toBe(true);
  });

  it.each<[string, (tally: ReturnType<typeof createTally>) => void]>([
    ['is missing on one side', (tally) => tally.add('key', 'thing')],
    ['differs', (tally) => [tally.add('key', 'thing'), tally.take('key', 'other thing')]],
    ['is there twice', (tally) => [tally.add('key', 'a'), tally.take('key', 'a'), tally.take('key', 'a')]],
    ['is of another key', (tally) => [tally.add('key', 'thing'), tally.take('other key', 'thing')]],
  ])('is uneven for the key of what %s', (_name, tell) => {
    const tally = createTally();
    tally.add('right', 'thing');
    tally.take('right', 'thing');
    tell(tally);
    expect([tally.isEven('key'), tally.isEven('right'), tally.areAllEven()]).toEqual([false, true, false]);
  });
});
