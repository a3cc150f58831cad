import { later, NOW } from '../../../../test/builders.ts';
import { type Advancing, arrive, beginAdvance, moveTo, timeOfTestClock } from './test-clock.ts';

const DAY_S = 86_400;
const begun = (move: Parameters<typeof beginAdvance>[2], real = NOW): Advancing =>
  beginAdvance(null, 'one', move, real).data as Advancing;

describe('the test clock', () => {
  it('is the real time until somebody moves it', () => {
    expect(timeOfTestClock(null, NOW)).toEqual(NOW);
  });

  it('stands while it is advanced, and runs on from where it arrives', () => {
    const clock = begun({ by: 'P30D' });
    expect(clock.advance.until).toBe(later(30 * DAY_S).toISOString());
    expect(timeOfTestClock(clock, later(5))).toEqual(NOW);
    const moved = moveTo(clock, later(DAY_S).toISOString(), { charge: 1 });
    expect(timeOfTestClock(moved, later(6))).toEqual(later(DAY_S));
    const { data } = arrive(moved, { charge: 2 }, later(7));
    expect(timeOfTestClock(data, later(7))).toEqual(later(30 * DAY_S));
    expect(timeOfTestClock(data, later(8))).toEqual(later(30 * DAY_S + 1));
    expect(data.ended).toMatchObject([{ id: 'one', happened: { charge: 2 } }]);
  });

  it('never runs backwards, even where moving it took longer than it was moved by', () => {
    const first = arrive(begun({ by: 'P1D' }), {}, later(1)).data;
    const second = beginAdvance(first, 'two', { by: 'PT1S' }, later(2)).data as Advancing;
    const { data } = arrive(second, {}, later(100));
    expect(timeOfTestClock(data, later(100)).getTime()).toBeGreaterThanOrEqual(
      Date.parse(second.advance.until),
    );
    expect(data.offsetMs).toBeGreaterThanOrEqual(first.offsetMs);
  });

  it('remembers the latest twenty moves', () => {
    let clock = arrive(begun({ by: 'P1D' }), {}, NOW).data;
    for (let move = 0; move < 30; move += 1)
      clock = arrive(beginAdvance(clock, `${move}`, { by: 'P1D' }, NOW).data as Advancing, {}, NOW).data;
    expect(clock.ended).toHaveLength(20);
    expect(clock.ended.at(-1)?.id).toBe('29');
  });

  it.each([
    [{ by: 'P0D' }, 'by'],
    [{ by: 'P9999W' }, 'by'],
    [{ to: NOW.toISOString() }, 'to'],
    [{ to: later(-1).toISOString() }, 'to'],
    [{ to: later(6 * 366 * DAY_S).toISOString() }, 'to'],
  ])('refuses %j', (move, path) => {
    expect(() => beginAdvance(null, 'one', move, NOW)).toThrow(
      expect.objectContaining({ statusCode: 400, errors: [expect.objectContaining({ path })] }),
    );
  });
});
