import { v7 } from 'uuid';
import { firstIdAt } from './ids.ts';

it.each([0, 1_700_000_000_000, Date.now()])('ids made before a moment are below its first id (%d)', (at) => {
  const idAt = (msecs: number): string => `evt_${v7({ msecs }).replaceAll('-', '')}`;
  const first = firstIdAt('evt', new Date(at));
  expect([idAt(at) > first, idAt(at + 1) > first]).toEqual([true, true]);
  if (at > 0) expect(idAt(at - 1) < first).toBe(true);
});
