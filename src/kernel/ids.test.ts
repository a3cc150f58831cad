import { v7 } from 'uuid';
import { createUuids, firstIdAt, timeOfId } from './ids.ts';

it.each([0, 1_700_000_000_000, Date.now()])('ids made before a moment are below its first id (%d)', (at) => {
  const idAt = (msecs: number): string => `evt_${v7({ msecs }).replaceAll('-', '')}`;
  const first = firstIdAt('evt', new Date(at));
  expect([idAt(at) > first, idAt(at + 1) > first]).toEqual([true, true]);
  if (at > 0) expect(idAt(at - 1) < first).toBe(true);
});

describe('ids of one process', () => {
  const T = 1_800_000_000_000;

  it('ascend within a millisecond, and where the clock is a little behind', () => {
    let now = T;
    const uuid = createUuids(() => now);
    const made = Array.from({ length: 1_000 }, (_, index) => {
      now = T + Math.floor(index / 100) - (index % 3);
      return uuid();
    });
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
  });

  it('end in random digits that are used once', () => {
    const uuid = createUuids(() => T);
    const tails = Array.from({ length: 1_000 }, () => uuid().slice(-12));
    expect(new Set(tails).size).toBe(tails.length);
  });

  it('do not stay ahead after a clock that was', () => {
    let now = T;
    const uuid = createUuids(() => now);
    const timeOf = (): number => timeOfId(`evt_${uuid().replaceAll('-', '')}`).getTime();
    expect(timeOf()).toBe(T);
    now = T + 7_200_000;
    expect(timeOf()).toBe(now);
    now = T + 8_000;
    expect(timeOf()).toBe(now);
  });
});
