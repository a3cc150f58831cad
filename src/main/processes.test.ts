import { pauseBefore } from './processes.ts';

describe('the pause before a process is started again', () => {
  it('grows from death to death, up to a quarter of a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 100].map(pauseBefore)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ]);
  });
});
